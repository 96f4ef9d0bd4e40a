import type { ExpressionBuilder } from 'kysely';
import type { Database, Db, Schema, Tx } from '../database/contract.ts';
import { engineOf, forUpdate, idList, rowTable } from '../database/dialect.ts';
import {
  BATCH_ROWS,
  deleteBatch,
  hasRow,
  unreferred,
  updateRow,
  updateRows,
  insertRows,
} from '../database/rows.ts';

/**
 * Sends an update to the subscribers of pages: one mailing for each page, due now (epoch ms). Runs in the transaction of
 * the update. A page that has a mailing of this update gets no second one.
 */
export async function insertMailings(
  tx: Tx,
  updateId: number,
  pageIds: readonly number[],
  now: number,
) {
  const mailing = { update_id: updateId, position: 0, next_at: now, created_at: now };
  const rows = pageIds.map((page_id) => ({ page_id, ...mailing }));
  await insertRows(tx, 'mailing', rows, 'skip');
}

/** Time that lies further ahead was written before the clock was set back, milliseconds. */
const DISTANT_MS = 3 * 3_600_000;

const MOST_COUNTED = 1_000;

/** The mails that a subscriber got in the current hour. */
export interface HourlyMails {
  id: number;
  mails: number;
  /** End of the hour; null before the first mail. */
  mailsUntil: number | null;
  /** When one mail lists the updates that were held back; null for none. */
  digestAt: number | null;
}

