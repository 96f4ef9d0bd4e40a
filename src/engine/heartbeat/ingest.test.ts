import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  createJob,
  createJobs,
  editJob,
  incidentsOf,
  pingOf,
  settling,
  startIngest,
  stateRowOf,
} from '../../../test/support/jobs.ts';
import { numbersOf, PLAIN_PING } from '../../../test/support/pings.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import type { Database } from '../../store/database/contract.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { pingChanges } from '../../store/engine/pings.ts';
import { updateRows } from '../../../test/support/rows.ts';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const clockAt = (now = START) => createFakeClock({ now });
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
/** `{ recorded: 3, unknown: 1 }`. */
const tally = (outcomes: string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].map((one) => [one, outcomes.filter((other) => other === one).length]),
  );

/** A database whose transactions are counted, and can be refused or held up. */
function watched(database: Database) {
  let state: 'good' | 'away' | 'hangs' = 'good';
  let commits = 0;
  const held: (() => void)[] = [];
  return {
    database: {
      ...database,
      get read() {
        return database.read;
      },
      async transaction(work) {
        if (state === 'hangs') await new Promise<void>((resolve) => void held.push(resolve));
        if (state === 'away') throw new DatabaseUnavailable('the test took it away');
        commits += 1;
        return database.transaction(work);
      },
    } satisfies Database,
    commits: () => commits,
    set(to: typeof state) {
      state = to;
      if (to !== 'hangs') for (const release of held.splice(0)) release();
    },
  };
}

test('a ping counts from when its head arrived, and nothing after that is judged while its body comes [12.24]', async () => {
  const [database, clock] = [await openInMemory(), clockAt()];
  const { id, token } = await createJob(database, START, { interval: 60 });
  const ingest = startIngest(database, clock);
  // A token that nobody has called with is no reason to wait, or anybody could keep all silence from being judged.
  ingest.announce(pingOf('made-up').tokenHash, START);
  expect(ingest.oldestWaitingAt()).toBeNull();
  await ingest.send(pingOf(token));

  const receivedAt = START + 55 * SECOND;
  await clock.advance(55 * SECOND);
  const arrived = ingest.announce(pingOf(token).tokenHash, receivedAt);
  await clock.advance(10 * SECOND);
  expect(ingest.oldestWaitingAt()).toBe(receivedAt);
  expect(await ingest.send({ ...pingOf(token), receivedAt })).toEqual(['recorded']);
  arrived();
  expect(ingest.oldestWaitingAt()).toBeNull();
  expect(await stateRowOf(database, id)).toMatchObject({
    last_heartbeat_at: receivedAt,
    heartbeat_expected_at: receivedAt + MINUTE,
  });
});

