import { sql, type RawBuilder } from 'kysely';
import { expect, test } from 'vitest';
import { createAlertStory, endpointOf, type AlertStory } from '../../test/support/alert-story.ts';
import { eachDatabase, onPostgres } from '../../test/support/databases.ts';
import { secretBox } from '../../test/support/deliveries.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { opening } from '../../test/support/incident-changes.ts';
import { openImpatient } from '../../test/support/locked-rows.ts';
import { applyIncidentChanges } from '../engine/record/record.ts';
import { silentLog } from '../lib/log.ts';
import { createNotifier, createSetbackRescheduler } from './notifier.ts';
import { systemClock } from '../lib/clock.ts';
import { createMailQueue } from '../store/alerting/mails.ts';
import type { Database } from '../store/database/contract.ts';
import { DatabaseBusy } from '../store/database/errors.ts';
import { insertRows } from '../../test/support/rows.ts';
import { closedAfterEach } from '../../test/support/closing.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const closing = closedAfterEach<() => Promise<void>>();

/** Incidents whose events nobody has handed on yet, by a clock that was set back by years since. */
async function failUnseen(story: AlertStory, count: number): Promise<number[]> {
  const monitorIds: number[] = [];
  for (let made = 0; made < count; made++) monitorIds.push(await story.monitor());
  const { teamId } = story.people.alice;
  const changes = monitorIds.map((monitorId) => opening({ monitorId, teamId, at: story.now() }));
  const { database } = story;
  await database.transaction((tx) => applyIncidentChanges(tx, changes, story.now()));
  return monitorIds;
}

/** A channel that is reminded of what goes on. */
async function reminded(story: AlertStory): Promise<void> {
  const channel = await story.channel();
  await story.route({ channels: JSON.stringify([channel]), reminder_minutes: 60 });
}

function startNotifier(database: Database): void {
  const notifier = createNotifier({
    database,
    clock: systemClock,
    log: silentLog,
    mail: false,
    onDeliveries: () => {},
    everyMs: 10,
  });
  notifier.start();
  closing.push(() => notifier.stop());
}

const sentOf = async ({ read }: Database, destinationId: number) =>
  (
    await read
      .selectFrom('delivery')
      .select('monitor_id')
      .where('destination_id', '=', destinationId)
      .orderBy('monitor_id')
      .execute()
  ).map((row) => row.monitor_id);

function createRedater(database: Database, now: number) {
  const clock = createFakeClock({ now });
  return {
    clock,
    redater: createSetbackRescheduler({ database, clock, log: silentLog, between: async () => {} }),
  };
}

/** What waits, of all queues, and the times that depend on it. */
async function waitingOf({ read }: Database) {
  const all = <Table extends 'alert' | 'alert_recipient' | 'delivery' | 'destination'>(
    table: Table,
    columns: string,
  ) => sql`select ${sql.raw(columns)} from ${sql.table(table)} order by 1`.execute(read);
  const results = await Promise.all([
    all('alert', 'id, next_at, opened_at, notified_at'),
    all('alert_recipient', 'alert_id, notified_at, last_notified_at'),
    all('delivery', 'id, next_at'),
    all('destination', 'id, next_at, held_until'),
  ]);
  return results.map(({ rows }) => rows);
}

/** The latest of all instants in these rows. */
const latest = (tables: unknown[][]) =>
  Math.max(...tables.flat().flatMap((row) => Object.values(row as object).map(Number)));

