import { describe, expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  createJob,
  createJobs,
  deleteJob,
  editJob,
  incidentsOf,
  pauseJob,
  pingOf,
  resumeJob,
  settlingInTurn,
  startIngest,
  stateRowOf,
} from '../../../test/support/jobs.ts';
import { silentLog } from '../../lib/log.ts';
import { insertGap } from '../../store/engine/process-marks.ts';
import type { Database } from '../../store/database/contract.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { wakeArmedAfter } from '../../store/engine/heartbeats.ts';
import { createSweep, type SweepDependencies } from './sweep.ts';
import { SETTLE_MS } from './state.ts';
import { updateRows } from '../../../test/support/rows.ts';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const JOB = { interval: 30, grace: 10 };
const INTERVAL = JOB.interval * SECOND;
const PATIENCE = INTERVAL + JOB.grace * SECOND;
/** When such a job that never calls is missed. */
const MISSED = START + PATIENCE;

/** The same database, until it is taken away. */
function departing(database: Database) {
  let isAway = false;
  const orRefuse = <Value>(value: Value): Value => {
    if (isAway) throw new DatabaseUnavailable('the test took it away');
    return value;
  };
  return {
    database: {
      ...database,
      get read() {
        return orRefuse(database.read);
      },
      transaction: async (work) => orRefuse(database).transaction(work),
    } satisfies Database,
    setAway: (to: boolean) => void (isAway = to),
  };
}

type Overrides = Partial<Pick<SweepDependencies, 'isCertain' | 'oldestWaitingAt'>>;

/** Sweeps at work, as many as there are processes, what they logged, and a clock that only the test moves. */
function startSweeps(stored: Database, count: number, overrides: Overrides = {}) {
  const { database, setAway } = departing(stored);
  const clock = createFakeClock({ now: START });
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
  const state = { isCertain: () => true, oldestWaitingAt: () => null, ...overrides };
  const sweeps = Array.from({ length: count }, () =>
    createSweep({ database, clock, log, ...state }),
  );
  for (const sweep of sweeps) sweep.start();

  /** Second by second. A sweep that has looked waits by a timer again; until then time stands still. */
  async function until(time: number): Promise<void> {
    while (clock.now() < time) {
      await clock.advance(Math.min(SECOND, time - clock.now()));
      await waitUntil(() => clock.pending().timers >= count);
    }
  }
  return { sweep: sweeps[0]!, sweeps, clock, errors, setAway, until };
}

const startSweep = (stored: Database, overrides?: Overrides) => startSweeps(stored, 1, overrides);

const silentSince = async (database: Database, id: number) =>
  (await incidentsOf(database, id)).map(({ started_at, ended_at }) => [started_at, ended_at]);

