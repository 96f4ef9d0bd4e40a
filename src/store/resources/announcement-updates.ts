import type { Kysely, Selectable, Transaction } from 'kysely';
import { idList } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import type {
  AnnouncementUpdateTable,
  AnnouncementUpdateVersionTable,
} from '../database/schema-pages.ts';
import { countRows, insertRow, updateRow } from '../database/rows.ts';

/** An update; `pages` shows it. */
export type UpdateRow = Omit<Selectable<AnnouncementUpdateTable>, 'status_pages'> & {
  pages: number[];
};

export type UpdateVersionRow = Omit<Selectable<AnnouncementUpdateVersionTable>, 'status_pages'> & {
  pages: number[];
};

/** The updates of announcements that were not deleted, oldest first. */
export async function listUpdates(db: Kysely<Schema>, announcementIds: readonly number[]) {
  if (announcementIds.length === 0) return [];
  const rows = await db
    .selectFrom('announcement_update')
    .selectAll()
    .where('announcement_id', 'in', idList(db, announcementIds))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(withPages);
}

/** Number of updates of an announcement, deleted ones included. */
export function countUpdates(db: Kysely<Schema>, announcementId: number) {
  return countRows(
    db.selectFrom('announcement_update').where('announcement_id', '=', announcementId),
  );
}

/** Undefined for an unknown id and for another announcement's; deleted updates are found. */
export async function findUpdate(db: Kysely<Schema>, announcementId: number, id: number) {
  const row = await db
    .selectFrom('announcement_update')
    .selectAll()
    .where('announcement_id', '=', announcementId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && withPages(row);
}

/** Text and person are null for an automatic update. */
type NewUpdate = Pick<UpdateRow, 'state' | 'body'> & {
  announcementId: number;
  pages: readonly number[];
  personId: number | null;
};

export function insertUpdate(
  tx: Transaction<Schema>,
  { announcementId, state, body, pages, personId }: NewUpdate,
  now: number,
) {
  return insertRow(tx, 'announcement_update', {
    announcement_id: announcementId,
    state,
    body,
    status_pages: JSON.stringify(pages),
    person_id: personId,
    shown_at: now,
    edited_at: null,
    deleted_at: null,
    created_at: now,
  });
}

export async function setPagesOfUpdate(
  tx: Transaction<Schema>,
  id: number,
  pages: readonly number[],
) {
  await updateRow(tx, 'announcement_update', id, { status_pages: JSON.stringify(pages) });
}

/** Replaces an update and keeps its former version. */
export async function editUpdate(
  tx: Transaction<Schema>,
  before: UpdateRow,
  edit: Pick<UpdateRow, 'state' | 'body' | 'pages'> & { personId: number },
  now: number,
) {
  await keepVersion(tx, before, edit.personId, now);
  const { state, body, pages } = edit;
  const columns = { state, body, status_pages: JSON.stringify(pages), edited_at: now };
  await updateRow(tx, 'announcement_update', before.id, columns);
}

/** Hides an update and keeps what it said as a version. */
export async function hideUpdate(
  tx: Transaction<Schema>,
  before: UpdateRow,
  personId: number,
  now: number,
) {
  await keepVersion(tx, before, personId, now);
  await updateRow(tx, 'announcement_update', before.id, { deleted_at: now });
}

export async function listUpdateVersions(db: Kysely<Schema>, updateId: number) {
  const rows = await db
    .selectFrom('announcement_update_version')
    .selectAll()
    .where('update_id', '=', updateId)
    .orderBy('number')
    .execute();
  return rows.map(withPages);
}

async function keepVersion(
  tx: Transaction<Schema>,
  { id, state, body, pages }: UpdateRow,
  personId: number,
  now: number,
) {
  const { newest } = await tx
    .selectFrom('announcement_update_version')
    .select((select) => select.fn.max<number | null>('number').as('newest'))
    .where('update_id', '=', id)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('announcement_update_version')
    .values({
      update_id: id,
      number: (newest ?? 0) + 1,
      state,
      body,
      status_pages: JSON.stringify(pages),
      person_id: personId,
      at: now,
    })
    .execute();
}

function withPages<Row extends { status_pages: string }>({
  status_pages,
  ...row
}: Row): Omit<Row, 'status_pages'> & { pages: number[] } {
  return { ...row, pages: JSON.parse(status_pages) as number[] };
}
