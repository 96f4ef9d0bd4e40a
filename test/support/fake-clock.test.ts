import { describe, expect, test } from 'vitest';
import { sleep } from '../../src/lib/clock.ts';
import { createFakeClock } from './fake-clock.ts';

describe('the fake clock', () => {
  test('fires timers in order of time, each at its own instant', async () => {
    const clock = createFakeClock({ now: 1_000 });
    const seen: [string, number][] = [];
    clock.after(20, () => seen.push(['late', clock.now()]));
    clock.after(10, () => seen.push(['first', clock.now()]));
    clock.after(10, () => seen.push(['second', clock.now()]));
    await clock.advance(15);
    expect(seen).toEqual([
      ['first', 1_010],
      ['second', 1_010],
    ]);
    expect(clock.now()).toBe(1_015);
    await clock.advance(5);
    expect(seen.at(-1)).toEqual(['late', 1_020]);
  });

  test('a timer set by a timer fires within the same advance', async () => {
    const clock = createFakeClock({ now: 0 });
    const seen: number[] = [];
    const again = () => {
      seen.push(clock.now());
      clock.after(0, again);
    };
    clock.after(3, again);
    await clock.advance(6);
    expect(seen).toEqual([3, 4, 5, 6]);
  });

  test('a cleared timer never fires, and clearing nothing is allowed', async () => {
    const clock = createFakeClock();
    const timer = clock.after(1, () => expect.unreachable());
    clock.clear(timer);
    clock.clear(timer);
    clock.clear(null);
    await clock.advance(10);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });

  test('promises and real I/O have settled before the next instant', async () => {
    const clock = createFakeClock({ now: 0 });
    const seen: string[] = [];
    const work = async (name: string) => {
      for (let step = 0; step < 5; step += 1)
        await new Promise<void>((resolve) => void setImmediate(resolve));
      seen.push(`${name} at ${clock.now()}`);
    };
    clock.after(1, () => void work('a'));
    clock.after(2, () => void work('b'));
    await clock.advance(2);
    expect(seen).toEqual(['a at 1', 'b at 2']);
  });

  test('time does not pass while the options report work in progress', async () => {
    let left = 50;
    const clock = createFakeClock({ now: 0, busy: () => left > 0 && (left -= 1) > 0 });
    await clock.advance(1);
    expect(left).toBe(0);
  });

  test('soons run at the instant at which they were asked for, before later timers', async () => {
    const clock = createFakeClock({ now: 0 });
    const seen: string[] = [];
    clock.after(1, () => {
      clock.soon(() => {
        seen.push(`soon at ${clock.now()}`);
        clock.soon(() => seen.push(`soon of soon at ${clock.now()}`));
      });
    });
    clock.after(2, () => seen.push('timer'));
    await clock.advance(2);
    expect(seen).toEqual(['soon at 1', 'soon of soon at 1', 'timer']);
  });

  test('a step of the wall clock moves no timer', async () => {
    const clock = createFakeClock({ now: 1_000 });
    const before = clock.monotonic();
    clock.stepWall(-500);
    expect(clock.now()).toBe(500);
    let fired = false;
    clock.after(100, () => (fired = true));
    await clock.advance(100);
    expect(fired).toBe(true);
    expect(clock.monotonic() - before).toBe(100);
  });

  test('a frozen process finds both clocks moved on and its timers late', async () => {
    const clock = createFakeClock({ now: 0 });
    const seen: number[] = [];
    clock.after(10, () => seen.push(clock.now()));
    clock.after(60_010, () => seen.push(clock.now()));
    clock.freeze(60_000);
    expect(clock.monotonic()).toBe(60_000);
    expect(seen).toEqual([]);
    await clock.advance(20);
    expect(seen).toEqual([60_000, 60_010]);
  });

  test('runUntil stops at the event that made the predicate true, and rejects if none does', async () => {
    const clock = createFakeClock({ now: 0 });
    let woken = false;
    void sleep(clock, 70).then(() => (woken = true));
    await clock.runUntil(() => woken, 100);
    expect(clock.now()).toBe(70);
    await expect(clock.runUntil(() => false, 100)).rejects.toThrow('within 100 ms');
  });

  test('an error thrown by a timer reaches the test', async () => {
    const clock = createFakeClock();
    clock.after(1, () => {
      throw new Error('from the timer');
    });
    await expect(clock.advance(1)).rejects.toThrow('from the timer');
  });

  test('a delay that setTimeout would turn into 1 ms is an error', () => {
    expect(() => createFakeClock().after(2 ** 31, () => undefined)).toThrow(RangeError);
    expect(() => createFakeClock().after(Number.NaN, () => undefined)).toThrow(RangeError);
  });
});
