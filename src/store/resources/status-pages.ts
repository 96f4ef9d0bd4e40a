import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import { contains, engineOf, forUpdate } from '../database/dialect.ts';
import { countRows, updateRow } from '../database/rows.ts';
import type { StatusPageTable } from '../database/schema-pages.ts';
import type { Schema } from '../database/schema.ts';
import type { Paging } from './monitors.ts';

/** A status page without its logo, which may have half a MiB. */
export type StatusPageRow = Omit<Selectable<StatusPageTable>, 'logo'>;

export type StatusPageColumns = Updateable<Omit<StatusPageTable, 'id' | 'team_id'>>;

export type StatusPageSort = 'title' | 'slug' | 'created_at' | 'updated_at';

const COLUMNS = [
  'id',
  'team_id',
  'name',
  'slug',
  'description',
  'settings',
  'language',
  'timezone',
  'show_automatic',
  'access_type',
  'access_password',
  'access_addresses',
  'access_version',
  'custom_domain',
  'domain_token',
  'domain_verified_at',
  'domain_checked_at',
  'domain_error',
  'domain_failing_since',
  'domain_next_at',
  'logo_type',
  'logo_hash',
  'created_at',
  'updated_at',
] as const;

/** One page of a team's status pages. @param search part of a name or slug, without regard to case. */
export async function listStatusPages(
  db: Kysely<Schema>,
  teamId: number,
  search: string | null,
  { sort, direction, limit, offset }: Paging<StatusPageSort>,
): Promise<{ rows: StatusPageRow[]; total: number }> {
  const engine = engineOf(db);
  let wanted = db.selectFrom('status_page').where('team_id', '=', teamId);
  if (search !== null)
    wanted = wanted.where(({ or, ref }) =>
      or([contains(engine, ref('name'), search), contains(engine, ref('slug'), search)]),
    );
  const total = Number(await countRows(wanted));
  const rows = await wanted
    .select(COLUMNS)
    .orderBy(sort === 'title' ? 'name' : sort, direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total };
}

/** All pages of a team, the oldest first. */
export function statusPagesOfTeam(db: Kysely<Schema>, teamId: number): Promise<StatusPageRow[]> {
  return db
    .selectFrom('status_page')
    .select(COLUMNS)
    .where('team_id', '=', teamId)
    .orderBy('id')
    .execute();
}

export function countStatusPages(db: Kysely<Schema>, teamId: number): Promise<number> {
  return countRows(db.selectFrom('status_page').where('team_id', '=', teamId));
}

/** Undefined for an unknown id and for another team's. */
export function findStatusPage(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<StatusPageRow | undefined> {
  return pageById(db, id).where('team_id', '=', teamId).executeTakeFirst();
}

/** Also locks the page until the transaction ends. */
export function lockStatusPage(
  tx: Transaction<Schema>,
  teamId: number,
  id: number,
): Promise<StatusPageRow | undefined> {
  return pageById(tx, id)
    .where('team_id', '=', teamId)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
}

const pageById = (db: Kysely<Schema>, id: number) =>
  db.selectFrom('status_page').select(COLUMNS).where('id', '=', id);

/** True for a slug that another page has, of any team. @param id page that may have it; null for a new one. */
export async function isSlugTaken(
  db: Kysely<Schema>,
  slug: string,
  id: number | null,
): Promise<boolean> {
  const row = await db
    .selectFrom('status_page')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row !== undefined && row.id !== id;
}

/** The slug itself, or the first one with a number that no page has: `-2`, `-3` and so on. */
export async function freePageSlug(db: Kysely<Schema>, wanted: string): Promise<string> {
  const rows = await db
    .selectFrom('status_page')
    .select('slug')
    .where((where) => where.or([where('slug', '=', wanted), where('slug', 'like', `${wanted}-%`)]))
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  let free = wanted;
  for (let number = 2; taken.has(free); number++) free = `${wanted}-${number}`;
  return free;
}

/** @returns the new page's id; null when another transaction has taken the slug. */
export async function insertStatusPage(
  tx: Transaction<Schema>,
  teamId: number,
  columns: Omit<Insertable<StatusPageTable>, 'id' | 'team_id' | 'created_at' | 'updated_at'>,
  now: number,
): Promise<number | null> {
  const row = await tx
    .insertInto('status_page')
    .values({ ...columns, team_id: teamId, created_at: now, updated_at: now })
    // Postgres waits here for a transaction that inserts the same slug.
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export function updateStatusPage(
  tx: Transaction<Schema>,
  id: number,
  columns: StatusPageColumns,
  now: number,
): Promise<void> {
  return updateRow(tx, 'status_page', id, { ...columns, updated_at: now });
}

/** Deletes a page. Foreign keys delete its services, subscribers and links to announcements. */
export async function deleteStatusPage(tx: Transaction<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('status_page').where('id', '=', id).execute();
}

/** Deletes all pages of a team, with what foreign keys delete of each. */
export async function deleteStatusPagesOfTeam(
  tx: Transaction<Schema>,
  teamId: number,
): Promise<void> {
  await tx.deleteFrom('status_page').where('team_id', '=', teamId).execute();
}