eachDatabase((_, open) => {
  test('a ping is kept as it came, and its job is online', async () => {
    const [database, clock] = [await open(), clockAt()];
    const { id, token } = await createJob(database, START);
    const ingest = startIngest(database, clock);
    await clock.advance(5 * SECOND);
    const told = {
      runId: 'läuft "so" \\ 🦀',
      exitCode: 0,
      userAgent: "o'reilly/1",
      body: 'line\n{"a":[1]}\tend',
      isBodyCut: true,
    };
    expect(await ingest.send(pingOf(token, { kind: 'start' }))).toEqual(['recorded']);
    await clock.advance(2 * SECOND);
    expect(await ingest.send(pingOf(token, told))).toEqual(['recorded']);
    const rows = await database.read.selectFrom('ping').selectAll().orderBy('number').execute();
    expect(rows).toMatchObject([
      { monitor_id: id, number: 1, at: START + 5_000, kind: 'start', body: null },
      {
        monitor_id: id,
        number: 2,
        at: START + 7_000,
        kind: 'success',
        duration_ms: null,
        run_id: told.runId,
        exit_code: 0,
        user_agent: told.userAgent,
        body: told.body,
        is_body_cut: 1,
        source_address: '192.0.2.1',
      },
    ]);
    expect(await stateRowOf(database, id)).toMatchObject({
      status: 'online',
      last_heartbeat_at: START + 7_000,
      heartbeat_expected_at: START + 307_000,
      first_ping_at: START + 5_000,
      ping_count: 2,
    });
  });

  test('pings of many jobs in one turn are one commit, each job has its own in order [12.26]', async () => {
    const [stored, clock] = [await open(), clockAt()];
    const { database, commits } = watched(stored);
    const jobs = await createJobs(stored, START, 20);
    const ingest = startIngest(database, clock);
    const pings = times(400, (index) =>
      pingOf(jobs[index % 20]!.token, { runId: `run ${index}`, kind: 'start' }),
    );
    expect(tally(await ingest.send(...pings))).toEqual({ recorded: 400 });
    // The first goes at once or with the others.
    expect(commits()).toBeLessThanOrEqual(2);
    for (const [place, { id }] of jobs.entries()) {
      const rows = await stored.read
        .selectFrom('ping')
        .select(['number', 'run_id'])
        .where('monitor_id', '=', id)
        .orderBy('number')
        .execute();
      expect(rows).toEqual(
        times(20, (turn) => ({ number: turn + 1, run_id: `run ${turn * 20 + place}` })),
      );
    }
  });

  test('what a ping means is on disk with it [12.21]', async () => {
    const [database, clock] = [await open(), clockAt()];
    const { id, token } = await createJob(database, START);
    const ingest = startIngest(database, clock);
    const fail = pingOf(token, { kind: 'failure', exitCode: 3 });
    await ingest.send(pingOf(token), fail, fail, fail, pingOf(token), fail);
    expect(await incidentsOf(database, id)).toMatchObject([
      { type: 'heartbeat', ended_at: START, root_cause: 'The job ended with exit code 3' },
      { type: 'heartbeat', ended_at: null },
    ]);
    const activities = await database.read
      .selectFrom('activity')
      .select('type')
      .orderBy('id')
      .execute();
    expect(activities.map(({ type }) => type)).toEqual([
      'opened',
      'failed_again',
      'failed_again',
      'resolved',
      'opened',
    ]);
    const events = await database.read.selectFrom('event').select('type').orderBy('id').execute();
    expect(events.map(({ type }) => type)).toEqual([
      'monitor.heartbeat_missed',
      'monitor.heartbeat_recovered',
      'monitor.heartbeat_missed',
    ]);
    expect((await stateRowOf(database, id)).status).toBe('offline');
    await ingest.send(pingOf(token));
    await clock.advance(MINUTE);
    await ingest.send(pingOf(token));
    const spans = await database.read
      .selectFrom('status_span')
      .select(['status', 'to_at'])
      .execute();
    expect(spans.at(-1)).toEqual({ status: 'online', to_at: null });
  });

  test('a success adds no line to the log of an incident', async () => {
    const [database, clock] = [await open(), clockAt()];
    const { id, token } = await createJob(database, START);
    const ingest = startIngest(database, clock);
    await ingest.send(pingOf(token, { kind: 'failure' }), pingOf(token));
    await updateRows(database, 'incident', { ended_at: null }, { monitor_id: id });
    await ingest.send(pingOf(token), pingOf(token));
    const activities = await database.read.selectFrom('activity').select('type').execute();
    expect(activities.map(({ type }) => type)).toEqual(['opened', 'resolved']);
  });

  test('the next ping after an edit is judged by the new settings', async () => {
    const [database, clock] = [await open(), clockAt()];
    const { id, token } = await createJob(database, START);
    const ingest = startIngest(database, clock);
    await ingest.send(pingOf(token));
    await editJob(database, id, START, { heartbeat_interval: 3_600 });
    await ingest.send(pingOf(token));
    const { heartbeat_expected_at: expectedAt } = await stateRowOf(database, id);
    expect(expectedAt).toBe(START + 3_600_000);
  });

  test('the limit holds within a commit, between processes, and for a minute [5.13]', async () => {
    const [stored, clock] = [await open(), clockAt()];
    const { database, commits } = watched(stored);
    const [job, other] = (await createJobs(stored, START, 2)) as [Job, Job];
    const one = startIngest(database, clock, { limit: 120 });
    const two = startIngest(database, clock, { limit: 120 });
    expect(tally(await one.send(...times(100, () => pingOf(job.token))))).toEqual({
      recorded: 100,
    });
    expect(
      tally(await two.send(...times(25, () => pingOf(job.token)), pingOf(other.token))),
    ).toEqual({ recorded: 21, limited: 5 });
    expect((await stateRowOf(stored, job.id)).ping_window_count).toBe(120);
    const before = commits();
    expect(tally(await two.send(...times(50, () => pingOf(job.token))))).toEqual({ limited: 50 });
    // Refused ones don't even cost a look.
    expect(commits()).toBe(before);
    expect(await one.send(pingOf(job.token))).toEqual(['limited']);
    expect(await numbersOf(stored, job.id)).toEqual(times(120, (index) => index + 1));

    await clock.advance(MINUTE - 1);
    expect(await two.send(pingOf(job.token))).toEqual(['limited']);
    await clock.advance(1);
    expect(await two.send(pingOf(job.token))).toEqual(['recorded']);
    expect(await one.send(pingOf(job.token))).toEqual(['recorded']);
  });

  test('a ping that can not be stored hurts no other', async () => {
    const [database, clock] = [await open(), clockAt()];
    const jobs = await createJobs(database, START, 9);
    const bad = jobs[4]!;
    // Its next number is taken.
    const taken = { ...PLAIN_PING, monitorId: bad.id, number: 1, at: START };
    await database.transaction((tx) => pingChanges(tx).insert([taken]));
    const ingest = startIngest(database, clock);
    const taking = jobs.map(({ token }) => ingest.take(pingOf(token)));
    const settled = await settling(clock, Promise.allSettled(taking));
    expect(settled.map(({ status }) => status)).toEqual(
      jobs.map((job) => (job === bad ? 'rejected' : 'fulfilled')),
    );
    expect((await stateRowOf(database, bad.id)).ping_count).toBe(0);
    for (const job of jobs.filter((one) => one !== bad)) {
      expect(await numbersOf(database, job.id)).toEqual([1]);
    }
    expect(ingest.oldestWaitingAt()).toBeNull();
  });

  test('a monitor whose settings can not be read hurts no other', async () => {
    const [database, clock] = [await open(), clockAt()];
    const [bad, good] = (await createJobs(database, START, 2)) as [Job, Job];
    await editJob(database, bad.id, START, {
      type: 'cron',
      heartbeat_interval: null,
      heartbeat_cron_expression: 'every night',
    });
    const ingest = startIngest(database, clock);
    const broken = ingest.take(pingOf(bad.token));
    broken.catch(() => {});
    expect(await ingest.send(pingOf(good.token))).toEqual(['recorded']);
    await expect(broken).rejects.toThrow('The stored cron expression');
  });

  test('a database that is away refuses pings at once, and nothing of them is kept [12.22]', async () => {
    const [stored, clock] = [await open(), clockAt()];
    const { database, set } = watched(stored);
    const { id, token } = await createJob(stored, START);
    const refused: number[] = [];
    const ingest = startIngest(database, clock, { onRefused: (at) => void refused.push(at) });
    set('away');
    expect(await ingest.send(pingOf(token), pingOf(token))).toEqual(['unavailable', 'unavailable']);
    await clock.advance(SECOND);
    expect(await ingest.send(pingOf(token))).toEqual(['unavailable']);
    expect(refused).toEqual([START, START, START + SECOND]);
    expect(ingest.oldestWaitingAt()).toBeNull();
    set('good');
    expect(await ingest.send(pingOf(token))).toEqual(['recorded']);
    expect(await numbersOf(stored, id)).toEqual([1]);
    expect(refused).toHaveLength(3);
  });

  test('what was taken is stored when it closes, what comes later is refused', async () => {
    const [database, clock] = [await open(), clockAt()];
    const { id, token } = await createJob(database, START);
    const ingest = startIngest(database, clock);
    const taken = Promise.all(times(5, () => ingest.take(pingOf(token))));
    await settling(clock, ingest.close());
    expect(tally((await taken).map(({ kind }) => kind))).toEqual({ recorded: 5 });
    expect(await ingest.send(pingOf(token))).toEqual(['unavailable']);
    expect(await numbersOf(database, id)).toEqual([1, 2, 3, 4, 5]);
    expect(clock.pending().timers).toBe(0);
  });
});

