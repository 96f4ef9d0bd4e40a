import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import {
  listGaps,
  listGapsAndSetbacks,
  readMark,
  writeMark,
} from '../../store/engine/process-marks.ts';
import type { Database } from '../../store/database/contract.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { Alive } from './alive.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** One process: its clock, what it says of itself, and its line to the database, which can be cut or hang. */
function startProcess(database: Database, now = START) {
  let line: 'good' | 'cut' | 'hangs' = 'good';
  let waiting = 0;
  const restored: (() => void)[] = [];
  const clock: FakeClock = createFakeClock({ now, busy: () => waiting > 0 });
  const logged: string[] = [];
  const note = (_: object, message: string) => void logged.push(message);
  const alive = new Alive({
    clock,
    log: { ...silentLog, warn: note, info: note },
    database: {
      ...database,
      async transaction(work) {
        if (line === 'hangs') await new Promise<void>((resolve) => void restored.push(resolve));
        if (line === 'cut') throw new DatabaseUnavailable('its line is cut');
        waiting++;
        try {
          return await database.transaction(work);
        } finally {
          waiting--;
        }
      },
    },
  });
  return {
    alive,
    clock,
    logged,
    async started() {
      const starting = alive.start();
      await clock.settle();
      await starting;
    },
    async stopped() {
      const stopping = alive.stop();
      await clock.advance(SECOND);
      await stopping;
    },
    setLine(to: typeof line) {
      line = to;
      if (to !== 'hangs') for (const restore of restored.splice(0)) restore();
    },
    /** How long it takes until silence may be judged, looked at twice a second. */
    async untilCertain() {
      const from = clock.now();
      await clock.runUntil(() => alive.isCertain(), MINUTE);
      return clock.now() - from;
    },
  };
}

const seconds = (at: number) => (at === 0 ? '-∞' : String((at - START) / SECOND));

/** `0 to 12` for a gap of the first twelve seconds. */
async function gapsOf(database: Database): Promise<string[]> {
  const gaps = await listGaps(database.read, -1);
  return gaps.map(({ from, to }) => `${seconds(from)} to ${seconds(to)}`);
}

async function setbacksOf(database: Database): Promise<string[]> {
  const gaps = await listGapsAndSetbacks(database.read, -1);
  return gaps
    .filter(({ from, to }) => from > to)
    .map(({ from, to }) => `${seconds(from)} to ${seconds(to)}`);
}

const markOf = async (database: Database) => ((await readMark(database.read))! - START) / SECOND;

eachDatabase((_, open) => {
  test('a process marks its time; what no process marked is a gap [13.24]', async () => {
    const database = await open();
    const first = startProcess(database);
    await first.started();
    expect([await gapsOf(database), await markOf(database)]).toEqual([['-∞ to 0'], 0]);
    await first.clock.advance(12 * SECOND);
    expect(await markOf(database)).toBe(10);
    await first.stopped();
    expect(await markOf(database)).toBe(12);

    const second = startProcess(database, START + 30 * SECOND);
    await second.started();
    await second.clock.advance(60 * SECOND);
    expect(await gapsOf(database)).toEqual(['-∞ to 0', '12 to 30']);
    expect([first.alive.counters.gaps, second.alive.counters.gaps]).toEqual([1, 1]);
    await second.stopped();
  });

  test('of several processes each tells of its own gaps', async () => {
    const database = await open();
    const [one, other] = [startProcess(database), startProcess(database, START + 2 * SECOND)];
    await one.started();
    await other.started();
    for (let second = 0; second < 20; second++) {
      await one.clock.advance(SECOND);
      await other.clock.advance(SECOND);
    }
    one.clock.freeze(30 * SECOND);
    for (let second = 0; second < 30; second++) await other.clock.advance(SECOND);
    await one.clock.advance(SECOND);
    expect(await gapsOf(database)).toEqual(['-∞ to 0', '0 to 2', '20 to 50']);
    await one.stopped();
    await other.stopped();
  });

  test('a mark and its gap are written both or neither', async () => {
    const database = await open();
    const { alive, clock, stopped } = startProcess({
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const answer = await work(tx);
          if (clock.now() === START) throw new Error('The commit failed.');
          return answer;
        }),
    });
    const starting = alive.start();
    await clock.settle();
    expect([await gapsOf(database), await readMark(database.read)]).toEqual([[], null]);
    await clock.advance(2 * SECOND);
    await starting;
    expect(await gapsOf(database)).toEqual(['-∞ to 0']);
    await stopped();
  });
});

