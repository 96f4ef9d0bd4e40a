import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ReportData } from '../../app/api.gen.ts';
import { count, duration, milliseconds, percent } from '../../lib/format.ts';
import { Card } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { words } from '../../words/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { BarLegend, TimeBar } from '../../parts/bars.tsx';
import { objectiveOf } from './budgets.ts';
import { slotsOf } from './period.ts';

const w = words.reports;

type Total = ReportData['total'];

/** Uptime with its sign; a dash where nothing was observed. */
export function Percent({ value }: { value: number | null }) {
  if (value === null) return '–';
  return (
    <>
      {exact(value)}
      <small>{'\u202f'}%</small>
    </>
  );
}

function seconds(value: number | null): string {
  return value === null ? '–' : duration(value * 1_000);
}

/** Downtime; a dash where no time was observed that counts. */
export function downtimeOf({ uptime_percent, down_seconds }: Downtime): string {
  return seconds(uptime_percent === null ? null : down_seconds);
}

type Downtime = Pick<Total, 'uptime_percent' | 'down_seconds'>;

/** Main figures of a report. Where corrections change them, both are shown. */
export function Figures({ total, isCorrected }: { total: Total; isCorrected: boolean }) {
  const other =
    total.compared === null
      ? null
      : isCorrected
        ? total.compared.uncorrected
        : total.compared.corrected;
  const otherWord = isCorrected ? w.recordedIs : w.correctedIs;
  const p95 = total.response_time.p95;
  const figures: { name: string; value: ReactNode; note?: ReactNode }[] = [
    {
      name: words.labels.uptime,
      value: <Percent value={total.uptime_percent} />,
      note:
        other === null
          ? observedText(total.observed_percent)
          : otherWord(shortPercent(other.uptime_percent)),
    },
    {
      name: w.downtime,
      value: downtimeOf(total),
      note: other === null ? undefined : otherWord(downtimeOf(other)),
    },
    {
      name: words.nav.incidents,
      value: count(total.incidents),
      note: w.outages,
    },
    { name: w.mttr, value: seconds(total.mttr_seconds), note: w.mttrHint },
    // Of several monitors, their added times say nothing about the time between two outages.
    ...(total.monitors_count === 1
      ? [{ name: w.mtbf, value: seconds(total.mtbf_seconds), note: words.reports.mttrHint }]
      : []),
    {
      name: w.p95,
      value:
        p95 === null ? (
          '–'
        ) : (
          <>
            {milliseconds(Math.round(p95))}
            <small>{'\u202f'}ms</small>
          </>
        ),
      note: words.terms.monitorCount(total.monitors_count),
    },
  ];
  return (
    <dl className="card kpis">
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note !== undefined && <dd className="obs">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Observed share, where it is less than all but nothing. */
function observedText(value: number | null): string | null {
  return value === null || value >= 99.5 ? null : words.labels.observed(percent(value));
}

/** What most monitors have in common, which is said once; null where they differ. */
export function usualOf(texts: readonly (string | null)[]): string | null {
  const most = texts.find((text) => texts.filter((one) => one === text).length * 2 > texts.length);
  return most ?? null;
}

/** Uptimes of a report have three decimals each, so that they compare down a column. */
const exact = (value: number) => percent(value, words.time.locale, 3);

function shortPercent(value: number | null): string {
  return value === null ? '–' : `${exact(value)}\u202f%`;
}

/** Totals of groups or tags; nothing for none. */
export function Totals(props: { title: string; rows: readonly (Total & { name: string })[] }) {
  const { title, rows } = props;
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <Table
        className="stacked figures"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          {
            name: words.labels.name,
            render: ({ name }) => <span className="b">{name}</span>,
            className: 'rp-name',
          },
          { name: words.nav.monitors, render: (row) => count(row.monitors_count), className: 'r' },
          {
            name: words.labels.uptime,
            render: (row) => shortPercent(row.uptime_percent),
            className: 'r',
          },
          { name: w.downtime, render: downtimeOf, className: 'r' },
          { name: words.nav.incidents, render: (row) => count(row.incidents), className: 'r' },
        ]}
      />
    </Card>
  );
}

/** Monitors that are shown until all are asked for: those with most downtime. */
const SHOWN_AT_FIRST = 10;

type Monitor = ReportData['monitors'][number];

