import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INSPECTION_KINDS } from '../model/inspection.ts';
import type { InspectionResult } from '../model/inspection.ts';
import { isStillKnown, nextLookAfter } from './pace.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const UNKNOWN: InspectionResult = { state: 'unknown', reason: 'Nobody answered' };
const FAILED: InspectionResult = {
  state: 'failed',
  failure: { code: 'dns_timeout', text: 'DNS timeout' },
};

test.each([
  ['ssl', HOUR],
  ['dns', 5 * MINUTE],
  ['domain', 24 * HOUR],
] as const)('%s looks at least every %d ms, and hardly more often', (kind, period) => {
  fc.assert(
    fc.property(fc.domain(), (target) => {
      const after = nextLookAfter({ kind, target }, FAILED, 0, null);
      expect(after).toBeLessThanOrEqual(period);
      expect(after).toBeGreaterThanOrEqual(0.9 * period);
      expect(nextLookAfter({ kind, target }, FAILED, 0, 60_000)).toBe(60_000);
    }),
  );
});

test.each([
  ['ssl', [5, 10, 20, 40, 60, 60]],
  ['dns', [1, 2, 4, 5, 5, 5]],
  ['domain', [60, 120, 240, 480, 960, 1_440]],
] as const)('what was not found out about %s is asked again after %j minutes', (kind, minutes) => {
  const target = { kind, target: 'example.com' };
  const runs = minutes.map((_, index) => index + 1);
  expect(runs.map((run) => nextLookAfter(target, UNKNOWN, run, 60_000) / MINUTE)).toEqual(minutes);
});

test('a server that asks to be left alone is', () => {
  const asked: InspectionResult = { ...UNKNOWN, retryAfterMs: 30 * HOUR };
  for (const kind of INSPECTION_KINDS) {
    expect(nextLookAfter({ kind, target: 'a' }, asked, 1, null)).toBe(30 * HOUR);
  }
});

test.each([
  ['domain', 20 * HOUR, false, true],
  ['domain', 21 * HOUR, false, false],
  ['domain', 1_000, true, false],
  ['domain', -1_000, false, false],
  ['dns', 1_000, false, false],
  ['ssl', 1_000, false, false],
] as const)(
  '%s known for %d ms, to be confirmed: %s, will do: %s',
  (kind, age, isRecheck, expected) => {
    const now = Date.UTC(2030, 0, 1);
    expect(isStillKnown({ kind, knownAt: now - age, isRecheck }, now)).toBe(expected);
  },
);

test('whatever is known, the look at its pace asks', () => {
  fc.assert(
    fc.property(fc.constantFrom(...INSPECTION_KINDS), fc.domain(), (kind, target) => {
      const after = nextLookAfter({ kind, target }, FAILED, 0, null);
      expect(isStillKnown({ kind, knownAt: 0, isRecheck: false }, after)).toBe(false);
    }),
  );
});