eachDatabase((_, open) => {
  test('a gap of ours long ago counts for a job that is waited for since before', async () => {
    const database = await open();
    const month = 30 * 24 * 60 * MINUTE;
    const { id } = await createJob(database, START - month, { interval: month / SECOND, grace: 0 });
    const gap = { from: START - month + MINUTE, to: START - month + 2 * MINUTE };
    await database.transaction((tx) => insertGap(tx, gap));
    const { sweep, until } = startSweep(database);
    await until(START + 10 * SECOND);
    expect(await incidentsOf(database)).toEqual([]);
    expect(await stateRowOf(database, id)).toMatchObject({
      is_postponed: 1,
      heartbeat_expected_at: gap.to + month,
    });
    await sweep.stop();
  });

  test('a clock that was set back holds no alarm for as long as it was set back [40.15]', async () => {
    const database = await open();
    // By the clock as it was: two hours ahead.
    const { id } = await createJob(database, START + 120 * MINUTE, { interval: 300, grace: 60 });
    await database.transaction((tx) => wakeArmedAfter(tx, START + SECOND, START));
    const { sweep, until } = startSweep(database);
    await until(START + 6 * MINUTE + 10 * SECOND);
    expect(await silentSince(database, id)).toEqual([[expect.any(Number), null]]);
    await sweep.stop();
  });

  test('a job that does not call is missed within seconds, and not before [13.3]', async () => {
    const database = await open();
    const { id } = await createJob(database, START, JOB);
    const { sweep, until, errors } = startSweep(database);
    await until(MISSED + SETTLE_MS - 1);
    expect(await silentSince(database, id)).toEqual([]);
    expect((await stateRowOf(database, id)).status).toBe('pending');
    await until(MISSED + SETTLE_MS + 2 * SECOND);
    expect(await silentSince(database, id)).toEqual([[MISSED, null]]);
    expect(await stateRowOf(database, id)).toMatchObject({
      status: 'offline',
      is_missed: 1,
      heartbeat_expected_at: START + INTERVAL,
      due_at: null,
    });
    await until(MISSED + MINUTE);
    expect(await incidentsOf(database)).toHaveLength(1);
    expect([errors, sweep.counters.failures]).toEqual([[], 0]);
    await sweep.stop();
  });

  test('a job that calls is left alone, and its calls need no look [13.4]', async () => {
    const database = await open();
    const { id, token } = await createJob(database, START, JOB);
    const { sweep, clock, until } = startSweep(database);
    const ingest = startIngest(database, clock);
    for (let call = 1; call <= 12; call++) {
      await until(START + call * INTERVAL);
      expect(await ingest.send(pingOf(token))).toEqual(['recorded']);
    }
    expect(await silentSince(database, id)).toEqual([]);
    expect(sweep.counters.evaluated).toBeLessThanOrEqual(12);
    const missed = clock.now() + PATIENCE;
    await until(missed + SETTLE_MS + 2 * SECOND);
    expect(await silentSince(database, id)).toEqual([[missed, null]]);
    expect(await ingest.send(pingOf(token))).toEqual(['recorded']);
    expect(await silentSince(database, id)).toEqual([[missed, clock.now()]]);
    await sweep.stop();
  });

  test('many that fall silent at once are told of at once', async () => {
    const database = await open();
    const jobs = await createJobs(database, START, 1_200, JOB);
    const { sweep, until } = startSweep(database);
    await until(MISSED + SETTLE_MS + 3 * SECOND);
    const incidents = await incidentsOf(database);
    expect(incidents.map((one) => one.monitor_id).toSorted((a, b) => a - b)).toEqual(
      jobs.map(({ id }) => id),
    );
    expect(new Set(incidents.map((one) => one.started_at))).toEqual(new Set([MISSED]));
    const events = await database.read.selectFrom('event').select('type').execute();
    expect(events).toHaveLength(1_200);
    await sweep.stop();
  });

  test('one that can not be judged hurts no other [13.4]', async () => {
    const database = await open();
    const jobs = await createJobs(database, START, 5, JOB);
    const bad = jobs[1]!.id;
    await editJob(database, bad, START, {
      heartbeat_interval: null,
      heartbeat_cron_expression: 'every night',
    });
    const { sweep, until, errors } = startSweep(database);
    await until(MISSED + SETTLE_MS + 2 * SECOND);
    const good = jobs.map(({ id }) => id).filter((id) => id !== bad);
    expect((await incidentsOf(database)).map((one) => one.monitor_id)).toEqual(good);
    expect(errors).toContain('The silence of a job could not be evaluated.');
    // It is tried again every few minutes, and judged when it can be.
    expect(sweep.counters.failures).toBeLessThanOrEqual(3);
    await editJob(database, bad, START, { heartbeat_interval: 30 });
    await until(MISSED + 5 * MINUTE + 10 * SECOND);
    expect(await silentSince(database, bad)).toEqual([[MISSED, null]]);
    await sweep.stop();
  });

  test('one whose stored state can not be read hurts no other', async () => {
    const database = await open();
    const [bad, good] = (await createJobs(database, START, 2, JOB)).map(({ id }) => id);
    await updateRows(database, 'monitor_state', { runs: '[{' }, { monitor_id: bad! });
    const { sweep, until } = startSweep(database);
    await until(MISSED + SETTLE_MS + 2 * SECOND);
    expect((await incidentsOf(database)).map((one) => one.monitor_id)).toEqual([good]);
    await sweep.stop();
  });

  test('paused and deleted ones are not looked at; a resumed one is expected anew', async () => {
    const database = await open();
    const [paused, deleted, resumed] = (await createJobs(database, START, 3, JOB)).map(
      ({ id }) => id,
    );
    await pauseJob(database, paused!, START);
    await pauseJob(database, resumed!, START);
    await deleteJob(database, deleted!, START);
    const { sweep, until } = startSweep(database);
    const later = START + MINUTE;
    await until(later);
    await resumeJob(database, resumed!, later, later + INTERVAL);
    await until(later + PATIENCE + SETTLE_MS - 1);
    expect(await incidentsOf(database)).toEqual([]);
    await until(later + PATIENCE + SETTLE_MS + 2 * SECOND);
    expect((await incidentsOf(database)).map((one) => one.monitor_id)).toEqual([resumed]);
    await sweep.stop();
  });
});

