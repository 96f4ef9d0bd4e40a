import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Database } from '../database/contract.ts';
import { engineOf, jsonTable, idTable, type Engine } from '../database/dialect.ts';
import { QUEUES, type Key, type Queue } from './setback-queues.ts';
import type { Schema } from '../database/schema.ts';

/** Keys of the rows that another session held, by queue; without queues that have none. */
export type HeldRows = ReadonlyMap<Queue, readonly Key[]>;

/** Rows that one transaction writes at most. */
const BATCH_ROWS = 500;

/**
 * Makes due what waits in queues for an instant that was written before the clock was set back to `now` (epoch ms), as
 * such an instant lies ahead by the size of the step. Rows are written in batches and never waited for: on Postgres those
 * that another session holds are left out and returned, to be passed as `only` to a later call. A row that was redated
 * does not match a second time, so a pass that ended halfway is repeated as a whole. ADR 21 has the table of all queues.
 *
 * @param between runs after each batch, so that other work gets in. @param only these rows instead of all queues.
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
      const held = await database.transaction((tx) => redateBatch(tx, queue, batch, now));
      if (held.length > 0) heldRows.set(queue, [...(heldRows.get(queue) ?? []), ...held]);
      await between();
    }
  }
  return heldRows;
}

/** Plain reads see rows that another session holds, and wait for none. */
async function findAhead(tx: Transaction<Schema>, now: number): Promise<HeldRows> {
  const found = new Map<Queue, Key[]>();
  for (const queue of QUEUES) {
    const { rows } = await sql<Record<string, number | string>>`
      select ${keyColumns(queue)} from ${sql.table(queue.table)}
      where ${queue.isAhead(now)} order by ${keyColumns(queue)}`.execute(tx);
    if (rows.length > 0)
      found.set(
        queue,
        rows.map((row) => keyOf(queue, row)),
      );
  }
  return found;
}

/** @returns the keys of rows that another session holds. */
async function redateBatch(
  tx: Transaction<Schema>,
  queue: Queue,
  keys: readonly Key[],
  now: number,
): Promise<Key[]> {
  const engine = engineOf(tx);
  const ahead = await selectAhead(tx, queue, keys, now);
  if (ahead.length === 0) return [];
  const free = engine === 'sqlite' ? ahead : await lockFree(tx, queue, ahead, now);
  const freeNames = new Set(free.map(nameOf));
  await sql`update ${sql.table(queue.table)} set ${queue.rescheduled(now)}
    from ${keyTable(engine, queue, free)} as wanted where ${isWanted(queue)}`.execute(tx);
  if (queue.owner !== undefined) await wakeOwners(tx, queue.owner, ownersOf(free), now);
  return ahead.filter((key) => !freeNames.has(nameOf(key)));
}

/** Those that no other session holds, neither the row nor its owner: both are ours until the transaction ends. */
async function lockFree(
  tx: Transaction<Schema>,
  queue: Queue,
  keys: readonly Key[],
  now: number,
): Promise<Key[]> {
  if (queue.owner === undefined) return selectAhead(tx, queue, keys, now, SKIP_LOCKED);
  // The owner first, as the sender and the notifier hold them in that order, too.
  const wanted = jsonTable(engineOf(tx), JSON.stringify(ownersOf(keys).map((id) => [id])), {
    id: 'integer',
  });
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
    join ${keyTable(engineOf(tx), queue, keys)} as wanted on ${isWanted(queue)}
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

const keyTable = (engine: Engine, { key }: Queue, keys: readonly Key[]) =>
  jsonTable(engine, JSON.stringify(keys), key);

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
