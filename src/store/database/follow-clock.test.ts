import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createCorrectedClock } from '../../lib/corrected-clock.ts';
import type { Log } from '../../lib/log.ts';
import { correctionFor, followDatabaseClock, measureOffset } from './follow-clock.ts';

describe('the correction of a clock', () => {
  test.each<[string, number, number, number, number]>([
    ['stays 0 at a clock that is right', 0, 5, 0, 0],
    ['stays 0 within a second', 900, 5, 0, 0],
    ['is the difference beyond it', 60_000.4, 5, 0, -60_000],
    ['is the difference of a clock behind', -60_000, 5, 0, 60_000],
    ['stays 0 while a slow answer leaves it uncertain', 1_500, 600, 0, 0],
    ['stays while the corrected clock is within a second', 60_700, 5, -60_000, -60_000],
    ['follows a clock that goes wrong', 61_100, 5, -60_000, -61_100],
    ['ends when the clock was set right', 300, 5, -60_000, 0],
    ['follows a clock that was set to another wrong time', 5_000, 5, -60_000, -5_000],
  ])('%s', (_name, aheadMs, uncertaintyMs, before, after) => {
    expect(correctionFor({ aheadMs, uncertaintyMs }, before)).toBe(after);
  });
});

function setUp({ aheadMs = 0, isShared = true } = {}) {
  const machine = createFakeClock();
  const trueTime = machine.now() - machine.monotonic() - aheadMs;
  let isAway = false;
  let asked = 0;
  const database = {
    isShared,
    async now() {
      asked++;
      if (isAway) throw new Error('The database is away.');
      return trueTime + machine.monotonic();
    },
  };
  const clock = createCorrectedClock(machine);
  const lines: string[] = [];
  const write = (_fields: object, message: string) => void lines.push(message);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  return {
    machine,
    clock,
    lines,
    follow: () => followDatabaseClock({ database, machine, clock, log }),
    errorMs: () => clock.now() - (trueTime + machine.monotonic()),
    setAway: (is: boolean) => (isAway = is),
    asked: () => asked,
  };
}

describe('a process on a shared database', () => {
  test('whose clock is a minute ahead has the right time before it does anything', async () => {
    const { follow, errorMs, lines } = setUp({ aheadMs: 60_000 });
    await follow();
    expect(errorMs()).toBe(0);
    expect(lines).toEqual(["The machine's clock is wrong; the database's is used."]);
  });

  test('is corrected within seconds when its clock is set wrong, and uses it again when it is right', async () => {
    const { machine, clock, follow, errorMs, lines } = setUp();
    await follow();
    expect(clock.correctionMs).toBe(0);
    machine.stepWall(-45_000);
    await machine.advance(5_000);
    expect(errorMs()).toBe(0);
    machine.stepWall(45_000);
    await machine.advance(5_000);
    expect([errorMs(), clock.correctionMs]).toEqual([0, 0]);
    expect(lines.at(-1)).toBe("The machine's clock is right again and is used.");
  });

  test('keeps its correction while the database is away', async () => {
    const { machine, follow, errorMs, setAway } = setUp({ aheadMs: -30_000 });
    await follow();
    setAway(true);
    await machine.advance(60_000);
    expect(errorMs()).toBe(0);
  });

  test('asks no more after it has stopped', async () => {
    const { machine, follow, asked } = setUp();
    (await follow()).stop();
    await machine.advance(60_000);
    expect([asked(), machine.pending().timers]).toEqual([1, 0]);
  });

  test('of its own, such as SQLite, is never asked', async () => {
    const { machine, clock, follow, asked } = setUp({ aheadMs: 60_000, isShared: false });
    await follow();
    await machine.advance(60_000);
    expect([asked(), clock.correctionMs]).toEqual([0, 0]);
  });
});

test('a clock that is set while the database answers is not measured', async () => {
  const machine = createFakeClock();
  const now = async () => {
    machine.stepWall(10_000);
    return machine.now();
  };
  expect(await measureOffset({ now }, machine)).toBeNull();
});
