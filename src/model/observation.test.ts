import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MARK_HOLDS_MS, OBSERVED_INDEFINITELY } from './heartbeat.ts';
import { endOfCover, knownUntil, unobservedSince, type Observation } from './observation.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Start of the last round, or time of the last mark. */
const LAST = 1_000 * MINUTE;

const monitor = (minutes: number, more: Partial<Observation> = {}): Observation => ({
  status: 'online',
  isPaused: false,
  observedUntil: endOfCover(LAST, minutes * MINUTE),
  checkInterval: minutes,
  aliveAt: null,
  ...more,
});
const job = (more: Partial<Observation> = {}) =>
  monitor(1, {
    checkInterval: null,
    observedUntil: OBSERVED_INDEFINITELY,
    aliveAt: LAST,
    ...more,
  });

test.each<[string, Observation, number | null, number | null]>([
  ['every 30 s: two intervals', monitor(0.5), 35 * SECOND, MINUTE],
  ['down', monitor(0.5, { status: 'offline' }), 35 * SECOND, MINUTE],
  ['every minute: two intervals', monitor(1), 66 * SECOND, 2 * MINUTE],
  ['every 5 min: a round more', monitor(5), 5.5 * MINUTE, 6.5 * MINUTE],
  ['every hour: a round more', monitor(60), 66 * MINUTE, 67 * MINUTE],
  ['a job, since the last mark', job(), MARK_HOLDS_MS, MARK_HOLDS_MS + MINUTE],
  ['a job that was resumed', job({ observedUntil: LAST }), 0, MINUTE],
  ['a job before any mark', job({ aliveAt: null }), null, null],
  ['pending', monitor(1, { status: 'pending' }), null, null],
  ['before a verdict', monitor(1, { observedUntil: null }), null, null],
  ['paused', monitor(1, { isPaused: true }), null, null],
])('%s: known until, and not observed after', (_, observation, knownMs, unobservedMs) => {
  const known = knownMs === null ? null : LAST + knownMs;
  expect(knownUntil(observation)).toBe(known);
  const at = LAST + (unobservedMs ?? 1_000 * MINUTE);
  expect(unobservedSince(observation, at)).toBeNull();
  expect(unobservedSince(observation, at + 1)).toBe(known);
});

test('the longest round is waited for, and no monitor for more than two intervals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 3_600 }), (seconds) => {
      const intervalMs = seconds * SECOND;
      const observation = monitor(seconds / 60);
      const longestMs = Math.min(MINUTE, 0.9 * intervalMs) + 2 * SECOND;
      expect(unobservedSince(observation, LAST + intervalMs + longestMs)).toBeNull();
      expect(unobservedSince(observation, LAST + 2 * intervalMs + 1)).not.toBeNull();
    }),
  );
});
