import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import type { Database } from '../database/contract.ts';
import { engineOf, forUpdate, idList } from '../database/dialect.ts';
import { deleteBatch, hasRow, updateRow } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { SubscriberRow } from './subscribers.ts';

/**
 * Sends an update to the subscribers of pages: one mailing for each page, due now (epoch ms). Runs in the transaction of
 * the update. A page that has a mailing of this update gets no second one.
 */
export async function insertMailings(
  tx: Transaction<Schema>,
  updateId: number,
  pageIds: readonly number[],
  now: number,
): Promise<void> {
  if (pageIds.length === 0) return;
  const rows = pageIds.map((pageId) => ({
    page_id: pageId,
    update_id: updateId,
    position: 0,
    next_at: now,
    created_at: now,
  }));
  await tx
    .insertInto('mailing')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['page_id', 'update_id']).doNothing())
    .execute();
}

/** A mailing that is due, with its update and page. */
export interface DueMailing {
  id: number;
  pageId: number;
  updateId: number;
  announcementId: number;
  position: number;
  createdAt: number;
  /** Whether it no longer concerns anybody: the update or the team was deleted. */
  isVoid: boolean;
}

/** Time that lies further ahead was written before the clock was set back, milliseconds. */
const DISTANT_MS = 3 * 3_600_000;

/** The mailing that is due for the longest time; undefined for none. @param now epoch ms. */
export function findDueMailing(
  db: Kysely<Schema>,
  now: number,
): Promise<Pick<DueMailing, 'id'> | undefined> {
  return db
    .selectFrom('mailing')
    .select('id')
    .where('next_at', 'is not', null)
    .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + DISTANT_MS)]))
    .orderBy('next_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Reads a mailing that is not over; undefined when it is. */
export async function readMailing(db: Kysely<Schema>, id: number): Promise<DueMailing | undefined> {
  const row = await db
    .selectFrom('mailing')
    .innerJoin('status_page', 'status_page.id', 'mailing.page_id')
    .innerJoin('team', 'team.id', 'status_page.team_id')
    .leftJoin('announcement_update', 'announcement_update.id', 'mailing.update_id')
    .leftJoin('announcement_page', (join) =>
      join
        .onRef('announcement_page.announcement_id', '=', 'announcement_update.announcement_id')
        .onRef('announcement_page.page_id', '=', 'mailing.page_id'),
    )
    .select([
      'mailing.id',
      'mailing.page_id',
      'mailing.update_id',
      'mailing.position',
      'mailing.created_at',
      'team.deleted_at as team_deleted_at',
      'announcement_update.deleted_at as update_deleted_at',
      'announcement_page.announcement_id',
    ])
    .where('mailing.id', '=', id)
    .where('mailing.next_at', 'is not', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    pageId: row.page_id,
    updateId: row.update_id,
    announcementId: row.announcement_id ?? 0,
    position: row.position,
    createdAt: row.created_at,
    isVoid:
      row.announcement_id === null ||
      row.team_deleted_at !== null ||
      row.update_deleted_at !== null,
  };
}

/** The same mailing, locked until the transaction ends; false when it was moved on, or another process has it. */
export function lockMailing(
  tx: Transaction<Schema>,
  { id, position }: Pick<DueMailing, 'id' | 'position'>,
): Promise<boolean> {
  return hasRow(
    tx
      .selectFrom('mailing')
      .where('id', '=', id)
      .where('position', '=', position)
      .where('next_at', 'is not', null)
      .$call(forUpdate(engineOf(tx), 'skipLocked')),
  );
}

/** Moves a mailing on. @param nextAt epoch ms; null when all subscribers were served. */
export async function moveMailing(
  tx: Transaction<Schema>,
  id: number,
  { position, nextAt }: { position: number; nextAt: number | null },
): Promise<void> {
  await updateRow(tx, 'mailing', id, { position, next_at: nextAt });
}

/** Postpones a mailing that could not be sent, unless another process ended it meanwhile. */
export async function postponeMailing(
  database: Database,
  id: number,
  nextAt: number,
): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('mailing')
      .set({ next_at: nextAt })
      .where('id', '=', id)
      .where('next_at', 'is not', null)
      .execute(),
  );
}

