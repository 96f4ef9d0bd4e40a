import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { storeRounds } from '../../../test/support/history.ts';
import { createMonitor, type MonitorFields } from '../../../test/support/monitor-rows.ts';
import { settlePeople } from '../../../test/support/people.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { silentLog } from '../../lib/log.ts';
import type { RoundClass } from '../../model/round.ts';
import type { Database } from '../../store/database/contract.ts';
import { expire } from '../../store/engine/expiry.ts';
import { insertRow } from '../../store/database/rows.ts';
import { occurrenceChanges, windowOccurrences } from '../../store/engine/maintenance.ts';
import { createMaintenanceScheduler } from './scheduler.ts';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Stage {
  database: Database;
  clock: FakeClock;
  teamId: number;
  scheduler: ReturnType<typeof createMaintenanceScheduler>;
  ended: number[];
  /** Errors that were logged. */
  faults: object[];
  /** Runs once, between the scheduler's next read and its transaction. */
  meanwhile(edit: () => Promise<void>): void;
  /** Creates a window and stores its first occurrence, as the service does. */
  window(fields: WindowFields): Promise<number>;
  monitor(fields?: MonitorFields): Promise<number>;
  /** Stores voted rounds, one per minute from that minute on. */
  rounds(monitorId: number, minute: number, ...classes: RoundClass[]): Promise<void>;
  /** Occurrences that have not ended, in hours since START. */
  occurrences(): Promise<[number, number][]>;
  nextRunAt(id: number): Promise<number | null>;
}

interface WindowFields {
  from?: number;
  to: number;
  rrule?: string;
  monitors?: number[];
  tags?: string[];
  goodRounds?: number;
}

