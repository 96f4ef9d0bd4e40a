import { updateRow, lockRows, claimRows } from '../database/rows.ts';
import type { Db, Row, Tx } from '../database/contract.ts';

export type ReportRow = Row<'report'>;

/** A report of any team, whose team was not deleted. */
export function findAnyReport(db: Db, id: number): Promise<ReportRow | undefined> {
  return db
    .selectFrom('report')
    .innerJoin('team', 'team.id', 'report.team_id')
    .selectAll('report')
    .where('report.id', '=', id)
    .where('team.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Locks a report of any team until the transaction ends. */
export async function lockAnyReport(tx: Tx, id: number) {
  return (await lockRows(tx, 'report', { id }))[0];
}

/** Removes an address that unsubscribed, and remembers it. */
export async function setRecipients(
  tx: Tx,
  id: number,
  lists: { recipients: readonly string[]; unsubscribed: readonly string[] },
  now: number,
): Promise<void> {
  await updateRow(tx, 'report', id, {
    recipients: JSON.stringify(lists.recipients),
    unsubscribed: JSON.stringify(lists.unsubscribed),
    updated_at: now,
  });
}

/** Ids of reports whose mail is due, the longest due first. */
export async function dueReports(db: Db, now: number, limit: number) {
  const rows = await db
    .selectFrom('report')
    .innerJoin('team', 'team.id', 'report.team_id')
    .select('report.id')
    .where('report.next_at', '<=', now)
    .where('team.deleted_at', 'is', null)
    .orderBy('report.next_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks a report that is due; undefined when it no longer is or another transaction has locked it. */
export async function lockDueReport(tx: Tx, id: number, now: number) {
  return (await claimRows(tx, 'report', { id, next_at: ['<=', now] }))[0];
}

/** Sets when the next mail is due, epoch ms. */
export async function setNextMail(tx: Tx, id: number, nextAt: number | null): Promise<void> {
  await updateRow(tx, 'report', id, { next_at: nextAt });
}
