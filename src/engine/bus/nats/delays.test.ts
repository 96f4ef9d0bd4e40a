import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Delays } from './probe-service.ts';

test('the first message of a sender is the measure for the others', () => {
  const delays = new Delays();
  expect(delays.lateness('a', 1_000_000, 50)).toBe(0);
  expect(delays.lateness('a', 1_000_100, 150)).toBe(0);
  expect(delays.lateness('a', 1_000_200, 5_250)).toBe(5_000);
  expect(delays.lateness('b', 7, 5_250)).toBe(0);
});

test('a quicker message becomes the measure', () => {
  const delays = new Delays();
  expect(delays.lateness('a', 0, 10_000)).toBe(0);
  expect(delays.lateness('a', 20_000, 20_100)).toBe(0);
  expect(delays.lateness('a', 30_000, 34_100)).toBe(4_000);
});

test('clocks that drift apart make nothing late', () => {
  const delays = new Delays();
  // The sender's clock loses a second an hour.
  for (let now = 0; now < 86_400_000; now += 10_000) {
    const lateMs = delays.lateness('a', now * (1 - 1 / 3_600), now);
    expect(lateMs).toBeLessThan(1_000);
  }
});

test('lateness is never negative, and never more than the message was on its way', () => {
  const travels = fc.array(fc.nat({ max: 60_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(travels, fc.integer(), (times, offset) => {
      const delays = new Delays();
      for (const [index, travelMs] of times.entries()) {
        const sentAt = index * 1_000;
        const lateMs = delays.lateness('a', sentAt + offset, sentAt + travelMs);
        expect(lateMs).toBeGreaterThanOrEqual(0);
        expect(lateMs).toBeLessThanOrEqual(travelMs);
      }
    }),
  );
});
