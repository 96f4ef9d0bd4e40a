import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { useOverview } from '../../app/overview.ts';
import { usePlaces } from '../../app/regions.ts';
import {
  getMonitor,
  listAnnouncements,
  listIncidents,
  listStatusPages,
} from '../../client/sdk.gen.ts';
import type { Incident, IncidentDetail } from '../../client/types.gen.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { at, ClockTime, DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { acknowledgedBy } from './meta.tsx';
import { incidentKind, incidentStanding, incidentTitle } from './names.ts';
import { relatedTo, SAME_TIME_MS } from './related.ts';

const MAX_SHOWN = 6;

/** What kind of incident it is, and who knows of it. */
export function Details({ incident }: { incident: IncidentDetail }): ReactNode {
  const { incident: text, incidents } = words;
  const places = usePlaces();
  return (
    <Card title={text.details}>
      <Facts
        rows={[
          [incidents.type, incidents.types[incident.type]],
          [incidents.severity, incidents.severities[incident.severity]],
          [text.region, incident.region === null ? null : places.checkOf(incident.region)],
          [
            text.acknowledgedBy,
            incident.acknowledged_at === null ? (
              <span key="nobody" className="dim">
                {text.byNobody}
              </span>
            ) : (
              <span key="by">
                {acknowledgedBy(incident) ?? text.bySomebody} ·{' '}
                <DayTime time={incident.acknowledged_at} />
              </span>
            ),
          ],
          [incidents.startedAt, <DayTime key="start" time={incident.started_at} />],
          [
            incidents.endedAt,
            incident.ended_at === null ? null : <DayTime key="end" time={incident.ended_at} />,
          ],
          [text.statusPages, <ShownOn key="pages" incident={incident} />],
        ]}
      />
    </Card>
  );
}

/** Status pages that announce the incident. */
function ShownOn({ incident }: { incident: Incident }): ReactNode {
  const announcements = useRead(['announcements', 'incident'], () =>
    listAnnouncements({ query: { kind: 'incident', per_page: 100 } }),
  );
  const pages = useRead(['status-pages'], () => listStatusPages({ query: { per_page: 100 } }));
  const own = announcements.data?.data.find(({ incidents }) => incidents.includes(incident.id));
  const shown = (pages.data?.data ?? []).filter(({ id }) => own?.status_pages.includes(id));
  if (shown.length === 0) return <span className="dim">{words.incident.onNoPage}</span>;
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
export function Related({ incident }: { incident: IncidentDetail }): ReactNode {
  const places = usePlaces();
  const began = at(incident.started_at);
  const query = {
    start_date: day(began - SAME_TIME_MS),
    end_date: day(began + SAME_TIME_MS),
    per_page: 100,
  };
  const near = useRead(['incidents', 'near', query], () => listIncidents({ query }));
  const overview = useOverview();
  const monitor = useRead(['monitor', incident.monitor_id], () =>
    getMonitor({ path: { id: incident.monitor_id } }),
  );
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
            <StatusShape standing={incidentStanding(other)} />
            <div className="inc-what">
              <Link className="b" href={`/incidents/${other.id}`} title={incidentTitle(other)}>
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
