import { Link } from 'wouter';
import {
  call,
  type Incident,
  type MonitorDetail,
  type MonitorOverview,
  type OverviewMonitor,
} from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useSummary } from '../../app/overview.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Cause } from '../../parts/cause.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { attempt } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { votesNow } from '../monitors/rows.ts';
import { lastSeen, whoSees } from '../monitors/sentences.ts';
import { readAgain } from './actions.ts';
import { openIncidents } from './display-status.ts';
import { whoHasIt } from '../../lib/who-has-it.ts';

/** The open incident, and maintenance, before everything else. */
export function Banners({ monitor }: { monitor: MonitorDetail }) {
  const now = useNow(15_000);
  const { summary, overview } = useSummary(monitor.id);
  const [worst, ...others] = openIncidents(monitor);
  const until = (summary?.maintenance_until ?? 0) * 1_000;
  return (
    <>
      {until > now && (
        <div className="banner mo-maint">
          <StatusShape displayStatus="maintenance" />
          <div>
            <div className="b">{words.monitor.inMaintenance}</div>
            <div className="xs dim">
              {words.labels.until} <DayTime time={until} />
            </div>
          </div>
          <div className="acts">
            <ButtonLink look="ghost" href="/maintenance">
              {words.monitor.seeWindows}
            </ButtonLink>
          </div>
        </div>
      )}
      {summary?.observed_until !== undefined && (
        <div className="banner mo-unseen">
          <StatusShape displayStatus="unknown" />
          <div>
            <div className="b">{words.monitor.nothingObserved}</div>
            <div className="xs dim">{lastSeen(summary, now)}</div>
          </div>
        </div>
      )}
      {worst && <OpenIncident incident={worst} more={others.length} {...{ summary, overview }} />}
    </>
  );
}

function OpenIncident({
  incident,
  summary,
  overview,
  more,
}: {
  incident: Incident;
  summary: OverviewMonitor | undefined;
  overview: MonitorOverview | undefined;
  /** Number of further open incidents. */
  more: number;
}) {
  const { isAtLeast } = useSession();
  const isAcknowledged = incident.acknowledged_at !== null;
  const views = usePlaces().views(summary && votesNow(summary), overview?.regions ?? []);
  const isCritical = incident.severity === 'critical';
  return (
    <div className={isCritical ? 'banner' : 'banner mo-warn'}>
      <StatusShape displayStatus={isCritical ? 'offline' : 'degraded'} />
      <div className="mo-cause">
        <Link className="b" href={`/incidents/${incident.id}`}>
          {incident.root_cause === null ? (
            words.monitor.unknownCause
          ) : (
            <Cause>{incident.root_cause}</Cause>
          )}
        </Link>
        <div className="xs dim">
          {whoSees(views) !== '' && `${whoSees(views)} · `}
          {words.labels.since} <DayTime time={incident.started_at} />
          {' · '}
          {isAcknowledged
            ? words.monitor.hasIt(whoHasIt(summary?.incident))
            : words.monitor.nobodyAcknowledged}
          {more > 0 && ` · ${words.monitor.moreIncidents(more)}`}
        </div>
      </div>
      <div className="acts">
        {!isAcknowledged && isAtLeast('editor') && (
          <Button onClick={() => void acknowledge(incident.id)}>{words.labels.acknowledge}</Button>
        )}
        <ButtonLink look="ghost" href={`/incidents/${incident.id}`}>
          {words.monitor.openIncident}
        </ButtonLink>
      </div>
    </div>
  );
}

function acknowledge(id: number): Promise<void> {
  return attempt(async () => {
    await call('acknowledgeIncident', { path: { id } });
    await readAgain();
    return words.monitor.acknowledged;
  });
}