/** Mailings of updates and of digests, as the process that sends them takes them. */
export const mailings = {
  /** The mailing that is due for the longest time; undefined for none. @param now epoch ms. */
  findDue(db: Db, now: number) {
    return db
      .selectFrom('mailing')
      .select('id')
      .where('next_at', 'is not', null)
      .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + DISTANT_MS)]))
      .orderBy('next_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  },

  /** Reads a mailing that is not over; undefined when it is. */
  async read(db: Db, id: number) {
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
      .select(['mailing.id', 'mailing.page_id as pageId', 'mailing.update_id as updateId'])
      .select(['mailing.position', 'mailing.created_at as createdAt'])
      .select(['team.deleted_at as teamDeletedAt', 'announcement_update.deleted_at as deletedAt'])
      .select(['announcement_page.announcement_id as announcementId', 'status_page.draft'])
      .where('mailing.id', '=', id)
      .where('mailing.next_at', 'is not', null)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { announcementId, teamDeletedAt, deletedAt, draft, ...mailing } = row;
    /** Whether it no longer concerns anybody: the update or the team was deleted, or the page is a draft. */
    const isVoid =
      announcementId === null || teamDeletedAt !== null || deletedAt !== null || draft === 1;
    return { ...mailing, announcementId: announcementId ?? 0, isVoid };
  },

  /** The same mailing, locked until the transaction ends; false when it was moved on, or another process has it. */
  lock(tx: Tx, { id, position }: { id: number; position: number }) {
    return hasRow(
      tx
        .selectFrom('mailing')
        .where('id', '=', id)
        .where('position', '=', position)
        .where('next_at', 'is not', null)
        .$call(forUpdate(engineOf(tx), 'skipLocked')),
    );
  },

  /** Moves a mailing on. @param nextAt epoch ms; null when all subscribers were served. */
  async move(
    tx: Tx,
    id: number,
    { position, nextAt }: { position: number; nextAt: number | null },
  ) {
    await updateRow(tx, 'mailing', id, { position, next_at: nextAt });
  },

  /** Postpones a mailing that could not be sent, unless another process ended it meanwhile. */
  async postpone(database: Database, id: number, nextAt: number) {
    await database.transaction((tx) =>
      updateRows(tx, 'mailing', { id, next_at: ['is not', null] }, { next_at: nextAt }),
    );
  },

  /**
   * The next active subscribers of a page after an id, in ascending order. Those by e-mail are locked until the transaction ends, as
   * their mails of the hour are counted. Others are not: their queues are locked before them by the process that sends.
   */
  async nextSubscribers(
    tx: Tx,
    pageId: number,
    { after, limit }: { after: number; limit: number },
  ) {
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
  },

  /** Number of updates that a page has shown since then (epoch ms). */
  async countUpdates(db: Db, pageId: number, since: number): Promise<number> {
    const rows = await db
      .selectFrom('announcement_page as shown')
      .innerJoin('announcement_update as sent', 'sent.announcement_id', 'shown.announcement_id')
      .select('sent.status_pages as pages')
      .where('shown.page_id', '=', pageId)
      .where('sent.shown_at', '>=', since)
      .where('sent.deleted_at', 'is', null)
      .limit(MOST_COUNTED)
      .execute();
    return rows.filter(({ pages }) => (JSON.parse(pages) as number[]).includes(pageId)).length;
  },

  /** Number of mails to subscribers that wait in the outbox, up to a limit. */
  async countQueuedMails(db: Db, limit: number) {
    const rows = await db
      .selectFrom('destination')
      .select('id')
      .where('next_at', 'is not', null)
      .where('kind', '=', 'subscriber_mail')
      .limit(limit)
      .execute();
    return rows.length;
  },

  /** Subscribers of one page whose held updates are due, in ascending order. @param now epoch ms. */
  async dueDigests(db: Db, now: number, limit: number) {
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
  },

  /** Announcements of a page with an update for its subscribers since then (epoch ms), that with the newest update first. */
  async announcementsSentSince(db: Db, pageId: number, since: number) {
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
  },

  /**
   * Claims a digest, and reads the mails of the hour, which no other process counts until the transaction ends. Undefined
   * when another process has the digest, or the subscription ended.
   */
  async claimDigest(tx: Tx, id: number) {
    return tx
      .updateTable('subscriber')
      .set({ digest_at: null })
      .where('id', '=', id)
      .where('digest_at', 'is not', null)
      .where('ended_reason', 'is', null)
      .returning(['mails', 'mails_until as mailsUntil'])
      .executeTakeFirst();
  },

  /** Writes the mails of the hour of any number of subscribers. */
  async writeHourlyMails(tx: Tx, changed: readonly HourlyMails[]) {
    if (changed.length === 0) return;
    const values = changed.map(({ id, mails, mailsUntil, digestAt }) => [
      id,
      mails,
      mailsUntil,
      digestAt,
    ]);
    const columns = {
      id: 'integer',
      mails: 'integer',
      mails_until: 'integer',
      digest_at: 'integer',
    } as const;
    await tx
      .updateTable('subscriber')
      .from(rowTable(tx, values, columns).as('hour'))
      .set((eb) => ({
        mails: eb.ref('hour.mails'),
        mails_until: eb.ref('hour.mails_until'),
        digest_at: eb.ref('hour.digest_at'),
      }))
      .whereRef('subscriber.id', '=', 'hour.id')
      .execute();
  },

  /** Deletes a batch of subscribers whose confirmation link has ended. @returns whether there may be more. */
  deleteUnconfirmed(database: Database, now: number): Promise<boolean> {
    const unconfirmed = { confirmed_at: null, confirm_until: ['<=', now] } as const;
    return deleteBatch(database, 'subscriber', unconfirmed, [], 'id');
  },

  /** Deletes a batch of queues whose subscriber was deleted with its page. @returns whether there may be more. */
  async deleteAbandonedQueues(database: Database) {
    const rows = await database.scan
      .selectFrom('destination')
      .select('id')
      .where('kind', '=', 'subscriber')
      .where(unreferred('subscriber', 'destination_id', 'destination.id'))
      .limit(BATCH_ROWS)
      .execute();
    if (rows.length === 0) return false;
    await database.transaction(async (tx) => {
      const ids = idList(
        tx,
        rows.map(({ id }) => id),
      );
      await tx.deleteFrom('destination').where('id', 'in', ids).execute();
      await tx.deleteFrom('delivery').where('destination_id', 'in', ids).execute();
    });
    return rows.length >= BATCH_ROWS;
  },
};

function selectActive(tx: Tx, pageId: number, { after, limit }: { after: number; limit: number }) {
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

function isDigestDue(its: ExpressionBuilder<Schema, 'subscriber'>, now: number) {
  return its.and([
    // For the index.
    its('digest_at', 'is not', null),
    its.or([its('digest_at', '<=', now), its('digest_at', '>', now + DISTANT_MS)]),
  ]);
}

/** A mailing that is not over, with its update and page. */
export type DueMailing = NonNullable<Awaited<ReturnType<typeof mailings.read>>>;
