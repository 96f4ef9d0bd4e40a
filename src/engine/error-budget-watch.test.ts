import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createMonitor } from '../../test/support/monitor-rows.ts';
import { rowOf, updateRows, insertRows } from '../../test/support/rows.ts';
import { silentLog } from '../lib/log.ts';
import type { SpanStatus } from '../model/incident.ts';
import type { Database } from '../store/database/contract.ts';
import { rescheduleQueues } from '../store/engine/clock-setback.ts';
import { changeSpans } from '../store/engine/spans.ts';
import { createBudgetWatch, EVALUATION_MS, nextEvaluation } from './error-budget-watch.ts';
import type { SloRow } from '../store/resources/slos.ts';

/** Stores an SLO of 99.9 % in 30 days with alerts, due at once. */
async function insertMonitorSlo(
  database: Database,
  monitorId: number,
  now: number,
  more: Partial<SloRow> = {},
): Promise<void> {
  await insertRows(database, 'monitor_slo', {
    monitor_id: monitorId,
    team_id: 1,
    target_percent: 99.9,
    window_days: 30,
    burn_rate_alerts: 1,
    next_at: now,
    created_at: now,
    updated_at: now,
    ...more,
  });
}

const sloOf = (database: Database, id: number) =>
  rowOf(database, 'monitor_slo', { monitor_id: id });

const MINUTE = 60_000;

const HOUR = 60 * MINUTE;

const between = () => Promise.resolve();

async function openWorld(database: Database) {
  const clock = createFakeClock();
  const start = clock.now();
  const id = await createMonitor(database, start - 24 * HOUR);
  const change = (status: SpanStatus, at: number) =>
    database.transaction((tx) => changeSpans(tx, [{ monitorId: id, teamId: 1, status, at }]));
  await change('online', start - 24 * HOUR);
  await updateRows(database, 'monitor_state', {
    observed_until: start + 24 * HOUR,
    status: 'online',
  });
  await insertMonitorSlo(database, id, start);
  const faults: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void faults.push(message) };
  const watch = createBudgetWatch({ database, clock, log });
  return {
    clock,
    faults,
    start,
    id,
    watch,
    change,
    /** Evaluates each minute for so long. */
    async pass(minutes: number) {
      for (let count = 0; count < minutes; count += 1) {
        await clock.advance(MINUTE);
        await watch.run();
      }
    },
    incidents: () =>
      database.read
        .selectFrom('incident')
        .select(['id', 'type', 'severity', 'failure_code', 'started_at', 'ended_at'])
        .orderBy('id')
        .execute(),
    events: async () => {
      const rows = await database.read
        .selectFrom('event')
        .select(['type', 'incident_id', 'severity', 'payload'])
        .orderBy('id')
        .execute();
      return rows.map(({ payload, ...row }) => ({
        ...row,
        status: (JSON.parse(payload) as { status: { current: string } }).status.current,
      }));
    },
  };
}

