import type { ReactNode } from 'react';
import type { ReportData } from '../../app/api.gen.ts';
import { count, duration, milliseconds, percent } from '../../lib/format.ts';
import { Card } from '../../parts/page.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { words } from '../../words/index.ts';

type Total = ReportData['total'];

/** Uptime with its sign; a dash where nothing was observed. */
export function Percent({ value }: { value: number | null }) {
  if (value === null) return '–';
  return (
    <>
      {percent(value, words.time.locale)}
      <small>{'\u202f'}%</small>
    </>
  );
}

function seconds(value: number | null): string {
  return value === null ? '–' : duration(value * 1_000, words.time);
}

/** Downtime; a dash where no time was observed that counts. */
export function downtimeOf({ uptime_percent, down_seconds }: Downtime): string {
  return seconds(uptime_percent === null ? null : down_seconds);
}

type Downtime = Pick<Total, 'uptime_percent' | 'down_seconds'>;

/** Main figures of a report. Where corrections change them, both are shown. */
export function Figures({ total, isCorrected }: { total: Total; isCorrected: boolean }) {
  const w = words.reports;
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
        other === null ? (
          <Observed value={total.observed_percent} />
        ) : (
          otherWord(shortPercent(other.uptime_percent))
        ),
    },
    {
      name: w.downtime,
      value: downtimeOf(total),
      note: other === null ? undefined : otherWord(downtimeOf(other)),
    },
    {
      name: words.nav.incidents,
      value: count(total.incidents, words.time.locale),
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
            {milliseconds(Math.round(p95), words.time.locale)}
            <small>{'\u202f'}ms</small>
          </>
        ),
      note: w.monitorCount(total.monitors_count),
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
export function Observed({ value }: { value: number | null }) {
  if (value === null || value >= 99.5) return null;
  return words.reports.observed(percent(value, words.time.locale));
}

function shortPercent(value: number | null): string {
  return value === null ? '–' : `${percent(value, words.time.locale)}\u202f%`;
}

/** Totals of groups or tags; nothing for none. */
export function Totals({
  title,
  rows,
}: {
  title: string;
  rows: readonly (Total & { name: string })[];
}) {
  const w = words.reports;
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <table className="stacked figures">
        <TableHead
          columns={[
            words.labels.name,
            { text: words.nav.monitors, className: 'r' },
            { text: words.labels.uptime, className: 'r' },
            { text: w.downtime, className: 'r' },
            { text: words.nav.incidents, className: 'r' },
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td className="rp-name b">{row.name}</td>
              <td className="r" data-label={words.nav.monitors}>
                {count(row.monitors_count, words.time.locale)}
              </td>
              <td className="r" data-label={words.labels.uptime}>
                {shortPercent(row.uptime_percent)}
              </td>
              <td className="r" data-label={w.downtime}>
                {downtimeOf(row)}
              </td>
              <td className="r" data-label={words.nav.incidents}>
                {count(row.incidents, words.time.locale)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
