import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INSPECTION_KINDS, type InspectionResult } from '../../model/inspection.ts';
import { isStillKnown, nextRunAfter } from './record.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const NO_WISH = { recheckAfterMs: null, isOpen: false };
const RECHECK = { recheckAfterMs: 60_000, isOpen: true };
const UNKNOWN: InspectionResult = { state: 'unknown', reason: 'Nobody answered' };
const FAILED: InspectionResult = {
  state: 'failed',
  failure: { code: 'dns_timeout', text: 'DNS timeout' },
};

test.each([
  ['ssl', HOUR],
  ['dns', 5 * MINUTE],
  ['domain', 24 * HOUR],
] as const)('%s looks at least every %d ms, and hardly more often [22.1]', (kind, period) => {
  fc.assert(
    fc.property(fc.domain(), (target) => {
      const after = nextRunAfter({ kind, target }, FAILED, 0, NO_WISH);
      expect(after).toBeLessThanOrEqual(period);
      expect(after).toBeGreaterThanOrEqual(0.9 * period);
      expect(nextRunAfter({ kind, target }, FAILED, 0, RECHECK)).toBe(60_000);
    }),
  );
});

test.each([
  ['ssl', [5, 10, 20, 40, 60, 60]],
  ['dns', [1, 2, 4, 5, 5, 5]],
  ['domain', [60, 120, 240, 480, 960, 1_440]],
] as const)(
  'what was not found out about %s is asked again after %j minutes [22.10]',
  (kind, minutes) => {
    const target = { kind, target: 'example.com' };
    const runs = minutes.map((_, index) => index + 1);
    expect(runs.map((run) => nextRunAfter(target, UNKNOWN, run, RECHECK) / MINUTE)).toEqual(
      minutes,
    );
  },
);

test('a server that asks to be left alone is', () => {
  const asked: InspectionResult = { ...UNKNOWN, retryAfterMs: 30 * HOUR };
  for (const kind of INSPECTION_KINDS) {
    expect(nextRunAfter({ kind, target: 'a' }, asked, 1, NO_WISH)).toBe(30 * HOUR);
  }
});

const OLD = { isRecheck: false, isOpen: false };

test.each([
  ['domain', 20 * HOUR, {}, true],
  ['domain', 21 * HOUR, {}, false],
  // What is to be confirmed is asked for again, but not at each edit meanwhile.
  ['domain', 30_000, { isRecheck: true }, true],
  ['domain', 59_000, { isRecheck: true }, false],
  // It may have been renewed.
  ['domain', 59 * MINUTE, { isOpen: true }, true],
  ['domain', HOUR, { isOpen: true }, false],
  ['domain', -1_000, {}, false],
  ['dns', 1_000, {}, false],
  ['ssl', 1_000, {}, false],
] as const)('%s known for %d ms with %j will do: %s [22.4]', (kind, age, more, expected) => {
  const now = Date.UTC(2030, 0, 1);
  expect(isStillKnown({ kind, knownAt: now - age, ...OLD, ...more }, now)).toBe(expected);
});

test('whatever is known, the look at its pace asks', () => {
  const anyWish = fc.record({
    recheckAfterMs: fc.constantFrom(null, 60_000),
    isOpen: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...INSPECTION_KINDS),
      fc.domain(),
      anyWish,
      (kind, target, wish) => {
        const after = nextRunAfter({ kind, target }, FAILED, 0, wish);
        const { recheckAfterMs, isOpen } = wish;
        const known = { kind, knownAt: 0, isRecheck: recheckAfterMs !== null, isOpen };
        expect(isStillKnown(known, after)).toBe(false);
      },
    ),
  );
});

test.each([
  ['ssl', MINUTE],
  ['dns', MINUTE],
  ['domain', 6 * HOUR],
] as const)('while %s is bad its end is looked for every %d ms at least [22.8]', (kind, period) => {
  const after = nextRunAfter({ kind, target: 'a' }, FAILED, 0, {
    recheckAfterMs: null,
    isOpen: true,
  });
  expect(after).toBeLessThanOrEqual(period);
  expect(after).toBeGreaterThanOrEqual(0.9 * period);
});
