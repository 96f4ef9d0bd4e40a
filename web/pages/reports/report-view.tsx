import { useState } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type Correction, type ReportData } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { duration } from '../../lib/format.ts';
import { displayStatusOfSeverity } from '../../lib/severity.ts';
import { Button } from '../../parts/button.tsx';
import { Cause } from '../../parts/cause.tsx';
import { Dialog, openDialog } from '../../parts/dialog.tsx';
import { Card, Empty, Loading } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { reclassify, takeBack } from '../../parts/reclassify.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { Figures, MonitorsTable, Totals } from './figures.tsx';

const w = words.reports;

/** Incidents of a report that are shown until all are asked for. */
const SHOWN_AT_FIRST = 12;

/** Contents of a report: figures, monitors with their days, incidents, what was left out, and totals. */
export function ReportView({ data }: { data: ReportData }) {
  const period = (
    <p className="dim">
      {words.labels.from} <DayTime time={data.from} in={data.timezone} /> {w.to}{' '}
      <DayTime time={data.to} in={data.timezone} /> ({data.timezone})
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
      <MonitorsTable
        data={data}
        onCorrections={(monitor) =>
          openDialog((onClose) => <CorrectionsDialog monitor={monitor} onClose={onClose} />)
        }
      />
      <Incidents data={data} />
      <Exclusions data={data} />
      <Totals title={w.byGroup} rows={data.groups} />
      <Totals title={w.byTag} rows={data.tags} />
      <p className="xs dim">{w.method}</p>
    </div>
  );
}

function Incidents({ data: { incidents, incidents_total } }: { data: ReportData }) {
  const canCorrect = useSession().isAtLeast('editor');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? incidents : incidents.slice(0, SHOWN_AT_FIRST);
  return (
    <Card
      title={words.nav.incidents}
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
            <StatusShape displayStatus={displayStatusOfSeverity(incident.severity)} isDecoration />
            <div className="opens wrap sm">
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
                  : duration(incident.seconds_in_period * 1_000)}
              </p>
            </div>
            {canCorrect && incident.ended_at !== null && (
              <Button
                aria-label={words.corrections.reclassifyNamed(incident.monitor)}
                onClick={() =>
                  reclassify({
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
        <div className="row over form-end">
          <Button onClick={() => setWhole(true)}>{words.terms.showAll(incidents.length)}</Button>
        </div>
      )}
    </Card>
  );
}

/** Times that maintenance and corrections leave out, or count otherwise. */
function Exclusions({ data: { exclusions, exclusions_total } }: { data: ReportData }) {
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
              displayStatus={exclusion.kind === 'down' ? 'offline' : 'maintenance'}
              isDecoration
            />
            <div className="opens wrap sm">
              <p>
                <span className="b">{words.corrections.as[exclusion.kind]}</span> ·{' '}
                {exclusion.monitors.join(', ')}
              </p>
              <p className="dim">{exclusion.reason}</p>
              <p className="xs faint">
                <DayTime time={exclusion.from} />
                {' · '}
                {duration(Date.parse(exclusion.to) - Date.parse(exclusion.from))}
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

/** Corrections of a monitor that are in force, each of which can be taken back. */
function CorrectionsDialog(props: { monitor: { id: number; name: string }; onClose: () => void }) {
  const {
    monitor: { id, name },
    onClose,
  } = props;
  const canCorrect = useSession().isAtLeast('editor');
  const [page, setPage] = useState(1);
  const found = useRead('listMonitorCorrections', { path: { id }, query: { page, per_page: 20 } });
  return (
    <Dialog title={w.correctionsOf(name)} onClose={onClose}>
      <Loading reads={[found]} lines={1} />
      {found.data?.total === 0 && <p className="dim">{w.noCorrections}</p>}
      <ul className="rp-corrections">
        {found.data?.data.map((correction) => (
          <CorrectionRow key={correction.id} correction={correction} canCorrect={canCorrect} />
        ))}
      </ul>
      <Paging page={page} last={found.data?.last_page ?? 1} onChange={setPage} />
      <div className="acts">
        {canCorrect && (
          <Button
            icon="plus"
            onClick={() => reclassify({ monitorId: id, monitor: name, from: null, to: null })}
          >
            {words.labels.addCorrection}
          </Button>
        )}
        <Button onClick={onClose}>{words.common.close}</Button>
      </div>
    </Dialog>
  );
}

function CorrectionRow(props: { correction: Correction; canCorrect: boolean }) {
  const { correction, canCorrect } = props;
  const { id, monitor_id, from, to, reason, evidence, created_by } = correction;
  const remove = useAct(async () => {
    await takeBack(monitor_id, id);
    return words.corrections.tookBack;
  });
  return (
    <li>
      <div className="opens wrap sm">
        <p className="b">{words.corrections.as[correction.as]}</p>
        <p>{reason}</p>
        {evidence !== null && <p className="dim">{evidence}</p>}
        <p className="xs faint">
          <DayTime time={from} />
          {' · '}
          {duration(Date.parse(to) - Date.parse(from))}
          {created_by?.name && ` · ${created_by.name}`}
        </p>
      </div>
      {canCorrect && (
        <Button isDisabled={remove.isBusy} onClick={() => void remove.run()}>
          {words.labels.takeBack}
        </Button>
      )}
    </li>
  );
}
