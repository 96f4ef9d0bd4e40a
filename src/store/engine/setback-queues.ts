import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { JsonColumn } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** Values of the key columns of a row, in their order. */
export type Key = readonly (number | string)[];

/** Rows that are due at a time of the wall clock. */
export interface Queue {
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
export const QUEUES: readonly Queue[] = [
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