onPostgres(() => {
  test('after the clock was set back, an event that another session holds delays no other, and follows when it is free', async () => {
    const { database, holdRows, close } = await openImpatient();
    closing.push(close);
    const story = await createAlertStory(database);
    const endpoint = await endpointOf(story);
    const [held, ...others] = await failUnseen(story, 4);
    const release = await holdRows('event', sql`monitor_id = ${held}`);
    startNotifier(database);
    await expect.poll(() => sentOf(database, endpoint)).toEqual(others);
    await release();
    await expect.poll(() => sentOf(database, endpoint)).toEqual([held, ...others]);
  });

  test.each<[string, string, (id: number) => RawBuilder<unknown>]>([
    ['alert', 'alert', (id) => sql`monitor_id = ${id}`],
    [
      'recipient of an alert',
      'alert_recipient',
      (id) => sql`alert_id in (select id from alert where monitor_id = ${id})`,
    ],
    [
      'delivery',
      'delivery',
      (id) => sql`alert_id in (select id from alert where monitor_id = ${id})`,
    ],
    [
      'queue of a channel',
      'destination',
      (id) =>
        sql`id in (select destination_id from delivery join alert on alert.id = alert_id where alert.monitor_id = ${id})`,
    ],
  ])('a held %s is left out of redating and redated when it is free', async (_, table, rows) => {
    const { database, holdRows, close } = await openImpatient();
    closing.push(close);
    const story = await createAlertStory(database);
    await reminded(story);
    const first = await story.monitor();
    await story.fail(first);
    await story.pass(60);
    const second = await story.monitor();
    await story.fail(second);
    const now = story.now() - 24 * HOUR;
    const before = await waitingOf(database);
    const release = await holdRows(table, rows(second));
    const { clock, redater } = createRedater(database, now);
    await redater.run();
    const between = await waitingOf(database);
    expect(between).not.toEqual(before);
    expect(latest(between)).toBeGreaterThan(now + 12 * HOUR);
    await release();
    await clock.advance(SECOND);
    await redater.run();
    const after = await waitingOf(database);
    expect(latest(after)).toBe(clock.now());
    expect(await redater.run()).toBe(false);
  });
});

eachDatabase((_, open) => {
  test('a pass that ended halfway is repeated, and a row that was redated stays as it is', async () => {
    const story = await createAlertStory(await open());
    await reminded(story);
    await story.fail(await story.monitor());
    const now = story.now() - 2 * HOUR;
    const crashing = createSetbackRescheduler({
      database: story.database,
      clock: createFakeClock({ now }),
      log: silentLog,
      between: () => Promise.reject(new Error('The process died.')),
    });
    await expect(crashing.run()).rejects.toThrow('died');
    const { redater } = createRedater(story.database, now);
    await redater.run();
    const redated = await waitingOf(story.database);
    expect(redated[0]).toMatchObject([{ next_at: now, opened_at: now, notified_at: now }]);
    expect(redated[2]).toMatchObject([{ next_at: now }]);
    await createRedater(story.database, now).redater.run();
    expect(await waitingOf(story.database)).toEqual(redated);
  });

  test('a pass writes more rows than fit one batch', async () => {
    const database = await open();
    const now = Date.UTC(2030, 0, 1);
    const queue = createMailQueue({
      secretBox,
      keys: ['a key'],
      isConfigured: true,
      openSignup: false,
    });
    const to = { kind: 'password_changed' as const, to: '', subject: '', text: '', html: '' };
    await database.transaction(async (tx) => {
      for (let made = 0; made < 1_201; made++)
        await queue.enqueue(tx, { ...to, expiresAt: now + 2 * HOUR }, now + HOUR);
    });
    await createRedater(database, now).redater.run();
    for (const table of ['delivery', 'destination'] as const) {
      const times = await database.read.selectFrom(table).select('next_at').distinct().execute();
      expect(times).toEqual([{ next_at: now }]);
    }
  });

  test('an inspection is redated once, however often the process starts', async () => {
    const database = await open();
    const now = Date.UTC(2030, 0, 1);
    const inspection = { kind: 'ssl', target: 'example.com:443', claim: 0, leased_until: null };
    const rest = { is_recheck: 0, is_open: 0, unknown_run: 0, known_at: null, facts: null };
    const times = { inspected_at: now + 2 * HOUR, next_at: now + 3 * HOUR };
    await insertRows(database, 'inspection', { ...inspection, ...rest, ...times, result: null });
    for (const startedAt of [now, now + HOUR / 2])
      await createRedater(database, startedAt).redater.run();
    const rows = await database.read.selectFrom('inspection').select('next_at').execute();
    expect(rows).toEqual([{ next_at: now + HOUR }]);
  });
});

test('a database that is too busy for a pass delays nothing else, and is asked again', async () => {
  const clock = createFakeClock();
  let isBusy = true;
  const database = {
    engine: 'postgres',
    async transaction() {
      if (isBusy) throw new DatabaseBusy('canceling statement due to statement timeout');
      throw new Error('asked again');
    },
  } as unknown as Database;
  const redater = createSetbackRescheduler({
    database,
    clock,
    log: silentLog,
    between: async () => {},
  });
  await redater.run();
  expect(await redater.run()).toBe(false);
  isBusy = false;
  await clock.advance(10 * SECOND);
  await expect(redater.run()).rejects.toThrow('asked again');
});
