import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEACTIVATE_AFTER_MS, decideRetry, type RetryInput } from './retry.ts';

const NOW = Date.UTC(2030, 0, 10);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function rule(more: Partial<RetryInput> = {}) {
  return decideRetry({
    attempted: { outcome: 'failed', retryAfterMs: null },
    isTest: false,
    attempts: 1,
    expiresAt: NOW + 24 * HOUR,
    failingSince: null,
    failures: 0,
    refusals: 0,
    now: NOW,
    random: () => 0.5,
    ...more,
  });
}

describe('what an outcome means', () => {
  test.each([
    ['delivered', { status: 'delivered', nextAt: null, failingSince: null, failures: 0 }],
    ['failed', { status: 'pending', failingSince: NOW - HOUR, failures: 4 }],
    ['refused', { status: 'failed', nextAt: null, failingSince: NOW - HOUR, failures: 4 }],
    ['gone', { status: 'failed', nextAt: null, deactivates: true }],
  ] as const)('%s', (outcome, expected) => {
    const ruling = rule({
      attempted: { outcome, retryAfterMs: null },
      failingSince: NOW - HOUR,
      failures: 3,
    });
    expect(ruling).toMatchObject({ deactivates: outcome === 'gone', ...expected });
  });

  test('the first failure is when it began to fail', () => {
    expect(rule()).toMatchObject({ failingSince: NOW, failures: 1 });
  });

  test.each(['failed', 'refused', 'gone'] as const)(
    'a test that is %s ends there and changes nothing else',
    (outcome) => {
      const attempted = { outcome, retryAfterMs: 5 };
      const failingSince = NOW - 4 * DEACTIVATE_AFTER_MS;
      const ruling = rule({ attempted, isTest: true, failingSince, failures: 7, attempts: 9 });
      const kept = { failingSince, failures: 7, deactivates: false };
      expect(ruling).toEqual({ status: 'failed', nextAt: null, ...kept });
    },
  );
});

describe('when it is tried again', () => {
  test.each([
    [1, 5 * SECOND],
    [2, 15 * SECOND],
    [3, 45 * SECOND],
    [4, 2 * MINUTE],
    [5, 5 * MINUTE],
    [6, 15 * MINUTE],
    [7, 30 * MINUTE],
    [8, HOUR],
    [9, HOUR],
    [40, HOUR],
  ])('after attempt %i [29.25]', (attempts, wait) => {
    expect(rule({ attempts }).nextAt).toBe(NOW + wait);
    expect(rule({ attempts, random: () => 0 }).nextAt).toBe(NOW + wait * 0.8);
  });

  test.each([
    ['less than the back-off', 2 * SECOND, 5 * SECOND],
    ['more', 7 * MINUTE, 7 * MINUTE],
    ['more than an hour', 9 * HOUR, HOUR],
  ])('the other side asks for %s [34.32]', (_, retryAfterMs, wait) => {
    const attempted = { outcome: 'failed', retryAfterMs } as const;
    expect(rule({ attempted }).nextAt).toBe(NOW + wait);
  });

  test('never later than it expires, whatever is asked', () => {
    const milliseconds = fc.integer({ min: 0, max: 100 * HOUR });
    const inputs = fc.record({
      attempts: fc.integer({ min: 1, max: 100 }),
      retryAfterMs: fc.option(milliseconds),
      left: fc.integer({ min: 1, max: 24 * HOUR }),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(inputs, ({ attempts, retryAfterMs, left, random }) => {
        const attempted = { outcome: 'failed', retryAfterMs } as const;
        const expiresAt = NOW + left;
        const { nextAt } = rule({ attempted, attempts, expiresAt, random: () => random });
        expect(nextAt).toBeGreaterThan(NOW);
        expect(nextAt).toBeLessThanOrEqual(expiresAt);
      }),
    );
  });

  test('an event that always fails is tried some thirty times within its day', () => {
    let now = NOW;
    let attempts = 0;
    while (now < NOW + 24 * HOUR) {
      attempts += 1;
      now = rule({ now, attempts }).nextAt!;
    }
    expect(attempts).toBeGreaterThan(25);
    expect(attempts).toBeLessThan(40);
  });
});

describe('three days of failure', () => {
  const failingSince = NOW - DEACTIVATE_AFTER_MS;
  test.each([
    ['refused', 1, 3, failingSince, true],
    ['refused', 1, 3, failingSince + 1, false],
    // Two that were refused, days apart, with nothing between them; or one, after days of silence.
    ['refused', 1, 1, failingSince, false],
    ['refused', 9, 2, failingSince, false],
    ['failed', 4, 0, failingSince, true],
    ['failed', 4, 0, failingSince + 1, false],
    // Nothing was sent for days; the next one gets its chance.
    ['failed', 3, 9, failingSince, false],
    ['gone', 1, 0, NOW, true],
  ] as const)(
    '%s at attempt %i, after %i that were refused, failing since %i: %s',
    (outcome, attempts, refusals, since, expected) => {
      const attempted = { outcome, retryAfterMs: null };
      const ruling = rule({ attempted, attempts, failures: 30, refusals, failingSince: since });
      expect(ruling.deactivates).toBe(expected);
      if (expected) expect(ruling.status).toBe('failed');
    },
  );

  test('a clock that stepped back does not count for more', () => {
    expect(rule({ failingSince: NOW + HOUR })).toMatchObject({ failingSince: NOW });
  });
});
