import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useSession } from '../../app/session.tsx';
import type { ReportData } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/failure.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { duration } from '../../lib/format.ts';
import { standingOfSeverity } from '../../lib/severity.ts';
import { Cause } from '../../parts/cause.tsx';
import { words } from '../../words/index.ts';
import { CorrectionsDialog } from './corrections.tsx';
import { Figures, Totals } from './figures.tsx';
import { MonitorsTable } from './monitors-table.tsx';
import { ReclassifyDialog, type Interval } from '../../parts/reclassify.tsx';

/** Incidents of a report that are shown until all are asked for. */
const SHOWN_AT_FIRST = 12;

/** Contents of a report: figures, monitors with their days, incidents, what was left out, and totals. */
export function ReportView({ data }: { data: ReportData }): ReactNode {
  const w = words.reports;
  const [interval, setInterval] = useState<Interval | null>(null);
  const [corrected, setCorrected] = useState<{ id: number; name: string } | null>(null);
  const period = (
    <p className="dim">
      {w.covers} <DayTime time={data.from} /> {w.to} <DayTime time={data.to} /> ({data.timezone})
    </p>
  );
  // Zeros would read as a month without a fault.
  if (!data.total.observed_percent && data.incidents_total === 0 && data.exclusions_total === 0) {
    return (
      <div className="stack">
        {period}
        <Card>
          <Empty title={w.nothingObserved} text={w.nothingObservedHint} />
        </Card>
      </div>
    );
  }
  return (
    <div className="stack">
      {period}
      <Figures total={data.total} isCorrected={data.corrected} />
      <MonitorsTable data={data} onCorrections={setCorrected} />
      <Incidents data={data} onReclassify={setInterval} />
      <Exclusions data={data} />
      <Totals title={w.byGroup} rows={data.groups} />
      <Totals title={w.byTag} rows={data.tags} />
      <p className="xs dim">{w.method}</p>
      {interval !== null && (
        <ReclassifyDialog interval={interval} onClose={() => setInterval(null)} />
      )}
      {corrected !== null && (
        <CorrectionsDialog
          monitor={corrected}
          onAdd={() => {
            setInterval({ monitorId: corrected.id, monitor: corrected.name, from: null, to: null });
            setCorrected(null);
          }}
          onClose={() => setCorrected(null)}
        />
      )}
    </div>
  );
}

function Incidents({
  data: { incidents, incidents_total },
  onReclassify,
}: {
  data: ReportData;
  onReclassify: (interval: Interval) => void;
}): ReactNode {
  const w = words.reports;
  const canCorrect = useSession().isAtLeast('editor');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? incidents : incidents.slice(0, SHOWN_AT_FIRST);
  return (
    <Card
      title={w.incidents}
      aside={
        incidents_total > incidents.length && (
          <span className="xs dim">{w.shownOf(incidents.length, incidents_total)}</span>
        )
      }
    >
      {incidents.length === 0 && <p className="pad dim">{w.noIncidents}</p>}
      <ul className="rows">
        {shown.map((incident) => (
          <li key={incident.id}>
            <StatusShape standing={standingOfSeverity(incident.severity)} isDecoration />
            <div className="rp-incident">
              <Link className="b" href={`/incidents/${incident.id}`}>
                {incident.monitor}
              </Link>
              {incident.root_cause !== null && (
                <p className="dim">
                  <Cause>{incident.root_cause}</Cause>
                </p>
              )}
              <p className="xs faint">
                <DayTime time={incident.started_at} />
                {' · '}
                {incident.ended_at === null
                  ? w.stillOpen
                  : duration(incident.seconds_in_period * 1_000, words.time)}
              </p>
            </div>
            {canCorrect && incident.ended_at !== null && (
              <Button
                aria-label={words.corrections.reclassifyNamed(incident.monitor)}
                onClick={() =>
                  onReclassify({
                    monitorId: incident.monitor_id,
                    monitor: incident.monitor,
                    from: incident.started_at,
                    to: incident.ended_at,
                  })
                }
              >
                {words.corrections.reclassify}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {shown.length < incidents.length && (
        <div className="form-end">
          <Button onClick={() => setWhole(true)}>{w.showAll(incidents.length)}</Button>
        </div>
      )}
    </Card>
  );
}

/** Times that maintenance and corrections leave out, or count otherwise. */
function Exclusions({ data: { exclusions, exclusions_total } }: { data: ReportData }): ReactNode {
  const w = words.reports;
  if (exclusions_total === 0) return null;
  return (
    <Card
      title={w.exclusions}
      aside={
        exclusions_total > exclusions.length && (
          <span className="xs dim">{w.shownOf(exclusions.length, exclusions_total)}</span>
        )
      }
    >
      <ul className="rows">
        {exclusions.map((exclusion) => (
          <li key={`${exclusion.kind} ${exclusion.from} ${exclusion.monitors.join()}`}>
            <StatusShape
              standing={exclusion.kind === 'down' ? 'offline' : 'maintenance'}
              isDecoration
            />
            <div className="rp-incident">
              <p>
                <span className="b">{words.corrections.as[exclusion.kind]}</span> ·{' '}
                {exclusion.monitors.join(', ')}
              </p>
              <p className="dim">{exclusion.reason}</p>
              <p className="xs faint">
                <DayTime time={exclusion.from} />
                {' · '}
                {duration(Date.parse(exclusion.to) - Date.parse(exclusion.from), words.time)}
                {exclusion.author !== null && ` · ${exclusion.author}`}
              </p>
            </div>
            <span />
          </li>
        ))}
      </ul>
    </Card>
  );
}
