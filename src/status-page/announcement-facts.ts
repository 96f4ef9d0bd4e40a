import { outageOf, unobservedOf } from '../engine/history/stored-uptime.ts';
import type { Database } from '../store/database/contract.ts';
import {
  readAnnouncementIncidents,
  readAnnouncementServices,
  readAnnouncementUpdates,
  type PageAnnouncementRow,
  type PageUpdateRow,
} from '../store/resources/page-facts.ts';
import type { AnnouncementFacts, AnnouncementKind, Impact, UpdateFacts } from './facts/model.ts';

/**
 * Completes announcements with their services and updates, in the order given.
 *
 * @param page.names of the services of the page, in its order.
 * @param now epoch milliseconds.
 */
export async function announcementFacts(
  database: Pick<Database, 'read' | 'scan'>,
  { id: pageId, names }: { id: number; names: ReadonlyMap<number, string> },
  rows: readonly PageAnnouncementRow[],
  now: number,
): Promise<AnnouncementFacts[]> {
  const db = database.read;
  const ids = rows.map((row) => row.id);
  const [affected, updates, incidents] = await Promise.all([
    readAnnouncementServices(db, ids),
    readAnnouncementUpdates(db, ids),
    readAnnouncementIncidents(db, ids),
  ]);
  const unobserved = await unobservedOf(database, incidents.map(outageOf), now);
  const incidentsOf = Map.groupBy(incidents, (row) => row.announcement_id);
  const affectedOf = Map.groupBy(affected, (row) => row.announcement_id);
  const updatesOf = Map.groupBy(
    updates.filter((update) => isShownOn(update, pageId)),
    (update) => update.announcement_id,
  );
  return rows.map((row) => {
    const monitors = new Set((affectedOf.get(row.id) ?? []).map((one) => one.monitor_id));
    return factsOf(row, {
      updates: (updatesOf.get(row.id) ?? []).map(updateFacts),
      services: names
        .entries()
        .filter(([id]) => monitors.has(id))
        .map(([monitorId, name]) => ({ monitorId, name }))
        .toArray(),
      unobservedMs: unobserved((incidentsOf.get(row.id) ?? []).map(({ id }) => id)) ?? 0,
    });
  });
}

function factsOf(
  row: PageAnnouncementRow,
  own: Pick<AnnouncementFacts, 'updates' | 'services' | 'unobservedMs'>,
): AnnouncementFacts {
  const isPublished = row.post_mortem !== null && row.post_mortem_at !== null;
  const postMortem = isPublished ? { text: row.post_mortem!, at: row.post_mortem_at! } : null;
  const changes = own.updates.map(({ at, editedAt }) => editedAt ?? at);
  return {
    id: row.id,
    kind: row.kind as AnnouncementKind,
    title: row.title,
    impact: row.impact as Impact,
    state: row.state as AnnouncementFacts['state'],
    startedAt: row.started_at,
    endedAt: row.ended_at,
    plannedUntil: row.planned_until,
    ...own,
    postMortem,
    updatedAt: Math.max(row.shown_at, ...changes, postMortem?.at ?? 0),
  };
}

function isShownOn({ status_pages }: PageUpdateRow, pageId: number): boolean {
  return (JSON.parse(status_pages) as number[]).includes(pageId);
}

function updateFacts({ id, state, body, shown_at, edited_at }: PageUpdateRow): UpdateFacts {
  return {
    id,
    state: state as UpdateFacts['state'],
    text: body,
    at: shown_at,
    editedAt: edited_at,
  };
}
