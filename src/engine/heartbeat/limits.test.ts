import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PingWindow } from '../../model/heartbeat.ts';
import { AdmissionLimit, countPing, WINDOW_MS } from './limits.ts';

test.each([
  ['the first', null, 5_000, { from: 5_000, count: 1 }, 1, 65_000],
  ['within the window', { from: 5_000, count: 1 }, 64_999, { from: 5_000, count: 2 }, 0, 65_000],
  ['after it', { from: 5_000, count: 2 }, 65_000, { from: 65_000, count: 1 }, 1, 125_000],
  ['a clock set back', { from: 5_000, count: 2 }, 4_999, { from: 4_999, count: 1 }, 1, 64_999],
])('%s', (_, window, at, next, remaining, resetAt) => {
  expect(countPing(window, at, 2)).toEqual({ isAllowed: true, window: next, remaining, resetAt });
});

test('one too many costs nothing', () => {
  const window = { from: 5_000, count: 2 };
  const counted = countPing(window, 6_000, 2);
  expect(counted).toEqual({ isAllowed: false, window, remaining: 0, resetAt: 65_000 });
  expect(counted.window).toBe(window);
});

test('no window has more than the limit, however many come', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 20_000 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (waits, limit) => {
        let window: PingWindow | null = null;
        let now = 0;
        const allowed: number[] = [];
        for (const wait of waits) {
          const counted = countPing(window, (now += wait), limit);
          window = counted.window;
          expect(counted.resetAt).toBeGreaterThan(now);
          expect(counted.resetAt).toBeLessThanOrEqual(now + WINDOW_MS);
          if (counted.isAllowed) allowed.push(window!.from);
        }
        for (const from of new Set(allowed)) {
          expect(allowed.filter((other) => other === from).length).toBeLessThanOrEqual(limit);
        }
      },
    ),
  );
});

const never = new Promise<string>(() => {});
const at = (holder: string, limit = 1) => ({ holder, limit });

test('a place is held as long as the work takes, whatever comes of it', async () => {
  const admission = new AdmissionLimit();
  const work = Promise.withResolvers<string>();
  const first = admission.during([at('a')], () => work.promise);
  expect(await admission.during([at('a')], async () => 'second')).toBeNull();
  expect(await admission.during([at('a', 2)], async () => 'beside')).toBe('beside');
  work.reject(new Error('in vain'));
  await expect(first).rejects.toThrow('in vain');
  expect(await admission.during([at('a')], async () => 'third')).toBe('third');
});

test('who has no place with one holder takes none of another', async () => {
  const admission = new AdmissionLimit();
  void admission.during([at('a')], () => never);
  for (const claims of [
    [at('a'), at('b')],
    [at('b'), at('a')],
  ]) {
    expect(await admission.during(claims, async () => 'both')).toBeNull();
  }
  expect(await admission.during([at('b')], async () => 'b')).toBe('b');
});
