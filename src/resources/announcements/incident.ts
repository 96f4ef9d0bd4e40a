import type { Kysely, Transaction } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import { impactOf } from '../../status-page/publisher/decide-incidents.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  forgetIncident,
  insertAnnouncement,
  type AnnouncementRow,
} from '../../store/resources/announcements.ts';
import { findIncident } from '../../store/resources/incidents.ts';
import { pagesOfMonitor } from '../../store/resources/publishing.ts';
import { notFound } from '../common/errors.ts';
import { requireAnnouncement } from './service.ts';

/** Subject of the updates in a path: an announcement, or an incident with or without one. */
export type Subject = { announcementId: number } | { incidentId: number };

/** Pages that show the monitor of an incident; none for another subject. */
export async function pagesOfIncident(
  db: Kysely<Schema>,
  caller: Caller,
  subject: Subject,
): Promise<number[]> {
  if (!('incidentId' in subject)) return [];
  const incident = await findIncident(db, caller.team.id, subject.incidentId);
  return incident === undefined ? [] : pagesOfMonitor(db, caller.team.id, incident.monitor_id);
}

/** Creates the announcement of an incident, without an update. A deleted one of this incident is given up. */
export async function announceIncident(
  tx: Transaction<Schema>,
  caller: Caller,
  subject: Subject,
  { pages, state }: { pages: readonly number[]; state: string },
  now: number,
): Promise<AnnouncementRow> {
  const id = 'incidentId' in subject ? subject.incidentId : 0;
  const incident = await findIncident(tx, caller.team.id, id);
  if (incident === undefined) throw notFound('incident');
  await forgetIncident(tx, id);
  const columns = {
    team_id: caller.team.id,
    kind: 'incident',
    origin: 'person',
    title: null,
    impact: impactOf(incident.severity),
    state,
    started_at: incident.started_at,
    person_id: caller.person.id,
  };
  const links = { monitors: [incident.monitor_id], incidents: [id], pages };
  return requireAnnouncement(tx, caller, await insertAnnouncement(tx, columns, links, now));
}