async function setUp(database: Database): Promise<Stage> {
  const clock = createFakeClock({ now: START });
  const { alice } = await settlePeople(database, START);
  const { teamId } = alice;
  const ended: number[] = [];
  const faults: object[] = [];
  const edits: (() => Promise<void>)[] = [];
  const transaction: Database['transaction'] = async (work) => {
    await edits.shift()?.();
    return database.transaction(work);
  };
  const scheduler = createMaintenanceScheduler({
    database: { ...database, transaction },
    clock,
    log: { ...silentLog, error: (fields: object) => void faults.push(fields) },
    onEnd: (id) => void ended.push(id),
  });
  return {
    database,
    clock,
    teamId,
    scheduler,
    ended,
    faults,
    meanwhile: (edit) => void edits.push(edit),
    monitor: (fields = {}) =>
      createMonitor(database, START, { team_id: teamId, check_interval: 1, ...fields }),
    rounds: (monitorId, minute, ...classes) =>
      storeRounds(
        database,
        classes.map((one, index) => ({
          round: roundOf('u', { monitorId, teamId, startedAt: START + (minute + index) * MINUTE }),
          kind: 'voted' as const,
          class: one,
        })),
      ),
    window: ({ from = 0, to, rrule, monitors = [], tags = [], goodRounds }) =>
      database.transaction(async (tx) => {
        const columns = {
          name: 'Work',
          starts_at: START + from * HOUR,
          ends_at: START + to * HOUR,
          rrule: rrule ?? null,
          timezone: 'UTC',
          monitors: JSON.stringify(monitors),
          groups: '[]',
          tags: JSON.stringify(tags),
          good_rounds: goodRounds ?? null,
        };
        const id = await insertRow(tx, 'maintenance_window', {
          ...columns,
          team_id: teamId,
          next_at: columns.starts_at,
          created_at: START,
          updated_at: START,
        });
        const time = { from: columns.starts_at, to: columns.ends_at };
        await occurrenceChanges(tx).insert(id, [time]);
        return id;
      }),
    async occurrences() {
      const times = await windowOccurrences(database.read).openOfTeams([teamId], clock.now());
      return times.map(({ from, to }) => [(from - START) / HOUR, (to - START) / HOUR]);
    },
    async nextRunAt(id) {
      const row = await database.read
        .selectFrom('maintenance_window')
        .select('next_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.next_at;
    },
  };
}

/** Runs the scheduler once at that time. */
async function runAt({ scheduler, clock }: Stage, at: number): Promise<void> {
  await clock.advance(at - clock.now());
  await scheduler.run();
}

eachDatabase((_name, open) => {
  test('stores the next occurrence when one starts', async () => {
    const stage = await setUp(await open());
    const id = await stage.window({ to: 2, rrule: 'FREQ=DAILY;COUNT=2' });
    await runAt(stage, START);
    expect(await stage.occurrences()).toEqual([
      [0, 2],
      [24, 26],
    ]);
    expect(await stage.nextRunAt(id)).toBe(START + 2 * HOUR);
    expect(stage.scheduler.counters).toEqual({ processed: 1, endedEarly: 0, failures: 0 });
  });

  test('what began while this service was away is written, and only once [27.26]', async () => {
    const stage = await setUp(await open());
    const id = await stage.window({ to: 2, rrule: 'FREQ=DAILY;COUNT=5' });
    await runAt(stage, START + 3 * DAY + HOUR);
    const again = {
      ...stage,
      scheduler: createMaintenanceScheduler({ ...stage, log: silentLog, onEnd() {} }),
    };
    await runAt(again, stage.clock.now());
    const rows = await stage.database.read
      .selectFrom('maintenance_occurrence')
      .select('from_at')
      .where('window_id', '=', id)
      .orderBy('from_at')
      .execute();
    expect(rows.map((row) => (row.from_at - START) / DAY)).toEqual([0, 1, 2, 3, 4]);
  });

  test('one that came once is over', async () => {
    const stage = await setUp(await open());
    const id = await stage.window({ to: 2 });
    await runAt(stage, START + 2 * HOUR);
    expect([await stage.occurrences(), await stage.nextRunAt(id)]).toEqual([[], null]);
    expect(stage.ended).toEqual([]);
  });

  test('good rounds of each monitor end it early and release held alerts [27.15, 27.16]', async () => {
    const stage = await setUp(await open());
    const [one, other] = [await stage.monitor(), await stage.monitor({ tags: '["shop"]' })];
    await stage.monitor({ tags: '["shop"]', is_paused: 1 });
    await stage.monitor({ tags: '["shop"]', type: 'heartbeat', heartbeat_interval: 60 });
    await stage.monitor({ tags: '["other"]' });
    await stage.window({ to: 2, monitors: [one], tags: ['shop'], goodRounds: 3 });
    // Good rounds before its start do not count.
    await stage.rounds(one, -3, 'up', 'up', 'up', 'down', 'up', 'up', 'up');
    await stage.rounds(other, -3, 'up', 'up', 'up', 'up', 'up');
    const held = await stage.database.transaction((tx) =>
      tx
        .insertInto('event')
        .values({
          team_id: stage.teamId,
          monitor_id: one,
          type: 'monitor.down',
          payload: '{}',
          kind: 'open',
          severity: 'critical',
          fan_out_at: START + 2 * HOUR,
          created_at: START,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await runAt(stage, START + 5 * MINUTE);
    expect([await stage.occurrences(), stage.ended]).toEqual([[[0, 2]], []]);

    await stage.rounds(other, 2, 'unknown', 'up');
    const later = createMaintenanceScheduler({
      ...stage,
      log: silentLog,
      onEnd: (id) => void stage.ended.push(id),
    });
    await runAt({ ...stage, scheduler: later }, START + 6 * MINUTE);
    expect([await stage.occurrences(), stage.ended]).toEqual([[], [stage.teamId]]);
    expect(later.counters).toEqual({ processed: 1, endedEarly: 1, failures: 0 });
    const event = await stage.database.read
      .selectFrom('event')
      .select('fan_out_at')
      .where('id', '=', held.id)
      .executeTakeFirstOrThrow();
    expect(event.fan_out_at).toBe(START + 6 * MINUTE);
  });

  test('one that is edited while its rounds are read does not end by what it was', async () => {
    const stage = await setUp(await open());
    const { database, clock } = stage;
    const one = await stage.monitor();
    const id = await stage.window({ to: 2, monitors: [one], goodRounds: 1 });
    await stage.rounds(one, 0, 'up');
    stage.meanwhile(async () => {
      const now = clock.now();
      const changed = { good_rounds: 5, next_at: now + 2 * SECOND, updated_at: now };
      await updateRows(database, 'maintenance_window', changed, { id });
      // The window is due again when the scheduler continues.
      clock.freeze(3 * SECOND);
    });
    await runAt(stage, START + MINUTE);
    expect([await stage.occurrences(), stage.ended]).toEqual([[[0, 2]], []]);
    await stage.rounds(one, 1, 'up', 'up', 'up', 'up');
    await runAt(stage, START + 6 * MINUTE);
    expect([await stage.occurrences(), stage.ended]).toEqual([[], [stage.teamId]]);
    expect(stage.faults).toEqual([]);
  });

  test('without a pull monitor it ends at its scheduled time [27.17]', async () => {
    const stage = await setUp(await open());
    await stage.monitor({ type: 'cron', heartbeat_cron_expression: '* * * * *' });
    const id = await stage.window({ to: 2, goodRounds: 1 });
    await runAt(stage, START + MINUTE);
    expect(await stage.occurrences()).toEqual([[0, 2]]);
    // The next early end check is soon.
    expect(await stage.nextRunAt(id)).toBe(START + MINUTE + 2 * SECOND);
  });

  test('a damaged window is postponed and does not block others [27.27]', async () => {
    const stage = await setUp(await open());
    const damaged = await stage.window({ to: 2, rrule: 'FREQ=NEVER' });
    await stage.window({ to: 2, rrule: 'FREQ=DAILY' });
    await runAt(stage, START);
    expect(await stage.nextRunAt(damaged)).toBe(START + 5 * MINUTE);
    expect(await stage.occurrences()).toContainEqual([24, 26]);
    expect([stage.faults.length, stage.scheduler.counters.failures]).toEqual([1, 1]);
  });

  test('deletes old occurrences and keeps recent ones', async () => {
    const stage = await setUp(await open());
    await stage.window({ from: -50, to: -49 });
    await stage.window({ from: -2, to: -1 });
    await stage.window({ to: 2 });
    expect(await expire.maintenance(stage.database, START - 24 * HOUR)).toBe(false);
    const rows = await stage.database.read
      .selectFrom('maintenance_occurrence')
      .select('to_at')
      .orderBy('to_at')
      .execute();
    expect(rows.map((row) => (row.to_at - START) / HOUR)).toEqual([-1, 2]);
  });
});
