import { sql, type RawBuilder } from 'kysely';
import type { Database, Schema, Tx } from '../database/contract.ts';
import { engineOf, idTable, rowTable, type JsonColumn } from '../database/dialect.ts';
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
async function findAhead(tx: Tx, now: number): Promise<HeldRows> {
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
async function rescheduleBatch(tx: Tx, queue: Queue, keys: readonly Key[], now: number) {
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
async function lockFree(tx: Tx, queue: Queue, keys: readonly Key[], now: number) {
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
  tx: Tx,
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
  tx: Tx,
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

const keyTable = (tx: Tx, { key }: Queue, keys: readonly Key[]) => rowTable(tx, keys, key);

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

type Key = readonly (number | string)[];

interface Queue {
  table: keyof Schema & string;
  key: Readonly<Record<string, JsonColumn>>;
  /** Table of the row that owns this one: its id is the first key column, and it becomes due with this one. */
  owner?: 'alert' | 'destination';
  /** Whether a row waits for a time that was written before the clock was set back to `now` (epoch ms). */
  isAhead(now: number): RawBuilder<boolean>;
  /** Assignments after which the row does not match `isAhead` any more. */
  rescheduled(now: number): RawBuilder<unknown>;
}

/** A time that lies further ahead than this was written before the clock was set back, milliseconds. */
const TOLERANCE_MS = 1_000;
const MINUTE_MS = 60_000;

/**
 * All queues that are rescheduled. Queues in which an early run does no harm, such as events and alerts, become due as a
 * whole, and no time that decides who is notified when stays in the future. In the others only rows that were written in
 * the future move. Rows that follow the calendar, such as maintenance windows, stay.
 */
const QUEUES: readonly Queue[] = [
  // Held events are read and held again.
  {
    table: 'event',
    key: { id: 'integer' },
    isAhead: (now) => sql`event.fan_out_at > ${now}`,
    rescheduled: (now) => sql`fan_out_at = ${now}`,
  },
  {
    table: 'alert',
    key: { id: 'integer' },
    isAhead: (now) => sql`alert.next_at > ${now} and alert.over_at is null`,
    rescheduled: (now) => sql`
      groupable_until = case when opened_at > ${now}
        then ${now} + (groupable_until - opened_at) else groupable_until end,
      opened_at = case when opened_at > ${now} then ${now} else opened_at end,
      notified_at = case when notified_at > ${now} then ${now} else notified_at end,
      next_at = ${now}`,
  },
  // Reminders and escalations count from now where they counted from a time in the future.
  {
    table: 'alert_recipient',
    key: { alert_id: 'integer', destination_id: 'integer' },
    owner: 'alert',
    isAhead: (now) => sql`alert_recipient.last_notified_at > ${now}
      and alert_recipient.alert_id in (select id from alert where over_at is null)`,
    rescheduled: (now) => sql`
      notified_at = case when notified_at > ${now} then ${now} else notified_at end,
      last_notified_at = ${now}`,
  },
  // A delivery keeps its back-off unless its newest attempt was in the future. Attempts of mails are not stored: the time
  // of the mail itself counts.
  {
    table: 'delivery',
    key: { destination_id: 'integer', id: 'integer' },
    owner: 'destination',
    isAhead: (now) => sql`delivery.status = 'pending' and delivery.next_at > ${now}
      and exists (select 1 from destination where destination.id = delivery.destination_id)
      and coalesce(${newestAttemptAt('delivery')}, delivery.created_at) > ${now + TOLERANCE_MS}`,
    rescheduled: (now) => sql`next_at = ${now}`,
  },
  // The same holds for a webhook endpoint as a whole. A queue is due when its first delivery is.
  {
    table: 'destination',
    key: { id: 'integer' },
    isAhead: (now) => sql`(${isHeldByFutureAttempt(now)} or ${isLaterThanItsHead(now)})`,
    rescheduled: (now) => sql`
      held_until = case when ${isHeldByFutureAttempt(now)} then ${now} else held_until end,
      next_at = case when next_at > ${now} then ${now} else next_at end`,
  },
  {
    table: 'inspection',
    key: { kind: 'text', target: 'text' },
    isAhead: (now) =>
      sql`inspection.next_at > ${now} and inspection.inspected_at > ${now + TOLERANCE_MS}`,
    rescheduled: (now) => sql`next_at = ${now} + (next_at - inspected_at), inspected_at = ${now}`,
  },
  // An error budget is evaluated each minute; an early evaluation does no harm.
  {
    table: 'monitor_slo',
    key: { monitor_id: 'integer' },
    isAhead: (now) => sql`monitor_slo.next_at > ${now + MINUTE_MS + TOLERANCE_MS}`,
    rescheduled: (now) => sql`next_at = ${now}`,
  },
];

/** Time of the newest attempt; null without one. @param delivery alias of the table in the statement. */
const newestAttemptAt = (delivery: string) => sql<number | null>`(
  select delivery_attempt.at from delivery_attempt
  where delivery_attempt.delivery_id = ${sql.ref(`${delivery}.id`)}
  order by delivery_attempt.number desc limit 1)`;

const isHeldByFutureAttempt = (now: number) => sql<boolean>`(destination.held_until > ${now}
  and exists (select 1 from delivery as waiting
    where waiting.destination_id = destination.id and waiting.status = 'pending'
      and ${newestAttemptAt('waiting')} > ${now + TOLERANCE_MS}))`;

/** Whether a queue waits although its head is due, and is not held. */
const isLaterThanItsHead = (now: number) => sql<boolean>`(destination.next_at > ${now}
  and coalesce(destination.held_until, ${now}) <= ${now}
  and (select waiting.next_at from delivery as waiting
    where waiting.destination_id = destination.id and waiting.status = 'pending'
    order by case when waiting.kind = 'test' then 0 else 1 end, waiting.id limit 1) <= ${now})`;