type Job = Awaited<ReturnType<typeof createJob>>;

async function hanging(capacity: number) {
  const [stored, clock] = [await openInMemory(), clockAt()];
  const { database, set } = watched(stored);
  const { id, token } = await createJob(stored, START);
  const refused: number[] = [];
  const onRefused = (at: number) => void refused.push(at);
  const ingest = startIngest(database, clock, { capacity, onRefused });
  set('hangs');
  return { stored, clock, id, token, ingest, refused, set };
}

describe('a database that hangs', () => {
  test('makes pings wait, and the oldest of them is known', async () => {
    const { clock, token, ingest, set } = await hanging(100);
    expect(ingest.oldestWaitingAt()).toBeNull();
    const first = ingest.take(pingOf(token));
    await clock.advance(2 * SECOND);
    const second = ingest.take(pingOf(token));
    expect(ingest.oldestWaitingAt()).toBe(START);
    set('good');
    await clock.settle();
    expect([(await first).kind, (await second).kind]).toEqual(['recorded', 'recorded']);
    expect(ingest.oldestWaitingAt()).toBeNull();
  });

  test('makes no more of them wait than there is room for', async () => {
    const { stored, clock, id, token, ingest, refused, set } = await hanging(2);
    const first = ingest.take(pingOf(token));
    await clock.advance(SECOND);
    const waiting = times(5, () => ingest.take(pingOf(token)));
    await clock.settle();
    // The oldest of those that wait were refused.
    expect(refused).toEqual(times(3, () => START + SECOND));
    expect(ingest.oldestWaitingAt()).toBe(START);
    set('good');
    await clock.settle();
    const kinds = (await Promise.all([first, ...waiting])).map(({ kind }) => kind);
    expect(kinds).toEqual([
      'recorded',
      'unavailable',
      'unavailable',
      'unavailable',
      'recorded',
      'recorded',
    ]);
    expect(await numbersOf(stored, id)).toEqual([1, 2, 3]);
  });

  test('and does not come back: closing ends all the same', async () => {
    const { clock, token, ingest } = await hanging(100);
    const taken = ingest.take(pingOf(token));
    await clock.settle();
    const closing = ingest.close();
    await clock.advance(5 * SECOND);
    await closing;
    expect((await taken).kind).toBe('unavailable');
  });
});