describe('a process that begins [13.25]', () => {
  test('is not certain for three seconds [13.27]', async () => {
    const { alive, started, untilCertain } = startProcess(await openInMemory());
    expect(alive.isCertain()).toBe(false);
    await started();
    expect(await untilCertain()).toBe(3 * SECOND);
  });

  test('waits for the database, and the gap lasts until the last mark that failed', async () => {
    const database = await openInMemory();
    await database.transaction((tx) => writeMark(tx, START - 3 * SECOND));
    const { alive, clock, setLine, untilCertain, logged } = startProcess(database);
    setLine('cut');
    let isStarted = false;
    void alive.start().then(() => (isStarted = true));
    await clock.advance(MINUTE);
    expect([isStarted, alive.isCertain(), logged.length]).toEqual([false, false, 1]);
    setLine('good');
    await clock.advance(SECOND);
    expect([isStarted, alive.isCertain()]).toEqual([true, false]);
    expect(await gapsOf(database)).toEqual(['-3 to 60']);
    expect(await untilCertain()).toBe(3 * SECOND);
  });

  test('and ends before the database came back hides nothing of the gap', async () => {
    const database = await openInMemory();
    await database.transaction((tx) => writeMark(tx, START - MINUTE));
    const early = startProcess(database);
    early.setLine('cut');
    const starting = early.alive.start();
    await early.clock.advance(5 * SECOND);
    early.setLine('good');
    await early.alive.stop();
    await starting;
    expect(early.clock.pending().timers).toBe(0);
    const late = startProcess(database, START + MINUTE);
    await late.started();
    expect(await gapsOf(database)).toEqual(['-60 to 60']);
  });

  test('and whose first mark fails claims no time after that, unless a ping was refused', async () => {
    for (const [isRefused, expected] of [
      [false, '-3 to 0'],
      [true, '-3 to 1'],
    ] as const) {
      const database = await openInMemory();
      await database.transaction((tx) => writeMark(tx, START - 3 * SECOND));
      const { alive, clock, setLine } = startProcess(database);
      setLine('cut');
      const starting = alive.start();
      await clock.settle();
      setLine('good');
      if (isRefused) alive.reportFailure();
      await clock.advance(2 * SECOND);
      await starting;
      expect(await gapsOf(database)).toEqual([expected]);
    }
  });

  test('before its clock reached the newest mark says that the clock was set back, and marks anew', async () => {
    const database = await openInMemory();
    await database.transaction((tx) => writeMark(tx, START + MINUTE));
    const { started } = startProcess(database);
    await started();
    expect([await gapsOf(database), await markOf(database)]).toEqual([[], 0]);
    expect(await setbacksOf(database)).toEqual(['60 to 0']);
  });

  test('that stood still before its first mark took no pings until it went on', async () => {
    const database = await openInMemory();
    await database.transaction((tx) => writeMark(tx, START - MINUTE));
    const { alive, clock, setLine } = startProcess(database);
    setLine('cut');
    const starting = alive.start();
    await clock.advance(100);
    setLine('good');
    clock.freeze(20 * SECOND);
    await clock.advance(SECOND);
    await starting;
    expect(await gapsOf(database)).toEqual(['-60 to 20.1']);
  });

  test('with the database away, while the clock is set back, says so', async () => {
    const database = await openInMemory();
    await database.transaction((tx) => writeMark(tx, START - MINUTE));
    const { alive, clock, setLine } = startProcess(database);
    setLine('cut');
    const starting = alive.start();
    await clock.advance(20 * SECOND);
    clock.stepWall(-30 * MINUTE);
    await clock.advance(10 * SECOND);
    setLine('good');
    await clock.advance(SECOND);
    await starting;
    expect([await gapsOf(database), await setbacksOf(database)]).toEqual([[], ['20.5 to -1769.5']]);
  });
});

