import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { contains, engineOf, forUpdate } from '../database/dialect.ts';
import { countRows, insertRow, updateRow } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { ReportTable } from '../database/schema-pages.ts';
import type { Paging } from './monitors.ts';

export type ReportRow = Selectable<ReportTable>;

/** Columns of a report's settings. */
export type ReportColumns = Omit<
  Insertable<ReportTable>,
  'id' | 'team_id' | 'unsubscribed' | 'next_at' | 'created_at' | 'updated_at'
>;

/** One page of a team's reports, and how many match in all. */
export async function listReports(
  db: Kysely<Schema>,
  teamId: number,
  search: string | null,
  { sort, direction, limit, offset }: Paging<'name' | 'created_at' | 'updated_at'>,
): Promise<{ rows: ReportRow[]; total: number }> {
  const engine = engineOf(db);
  const wanted = db
    .selectFrom('report')
    .where('team_id', '=', teamId)
    .$if(search !== null, (all) => all.where((eb) => contains(engine, eb.ref('name'), search!)));
  const total = await countRows(wanted);
  const rows = await wanted
    .selectAll()
    .orderBy(sort, direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total };
}

export function countReports(db: Kysely<Schema>, teamId: number): Promise<number> {
  return countRows(db.selectFrom('report').where('team_id', '=', teamId));
}

/** Undefined for an unknown id and for another team's. */
export function findReport(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<ReportRow | undefined> {
  return db
    .selectFrom('report')
    .selectAll()
    .where('id', '=', id)
    .where('team_id', '=', teamId)
    .executeTakeFirst();
}

/** A report of any team, whose team was not deleted. */
export function findAnyReport(db: Kysely<Schema>, id: number): Promise<ReportRow | undefined> {
  return db
    .selectFrom('report')
    .innerJoin('team', 'team.id', 'report.team_id')
    .selectAll('report')
    .where('report.id', '=', id)
    .where('team.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** As `findReport`. Also locks the report until the transaction ends. */
export function lockReport(
  tx: Transaction<Schema>,
  teamId: number,
  id: number,
): Promise<ReportRow | undefined> {
  return tx
    .selectFrom('report')
    .selectAll()
    .where('id', '=', id)
    .where('team_id', '=', teamId)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
}

/** Locks a report of any team until the transaction ends. */
export function lockAnyReport(tx: Transaction<Schema>, id: number): Promise<ReportRow | undefined> {
  return tx
    .selectFrom('report')
    .selectAll()
    .where('id', '=', id)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
}

/** @returns the new report's id. */
export async function insertReport(
  tx: Transaction<Schema>,
  teamId: number,
  columns: ReportColumns & { next_at: number | null },
  now: number,
): Promise<number> {
  return insertRow(tx, 'report', {
    ...columns,
    team_id: teamId,
    created_at: now,
    updated_at: now,
  });
}

export async function updateReport(
  tx: Transaction<Schema>,
  id: number,
  columns: ReportColumns & { next_at: number | null },
  now: number,
): Promise<void> {
  await updateRow(tx, 'report', id, { ...columns, updated_at: now });
}

/** Deletes a report with its runs. */
export async function deleteReport(tx: Transaction<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('report').where('id', '=', id).execute();
}

/** Removes an address that unsubscribed, and remembers it. */
export async function setRecipients(
  tx: Transaction<Schema>,
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
export async function dueReports(db: Kysely<Schema>, now: number, limit: number) {
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
export function lockDueReport(
  tx: Transaction<Schema>,
  id: number,
  now: number,
): Promise<ReportRow | undefined> {
  return tx
    .selectFrom('report')
    .selectAll()
    .where('id', '=', id)
    .where('next_at', '<=', now)
    .$call(forUpdate(engineOf(tx), 'skipLocked'))
    .executeTakeFirst();
}

/** Sets when the next mail is due, epoch ms. */
export async function setNextMail(
  tx: Transaction<Schema>,
  id: number,
  nextAt: number | null,
): Promise<void> {
  await updateRow(tx, 'report', id, { next_at: nextAt });
}
