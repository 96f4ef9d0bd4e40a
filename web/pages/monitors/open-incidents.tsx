import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useNow } from '../../app/clock.ts';
import { useChange } from '../../app/api.ts';
import { usePlaces, type View } from '../../app/regions.ts';
import { useSession } from '../../app/session.tsx';
import { acknowledgeIncident } from '../../client/sdk.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { ClockTime, DayTime, Since } from '../../parts/time.tsx';
import { sayError } from '../../parts/toast.tsx';
import { votesNow } from './rows.ts';
import { openCause, whoSees } from './sentences.ts';
import { words } from '../../words/index.ts';
import type { OverviewMonitor } from './overview-types.ts';

/** Incidents that are shown before the list; more are counted. */
const MAX_SHOWN = 6;
const DAY_MS = 86_400_000;

type WithIncident = OverviewMonitor & { incident: NonNullable<OverviewMonitor['incident']> };

const RANK = { critical: 0, warning: 1, info: 2 };

/** Open incidents, worst and oldest first, one for each monitor. */
export function openIncidentsOf(monitors: readonly OverviewMonitor[]): WithIncident[] {
  return monitors
    .filter((monitor): monitor is WithIncident => monitor.incident !== undefined)
    .toSorted(
      ({ incident: one }, { incident: other }) =>
        RANK[one.severity] - RANK[other.severity] || one.since - other.since,
    );
}

/** What is wrong, before everything else. */
export function OpenIncidents({
  monitors,
  regions,
}: {
  monitors: readonly WithIncident[];
  /** Codes, in the order of the letters of a monitor. */
  regions: readonly string[];
}): ReactNode {
  if (monitors.length === 0) return null;
  const more = monitors.length - MAX_SHOWN;
  return (
    <section className="card open" aria-label={words.monitors.openIncidents}>
      <ul>
        {monitors.slice(0, MAX_SHOWN).map((monitor) => (
          <OpenIncident key={monitor.incident.id} monitor={monitor} codes={regions} />
        ))}
        {more > 0 && (
          <li className="w">
            <span />
            <Link className="link" href="/incidents?status=open">
              {words.monitors.moreIncidents(more)}
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}

function OpenIncident({
  monitor,
  codes,
}: {
  monitor: WithIncident;
  codes: readonly string[];
}): ReactNode {
  const { name, incident, is_paused: isPaused = false, observed_until: until } = monitor;
  const since = incident.since * 1_000;
  const now = useNow(60_000);
  const views = usePlaces().views(votesNow(monitor), codes);
  const isCritical = incident.severity === 'critical';
  return (
    <li className={isCritical ? '' : 'w'}>
      <StatusShape standing={isCritical ? 'offline' : 'degraded'} />
      <div>
        <Link className="b" href={`/incidents/${incident.id}`}>
          {words.monitors.incidentLine(name, openCause(incident.cause))}
        </Link>
        <div className="xs dim">{detailsOf(views, incident)}</div>
      </div>
      <div className="since">
        {!isPaused && (
          <>
            <span className="b text">
              <Since time={since} until={until === undefined ? null : until * 1_000} />
            </span>{' '}
            ·{' '}
          </>
        )}
        {words.monitors.since}{' '}
        {now - since < DAY_MS ? <ClockTime time={since} /> : <DayTime time={since} />}
        {isPaused && ` · ${words.status.paused.toLowerCase()}`}
      </div>
      <Acknowledge incident={incident} />
    </li>
  );
}

function detailsOf(views: readonly View[], incident: WithIncident['incident']): string {
  const { monitors } = words;
  return [
    whoSees(views),
    incident.open > 1 ? monitors.furtherIncidents(incident.open - 1) : '',
    incident.acknowledged_at === undefined
      ? monitors.nobodyAcknowledged
      : monitors.hasIt(incident.acknowledged_by ?? null),
  ]
    .filter(Boolean)
    .join(' · ');
}

function Acknowledge({ incident }: { incident: WithIncident['incident'] }): ReactNode {
  const { isAtLeast } = useSession();
  const acknowledge = useChange(
    (id: number) => acknowledgeIncident({ path: { id } }),
    ['monitors', 'incidents', 'incident'],
  );
  if (incident.acknowledged_at !== undefined) {
    return (
      <span className="pill">
        <Icon name="check" />
        {words.monitors.acknowledged}
      </span>
    );
  }
  if (!isAtLeast('editor')) return <span />;
  return (
    <Button
      isBusy={acknowledge.isPending}
      onClick={() => acknowledge.mutate(incident.id, { onError: sayError })}
    >
      {words.monitors.acknowledge}
    </Button>
  );
}
