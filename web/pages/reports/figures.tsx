import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ReportData } from '../../app/api.gen.ts';
import { count, duration, milliseconds, percent } from '../../lib/format.ts';
import { Card } from '../../parts/page.tsx';
import { TableHead } from '../../parts/table.tsx';
import { words } from '../../words/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { BarLegend, TimeBar } from '../../parts/bars.tsx';
import { slotsOf } from './period.ts';

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
                {count(row.monitors_count)}
              </td>
              <td className="r" data-label={words.labels.uptime}>
                {shortPercent(row.uptime_percent)}
              </td>
              <td className="r" data-label={w.downtime}>
                {downtimeOf(row)}
              </td>
              <td className="r" data-label={words.nav.incidents}>
                {count(row.incidents)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
  const w = words.reports;
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
        <table className="stacked rp-monitors">
          <thead>
            <tr>
              <th>{words.labels.name}</th>
              <th>{w.days}</th>
              <th className="r">{words.labels.uptime}</th>
              <th className="r">{w.downtime}</th>
              <th className="r rp-more">{words.nav.incidents}</th>
              <th className="r rp-more">{w.p95}</th>
              {hasSlo && <th className="r">{words.labels.errorBudget}</th>}
              <th>
                <span className="vh">{words.labels.corrections}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((monitor) => (
              <MonitorRow
                key={monitor.id}
                monitor={monitor}
                isCorrected={data.corrected}
                hasSlo={hasSlo}
                usual={usual}
                onCorrections={() => onCorrections(monitor)}
              />
            ))}
          </tbody>
        </table>
      )}
      {usual !== null && monitors.length > 1 && (
        <p className="pad xs dim">{w.observedUsual(usual)}</p>
      )}
      {shown.length < monitors.length && (
        <div className="form-end">
          <Button onClick={() => setWhole(true)}>{w.showAllMonitors(monitors.length)}</Button>
        </div>
      )}
    </Card>
  );
}

function MonitorRow(props: {
  monitor: Monitor;
  isCorrected: boolean;
  hasSlo: boolean;
  usual: string | null;
  onCorrections: () => void;
}) {
  const { monitor, isCorrected, hasSlo, usual, onCorrections } = props;
  const w = words.reports;
  const { id, name, days, down_seconds, incidents, response_time, slo } = monitor;
  const down = days.filter((day) => day.down_seconds > 0).length;
  return (
    <tr>
      <td className="rp-name">
        <Link className="b clip" href={`/monitors/${id}`} title={name}>
          {name}
        </Link>
      </td>
      <td className="rp-bar">
        <TimeBar slots={slotsOf(days)} label={w.daysDown(down, days.length)} />
      </td>
      <td className="r" data-label={words.labels.uptime}>
        <Uptime monitor={monitor} isCorrected={isCorrected} usual={usual} />
      </td>
      <td className="r" data-label={w.downtime}>
        {monitor.uptime_percent !== null && down_seconds === 0 ? (
          <span className="faint">{words.common.none}</span>
        ) : (
          downtimeOf(monitor)
        )}
      </td>
      <td className="r wide rp-more" data-label={words.nav.incidents}>
        {count(incidents)}
      </td>
      <td className="r wide rp-more" data-label={w.p95}>
        {response_time.p95 === null
          ? '–'
          : `${milliseconds(Math.round(response_time.p95))}\u202fms`}
      </td>
      {hasSlo && (
        <td className={slo === null ? 'r wide' : 'r'} data-label={words.labels.errorBudget}>
          {slo === null ? <span className="faint">–</span> : <Budget slo={slo} />}
        </td>
      )}
      <td className="r">
        <IconButton
          look="ghost"
          icon="edit"
          label={w.correctionsOf(name)}
          onClick={onCorrections}
        />
      </td>
    </tr>
  );
}

/** Uptime with what corrections make of it, and the observed share. */
function Uptime(props: { monitor: Monitor; isCorrected: boolean; usual: string | null }) {
  const { monitor, isCorrected, usual } = props;
  const w = words.reports;
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
  const w = words.reports;
  const { target_percent, window_days, budget_left_seconds } = slo;
  const isSpent = budget_left_seconds < 0;
  const text = duration(Math.abs(budget_left_seconds) * 1_000);
  return (
    <span>
      <span className={isSpent ? 'down b' : ''}>
        {isSpent ? w.budgetOver(text) : words.slo.left(text)}
      </span>
      <span className="xs faint block nowrap">
        {w.objective(new Intl.NumberFormat(words.time.locale).format(target_percent), window_days)}
      </span>
    </span>
  );
}
