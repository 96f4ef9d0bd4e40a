import { ALIVE_AT } from '../engine/process-marks.ts';
import { sql, type Selectable, type Updateable } from 'kysely';
import type { PageImage, PageImageName, PageImages } from '../../model/page-images.ts';
import { idList } from '../database/dialect.ts';
import { updateRow, deleteRows, findRows, findRow } from '../database/rows.ts';
import type { Db, Schema, Tx } from '../database/contract.ts';

/** Columns of a monitor and its state that services of a page have. */
const MONITOR_COLUMNS = [
  'monitor.friendly_name',
  'monitor.host',
  'monitor.is_paused',
  'monitor.check_interval',
  'monitor.created_at',
  'state.status',
  'state.observed_until',
  ALIVE_AT,
  'state.newest',
] as const;

/** What documents of a page are made of. */
export const pageFacts = {
  page(db: Db, id: number) {
    return db
      .selectFrom('status_page')
      .select([
        'id',
        'team_id as teamId',
        'name',
        'slug',
        'description',
        'settings',
        'language',
        'timezone',
        'access_type as access',
        'custom_domain as domain',
        'domain_verified_at as verifiedAt',
        'brand',
        'draft',
        'images',
        'subscribe_by as subscribeBy',
        'sms_channel_id as smsChannelId',
      ])
      .where('id', '=', id)
      .executeTakeFirst();
  },

  /** Reads the services of a page: those without a group, then by group, each in its order. Deleted monitors are left out. */
  services(db: Db, pageId: number) {
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
          ...MONITOR_COLUMNS,
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
  },

  /** Reads monitors of a team as services of a page have them. */
  async monitors(db: Db, teamId: number, ids: readonly number[]) {
    if (ids.length === 0) return [];
    return db
      .selectFrom('monitor')
      .innerJoin('monitor_state as state', 'state.monitor_id', 'monitor.id')
      .select(['monitor.id as monitor_id', ...MONITOR_COLUMNS])
      .where('monitor.id', 'in', idList(db, ids))
      .where('monitor.team_id', '=', teamId)
      .where('monitor.deleted_at', 'is', null)
      .execute();
  },

  /** Reads the newest announcements of a page that have not ended and begin before `startsBefore`, or ended after `endedAfter`. */
  async currentAnnouncements(
    db: Db,
    pageId: number,
    range: { startsBefore: number; endedAfter: number; limit: number },
  ) {
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
  },

  /** Reads the announcements of a page that began in `[from, to)`, the newest first. */
  announcementsBetween(db: Db, pageId: number, range: { from: number; to: number; limit: number }) {
    return selectShown(db, pageId)
      .where('announcement.started_at', '>=', range.from)
      .where('announcement.started_at', '<', range.to)
      .limit(range.limit)
      .execute();
  },

  /** Reads one announcement of a page; undefined when the page does not show it. */
  announcement(db: Db, pageId: number, id: number) {
    return selectShown(db, pageId).where('announcement.id', '=', id).executeTakeFirst();
  },

  /** Reads when the first announcement of a page began, epoch ms; null without any. */
  async firstAnnouncement(db: Db, pageId: number): Promise<number | null> {
    const row = await db
      .selectFrom('announcement_page as shown')
      .innerJoin('announcement', 'announcement.id', 'shown.announcement_id')
      .select(({ fn }) => fn.min('announcement.started_at').as('first'))
      .where('shown.page_id', '=', pageId)
      .where('announcement.deleted_at', 'is', null)
      .executeTakeFirst();
    return row?.first ?? null;
  },

  async affectedServices(db: Db, ids: readonly number[]) {
    if (ids.length === 0) return [];
    return findRows(db, 'announcement_service', { announcement_id: ['in', idList(db, ids)] }, [
      'announcement_id',
      'monitor_id',
    ]);
  },

  async incidents(db: Db, ids: readonly number[]) {
    if (ids.length === 0) return [];
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
  },

  /** Reads the updates of announcements that are not deleted, the newest first. */
  async updates(db: Db, ids: readonly number[]) {
    if (ids.length === 0) return [];
    return db
      .selectFrom('announcement_update')
      .select(['id', 'announcement_id as announcementId', 'state', 'body as text'])
      .select(['status_pages as pages', 'shown_at as at', 'edited_at as editedAt'])
      .where('announcement_id', 'in', idList(db, ids))
      .where('deleted_at', 'is', null)
      .orderBy('shown_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
  },
};

type Row<Name extends keyof typeof pageFacts> = Awaited<ReturnType<(typeof pageFacts)[Name]>>;
export type PageRow = NonNullable<Row<'page'>>;
export type PageServiceRow = Row<'services'>[number];
export type PageUpdateRow = Row<'updates'>[number];

/** Reads an image of a page with its media type; null without one. */
export async function readPageImage(db: Db, pageId: number, name: PageImageName) {
  const row = await db
    .selectFrom('status_page_image as image')
    .innerJoin('status_page as page', 'page.id', 'image.page_id')
    .select(['image.bytes', 'page.images'])
    .where('image.page_id', '=', pageId)
    .where('image.name', '=', name)
    .executeTakeFirst();
  const known = row && imagesOf(row)[name];
  return row === undefined || known === undefined ? null : { type: known.type, bytes: row.bytes };
}

/** Replaces an image of a page; null removes it. */
export async function writePageImage(
  tx: Tx,
  page: { id: number; images: string },
  name: PageImageName,
  image: (PageImage & { bytes: Uint8Array }) | null,
  now: number,
): Promise<void> {
  const { [name]: _former, ...others } = imagesOf(page);
  const images =
    image === null ? others : { ...others, [name]: { type: image.type, hash: image.hash } };
  await deleteRows(tx, 'status_page_image', { page_id: page.id, name });
  if (image !== null)
    await tx
      .insertInto('status_page_image')
      .values({ page_id: page.id, name, bytes: image.bytes })
      .execute();
  await updateRow(tx, 'status_page', page.id, { images: JSON.stringify(images), updated_at: now });
}

export function imagesOf({ images }: { images: string }): PageImages {
  return JSON.parse(images) as PageImages;
}

export type PageAnnouncementRow = Awaited<ReturnType<ReturnType<typeof selectShown>['execute']>>[0];

function selectShown(db: Db, pageId: number) {
  return db
    .selectFrom('announcement_page as shown')
    .innerJoin('announcement', 'announcement.id', 'shown.announcement_id')
    .select([
      'announcement.id',
      'announcement.kind',
      'announcement.title',
      'announcement.impact',
      'announcement.state',
      'announcement.started_at as startedAt',
      'announcement.ended_at as endedAt',
      'announcement.planned_until as plannedUntil',
      'announcement.post_mortem as postMortem',
      'announcement.post_mortem_at as postMortemAt',
      'shown.shown_at as shownAt',
    ])
    .where('shown.page_id', '=', pageId)
    .where('announcement.deleted_at', 'is', null)
    .orderBy('announcement.started_at', 'desc')
    .orderBy('announcement.id', 'desc');
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
  'draft',
] as const satisfies readonly (keyof Schema['status_page'])[];

export type PageRoutingRow = Pick<
  Selectable<Schema['status_page']>,
  (typeof ROUTING_COLUMNS)[number]
>;

/** By which requests are routed to pages. */
export const pageRouting = {
  /** Reads how requests are routed to these pages; deleted ones are missing. */
  async byIds(db: Db, ids: readonly number[]) {
    if (ids.length === 0) return [];
    return findRows(db, 'status_page', { id: ['in', idList(db, ids)] }, ROUTING_COLUMNS);
  },

  bySlug(db: Db, slug: string) {
    return findRow(db, 'status_page', { slug }, ROUTING_COLUMNS);
  },

  domains(db: Db) {
    return db
      .selectFrom('status_page')
      .select(['id', 'slug', 'custom_domain as domain'])
      .where('custom_domain', 'is not', null)
      .where('domain_verified_at', 'is not', null)
      .$narrowType<{ domain: string }>()
      .execute();
  },
};

export function readPageChanges(db: Db, after: number, limit: number) {
  return db
    .selectFrom('status_page_change')
    .select(['id', 'page_id as pageId'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Reads the id of the newest change; 0 without any. */
export async function readNewestChange(db: Db) {
  const row = await findRow(db, 'status_page_change', {}, ['id'], ['id desc'], 1);
  return row?.id ?? 0;
}

/** Custom domains of pages, of all teams. */
export const pageDomains = {
  /** Pages whose domain is due for verification, the longest due first. */
  due(db: Db, now: number, limit: number) {
    return db
      .selectFrom('status_page')
      .select(['id', 'team_id', 'custom_domain'])
      .where('domain_next_at', '<=', now)
      .orderBy('domain_next_at')
      .orderBy('id')
      .limit(limit)
      .execute();
  },

  /** The page that has verified a domain, of any team. */
  holder(db: Db, domain: string) {
    return db
      .selectFrom('status_page')
      .select(['id', 'domain_token'])
      .where('custom_domain', '=', domain)
      .where('domain_verified_at', 'is not', null)
      .executeTakeFirst();
  },

  /** Records a verification. It is no edit: `updated_at` stays. */
  setState(tx: Tx, pageId: number, columns: DomainColumns) {
    return updateRow(tx, 'status_page', pageId, columns);
  },
};

type DomainColumns = Pick<
  Updateable<Schema['status_page']>,
  | 'domain_verified_at'
  | 'domain_checked_at'
  | 'domain_error'
  | 'domain_failing_since'
  | 'domain_next_at'
>;