/** Monitors of a report, those with most downtime first, each with a bar of its days. */
export function MonitorsTable(props: {
  data: ReportData;
  onCorrections: (monitor: { id: number; name: string }) => void;
}) {
  const { data, onCorrections } = props;
  const monitors = data.monitors.toSorted(
    (a, b) => b.down_seconds - a.down_seconds || a.name.localeCompare(b.name),
  );
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? monitors : monitors.slice(0, SHOWN_AT_FIRST);
  const hasSlo = monitors.some(({ slo }) => slo !== null);
  const usual = usualOf(monitors.map((one) => observedText(one.observed_percent)));
  return (
    <Card
      title={words.nav.monitors}
      aside={
        <span className="wide">
          <BarLegend />
        </span>
      }
    >
      {monitors.length === 0 && <p className="pad dim">{w.noMonitors}</p>}
      {monitors.length > 0 && (
        <Table
          className="stacked rp-monitors"
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            {
              name: words.labels.name,
              render: ({ id, name }) => (
                <Link className="b clip" href={`/monitors/${id}`} title={name}>
                  {name}
                </Link>
              ),
              className: 'rp-name',
            },
            {
              name: w.days,
              render: ({ days }) => <DaysBar days={days} />,
              className: 'rp-bar',
              kind: 'bare',
            },
            {
              name: words.labels.uptime,
              render: (one) => <Uptime monitor={one} isCorrected={data.corrected} usual={usual} />,
              className: 'r',
            },
            {
              name: w.downtime,
              render: (one) =>
                one.uptime_percent !== null && one.down_seconds === 0 ? (
                  <span className="faint">{words.common.none}</span>
                ) : (
                  downtimeOf(one)
                ),
              className: 'r',
            },
            {
              name: words.nav.incidents,
              render: ({ incidents }) => count(incidents),
              className: 'r wide rp-more',
            },
            {
              name: w.p95,
              render: ({ response_time: { p95 } }) =>
                p95 === null ? '–' : `${milliseconds(Math.round(p95))}\u202fms`,
              className: 'r wide rp-more',
            },
            hasSlo && {
              name: words.labels.errorBudget,
              render: ({ slo }) =>
                slo === null ? <span className="faint wide">–</span> : <Budget slo={slo} />,
              className: 'r',
            },
            {
              name: words.labels.corrections,
              render: (one) => (
                <IconButton
                  icon="edit"
                  label={w.correctionsOf(one.name)}
                  onClick={() => onCorrections(one)}
                />
              ),
              className: 'r',
              kind: 'unnamed',
            },
          ]}
        />
      )}
      {usual !== null && monitors.length > 1 && (
        <p className="pad xs dim">{w.observedUsual(usual)}</p>
      )}
      {shown.length < monitors.length && (
        <div className="row over form-end">
          <Button onClick={() => setWhole(true)}>{w.showAllMonitors(monitors.length)}</Button>
        </div>
      )}
    </Card>
  );
}

function DaysBar({ days }: Pick<Monitor, 'days'>) {
  const down = days.filter((day) => day.down_seconds > 0).length;
  return <TimeBar slots={slotsOf(days)} label={words.reports.daysDown(down, days.length)} />;
}

/** Uptime with what corrections make of it, and the observed share. */
function Uptime(props: { monitor: Monitor; isCorrected: boolean; usual: string | null }) {
  const { monitor, isCorrected, usual } = props;
  const { uptime_percent, observed_percent, compared } = monitor;
  const observed = observedText(observed_percent);
  const other = compared === null ? null : isCorrected ? compared.uncorrected : compared.corrected;
  return (
    <span>
      {shortPercent(uptime_percent)}
      {other !== null && other.uptime_percent !== null && (
        <span className="xs dim block nowrap">
          {(isCorrected ? w.recordedIs : w.correctedIs)(shortPercent(other.uptime_percent))}
        </span>
      )}
      {observed !== usual && observed !== null && (
        <span className="xs faint block nowrap">{observed}</span>
      )}
    </span>
  );
}

/** What is left of an error budget, with the objective that it belongs to. */
function Budget({ slo }: { slo: NonNullable<Monitor['slo']> }) {
  const isSpent = slo.budget_left_seconds < 0;
  const text = duration(Math.abs(slo.budget_left_seconds) * 1_000);
  return (
    <span>
      <span className={isSpent ? 'down b' : ''}>
        {isSpent ? w.budgetOver(text) : words.slo.left(text)}
      </span>
      <span className="xs faint block nowrap">{objectiveOf(slo)}</span>
    </span>
  );
}