describe('a process that goes on', () => {
  async function running() {
    const database = await openInMemory();
    const process = startProcess(database);
    await process.started();
    await process.clock.advance(20 * SECOND);
    expect(process.alive.isCertain()).toBe(true);
    return { ...process, database, gaps: async () => (await gapsOf(database)).slice(1) };
  }

  test('is certain at any time, and records no gap', async () => {
    const { alive, clock, gaps } = await running();
    for (let look = 0; look < 700; look++) {
      await clock.advance(97);
      expect(alive.isCertain()).toBe(true);
    }
    expect(await gaps()).toEqual([]);
    expect(alive.counters).toEqual({ gaps: 1, stalls: 0, marks_failed: 0 });
  });

  test.each([
    [1_000, 0, []],
    [2_000, 3 * SECOND, []],
    [9_000, 3 * SECOND, []],
    [10_500, 3 * SECOND, ['20 to 30.5']],
    [600_000, 3 * SECOND, ['20 to 620']],
  ])('and stood still for %i ms', async (frozenMs, uncertainMs, expected) => {
    const { alive, clock, gaps, untilCertain } = await running();
    clock.freeze(frozenMs);
    // Whoever asks first must not be told that all is well.
    expect(alive.isCertain()).toBe(uncertainMs === 0);
    expect(await untilCertain()).toBe(uncertainMs);
    expect(await gaps()).toEqual(expected);
    expect(alive.counters.stalls).toBe(uncertainMs === 0 ? 0 : 1);
  });

  test.each([
    ['a machine that was suspended', 30 * MINUTE, ['20 to 1820']],
    ['a clock that was set forward a little', 5 * SECOND, []],
    ['a clock that was set back', -30 * MINUTE, []],
  ])('on %s [40.16]', async (_name, stepMs, expected) => {
    const { alive, clock, database, gaps, untilCertain } = await running();
    clock.stepWall(stepMs);
    expect(alive.isCertain()).toBe(false);
    expect(await untilCertain()).toBe(3_500);
    expect(await gaps()).toEqual(expected.map((gap) => gap.replace(/0$/, '0.5')));
    // At once: were it to be killed now, the next one must see how long nobody listened.
    expect(await markOf(database)).toBe(20.5 + stepMs / SECOND);
    await clock.advance(30 * SECOND);
    expect(alive.isCertain()).toBe(true);
  });

  test('a clock that was set back during a gap makes none that is negative', async () => {
    const { clock, database, gaps } = await running();
    clock.freeze(MINUTE);
    clock.stepWall(-10 * MINUTE);
    await clock.advance(SECOND);
    expect(await gaps()).toEqual(['-580 to -520']);
    expect(await setbacksOf(database)).toEqual(['80 to -520']);
  });

  test('a clock that was set back while the database was away: the gap begins at the latest time the clock showed', async () => {
    const { clock, database, gaps, setLine } = await running();
    setLine('cut');
    await clock.advance(MINUTE);
    clock.stepWall(-20 * SECOND);
    await clock.advance(10 * SECOND);
    setLine('good');
    await clock.advance(SECOND);
    expect([await gaps(), await setbacksOf(database)]).toEqual([['0 to 70.5'], ['80.5 to 70.5']]);
  });

  test('a refused ping makes a gap, from when it came [13.26]', async () => {
    const { alive, clock, gaps } = await running();
    await clock.advance(6 * SECOND);
    alive.reportFailure(START + 24 * SECOND);
    alive.reportFailure();
    expect(alive.isCertain()).toBe(false);
    await clock.advance(5 * SECOND);
    expect(await gaps()).toEqual(['24 to 30']);
    expect(alive.isCertain()).toBe(true);
    await clock.advance(MINUTE);
    expect(await gaps()).toHaveLength(1);
  });

  test('a ping that is refused while a mark is written belongs to the next', async () => {
    const { alive, clock, gaps, setLine } = await running();
    setLine('hangs');
    await clock.advance(6 * SECOND);
    alive.reportFailure();
    setLine('good');
    await clock.settle();
    expect([await gaps(), alive.isCertain()]).toEqual([[], false]);
    await clock.advance(5 * SECOND);
    expect([await gaps(), alive.isCertain()]).toEqual([['25 to 30'], true]);
  });

  test('a refused ping is not forgotten when the mark fails, and nothing is certain meanwhile', async () => {
    const { alive, clock, gaps, setLine } = await running();
    alive.reportFailure(START + 18 * SECOND);
    setLine('hangs');
    await clock.advance(6 * SECOND);
    expect(alive.isCertain()).toBe(false);
    setLine('cut');
    await clock.settle();
    expect(alive.isCertain()).toBe(false);
    setLine('good');
    await clock.advance(SECOND);
    expect([await gaps(), alive.isCertain()]).toEqual([['18 to 27'], true]);
  });

  test('a database that is away makes a gap, from the last mark to the next', async () => {
    const { alive, clock, gaps, logged, setLine } = await running();
    logged.length = 0;
    setLine('cut');
    await clock.advance(5 * SECOND);
    expect(alive.isCertain()).toBe(false);
    await clock.advance(10 * MINUTE);
    setLine('good');
    await clock.advance(SECOND);
    expect(await gaps()).toEqual(['20 to 626']);
    expect(alive.isCertain()).toBe(true);
    expect(logged).toEqual([
      expect.stringContaining('The database does not take'),
      expect.stringContaining('Pings may have been lost'),
    ]);
  });

  test('a database that hangs for longer than a mark holds makes a gap', async () => {
    const { alive, clock, gaps, setLine } = await running();
    setLine('hangs');
    await clock.advance(11 * SECOND);
    expect(alive.isCertain()).toBe(false);
    await clock.advance(9 * SECOND);
    setLine('good');
    await clock.advance(SECOND);
    expect(await gaps()).toEqual(['25 to 40.5']);
    expect(alive.isCertain()).toBe(true);
  });
});

