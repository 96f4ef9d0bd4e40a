import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.tsx';
import { BASE } from '../../app/place.ts';
import type { MonitorDay, MonitorDetail } from '../../client/types.gen.ts';
import { BAR_HEIGHT, BAR_STROKE, barPaths, barWidth } from '../../lib/bar.ts';
import { day as dayText, duration, percent } from '../../lib/format.ts';
import { Card } from '../../parts/card.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { BarLegend } from '../../parts/time-bar.tsx';
import { words } from '../../words/index.ts';
import { slotOf, standingOfDay } from './day-slots.ts';
import { useDays } from './reads.ts';

/** One bar of the last 90 days. Each day leads to its incidents. */
export function DaysCard({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const { data, error, refetch } = useDays(monitor.id);
  return (
    <Card
      className="mo-days-card"
      title={words.monitor.days.title}
      aside={
        <div className="wide">
          <BarLegend />
        </div>
      }
    >
      {error && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Waiting lines={1} />
      ) : (
        <Days days={data.data} monitorId={monitor.id} />
      )}
    </Card>
  );
}

function Days({ days, monitorId }: { days: readonly MonitorDay[]; monitorId: number }): ReactNode {
  const { zone } = useSession();
  const now = useNow(60_000);
  const [, navigate] = useLocation();
  const slots = days.map(slotOf).join('');
  const width = barWidth(slots.length);
  const step = width / slots.length;
  const good = days.filter(({ status }) => status === 'online').length;
  const unobserved = days.filter(({ status }) => status === 'unobserved').length;
  const first = days[0];
  const shown = (day: MonitorDay) => dayText(Date.parse(day.from), now, zone, words.time);
  return (
    <>
      <div className="mo-days">
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
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                navigate(incidentsPath(monitorId, day));
              }}
            >
              <title>{[shown(day), ...factsOf(day)].join(', ')}</title>
              <rect
                className="mo-day"
                x={index * step}
                y="-4"
                width={step}
                height={BAR_HEIGHT + 8}
              />
            </a>
          ))}
        </svg>
        <p className="mo-ends xs faint">
          <span>{first && shown(first)}</span>
          <span>{words.time.today}</span>
        </p>
      </div>
      <details className="mo-details">
        <summary>{words.monitor.days.table}</summary>
        <DaysTable days={days} monitorId={monitorId} shown={shown} />
      </details>
    </>
  );
}

function DaysTable({
  days,
  monitorId,
  shown,
}: {
  days: readonly MonitorDay[];
  monitorId: number;
  shown: (day: MonitorDay) => string;
}): ReactNode {
  const { columns } = words.monitor.days;
  const { locale } = words.time;
  return (
    <ScrollRegion className="mo-scroll" label={words.monitor.tableOf(words.monitor.days.title)}>
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.day}</th>
            <th scope="col">{columns.status}</th>
            <th scope="col" className="r">
              {columns.uptime}
            </th>
            <th scope="col" className="r">
              {columns.down}
            </th>
            <th scope="col" className="r wide">
              {columns.observed}
            </th>
            <th scope="col" className="r">
              {columns.incidents}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => {
            const standing = standingOfDay(day);
            return (
              <tr key={day.date}>
                <th scope="row" className="mo-row">
                  {shown(day)}
                </th>
                <td>
                  <span className="cell">
                    <StatusShape standing={standing} isDecoration />
                    {words.status[standing]}
                  </span>
                </td>
                <td className="r">
                  {day.uptime_percent === null ? '–' : `${percent(day.uptime_percent, locale)} %`}
                </td>
                <td className="r">
                  {day.down_seconds === 0 ? '–' : duration(day.down_seconds * 1_000, words.time)}
                </td>
                <td className="r wide">
                  {day.observed_percent === null
                    ? '–'
                    : `${percent(day.observed_percent, locale)} %`}
                </td>
                <td className="r">
                  {day.incidents === 0 ? (
                    '–'
                  ) : (
                    <Link className="link" href={incidentsPath(monitorId, day)}>
                      {day.incidents}
                      <span className="vh">, {words.monitor.days.incidentsOf(shown(day))}</span>
                    </Link>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** What is worth saying of a day. */
function factsOf(day: MonitorDay): string[] {
  const { days } = words.monitor;
  if (day.uptime_percent === null) return [words.monitor.notObserved];
  return [
    days.uptime(percent(day.uptime_percent, words.time.locale)),
    ...(day.down_seconds > 0 ? [days.down(length(day.down_seconds))] : []),
    ...(day.degraded_seconds > 0 ? [days.degraded(length(day.degraded_seconds))] : []),
    ...(day.excluded_seconds > 0 ? [days.excluded(length(day.excluded_seconds))] : []),
    ...(day.incidents > 0 ? [days.incidents(day.incidents)] : []),
  ];
}

function length(seconds: number): string {
  return duration(seconds * 1_000, words.time);
}

/** List of the incidents of a day. */
function incidentsPath(monitorId: number, { date }: MonitorDay): string {
  return `/incidents?monitor_id=${monitorId}&start_date=${date}&end_date=${date}`;
}
