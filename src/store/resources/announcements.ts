import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import { idList } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import type { AnnouncementTable } from '../database/schema-pages.ts';
import { countRows, insertRow, updateRow } from '../database/rows.ts';

/** An announcement with the monitors, incidents and pages that it concerns, each in ascending order. */
export type AnnouncementRow = Selectable<AnnouncementTable> & {
  monitors: number[];
  incidents: number[];
  pages: number[];
};

interface AnnouncementLinks {
  monitors: readonly number[];
  incidents: readonly number[];
  pages: readonly number[];
}

/** One page of a team's announcements by their beginning, newest first, and how many there are. */
export async function listAnnouncements(
  db: Kysely<Schema>,
  teamId: number,
  /** Null restricts nothing. */
  { kind, isOpen, pageId }: { kind: string | null; isOpen: boolean | null; pageId: number | null },
  { limit, offset }: { limit: number; offset: number },
) {
  const wanted = selectAnnouncements(db, teamId)
    .$if(kind !== null, (query) => query.where('kind', '=', kind!))
    .$if(isOpen !== null, (query) => query.where('ended_at', isOpen! ? 'is' : 'is not', null))
    .$if(pageId !== null, (query) =>
      query.where('id', 'in', (select) =>
        select
          .selectFrom('announcement_page')
          .select('announcement_id')
          .where('page_id', '=', pageId!),
      ),
    );
  const total = await countRows(wanted);
  const rows = await wanted
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows: await withLinks(db, rows), total };
}

/** Undefined for an unknown id, another team's, and a deleted one. */
export async function findAnnouncement(db: Kysely<Schema>, teamId: number, id: number) {
  const rows = await selectAnnouncements(db, teamId).selectAll().where('id', '=', id).execute();
  return (await withLinks(db, rows))[0];
}

/** Id of the announcement that is about an incident, deleted ones included; null without one. */
export async function announcementOfIncident(db: Kysely<Schema>, incidentId: number) {
  const row = await db
    .selectFrom('announcement_incident')
    .innerJoin('announcement', 'announcement.id', 'announcement_incident.announcement_id')
    .select(['announcement.id', 'announcement.deleted_at'])
    .where('announcement_incident.incident_id', '=', incidentId)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, isDeleted: row.deleted_at !== null };
}

export function countOpenAnnouncements(db: Kysely<Schema>, teamId: number) {
  return countRows(selectAnnouncements(db, teamId).where('ended_at', 'is', null));
}

export async function withLinks<Row extends { id: number }>(
  db: Kysely<Schema>,
  rows: readonly Row[],
) {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const services = await db
    .selectFrom('announcement_service')
    .select(['announcement_id', 'monitor_id as linked'])
    .where('announcement_id', 'in', idList(db, ids))
    .orderBy('monitor_id')
    .execute();
  const incidents = await db
    .selectFrom('announcement_incident')
    .select(['announcement_id', 'incident_id as linked'])
    .where('announcement_id', 'in', idList(db, ids))
    .orderBy('incident_id')
    .execute();
  const pages = await db
    .selectFrom('announcement_page')
    .select(['announcement_id', 'page_id as linked'])
    .where('announcement_id', 'in', idList(db, ids))
    .orderBy('page_id')
    .execute();
  const [monitorsOf, incidentsOf, pagesOf] = [services, incidents, pages].map(byAnnouncement);
  return rows.map((row) => ({
    ...row,
    monitors: monitorsOf!(row.id),
    incidents: incidentsOf!(row.id),
    pages: pagesOf!(row.id),
  }));
}

function byAnnouncement(links: readonly { announcement_id: number; linked: number }[]) {
  const found = Map.groupBy(links, (link) => link.announcement_id);
  return (id: number) => (found.get(id) ?? []).map(({ linked }) => linked);
}

export async function insertAnnouncement(
  tx: Transaction<Schema>,
  columns: Omit<Insertable<AnnouncementTable>, 'id' | 'created_at' | 'updated_at'>,
  links: AnnouncementLinks,
  now: number,
) {
  const id = await insertRow(tx, 'announcement', { ...columns, created_at: now, updated_at: now });
  await linkAnnouncement(tx, id, links, now);
  return id;
}

/** Links an announcement to more pages, monitors and incidents; present links stay. */
export async function linkAnnouncement(
  tx: Transaction<Schema>,
  id: number,
  { monitors = [], incidents = [], pages = [] }: Partial<AnnouncementLinks>,
  now: number,
) {
  // Pages last: a change of a page is noted when the rest is there.
  if (monitors.length > 0)
    await tx
      .insertInto('announcement_service')
      .values(monitors.map((monitor) => ({ announcement_id: id, monitor_id: monitor })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  if (incidents.length > 0)
    await tx
      .insertInto('announcement_incident')
      .values(incidents.map((incident) => ({ incident_id: incident, announcement_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  if (pages.length > 0)
    await tx
      .insertInto('announcement_page')
      .values(pages.map((page) => ({ announcement_id: id, page_id: page, shown_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Takes an announcement off these pages, and these monitors off the announcement. */
export async function unlinkAnnouncement(
  tx: Transaction<Schema>,
  id: number,
  { monitors = [], pages = [] }: Partial<Omit<AnnouncementLinks, 'incidents'>>,
) {
  if (monitors.length > 0)
    await tx
      .deleteFrom('announcement_service')
      .where('announcement_id', '=', id)
      .where('monitor_id', 'in', monitors)
      .execute();
  if (pages.length > 0)
    await tx
      .deleteFrom('announcement_page')
      .where('announcement_id', '=', id)
      .where('page_id', 'in', pages)
      .execute();
}

export async function updateAnnouncement(
  tx: Transaction<Schema>,
  id: number,
  columns: Omit<Updateable<AnnouncementTable>, 'id' | 'team_id' | 'updated_at'>,
  now: number,
) {
  await updateRow(tx, 'announcement', id, { ...columns, updated_at: now });
}

/** Takes an announcement off all pages. Its row stays, so that its incidents are not announced again. */
export async function deleteAnnouncement(tx: Transaction<Schema>, id: number, now: number) {
  await tx.deleteFrom('announcement_page').where('announcement_id', '=', id).execute();
  await updateRow(tx, 'announcement', id, { deleted_at: now, updated_at: now });
}

/** Unlinks an incident from its announcement, so that another one can be about it. */
export async function forgetIncident(tx: Transaction<Schema>, incidentId: number) {
  await tx.deleteFrom('announcement_incident').where('incident_id', '=', incidentId).execute();
}

/** Removes an announcement without a trace: its incidents and its occurrence of a window may be announced again. */
export async function removeAnnouncement(tx: Transaction<Schema>, id: number) {
  // Rows of pages go first, so that the pages are noted as changed on both engines.
  await tx.deleteFrom('announcement_page').where('announcement_id', '=', id).execute();
  await tx.deleteFrom('announcement').where('id', '=', id).execute();
}

function selectAnnouncements(db: Kysely<Schema>, teamId: number) {
  return db
    .selectFrom('announcement')
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null);
}
