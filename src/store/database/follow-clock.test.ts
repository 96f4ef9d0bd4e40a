import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createCorrectedClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { followDatabaseClock, judgeClock, measureOffset } from './follow-clock.ts';

describe('the clock that a process uses', () => {
  test.each<[string, number, number, number | null, ReturnType<typeof judgeClock>]>([
    ["stays the machine's while that is right", 0, 5, null, 'keep'],
    ['stays within half a second', 490, 5, null, 'keep'],
    ["is the database's beyond it", 60_000.4, 5, null, 'database'],
    ["is the database's if the machine's is behind", -600, 5, null, 'database'],
    ['stays while a slow answer leaves it uncertain', 1_000, 600, null, 'keep'],
    ['stays while the corrected one is right', 60_400, 5, -60_000, 'keep'],
    ['is corrected anew when it drifts', 60_600, 5, -60_000, 'database'],
    ["is the machine's again when that was set right", 300, 5, -60_000, 'machine'],
    ['stays corrected while a slow answer leaves that uncertain', 300, 400, -300, 'keep'],
    ['stays when the machine was set to another wrong time', 5_000, 5, -5_000, 'keep'],
  ])('%s', (_name, aheadMs, uncertaintyMs, correctionMs, verdict) => {
    expect(judgeClock({ aheadMs, uncertaintyMs }, correctionMs)).toBe(verdict);
  });
});

function setUp({ aheadMs = 0, isShared = true } = {}) {
  const machine = createFakeClock();
  const trueTime = machine.now() - machine.monotonic() - aheadMs;
  let failures = 0;
  let asked = 0;
  const database = {
    isShared,
    async now() {
      asked++;
      if (failures-- > 0) throw new Error('The database is away.');
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
    setAway: (is: boolean) => (failures = is ? Infinity : 0),
    failNext: (count: number) => (failures = count),
    asked: () => asked,
  };
}

describe('a process on a shared database', () => {
  test('whose clock is a minute ahead has the right time before it does anything', async () => {
    const { follow, errorMs, lines } = setUp({ aheadMs: 60_000 });
    await follow();
    expect(Math.abs(errorMs())).toBeLessThan(2);
    expect(lines).toEqual(["The machine's clock is wrong; the database's is used."]);
  });

  test('is corrected within seconds when its clock is set wrong, and uses it again when it is right', async () => {
    const { machine, clock, follow, errorMs, lines } = setUp();
    await follow();
    expect(clock.correctionMs).toBe(0);
    machine.stepWall(-45_000);
    await machine.advance(5_000);
    expect(Math.abs(errorMs())).toBeLessThan(2);
    machine.stepWall(45_000);
    // The step of the machine is none of the process.
    expect(Math.abs(errorMs())).toBeLessThan(2);
    await machine.advance(5_000);
    expect([errorMs(), clock.isCorrected]).toEqual([0, false]);
    expect(lines.at(-1)).toBe("The machine's clock is right again and is used.");
  });

  test('keeps its correction while the database is away', async () => {
    const { machine, follow, errorMs, setAway } = setUp({ aheadMs: -30_000 });
    await follow();
    setAway(true);
    await machine.advance(60_000);
    expect(Math.abs(errorMs())).toBeLessThan(2);
  });

  test('tries again if the database does not answer at the start', async () => {
    const { follow, errorMs, failNext, lines } = setUp({ aheadMs: 60_000 });
    failNext(2);
    await follow();
    expect(Math.abs(errorMs())).toBeLessThan(2);
    expect(lines).toHaveLength(1);
  });

  test('starts with its own clock if the database does not answer at all, and says so', async () => {
    const { machine, follow, errorMs, failNext, lines } = setUp({ aheadMs: 60_000 });
    failNext(3);
    await follow();
    expect(lines).toEqual(["The database's clock could not be read; the machine's is used."]);
    await machine.advance(5_000);
    expect(Math.abs(errorMs())).toBeLessThan(2);
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
