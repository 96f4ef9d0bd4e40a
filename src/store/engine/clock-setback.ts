import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Database } from '../database/contract.ts';
import { engineOf, idTable, rowTable } from '../database/dialect.ts';
import { QUEUES, type Key, type Queue } from './setback-queues.ts';
import type { Schema } from '../database/schema.ts';
import { BATCH_ROWS } from '../database/rows.ts';

/** Keys of the rows that another session locked, by queue; queues without any are left out. */
export type HeldRows = ReadonlyMap<Queue, readonly Key[]>;

/**
 * Makes rows of all queues due that wait for a time written before the clock was set back to `now` (epoch ms). Rows are
 * written in batches and never waited for: on Postgres, rows that another session has locked are skipped and returned, to
 * be passed as `only` to a later call. A rescheduled row does not match a second time, so a pass that ended halfway is
 * repeated as a whole. ADR 21 has the table of all queues.
 *
 * @param between runs after each batch, so that other work gets in.
 * @param only rows to reschedule; all queues by default.
 */
export async function rescheduleQueues(
  database: Database,
  now: number,
  between: () => Promise<void>,
  only?: HeldRows,
): Promise<HeldRows> {
  const heldRows = new Map<Queue, Key[]>();
  const ahead = only ?? (await database.transaction((tx) => findAhead(tx, now)));
  for (const [queue, keys] of ahead) {
    for (let from = 0; from < keys.length; from += BATCH_ROWS) {
      const batch = keys.slice(from, from + BATCH_ROWS);
      const held = await database.transaction((tx) => rescheduleBatch(tx, queue, batch, now));
      if (held.length > 0) heldRows.set(queue, [...(heldRows.get(queue) ?? []), ...held]);
      await between();
    }
  }
  return heldRows;
}

/** Finds the keys of all rows to reschedule. Plain reads wait for no lock. */
async function findAhead(tx: Transaction<Schema>, now: number): Promise<HeldRows> {
  const found = new Map<Queue, Key[]>();
  for (const queue of QUEUES) {
    const { rows } = await sql<Record<string, number | string>>`
      select ${keyColumns(queue)} from ${sql.table(queue.table)}
      where ${queue.isAhead(now)} order by ${keyColumns(queue)}`.execute(tx);
    const keys = rows.map((row) => keyOf(queue, row));
    if (keys.length > 0) found.set(queue, keys);
  }
  return found;
}

/** @returns the keys of rows that another session has locked. */
async function rescheduleBatch(
  tx: Transaction<Schema>,
  queue: Queue,
  keys: readonly Key[],
  now: number,
): Promise<Key[]> {
  const ahead = await selectAhead(tx, queue, keys, now);
  if (ahead.length === 0) return [];
  const free = engineOf(tx) === 'sqlite' ? ahead : await lockFree(tx, queue, ahead, now);
  const freeNames = new Set(free.map(nameOf));
  await sql`update ${sql.table(queue.table)} set ${queue.rescheduled(now)}
    from ${keyTable(tx, queue, free)} as wanted where ${isWanted(queue)}`.execute(tx);
  if (queue.owner !== undefined) await wakeOwners(tx, queue.owner, ownersOf(free), now);
  return ahead.filter((key) => !freeNames.has(nameOf(key)));
}

/** Locks the rows of which no other session has locked the row or its owner. @returns their keys. */
async function lockFree(
  tx: Transaction<Schema>,
  queue: Queue,
  keys: readonly Key[],
  now: number,
): Promise<Key[]> {
  if (queue.owner === undefined) return selectAhead(tx, queue, keys, now, SKIP_LOCKED);
  // The owner first: the sender and the notifier lock them in that order, too.
  const wanted = idTable(tx, ownersOf(keys));
  const owner = sql.table(queue.owner);
  const { rows } = await sql<{ id: number }>`select ${owner}.id from ${owner}
    join ${wanted} as wanted on wanted.id = ${owner}.id
    order by ${owner}.id ${SKIP_LOCKED(queue.owner)}`.execute(tx);
  const owners = new Set(rows.map(({ id }) => id));
  const candidates = keys.filter(([owned]) => owners.has(owned as number));
  return selectAhead(tx, queue, candidates, now, SKIP_LOCKED);
}

const SKIP_LOCKED = (table: string) => sql`for no key update of ${sql.table(table)} skip locked`;

async function selectAhead(
  tx: Transaction<Schema>,
  queue: Queue,
  keys: readonly Key[],
  now: number,
  locking: (table: string) => RawBuilder<unknown> = () => sql``,
): Promise<Key[]> {
  const { rows } = await sql<Record<string, number | string>>`
    select ${keyColumns(queue)} from ${sql.table(queue.table)}
    join ${keyTable(tx, queue, keys)} as wanted on ${isWanted(queue)}
    where ${queue.isAhead(now)} order by ${keyColumns(queue)} ${locking(queue.table)}`.execute(tx);
  return rows.map((row) => keyOf(queue, row));
}

async function wakeOwners(
  tx: Transaction<Schema>,
  owner: NonNullable<Queue['owner']>,
  ids: readonly number[],
  now: number,
): Promise<void> {
  const wanted = idTable(tx, ids);
  await sql`update ${sql.table(owner)} set next_at = ${now} from ${wanted} as wanted
    where ${sql.table(owner)}.id = wanted.id and next_at > ${now}`.execute(tx);
}

const columnsOf = ({ key }: Queue) => Object.keys(key);

const keyColumns = (queue: Queue) =>
  sql.join(columnsOf(queue).map((column) => sql.ref(`${queue.table}.${column}`)));

const keyTable = (tx: Transaction<Schema>, { key }: Queue, keys: readonly Key[]) =>
  rowTable(tx, keys, key);

const isWanted = (queue: Queue) =>
  sql.join(
    columnsOf(queue).map(
      (column) => sql`${sql.ref(`${queue.table}.${column}`)} = ${sql.ref(`wanted.${column}`)}`,
    ),
    sql` and `,
  );

const keyOf = (queue: Queue, row: Record<string, number | string>): Key =>
  columnsOf(queue).map((column) => row[column]!);

const nameOf = (key: Key) => JSON.stringify(key);

const ownersOf = (keys: readonly Key[]) => [...new Set(keys.map(([owner]) => owner as number))];