/**
 * The next active subscribers of a page after an id, in ascending order. Those by e-mail are locked until the transaction ends, as
 * their mails of the hour are counted. Others are not: their queues are locked before them by the process that sends.
 */
export async function activeSubscribers(
  tx: Transaction<Schema>,
  pageId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ subscribers: SubscriberRow[]; position: number; isLast: boolean }> {
  const rows = await selectActive(tx, pageId, { after, limit }).execute();
  const read = { position: rows.at(-1)?.id ?? after, isLast: rows.length < limit };
  const byMail = rows.flatMap(({ id, kind }) => (kind === 'email' ? [id] : []));
  if (byMail.length === 0) return { subscribers: rows, ...read };
  const locked = await tx
    .selectFrom('subscriber')
    .selectAll()
    .where('id', 'in', idList(tx, byMail))
    .where('ended_reason', 'is', null)
    .orderBy('id')
    .$call(forUpdate(engineOf(tx)))
    .execute();
  const present = new Map(locked.map((row) => [row.id, row]));
  const subscribers = rows.flatMap((row) =>
    row.kind === 'email' ? (present.get(row.id) ?? []) : row,
  );
  return { subscribers, ...read };
}

function selectActive(
  tx: Transaction<Schema>,
  pageId: number,
  { after, limit }: { after: number; limit: number },
) {
  return tx
    .selectFrom('subscriber')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('id', '>', after)
    .where('confirmed_at', 'is not', null)
    .where('ended_reason', 'is', null)
    .orderBy('id')
    .limit(limit);
}

/** Number of mails to subscribers that wait in the outbox, up to a limit. */
export async function countQueuedMails(db: Kysely<Schema>, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('destination')
    .select('id')
    .where('next_at', 'is not', null)
    .where('kind', '=', 'subscriber_mail')
    .limit(limit)
    .execute();
  return rows.length;
}

/** Subscribers of one page whose held updates are due, in ascending order. @param now epoch ms. */
export async function dueDigests(
  db: Kysely<Schema>,
  now: number,
  limit: number,
): Promise<SubscriberRow[]> {
  const first = await db
    .selectFrom('subscriber')
    .select('page_id')
    .where((its) => isDigestDue(its, now))
    .orderBy('digest_at')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return [];
  return db
    .selectFrom('subscriber')
    .selectAll()
    .where((its) => isDigestDue(its, now))
    .where('page_id', '=', first.page_id)
    .orderBy('id')
    .limit(limit)
    .execute();
}

function isDigestDue(its: ExpressionBuilder<Schema, 'subscriber'>, now: number) {
  return its.and([
    // For the index.
    its('digest_at', 'is not', null),
    its.or([its('digest_at', '<=', now), its('digest_at', '>', now + DISTANT_MS)]),
  ]);
}

/** Announcements of a page with an update for its subscribers since then (epoch ms), that with the newest update first. */
export async function announcementsSentSince(
  db: Kysely<Schema>,
  pageId: number,
  since: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('mailing')
    .innerJoin('announcement_update as sent', 'sent.id', 'mailing.update_id')
    .select('sent.announcement_id as id')
    .where('mailing.page_id', '=', pageId)
    .where('mailing.created_at', '>=', since)
    .groupBy('sent.announcement_id')
    .orderBy(({ fn }) => fn.max('mailing.id'), 'desc')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Claims a digest, and reads the mails of the hour, which no other process counts until the transaction ends. Undefined
 * when another process has the digest, or the subscription ended.
 */
export async function claimDigest(
  tx: Transaction<Schema>,
  id: number,
): Promise<{ mails: number; mailsUntil: number | null } | undefined> {
  return tx
    .updateTable('subscriber')
    .set({ digest_at: null })
    .where('id', '=', id)
    .where('digest_at', 'is not', null)
    .where('ended_reason', 'is', null)
    .returning(['mails', 'mails_until as mailsUntil'])
    .executeTakeFirst();
}

/** Deletes a batch of mailings that are over and older than this time (epoch ms). @returns whether there may be more. */
export function deleteMailingsBefore(database: Database, before: number): Promise<boolean> {
  return deleteBatch(database, 'mailing', (rows) =>
    rows.where('next_at', 'is', null).where('created_at', '<', before).orderBy('id'),
  );
}
