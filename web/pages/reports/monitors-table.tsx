import { useState } from 'react';
import { Link } from 'wouter';
import type { ReportData } from '../../app/api.gen.ts';
import { count, duration, milliseconds, percent } from '../../lib/format.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { BarLegend, TimeBar } from '../../parts/time-bar.tsx';
import { words } from '../../words/index.ts';
import { downtimeOf, Observed } from './figures.tsx';
import { slotsOf } from './period.ts';

/** Monitors that are shown until all are asked for: those with most downtime. */
const SHOWN_AT_FIRST = 10;

type Monitor = ReportData['monitors'][number];

/** Monitors of a report, those with most downtime first, each with a bar of its days. */
export function MonitorsTable({
  data,
  onCorrections,
}: {
  data: ReportData;
  onCorrections: (monitor: { id: number; name: string }) => void;
}) {
  const w = words.reports;
  const monitors = data.monitors.toSorted(
    (a, b) => b.down_seconds - a.down_seconds || a.name.localeCompare(b.name),
  );
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? monitors : monitors.slice(0, SHOWN_AT_FIRST);
  const hasSlo = monitors.some(({ slo }) => slo !== null);
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
                onCorrections={() => onCorrections(monitor)}
              />
            ))}
          </tbody>
        </table>
      )}
      {shown.length < monitors.length && (
        <div className="form-end">
          <Button onClick={() => setWhole(true)}>{w.showAllMonitors(monitors.length)}</Button>
        </div>
      )}
    </Card>
  );
}

function MonitorRow({
  monitor,
  isCorrected,
  hasSlo,
  onCorrections,
}: {
  monitor: Monitor;
  isCorrected: boolean;
  hasSlo: boolean;
  onCorrections: () => void;
}) {
  const w = words.reports;
  const { locale } = words.time;
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
        <Uptime monitor={monitor} isCorrected={isCorrected} />
      </td>
      <td className="r" data-label={w.downtime}>
        {monitor.uptime_percent !== null && down_seconds === 0 ? (
          <span className="faint">{w.noDowntime}</span>
        ) : (
          downtimeOf(monitor)
        )}
      </td>
      <td className="r wide rp-more" data-label={words.nav.incidents}>
        {count(incidents, locale)}
      </td>
      <td className="r wide rp-more" data-label={w.p95}>
        {response_time.p95 === null
          ? '–'
          : `${milliseconds(Math.round(response_time.p95), locale)}\u202fms`}
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
function Uptime({ monitor, isCorrected }: { monitor: Monitor; isCorrected: boolean }) {
  const w = words.reports;
  const { locale } = words.time;
  const { uptime_percent, observed_percent, compared } = monitor;
  const other = compared === null ? null : isCorrected ? compared.uncorrected : compared.corrected;
  return (
    <span>
      {uptime_percent === null ? '–' : `${percent(uptime_percent, locale)}\u202f%`}
      {other !== null && other.uptime_percent !== null && (
        <span className="xs dim rp-next">
          {(isCorrected ? w.recordedIs : w.correctedIs)(
            `${percent(other.uptime_percent, locale)}\u202f%`,
          )}
        </span>
      )}
      {observed_percent !== null && observed_percent < 99.5 && (
        <span className="xs faint rp-next">
          <Observed value={observed_percent} />
        </span>
      )}
    </span>
  );
}

/** What is left of an error budget, with the objective that it belongs to. */
function Budget({ slo }: { slo: NonNullable<Monitor['slo']> }) {
  const w = words.reports;
  const { target_percent, window_days, budget_left_seconds } = slo;
  const isSpent = budget_left_seconds < 0;
  const text = duration(Math.abs(budget_left_seconds) * 1_000, words.time);
  return (
    <span>
      <span className={isSpent ? 'down b' : ''}>
        {isSpent ? w.budgetOver(text) : w.budgetLeft(text)}
      </span>
      <span className="xs faint rp-next">
        {w.objective(new Intl.NumberFormat(words.time.locale).format(target_percent), window_days)}
      </span>
    </span>
  );
}