/** Jobs that have called before, and a database that then hangs. */
async function flooded(options: { limit: number | null; capacity: number }) {
  const [stored, clock] = [await openInMemory(), clockAt()];
  const { database, set } = watched(stored);
  const jobs = (await createJobs(stored, START, 2)) as [Job, Job];
  const refused: number[] = [];
  const onRefused = (at: number) => void refused.push(at);
  const ingest = startIngest(database, clock, { ...options, onRefused });
  await ingest.send(...jobs.map(({ token }) => pingOf(token)));
  set('hangs');
  const outcomesOf = async (taking: Promise<{ kind: string }>[]) => {
    set('good');
    return (await settling(clock, Promise.all(taking))).map(({ kind }) => kind);
  };
  return { clock, jobs, ingest, refused, outcomesOf };
}

describe('a flood', () => {
  test('of made-up tokens pushes out no job, takes no place of other clients, and puts off no judgement [5.15]', async () => {
    const { jobs, ingest, refused, outcomesOf } = await flooded({ limit: null, capacity: 2_002 });
    const made = (index: number, sourceAddress: string) =>
      ingest.take(pingOf(`made up ${index}`, { sourceAddress }));
    const known = ingest.take(pingOf(jobs[0].token));
    const flood = times(3_000, (index) => made(index, '192.0.2.66'));
    const stranger = made(3_000, '192.0.2.7');
    const [first, other, ...rest] = await outcomesOf([known, stranger, ...flood]);
    expect([first, other]).toEqual(['recorded', 'unknown']);
    expect(tally(rest)).toEqual({ unknown: 2_000, crowded: 1_000 });
    expect(refused).toEqual([]);
    expect(ingest.counters.pings_crowded).toBe(1_000);
    expect(await ingest.send(pingOf('made up', { sourceAddress: '192.0.2.66' }))).toEqual([
      'unknown',
    ]);
  });

  test('of one job pushes out no other, and puts off no judgement', async () => {
    const { clock, jobs, ingest, refused, outcomesOf } = await flooded({ limit: 5, capacity: 6 });
    const calm = ingest.take(pingOf(jobs[1].token));
    const flood = times(50, () => ingest.take(pingOf(jobs[0].token)));
    const [first, ...rest] = await outcomesOf([calm, ...flood]);
    expect(first).toBe('recorded');
    // One was counted before.
    expect(tally(rest)).toEqual({ recorded: 4, limited: 46 });
    expect(refused).toEqual([]);
    await clock.advance(MINUTE);
    expect(await ingest.send(pingOf(jobs[0].token))).toEqual(['recorded']);
  });
});

describe('the allowance', () => {
  test.each([
    ['with a limit', 2, { limit: 2, remaining: 1 }],
    ['without one', null, { limit: 120, remaining: 120 }],
  ])('%s', async (_name, limit, expected) => {
    const [database, clock] = [await openInMemory(), clockAt()];
    const { token } = await createJob(database, START);
    const ingest = startIngest(database, clock, { limit });
    const taking = ingest.take(pingOf(token));
    await clock.settle();
    expect(await taking).toEqual({
      kind: 'recorded',
      allowance: { ...expected, resetAt: START + MINUTE },
    });
  });

  test('of a clock that was set back is counted anew', async () => {
    const [database, clock] = [await openInMemory(), clockAt()];
    const { token } = await createJob(database, START);
    const ingest = startIngest(database, clock, { limit: 1 });
    expect(await ingest.send(pingOf(token), pingOf(token))).toEqual(['recorded', 'limited']);
    clock.stepWall(-10 * MINUTE);
    expect(await ingest.send(pingOf(token), pingOf(token))).toEqual(['recorded', 'limited']);
  });
});
