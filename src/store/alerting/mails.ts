import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { engineOf, forUpdate } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import type { MailTable } from '../database/schema-people.ts';

/** A mail that is ours to send until its lease ends. */
export interface ClaimedMail {
  id: number;
  kind: string;
  sealed: string;
  /** Ours is the so-manyth; also tells whether the mail is still ours. */
  attempts: number;
  /** Epoch milliseconds. */
  expiresAt: number;
  createdAt: number;
  leasedUntil: number;
}

/** Due at once. */
export async function insertMail(
  tx: Transaction<Schema>,
  mail: { kind: string; sealed: string; expiresAt: number; now: number },
): Promise<void> {
  const { kind, sealed, expiresAt, now } = mail;
  await tx
    .insertInto('mail')
    .values({ kind, sealed, attempts: 0, next_at: now, expires_at: expiresAt, created_at: now })
    .execute();
}

/** Whether there is one to send that nobody is sending (epoch ms). */
export async function isMailDue(db: Kysely<Schema>, now: number): Promise<boolean> {
  const row = await due(db, now).select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Takes up what is due, the longest due first: ours until `leasedUntil`. */
export async function claimMails(
  tx: Transaction<Schema>,
  claim: { now: number; limit: number; leasedUntil: number },
): Promise<ClaimedMail[]> {
  const { now, limit, leasedUntil } = claim;
  const rows = await due(tx, now)
    .selectAll()
    .limit(limit)
    .$call(forUpdate(engineOf(tx), 'skipLocked'))
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  await tx
    .updateTable('mail')
    .set({ leased_until: leasedUntil, attempts: sql`attempts + 1` })
    .where('id', 'in', ids)
    .execute();
  return rows.map((row) => claimedOf(row, leasedUntil));
}

/** A mail that failed is tried again at that time (epoch ms), unless another worker took it up meanwhile. */
export async function postponeMail(
  tx: Transaction<Schema>,
  { id, attempts }: ClaimedMail,
  nextAt: number,
): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ next_at: nextAt, leased_until: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** It is sent, or never will be: whoever else has it need not send it. */
export async function deleteMail(tx: Transaction<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('mail').where('id', '=', id).execute();
}

/** Nothing is put off further, nor leased longer: a clock that was ahead did that, and has stepped back since. */
const DISTANT_MS = 3 * 3_600_000;

function due(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('mail')
    .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + DISTANT_MS)]))
    .where((eb) =>
      eb.or([
        eb('leased_until', 'is', null),
        eb('leased_until', '<=', now),
        eb('leased_until', '>', now + DISTANT_MS),
      ]),
    )
    .orderBy('next_at')
    .orderBy('id');
}

function claimedOf(row: Selectable<MailTable>, leasedUntil: number): ClaimedMail {
  return {
    id: row.id,
    kind: row.kind,
    sealed: row.sealed,
    attempts: row.attempts + 1,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    leasedUntil,
  };
}