describe('a process that ends', () => {
  test('is certain of nothing, and leaves no timers', async () => {
    const { alive, clock, started, stopped } = startProcess(await openInMemory());
    await started();
    await clock.advance(10 * SECOND);
    await stopped();
    expect(alive.isCertain()).toBe(false);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
    await alive.stop();
  });

  test('tells of the gap that it was in', async () => {
    const database = await openInMemory();
    const { alive, clock, started, stopped } = startProcess(database);
    await started();
    await clock.advance(7 * SECOND);
    alive.reportFailure();
    await stopped();
    expect(await gapsOf(database)).toEqual(['-∞ to 0', '5 to 7']);
  });

  test('waits for the mark that is under way, and tells of what that could not', async () => {
    const database = await openInMemory();
    const { alive, clock, setLine, started } = startProcess(database);
    await started();
    setLine('hangs');
    await clock.advance(6 * SECOND);
    const stopping = alive.stop();
    setLine('cut');
    await Promise.resolve();
    setLine('good');
    await clock.settle();
    await stopping;
    expect([await gapsOf(database), await markOf(database)]).toEqual([['-∞ to 0', '0 to 6'], 6]);
  });

  test.each(['cut', 'hangs'] as const)('and ends when the database is away: %s', async (how) => {
    const database = await openInMemory();
    const { alive, clock, setLine, started } = startProcess(database);
    await started();
    await clock.advance(7 * SECOND);
    setLine(how);
    const stopping = alive.stop();
    await clock.advance(how === 'cut' ? 1 : SECOND);
    await stopping;
    expect(await markOf(database)).toBe(5);
    expect(clock.pending().timers).toBe(0);
  });
});
