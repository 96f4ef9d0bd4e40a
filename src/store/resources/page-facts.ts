import { sql, type Kysely, type Selectable } from 'kysely';
import type { Database } from '../database/contract.ts';
import { idList } from '../database/dialect.ts';
import { ALIVE_AT, type ObservationRow } from '../engine/process-marks.ts';
import { deleteBatch } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { StatusPageTable } from '../database/schema-pages.ts';

const PAGE_COLUMNS = [
  'id',
  'team_id',
  'name',
  'slug',
  'description',
  'settings',
  'language',
  'timezone',
  'access_type',
  'custom_domain',
  'domain_verified_at',
  'logo_hash',
] as const satisfies readonly (keyof StatusPageTable)[];

/** Columns of a page that its documents show. */
export type PageRow = Pick<Selectable<StatusPageTable>, (typeof PAGE_COLUMNS)[number]>;

/** Reads a page by its id; undefined without one. */
export function readPageRow(db: Kysely<Schema>, id: number): Promise<PageRow | undefined> {
  return db.selectFrom('status_page').select(PAGE_COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** Reads the logo of a page; null without one. */
export async function readLogo(
  db: Kysely<Schema>,
  pageId: number,
): Promise<{ type: string; bytes: Uint8Array } | null> {
  const row = await db
    .selectFrom('status_page')
    .select(['logo_type as type', 'logo as bytes'])
    .where('id', '=', pageId)
    .executeTakeFirst();
  return row === undefined || row.type === null || row.bytes === null
    ? null
    : { type: row.type, bytes: row.bytes };
}

/** A monitor on a page, with the group it is in. */
export interface PageServiceRow extends ObservationRow {
  monitor_id: number;
  label: string | null;
  display: string;
  group_id: number | null;
  group_name: string | null;
  friendly_name: string | null;
  host: string | null;
  created_at: number;
  newest: string;
}

/** Reads the services of a page: those without a group, then by group, each in its order. Deleted monitors are left out. */
export function readPageServices(db: Kysely<Schema>, pageId: number): Promise<PageServiceRow[]> {
  return (
    db
      .selectFrom('status_page_service as service')
      .innerJoin('monitor', 'monitor.id', 'service.monitor_id')
      .innerJoin('monitor_state as state', 'state.monitor_id', 'service.monitor_id')
      .leftJoin('status_page_group as heading', 'heading.id', 'service.group_id')
      .select([
        'service.monitor_id',
        'service.label',
        'service.display',
        'service.group_id',
        'heading.name as group_name',
        'monitor.friendly_name',
        'monitor.host',
        'monitor.is_paused',
        'monitor.check_interval',
        'monitor.created_at',
        'state.status',
        'state.observed_until',
        ALIVE_AT,
        'state.newest',
      ])
      .where('service.page_id', '=', pageId)
      .where('monitor.deleted_at', 'is', null)
      // Engines differ in where they sort null.
      .orderBy(sql`case when heading.id is null then 0 else 1 end`)
      .orderBy('heading.position')
      .orderBy('heading.id')
      .orderBy('service.position')
      .orderBy('service.monitor_id')
      .execute()
  );
}

/** An announcement that a page shows. */
export type PageAnnouncementRow = Awaited<ReturnType<ReturnType<typeof selectShown>['execute']>>[0];

function selectShown(db: Kysely<Schema>, pageId: number) {
  return db
    .selectFrom('announcement_page as shown')
    .innerJoin('announcement', 'announcement.id', 'shown.announcement_id')
    .select([
      'announcement.id',
      'announcement.kind',
      'announcement.title',
      'announcement.impact',
      'announcement.state',
      'announcement.started_at',
      'announcement.ended_at',
      'announcement.planned_until',
      'announcement.post_mortem',
      'announcement.post_mortem_at',
      'shown.shown_at',
    ])
    .where('shown.page_id', '=', pageId)
    .where('announcement.deleted_at', 'is', null)
    .orderBy('announcement.started_at', 'desc')
    .orderBy('announcement.id', 'desc');
}

/** Reads the newest announcements of a page that have not ended and begin before `startsBefore`, or ended after `endedAfter`. */
export async function readCurrentAnnouncements(
  db: Kysely<Schema>,
  pageId: number,
  range: { startsBefore: number; endedAfter: number; limit: number },
): Promise<PageAnnouncementRow[]> {
  return selectShown(db, pageId)
    .where('announcement.started_at', '<', range.startsBefore)
    .where((where) =>
      where.or([
        where('announcement.ended_at', 'is', null),
        where('announcement.ended_at', '>', range.endedAfter),
      ]),
    )
    .limit(range.limit)
    .execute();
}

/** Reads the announcements of a page that began in `[from, to)`, the newest first. */
export function readAnnouncementsBetween(
  db: Kysely<Schema>,
  pageId: number,
  range: { from: number; to: number; limit: number },
): Promise<PageAnnouncementRow[]> {
  return selectShown(db, pageId)
    .where('announcement.started_at', '>=', range.from)
    .where('announcement.started_at', '<', range.to)
    .limit(range.limit)
    .execute();
}

/** Reads one announcement of a page; undefined when the page does not show it. */
export function readPageAnnouncement(
  db: Kysely<Schema>,
  pageId: number,
  id: number,
): Promise<PageAnnouncementRow | undefined> {
  return selectShown(db, pageId).where('announcement.id', '=', id).executeTakeFirst();
}

/** Beginnings of the last announcement before `[from, to)` and of the first one after it; null without one. */
export async function readNeighbors(
  db: Kysely<Schema>,
  pageId: number,
  { from, to }: { from: number; to: number },
): Promise<{ before: number | null; after: number | null }> {
  const { rows } = await sql<{ before: number | null; after: number | null }>`
    select max(case when announcement.started_at < ${from} then announcement.started_at end) as before,
      min(case when announcement.started_at >= ${to} then announcement.started_at end) as after
    from announcement_page as shown join announcement on announcement.id = shown.announcement_id
    where shown.page_id = ${pageId} and announcement.deleted_at is null`.execute(db);
  return { before: rows[0]?.before ?? null, after: rows[0]?.after ?? null };
}

/** Reads the affected monitors of announcements. */
export function readAnnouncementServices(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<{ announcement_id: number; monitor_id: number }[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('announcement_service')
    .select(['announcement_id', 'monitor_id'])
    .where('announcement_id', 'in', idList(db, ids))
    .execute();
}

/** Reads the times of the incidents that announcements are about. */
export function readAnnouncementIncidents(db: Kysely<Schema>, ids: readonly number[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('announcement_incident as about')
    .innerJoin('incident', 'incident.id', 'about.incident_id')
    .select([
      'about.announcement_id',
      'incident.id',
      'incident.monitor_id',
      'incident.started_at',
      'incident.ended_at',
    ])
    .where('about.announcement_id', 'in', idList(db, ids))
    .execute();
}

export interface PageUpdateRow {
  id: number;
  announcement_id: number;
  state: string;
  body: string | null;
  /** JSON array of ids. */
  status_pages: string;
  shown_at: number;
  edited_at: number | null;
}

/** Reads the updates of announcements that are not deleted, the newest first. */
export function readAnnouncementUpdates(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<PageUpdateRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('announcement_update')
    .select(['id', 'announcement_id', 'state', 'body', 'status_pages', 'shown_at', 'edited_at'])
    .where('announcement_id', 'in', idList(db, ids))
    .where('deleted_at', 'is', null)
    .orderBy('shown_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

const ROUTING_COLUMNS = [
  'id',
  'team_id',
  'slug',
  'custom_domain',
  'domain_verified_at',
  'access_type',
  'access_password',
  'access_addresses',
  'access_version',
] as const satisfies readonly (keyof StatusPageTable)[];

/** Columns by which requests are routed to a page, and its access. */
export type PageRoutingRow = Pick<Selectable<StatusPageTable>, (typeof ROUTING_COLUMNS)[number]>;

/** Reads how requests are routed to these pages; deleted ones are missing. */
export async function readRoutings(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<PageRoutingRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('status_page')
    .select(ROUTING_COLUMNS)
    .where('id', 'in', idList(db, ids))
    .execute();
}

/** Reads how requests are routed to the page with this slug. */
export function readRouting(db: Kysely<Schema>, slug: string): Promise<PageRoutingRow | undefined> {
  return db
    .selectFrom('status_page')
    .select(ROUTING_COLUMNS)
    .where('slug', '=', slug)
    .executeTakeFirst();
}

/** Reads all pages with a verified domain. */
export function readDomains(
  db: Kysely<Schema>,
): Promise<{ id: number; slug: string; domain: string }[]> {
  return db
    .selectFrom('status_page')
    .select(['id', 'slug', 'custom_domain as domain'])
    .where('custom_domain', 'is not', null)
    .where('domain_verified_at', 'is not', null)
    .$narrowType<{ domain: string }>()
    .execute();
}

/** A change that concerns a page. */
export interface PageChange {
  id: number;
  pageId: number;
}

/** Reads the changes with greater ids, in their order. */
export function readPageChanges(
  db: Kysely<Schema>,
  after: number,
  limit: number,
): Promise<PageChange[]> {
  return db
    .selectFrom('status_page_change')
    .select(['id', 'page_id as pageId'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Reads the id of the newest change; 0 without any. */
export async function readNewestChange(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('status_page_change')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Deletes one batch of changes from before that time (epoch ms). @returns whether there may be more. */
export function deletePageChangesBefore(database: Database, before: number): Promise<boolean> {
  return deleteBatch(database, 'status_page_change', (rows) => rows.where('at', '<', before));
}
