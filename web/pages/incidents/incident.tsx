import { useCallback, useState, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { useLiveEvents, useWatched } from '../../app/live.ts';
import type { LiveEvent } from '../../app/live-changes.ts';
import { getIncident, getMonitor } from '../../client/sdk.gen.ts';
import type { IncidentDetail } from '../../client/types.gen.ts';
import { Empty, Failure, NotFound, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ReclassifyDialog } from '../../parts/reclassify.tsx';
import { words } from '../../words/index.ts';
import { Actions } from './actions.tsx';
import { Related, Details } from './details.tsx';
import { EditCause } from './edit-cause.tsx';
import { Evidence } from './evidence.tsx';
import { Meta } from './meta.tsx';
import { monitorName } from '../../lib/monitor-name.ts';
import { incidentStanding, incidentTitle } from './names.ts';
import { Notified } from './notified.tsx';
import { useNewRounds } from './reads.ts';
import { Why } from './rounds.tsx';
import { Timeline } from './timeline.tsx';

/** One incident: what broke, where, since when, and who is on it? */
export default function IncidentPage(): ReactNode {
  const id = Number(useParams<{ id: string }>().id);
  return Number.isInteger(id) && id > 0 ? <Read key={id} id={id} /> : <NotFound />;
}

function Read({ id }: { id: number }): ReactNode {
  const read = useRead(['incident', id], () => getIncident({ path: { id } }));
  const isGone = useIsGone(id, read.data?.monitor_id);
  if (isGone) return <Gone id={id} />;
  if (read.error && (read.data === undefined || read.error.status === 404))
    return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting lines={8} />;
  return <IncidentView incident={read.data} />;
}

/** Whether the incident, or its monitor, was deleted while it was shown. */
function useIsGone(id: number, monitorId: number | undefined): boolean {
  const [isGone, setGone] = useState(false);
  const handle = useCallback(
    ({ kind, data }: LiveEvent) => {
      const isOwn = kind === 'incident' && data['id'] === id && data['state'] === 'deleted';
      const isOfMonitor =
        kind === 'monitor' && data['id'] === monitorId && data['change'] === 'deleted';
      if (isOwn || isOfMonitor) setGone(true);
    },
    [id, monitorId],
  );
  useLiveEvents(handle);
  return isGone;
}

function Gone({ id }: { id: number }): ReactNode {
  return (
    <>
      <PageHead
        crumbs={[{ text: words.incidents.title, href: '/incidents' }, { text: `#${id}` }]}
        title={words.incident.gone(id)}
      />
      <section className="card">
        <Empty title={words.incident.goneHint}>
          <Link className="btn" href="/incidents">
            {words.incidents.showAll}
          </Link>
        </Empty>
      </section>
    </>
  );
}

function IncidentView({ incident }: { incident: IncidentDetail }): ReactNode {
  const [isEditing, setEditing] = useState(false);
  const [isReclassifying, setReclassifying] = useState(false);
  const { monitor_id: monitorId } = incident;
  const monitor = useRead(['monitor', monitorId], () => getMonitor({ path: { id: monitorId } }));
  const { status, is_paused: isPaused } = monitor.data ?? {};
  return (
    <>
      {incident.status === 'open' && (
        <Watched incident={incident} checkedAt={monitor.data?.last_checked_at} />
      )}
      <PageHead
        crumbs={[{ text: words.incidents.title, href: '/incidents' }, { text: `#${incident.id}` }]}
        standing={incidentStanding(incident)}
        title={incidentTitle(incident)}
        text={<Meta incident={incident} monitor={monitor.data} />}
        actions={
          <Actions
            incident={incident}
            isStillBad={isPaused === false && (status === 'offline' || status === 'degraded')}
            onEdit={() => setEditing(true)}
            onReclassify={() => setReclassifying(true)}
          />
        }
      />
      <div className="cols2">
        <div className="stack">
          <Why incident={incident} monitor={monitor} />
          <Evidence evidence={incident.evidence} />
          <Related incident={incident} />
        </div>
        <div className="stack">
          <Timeline incident={incident} />
          <Notified incident={incident} />
          <Details incident={incident} />
        </div>
      </div>
      {isEditing && <EditCause incident={incident} onClose={() => setEditing(false)} />}
      {isReclassifying && (
        <ReclassifyDialog
          interval={{
            monitorId,
            monitor: monitorName(incident.monitor),
            from: incident.started_at,
            to: incident.ended_at,
          }}
          onClose={() => setReclassifying(false)}
        />
      )}
    </>
  );
}

/** Results of the monitor come as they are made: is it back? */
function Watched({
  incident,
  checkedAt,
}: {
  incident: IncidentDetail;
  checkedAt: string | null | undefined;
}): ReactNode {
  useWatched(incident.monitor_id);
  useNewRounds(incident.id, checkedAt);
  return null;
}
