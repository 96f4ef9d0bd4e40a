import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type MonitorDay, type MonitorDetail } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { BASE } from '../../app/place.ts';
import { useSession } from '../../app/session.ts';
import { BAR_HEIGHT, BAR_STROKE, barPaths, barWidth } from '../../lib/bar.ts';
import { day as dayText, duration, percent } from '../../lib/format.ts';
import { Card, Loading } from '../../parts/page.tsx';
import { ScrollRegion, Table } from '../../parts/table.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { useTip } from '../../parts/tip.tsx';
import { BarLegend } from '../../parts/bars.tsx';
import { words } from '../../words/index.ts';
import { daysSince, displayStatusOfDay, HISTORY_MS, slotOf } from './rules.ts';

/** One bar of the last 90 days. Each day leads to its incidents. */
export function DaysCard({ monitor }: { monitor: MonitorDetail }) {
  const { zone } = useSession();
  const read = useRead(
    'getMonitorDays',
    { path: { id: monitor.id }, query: { days: 90, timezone: zone } },
    { refetchInterval: HISTORY_MS },
  );
  const { data } = read;
  return (
    <Card
      className="mo-days-card"
      title={words.monitor.periods['90d'].long}
      aside={
        <div className="wide">
          <BarLegend />
        </div>
      }
    >
      {data === undefined ? (
        <Loading reads={[read]} lines={1} />
      ) : (
        <Days {...daysSince(data.data, monitor.created_at)} monitorId={monitor.id} />
      )}
    </Card>
  );
}

function Days(props: { days: readonly MonitorDay[]; empty: number; monitorId: number }) {
  const { days, empty, monitorId } = props;
  const { zone } = useSession();
  const now = useNow(60_000);
  const [, navigate] = useLocation();
  const bar = useRef<HTMLDivElement>(null);
  useTip(bar, (target) => target.closest('.mo-hits a')?.ariaLabel ?? null);
  const slots = '-'.repeat(empty) + days.map(slotOf).join('');
  const width = barWidth(slots.length);
  const step = width / slots.length;
  const good = days.filter(({ status }) => status === 'online').length;
  const unobserved = days.filter(({ status }) => status === 'unobserved').length;
  const first = days[0];
  const shown = (day: MonitorDay) => dayText(Date.parse(day.from), now, zone);
  return (
    <>
      <div className="relative under mo-days" ref={bar}>
        <svg
          className="bar"
          viewBox={`0 0 ${width} ${BAR_HEIGHT}`}
          strokeWidth={BAR_STROKE}
          preserveAspectRatio="none"
          role="img"
          aria-label={words.monitor.days.label(good, days.length - good - unobserved, unobserved)}
        >
          {barPaths(slots).map(({ name, path }) => (
            <path key={name} className={name} d={path} />
          ))}
        </svg>
        {/* For the pointer; the table below has the same links for the keyboard. */}
        <svg
          className="bar mo-hits"
          viewBox={`0 0 ${width} ${BAR_HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {days.map((day, index) => (
            <a
              key={day.date}
              href={`${BASE}${incidentsPath(monitorId, day)}`}
              tabIndex={-1}
              aria-label={[shown(day), ...factsOf(day)].join(' · ')}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                navigate(incidentsPath(monitorId, day));
              }}
            >
              <rect
                className="mo-day"
                x={(empty + index) * step}
                y="-4"
                width={step}
                height={BAR_HEIGHT + 8}
              />
            </a>
          ))}
        </svg>
        <p className="line between xs faint mo-ends">
          <span>
            {first && (empty > 0 ? words.monitor.days.created(shown(first)) : shown(first))}
          </span>
          <span>{words.time.today}</span>
        </p>
      </div>
      <details className="mo-details">
        <summary className="under xs dim">{words.labels.asTable}</summary>
        <DaysTable days={days} monitorId={monitorId} shown={shown} />
      </details>
    </>
  );
}

function DaysTable(props: {
  days: readonly MonitorDay[];
  monitorId: number;
  shown: (day: MonitorDay) => string;
}) {
  const { days, monitorId, shown } = props;
  const { columns } = words.monitor.days;
  return (
    <ScrollRegion
      className="mo-scroll"
      label={words.monitor.tableOf(words.monitor.periods['90d'].long)}
    >
      <Table
        className=""
        rows={days.toReversed()}
        keyOf={({ date }) => date}
        columns={[
          { name: columns.day, render: shown },
          {
            name: words.labels.status,
            render: (day) => {
              const displayStatus = displayStatusOfDay(day);
              return (
                <span className="line">
                  <StatusShape displayStatus={displayStatus} isDecoration />
                  {words.status[displayStatus]}
                  {day.imported && ` (${words.monitor.days.imported})`}
                </span>
              );
            },
          },
          { name: words.labels.uptime, render: (day) => share(day.uptime_percent), className: 'r' },
          {
            name: words.status.offline,
            render: ({ down_seconds: down }) => (down === 0 ? '–' : length(down)),
            className: 'r',
          },
          {
            name: columns.observed,
            render: (day) => share(day.observed_percent),
            className: 'r wide',
          },
          {
            name: columns.incidents,
            render: (day) =>
              day.incidents === 0 ? (
                '–'
              ) : (
                <Link className="link" href={incidentsPath(monitorId, day)}>
                  {day.incidents}
                  <span className="vh">, {words.monitor.days.incidentsOf(shown(day))}</span>
                </Link>
              ),
            className: 'r',
          },
        ]}
      />
    </ScrollRegion>
  );
}

const share = (value: number | null) => (value === null ? '–' : `${percent(value)} %`);

/** What is worth saying of a day. */
function factsOf(day: MonitorDay): string[] {
  const { days } = words.monitor;
  if (day.uptime_percent === null) return [words.labels.notObserved];
  return [
    days.uptime(percent(day.uptime_percent)),
    ...(day.down_seconds > 0 ? [words.labels.down(length(day.down_seconds))] : []),
    ...(day.degraded_seconds > 0 ? [days.degraded(length(day.degraded_seconds))] : []),
    ...(day.excluded_seconds > 0 ? [days.excluded(length(day.excluded_seconds))] : []),
    ...(day.incidents > 0 ? [days.incidents(day.incidents)] : []),
    ...(day.imported ? [days.imported] : []),
  ];
}

function length(seconds: number): string {
  return duration(seconds * 1_000);
}

/** List of the incidents of a day. */
function incidentsPath(monitorId: number, { date }: MonitorDay): string {
  return `/incidents?monitor_id=${monitorId}&start_date=${date}&end_date=${date}`;
}
