import type { ReactNode } from 'react';
import { browserZone } from '../../app/session-context.ts';
import type { AlertIncident, SentAlert } from '../../client/types.gen.ts';
import { absolute, duration } from '../../lib/format.ts';
import { Facts } from '../../parts/card.tsx';
import { Cause } from '../../parts/cause.tsx';
import { words } from '../../words/index.ts';
import { causeOf, isInspected, problemOf, unobservedMs, zoneOf } from './alert-text.ts';

/** A longer list of incidents is collapsed. */
const MAX_OPENED = 3;

/** The incidents of an alert, and how many it has beyond those. */
export function AlertIncidents({ alert, now }: { alert: SentAlert; now: number }): ReactNode {
  const { incidents, incidents_count: count } = alert;
  const zone = zoneOf(alert.timezone, browserZone());
  const hidden = count - incidents.length;
  return (
    <>
      <ul className="entry-incidents">
        {incidents.map((incident) => (
          <li key={incident.id}>
            <Item incident={incident} count={count} zone={zone} now={now} />
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="faint">{words.entry.alert.more(hidden)}</p>}
    </>
  );
}

function Item({
  incident,
  count,
  zone,
  now,
}: {
  incident: AlertIncident;
  /** Incidents of the alert. */
  count: number;
  zone: string;
  now: number;
}): ReactNode {
  const body = <Body incident={incident} zone={zone} />;
  // The name and state of a single incident are above.
  if (count === 1) return body;
  const { monitor, started_at, ended_at } = incident;
  const tone = ended_at === null ? 'down' : 'dim';
  const problem = problemOf(incident, words.entry.alert);
  if (count <= MAX_OPENED) {
    return (
      <>
        <h2>{monitor}</h2>
        <p className={tone}>{problem}</p>
        {body}
      </>
    );
  }
  const end = ended_at === null ? now : Date.parse(ended_at);
  return (
    <details>
      <summary>
        <h2>{monitor}</h2>
        <span className={tone}>
          {problem}, {duration(end - Date.parse(started_at) - unobservedMs(incident), words.time)}
        </span>
      </summary>
      {body}
    </details>
  );
}

/** How long an outage was observed to last, and for how long it was not. */
function lastedOf(incident: AlertIncident, ms: number): string {
  const unseen = unobservedMs(incident);
  const lasted = duration(ms - unseen, words.time);
  return unseen === 0
    ? lasted
    : `${lasted} · ${words.entry.alert.notObservedFor(duration(unseen, words.time))}`;
}

function Body({ incident, zone }: { incident: AlertIncident; zone: string }): ReactNode {
  const { alert: texts } = words.entry;
  const { locale } = words.time;
  const { monitor, url, regions, vantage, evidence, started_at, ended_at } = incident;
  const from = Date.parse(started_at);
  const time = (at: string) => absolute(Date.parse(at), zone, locale);
  const cause = causeOf(incident, zone, locale);
  return (
    <>
      {cause !== '' && (
        <p>
          <Cause>{cause}</Cause>
        </p>
      )}
      <Facts
        rows={[
          [isInspected(incident) ? texts.noticedAt : texts.since, time(started_at)],
          [texts.until, ended_at && time(ended_at)],
          [texts.lasted, ended_at && lastedOf(incident, Date.parse(ended_at) - from)],
          vantage === null
            ? [texts.regions, regions.length === 0 ? null : regions.join(', ')]
            : [texts.seenFrom, vantage],
          [
            texts.evidence,
            evidence && (
              <span key="evidence" lang="en">
                {evidence}
              </span>
            ),
          ],
          [texts.address, url === monitor ? null : url],
          [texts.acknowledged, acknowledgedBy(incident, time)],
        ]}
      />
    </>
  );
}

function acknowledgedBy(
  { acknowledged_at, acknowledged_by }: AlertIncident,
  time: (at: string) => string,
): string | null {
  if (acknowledged_at === null) return null;
  return [...(acknowledged_by === null ? [] : [acknowledged_by]), time(acknowledged_at)].join(', ');
}
