import { useMemo } from 'react';
import { Link } from 'wouter';
import { useChange } from '../../app/api.ts';
import { call, type MonitorOverview, type OverviewMonitor } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useOverview } from '../../app/overview.ts';
import { usePlaces, type View } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { ClockTime, DayTime, Since } from '../../parts/time.tsx';
import { showError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { Listing } from './listing.tsx';
import { rowsOf, votesNow } from './rows.ts';
import { openCause, summary, whoSees } from './sentences.ts';
import { whoHasIt } from '../../lib/who-has-it.ts';

/** All monitors: is anything down right now? */
export default function MonitorsPage() {
  const overview = useOverview();
  if (!isLoaded(overview)) return <Loading reads={[overview]} lines={8} />;
  return <Monitors overview={overview.data} />;
}

function Monitors({ overview }: { overview: MonitorOverview }) {
  const { isAtLeast } = useSession();
  const rows = useMemo(() => rowsOf(overview), [overview]);
  const now = useNow(5_000);
  const { displayStatus, title, text } = useMemo(() => summary(rows, now), [rows, now]);
  const incidents = useMemo(() => openIncidentsOf(overview.monitors), [overview]);
  if (rows.length === 0) {
    return (
      <>
        <PageHead title={words.nav.monitors} />
        <section className="card">
          <Empty title={words.monitors.emptyTitle} text={words.monitors.emptyText}>
            {isAtLeast('editor') ? (
              <ButtonLink look="primary" href="/start">
                {words.monitors.emptyAction}
              </ButtonLink>
            ) : (
              <p>
                <NeedsRole least="editor" />
              </p>
            )}
          </Empty>
        </section>
      </>
    );
  }
  return (
    <>
      <PageHead
        displayStatus={displayStatus}
        title={title}
        text={text}
        actions={
          <>
            <ButtonLink icon="globe" href="/check">
              {words.nav.check}
            </ButtonLink>
            {isAtLeast('editor') && (
              <ButtonLink look="primary" icon="plus" href="/monitors/new">
                {words.nav.newMonitor}
              </ButtonLink>
            )}
          </>
        }
      />
      <OpenIncidents monitors={incidents} regions={overview.regions} />
      <Listing overview={overview} rows={rows} />
    </>
  );
}

/** Incidents that are shown before the list; more are counted. */
const MAX_SHOWN = 6;
const DAY_MS = 86_400_000;

type WithIncident = OverviewMonitor & { incident: NonNullable<OverviewMonitor['incident']> };

const RANK = { critical: 0, warning: 1, info: 2 };

/** Open incidents, worst and oldest first, one for each monitor. */
function openIncidentsOf(monitors: readonly OverviewMonitor[]): WithIncident[] {
  return monitors
    .filter((monitor): monitor is WithIncident => monitor.incident !== undefined)
    .toSorted(
      ({ incident: one }, { incident: other }) =>
        RANK[one.severity] - RANK[other.severity] || one.since - other.since,
    );
}

/** What is wrong, before everything else. */
function OpenIncidents({
  monitors,
  regions,
}: {
  monitors: readonly WithIncident[];
  /** Codes, in the order of the letters of a monitor. */
  regions: readonly string[];
}) {
  if (monitors.length === 0) return null;
  const more = monitors.length - MAX_SHOWN;
  return (
    <section className="card open" aria-label={words.labels.openIncidents}>
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

function OpenIncident({ monitor, codes }: { monitor: WithIncident; codes: readonly string[] }) {
  const { name, incident, is_paused: isPaused = false, observed_until: until } = monitor;
  const since = incident.since * 1_000;
  const now = useNow(60_000);
  const views = usePlaces().views(votesNow(monitor), codes);
  const isCritical = incident.severity === 'critical';
  return (
    <li className={isCritical ? '' : 'w'}>
      <StatusShape displayStatus={isCritical ? 'offline' : 'degraded'} />
      <div>
        <Link className="b" href={`/incidents/${incident.id}`}>
          {words.labels.incidentLine(name, openCause(incident.cause))}
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
        {words.labels.since}{' '}
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
      : monitors.hasIt(whoHasIt(incident)),
  ]
    .filter(Boolean)
    .join(' · ');
}

function Acknowledge({ incident }: { incident: WithIncident['incident'] }) {
  const { isAtLeast } = useSession();
  const acknowledge = useChange(
    (id: number) => call('acknowledgeIncident', { path: { id } }),
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
      isDisabled={acknowledge.isPending}
      onClick={() => acknowledge.mutate(incident.id, { onError: showError })}
    >
      {words.labels.acknowledge}
    </Button>
  );
}
