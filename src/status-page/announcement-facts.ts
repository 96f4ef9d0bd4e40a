import type { Kysely } from 'kysely';
import type { Schema } from '../store/database/schema.ts';
import {
  readAnnouncementServices,
  readAnnouncementUpdates,
  type PageAnnouncementRow,
  type PageUpdateRow,
} from '../store/resources/page-facts.ts';
import type { AnnouncementFacts, AnnouncementKind, Impact, UpdateFacts } from './facts/model.ts';

/**
 * Completes announcements with their services and updates, in the order given.
 *
 * @param names of the services of the page, in its order.
 */
export async function announcementFacts(
  db: Kysely<Schema>,
  pageId: number,
  rows: readonly PageAnnouncementRow[],
  names: ReadonlyMap<number, string>,
): Promise<AnnouncementFacts[]> {
  const ids = rows.map((row) => row.id);
  const [affected, updates] = await Promise.all([
    readAnnouncementServices(db, ids),
    readAnnouncementUpdates(db, ids),
  ]);
  const affectedOf = Map.groupBy(affected, (row) => row.announcement_id);
  const updatesOf = Map.groupBy(
    updates.filter((update) => isShownOn(update, pageId)),
    (update) => update.announcement_id,
  );
  return rows.map((row) => {
    const monitors = new Set((affectedOf.get(row.id) ?? []).map((one) => one.monitor_id));
    return factsOf(
      row,
      (updatesOf.get(row.id) ?? []).map(updateFacts),
      names
        .entries()
        .filter(([id]) => monitors.has(id))
        .toArray(),
    );
  });
}

function factsOf(
  row: PageAnnouncementRow,
  updates: readonly UpdateFacts[],
  services: readonly (readonly [number, string])[],
): AnnouncementFacts {
  const isPublished = row.post_mortem !== null && row.post_mortem_at !== null;
  const postMortem = isPublished ? { text: row.post_mortem!, at: row.post_mortem_at! } : null;
  const changes = updates.map(({ at, editedAt }) => editedAt ?? at);
  return {
    id: row.id,
    kind: row.kind as AnnouncementKind,
    title: row.title,
    impact: row.impact as Impact,
    state: row.state as AnnouncementFacts['state'],
    startedAt: row.started_at,
    endedAt: row.ended_at,
    plannedUntil: row.planned_until,
    services: services.map(([monitorId, name]) => ({ monitorId, name })),
    updates,
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
