import { useCallback, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type Incident, type IncidentDetail } from '../../app/client.ts';
import type { LiveEvent } from '../../app/live-changes.ts';
import { useLiveEvents, useWatched } from '../../app/live.ts';
import { useOverview } from '../../app/overview.ts';
import { usePlaces } from '../../app/regions.ts';
import { Card, Empty, isLoaded, Loading, NotFound, PageHead } from '../../parts/page.tsx';
import { Facts } from '../../parts/sections.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { at, ClockTime, DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { Actions, Meta, takenBy } from './head.tsx';
import { Evidence, useNewRounds, Why } from './rounds.tsx';
import {
  incidentDisplayStatus,
  incidentKind,
  incidentTitle,
  relatedTo,
  SAME_TIME_MS,
} from './rules.ts';
import { Notified, Timeline } from './timeline.tsx';

/** One incident: what broke, where, since when, and who is on it? */
export default function IncidentPage() {
  const id = Number(useParams<{ id: string }>().id);
  return Number.isInteger(id) && id > 0 ? <Read key={id} id={id} /> : <NotFound />;
}

function Read({ id }: { id: number }) {
  const read = useRead('getIncident', { path: { id } });
  const isGone = useIsGone(id, read.data?.monitor_id);
  if (isGone) return <Gone id={id} />;
  if (!isLoaded(read)) return <Loading reads={[read]} lines={8} />;
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

function Gone({ id }: { id: number }) {
  return (
    <>
      <PageHead
        crumbs={[{ text: words.nav.incidents, href: '/incidents' }, { text: `#${id}` }]}
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

function IncidentView({ incident }: { incident: IncidentDetail }) {
  const monitor = useRead('getMonitor', { path: { id: incident.monitor_id } });
  const { status, is_paused: isPaused } = monitor.data ?? {};
  return (
    <>
      {incident.status === 'open' && (
        <Watched incident={incident} checkedAt={monitor.data?.last_checked_at} />
      )}
      <PageHead
        crumbs={[{ text: words.nav.incidents, href: '/incidents' }, { text: `#${incident.id}` }]}
        displayStatus={incidentDisplayStatus(incident)}
        title={incidentTitle(incident)}
        text={<Meta incident={incident} monitor={monitor.data} />}
        actions={
          <Actions
            incident={incident}
            isStillBad={isPaused === false && (status === 'offline' || status === 'degraded')}
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
    </>
  );
}

/** Results of the monitor come as they are made: is it back? */
function Watched(props: { incident: IncidentDetail; checkedAt: string | null | undefined }) {
  const { incident, checkedAt } = props;
  useWatched(incident.monitor_id);
  useNewRounds(incident.id, checkedAt);
  return null;
}

const MAX_SHOWN = 6;

/** What kind of incident it is, and who knows of it. */
function Details({ incident }: { incident: IncidentDetail }) {
  const { incident: text, incidents } = words;
  const places = usePlaces();
  return (
    <Card title={words.terms.details}>
      <Facts
        rows={[
          [words.labels.type, incidents.types[incident.type]],
          [words.terms.severity, words.severities[incident.severity]],
          [words.labels.region, incident.region === null ? null : places.checkOf(incident.region)],
          [
            text.takenBy,
            incident.acknowledged_at === null ? (
              <span key="nobody" className="dim">
                {text.byNobody}
              </span>
            ) : (
              <span key="by">
                {takenBy(incident) ?? text.bySomebody} · <DayTime time={incident.acknowledged_at} />
              </span>
            ),
          ],
          [incidents.startedAt, <DayTime key="start" time={incident.started_at} />],
          [incidents.endedAt, incident.ended_at && <DayTime key="end" time={incident.ended_at} />],
          [text.statusPages, <ShownOn key="pages" incident={incident} />],
        ]}
      />
    </Card>
  );
}

/** Status pages that announce the incident. */
function ShownOn({ incident }: { incident: Incident }) {
  const announcements = useRead('listAnnouncements', {
    query: { kind: 'incident', per_page: 100 },
  });
  const pages = useRead('listStatusPages', { query: { per_page: 100 } });
  const own = announcements.data?.data.find(({ incidents }) => incidents.includes(incident.id));
  const shown = (pages.data?.data ?? []).filter(({ id }) => own?.status_pages.includes(id));
  if (shown.length === 0) return <span className="dim">{words.terms.notAnnounced}</span>;
  return shown.map(({ id, name }) => (
    <div key={id}>
      <Link className="link" href={`/status-pages/${id}`}>
        {name}
      </Link>
    </div>
  ));
}

/** UTC day of a moment, as the API takes it. */
function day(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** Other incidents that probably have the same cause. */
function Related({ incident }: { incident: IncidentDetail }) {
  const places = usePlaces();
  const began = at(incident.started_at);
  const query = {
    start_date: day(began - SAME_TIME_MS),
    end_date: day(began + SAME_TIME_MS),
    per_page: 100,
  };
  const near = useRead('listIncidents', { query });
  const overview = useOverview();
  const monitor = useRead('getMonitor', { path: { id: incident.monitor_id } });
  const others = relatedTo(
    incident,
    near.data?.data ?? [],
    overview.data?.monitors ?? [],
    monitor.data?.depends_on ?? [],
  ).slice(0, MAX_SHOWN);
  if (others.length === 0) return null;
  return (
    <Card title={words.incident.related}>
      <ul className="rows inc-rows">
        {others.map((other) => (
          <li key={other.id}>
            <StatusShape displayStatus={incidentDisplayStatus(other)} />
            <div className="inc-what">
              <Link
                className="b block clip"
                href={`/incidents/${other.id}`}
                title={incidentTitle(other)}
              >
                {incidentTitle(other)}
              </Link>
              <div className="xs dim">{incidentKind(other, places)}</div>
            </div>
            <div className="t">
              <ClockTime time={other.started_at} />
              <br />
              {words.incidents.statuses[other.status]}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