eachDatabase((_name, open) => {
  describe('the watch of error budgets', () => {
    test('opens an incident while the budget burns, and resolves it after [46.13, 46.16]', async () => {
      const database = await open();
      const world = await openWorld(database);
      await world.pass(5);
      expect(await world.incidents()).toEqual([]);
      const downAt = world.clock.now();
      await world.change('offline', downAt);
      await world.pass(2);
      const [opened] = await world.incidents();
      expect(opened).toMatchObject({
        type: 'error_budget',
        severity: 'critical',
        failure_code: 'budget_burns_fast',
        ended_at: null,
      });
      expect(await sloOf(database, world.id)).toMatchObject({
        burning: 'fast',
        incident_id: opened!.id,
      });
      // A restart, and a second process beside it.
      const other = createBudgetWatch({ database, clock: world.clock, log: silentLog });
      await updateRows(database, 'monitor_slo', { next_at: world.clock.now() });
      await Promise.all([world.watch.run(), other.run()]);
      await world.pass(10);
      await world.change('online', world.clock.now());
      const upAt = world.clock.now();
      await world.pass(14);
      expect(await world.incidents()).toMatchObject([{ id: opened!.id, ended_at: null }]);
      await world.pass(2);
      const [ended, ...more] = await world.incidents();
      expect(more).toEqual([]);
      expect(ended!.ended_at! - upAt).toBeGreaterThan(14 * MINUTE);
      expect(await world.events()).toEqual([
        {
          type: 'monitor.error_budget_burning',
          incident_id: opened!.id,
          severity: 'critical',
          status: 'online',
        },
        {
          type: 'monitor.error_budget_resolved',
          incident_id: opened!.id,
          severity: 'info',
          status: 'online',
        },
      ]);
      await world.pass(30);
      expect(await world.incidents()).toHaveLength(1);
      const { status } = await database.read
        .selectFrom('monitor_state')
        .select('status')
        .executeTakeFirstOrThrow();
      expect(status).toBe('online');
    });

    test('two processes open one incident [46.17]', async () => {
      const database = await open();
      const world = await openWorld(database);
      await world.change('offline', world.clock.now());
      await world.clock.advance(3 * MINUTE);
      const watches = Array.from({ length: 4 }, () =>
        createBudgetWatch({ database, clock: world.clock, log: silentLog }),
      );
      await Promise.all(watches.map((watch) => watch.run()));
      expect(await world.incidents()).toHaveLength(1);
      expect(await world.events()).toHaveLength(1);
    });

    test('an incident that a person closed stays closed until the budget burns anew, and its end is sent then [46.16]', async () => {
      const database = await open();
      const world = await openWorld(database);
      await world.change('offline', world.clock.now());
      await world.pass(2);
      const closedAt = world.clock.now();
      await updateRows(database, 'incident', { ended_at: closedAt });
      await world.pass(10);
      expect(await world.incidents()).toMatchObject([{ ended_at: closedAt }]);
      expect(await world.events()).toHaveLength(1);
      await world.change('online', world.clock.now());
      await world.pass(16);
      const { id } = (await world.incidents())[0]!;
      expect((await world.events()).slice(1)).toMatchObject([
        { type: 'monitor.error_budget_resolved', incident_id: id },
      ]);
      await world.pass(60);
      await world.change('offline', world.clock.now());
      await world.pass(2);
      expect(await world.incidents()).toHaveLength(2);
    });

    test('an incident that a person reopened is resolved where the budget does not burn [46.16]', async () => {
      const database = await open();
      const world = await openWorld(database);
      await world.change('offline', world.clock.now());
      await world.pass(2);
      await world.change('online', world.clock.now());
      await world.pass(17);
      expect(await world.incidents()).toMatchObject([{ ended_at: expect.any(Number) }]);
      await updateRows(database, 'incident', { ended_at: null });
      await world.pass(1);
      expect(await world.incidents()).toMatchObject([{ ended_at: expect.any(Number) }]);
    });

    test('a deleted monitor and one without alerts have none [46.13]', async () => {
      const database = await open();
      const world = await openWorld(database);
      await world.change('offline', world.clock.now());
      await updateRows(database, 'monitor', { deleted_at: world.clock.now() });
      await world.pass(5);
      await updateRows(database, 'monitor', { deleted_at: null });
      await updateRows(database, 'monitor_slo', { next_at: null });
      await world.pass(5);
      expect(await world.incidents()).toEqual([]);
    });

    test('a clock that is set back delays no evaluation by more than a minute [46.13]', async () => {
      const database = await open();
      const world = await openWorld(database);
      const nextAt = async () => (await sloOf(database, world.id)).next_at;
      await world.pass(1);
      const planned = await nextAt();
      await rescheduleQueues(database, planned! - EVALUATION_MS, between);
      expect(await nextAt()).toBe(planned);
      const earlier = world.start - HOUR;
      await rescheduleQueues(database, earlier, between);
      expect(await nextAt()).toBe(earlier);
    });

    test('corrections count [46.15]', async () => {
      const database = await open();
      const world = await openWorld(database);
      const downAt = world.clock.now();
      await world.change('offline', downAt);
      await database.transaction((tx) =>
        tx
          .insertInto('correction')
          .values({
            team_id: 1,
            monitor_id: world.id,
            from_at: downAt,
            to_at: downAt + HOUR,
            counts_as: 'excluded',
            reason: 'A test.',
            created_at: downAt,
            updated_at: downAt,
          })
          .execute(),
      );
      await world.pass(10);
      expect(await world.incidents()).toEqual([]);
    });

    test('one with a fault is postponed, and the others go on [46.17]', async () => {
      const database = await open();
      const world = await openWorld(database);
      const other = await createMonitor(database, world.start - 24 * HOUR);
      await updateRows(database, 'monitor_state', { observed_until: world.start + 24 * HOUR });
      // The start of its incident is no date.
      const fault = { burning: 'fast', incident_id: 7, burning_since: 9e15 };
      await insertMonitorSlo(database, other, world.start, fault);
      await world.change('offline', world.clock.now());
      await world.pass(2);
      expect(await world.incidents()).toMatchObject([{ failure_code: 'budget_burns_fast' }]);
      expect(world.faults).toEqual(['An error budget could not be evaluated.']);
      const { next_at: nextAt } = await sloOf(database, other);
      expect(nextAt).toBe(world.start + MINUTE + 5 * MINUTE);
    });
  });
});

test('each monitor has its own second of a minute', () => {
  const now = 1_000_000_000_123;
  const times = Array.from({ length: 600 }, (_, id) => nextEvaluation(id + 1, now) - now);
  expect(Math.min(...times)).toBeGreaterThan(0);
  expect(Math.max(...times)).toBeLessThanOrEqual(EVALUATION_MS);
  expect(new Set(times.map((time) => Math.floor(time / 1_000))).size).toBe(60);
  expect(nextEvaluation(5, nextEvaluation(5, now))).toBe(nextEvaluation(5, now) + EVALUATION_MS);
});
