import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PingWindow } from '../../model/heartbeat.ts';
import { AdmissionLimit, countPing, WINDOW_MS } from './ingest.ts';

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

const at = (holder: string, limit = 1) => ({ holder, limit });

test('a place is held until it is given back', () => {
  const admission = new AdmissionLimit();
  expect(admission.take([at('a')])).toBe(true);
  expect(admission.take([at('a')])).toBe(false);
  expect(admission.take([at('a', 2)])).toBe(true);
  admission.release([at('a')]);
  expect(admission.take([at('a')])).toBe(false);
  admission.release([at('a')]);
  expect(admission.take([at('a')])).toBe(true);
});

test('who has no place with one holder takes none of another', () => {
  const admission = new AdmissionLimit();
  admission.take([at('a')]);
  expect(admission.take([at('a'), at('b')])).toBe(false);
  expect(admission.take([at('b'), at('a')])).toBe(false);
  expect(admission.take([at('b')])).toBe(true);
});