describe('nothing is judged', () => {
  eachDatabase((_, open) => {
    test('while it is not certain that we listened', async () => {
      const database = await open();
      const { id } = await createJob(database, START, JOB);
      let isCertain = false;
      const { sweep, until } = startSweep(database, { isCertain: () => isCertain });
      await until(MISSED + MINUTE);
      expect(await silentSince(database, id)).toEqual([]);
      isCertain = true;
      await until(MISSED + MINUTE + 2 * SECOND);
      expect(await silentSince(database, id)).toEqual([[MISSED, null]]);
      await sweep.stop();
    });

    test('when that ceased to be certain while the database kept it waiting', async () => {
      const stored = await open();
      await createJob(stored, START, JOB);
      let isCertain = true;
      const slow: Database = {
        ...stored,
        get read() {
          return stored.read;
        },
        transaction(work) {
          isCertain = false;
          return stored.transaction(work);
        },
      };
      const { sweep, until } = startSweep(slow, { isCertain: () => isCertain });
      await until(MISSED + MINUTE);
      expect(await incidentsOf(stored)).toEqual([]);
      await sweep.stop();
    });

    test('while a ping from before the deadline is not on disk [13.3]', async () => {
      const database = await open();
      const { id } = await createJob(database, START, JOB);
      let oldest: number | null = MISSED - 1;
      const { sweep, until } = startSweep(database, { oldestWaitingAt: () => oldest });
      await until(MISSED + MINUTE);
      expect(await silentSince(database, id)).toEqual([]);
      oldest = null;
      await until(MISSED + MINUTE + 2 * SECOND);
      expect(await silentSince(database, id)).toEqual([[MISSED, null]]);
      await sweep.stop();
    });

    test('while the database is away, and then without a word of error', async () => {
      const database = await open();
      const { id } = await createJob(database, START, JOB);
      const { sweep, until, errors, setAway } = startSweep(database);
      await until(MISSED - SECOND);
      setAway(true);
      await until(MISSED + MINUTE);
      setAway(false);
      await until(MISSED + MINUTE + 2 * SECOND);
      expect(await silentSince(database, id)).toEqual([[MISSED, null]]);
      expect(errors).toEqual([]);
      await sweep.stop();
    });

    test('after it was stopped', async () => {
      const database = await open();
      await createJob(database, START, JOB);
      const { sweep, until, clock } = startSweep(database);
      await until(MISSED);
      await sweep.stop();
      await clock.advance(MINUTE);
      expect(await incidentsOf(database)).toEqual([]);
      expect(clock.pending().timers).toBe(0);
    });
  });
});

onPostgres((open) => {
  test('two processes that look at once tell of each job once', async () => {
    const database = await open();
    const jobs = await createJobs(database, START, 1_100, JOB);
    const { sweeps, until, errors } = startSweeps(database, 2);
    await until(MISSED + SETTLE_MS + 5 * SECOND);
    const incidents = await incidentsOf(database);
    expect(incidents.map((one) => one.monitor_id).toSorted((a, b) => a - b)).toEqual(
      jobs.map(({ id }) => id),
    );
    const { length: told } = await database.read.selectFrom('event').select('id').execute();
    expect([told, errors]).toEqual([1_100, []]);
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
  });

  test('a process that takes pings meanwhile is in the way of nobody', async () => {
    const database = await open();
    const jobs = await createJobs(database, START, 60, JOB);
    const { sweeps, until, clock, errors } = startSweeps(database, 2);
    const ingest = startIngest(database, clock);
    await until(MISSED + SETTLE_MS - SECOND);
    // All of them call late, each in a commit of its own, while their silence is judged.
    for (const { token } of jobs.toReversed()) {
      const taking = ingest.take(pingOf(token));
      await clock.advance(50);
      expect((await settlingInTurn(clock, taking)).kind).toBe('recorded');
    }
    await until(clock.now() + 2 * SECOND);
    const states = await database.read.selectFrom('monitor_state').select('status').execute();
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['online']));
    const incidents = await incidentsOf(database);
    expect(incidents.length).toBeGreaterThan(0);
    expect(incidents.filter((one) => one.ended_at === null)).toEqual([]);
    expect(errors).toEqual([]);
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
  });
});
