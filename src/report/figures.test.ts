import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyHistogram, percentile, record } from '../engine/history/summary.ts';
import { uptime, type Span } from '../engine/history/uptime.ts';
import {
  figuresOf,
  flooredPercent,
  otherFiguresOf,
  sumOf,
  sumOfDurations,
  type Measured,
} from './figures.ts';

const ms = fc.integer({ min: 0, max: 90 * 86_400_000 });
const measured: fc.Arbitrary<Measured> = fc
  .record({
    upMs: ms,
    degradedMs: ms,
    downMs: ms,
    excludedMs: ms,
    unobservedMs: ms,
    outages: fc.nat(50),
    times: fc.array(fc.integer({ min: 1, max: 60_000 }), { maxLength: 20 }),
  })
  .map(({ times, ...rest }) => {
    const responseTimes = emptyHistogram();
    for (const time of times) record(responseTimes, time);
    return { ...rest, responseTimes };
  });
const several = fc.array(measured, { minLength: 1, maxLength: 8 });

const DURATIONS = ['upMs', 'degradedMs', 'downMs', 'excludedMs', 'unobservedMs'] as const;

describe('a total of several monitors', () => {
  it('has the sums of their times, outages and response times [45.7]', () => {
    fc.assert(
      fc.property(several, (parts) => {
        const total = sumOf(parts);
        for (const name of [...DURATIONS, 'outages'] as const)
          expect(total[name]).toBe(parts.reduce((sum, part) => sum + part[name], 0));
        const count = parts.reduce((sum, part) => sum + part.responseTimes.count, 0);
        expect(total.responseTimes.count).toBe(count);
      }),
    );
  });

  it('has percentages between the least and the greatest of them [45.7]', () => {
    fc.assert(
      fc.property(several, (parts) => {
        const total = figuresOf(sumOf(parts));
        for (const name of ['uptimePercent', 'observedPercent'] as const) {
          const own = parts.map((part) => figuresOf(part)[name]).filter((one) => one !== null);
          if (own.length === 0) expect(total[name]).toBe(null);
          else {
            expect(total[name]).toBeGreaterThanOrEqual(Math.min(...own));
            expect(total[name]).toBeLessThanOrEqual(Math.max(...own));
          }
        }
      }),
    );
  });

  it('has percentiles between those of its monitors', () => {
    fc.assert(
      fc.property(several, (parts) => {
        const own = parts
          .map((part) => percentile(part.responseTimes, 95))
          .filter((one) => one !== null);
        const { p95 } = figuresOf(sumOf(parts)).responseTimes;
        if (own.length === 0) expect(p95).toBe(null);
        else {
          expect(p95).toBeGreaterThanOrEqual(Math.min(...own) - 0.1);
          expect(p95).toBeLessThanOrEqual(Math.max(...own) + 0.1);
        }
      }),
    );
  });

  it('of one monitor is that monitor', () => {
    fc.assert(
      fc.property(measured, (one) => {
        expect(figuresOf(sumOf([one]))).toEqual(figuresOf(one));
      }),
    );
  });
});

describe('figures', () => {
  it('count as a look at each second does [45.5]', () => {
    const second = 1_000;
    const span = fc.record({
      status: fc.constantFrom<Span['status'][]>('online', 'degraded', 'offline', 'unobserved'),
      seconds: fc.integer({ min: 1, max: 40 }),
    });
    const window = fc.record({ from: fc.nat(200), length: fc.nat(40) });
    fc.assert(
      fc.property(
        fc.array(fc.array(span, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
        fc.array(window, { maxLength: 3 }),
        (monitors, windows) => {
          const [from, to] = [0, 200 * second];
          const excluded = windows.map((one) => ({
            from: one.from * second,
            to: (one.from + one.length) * second,
          }));
          const isExcluded = (at: number) => excluded.some((one) => one.from <= at && at < one.to);
          let [up, down, seen] = [0, 0, 0];
          const parts = monitors.map((spans) => {
            let at = 0;
            const rows = spans.map(({ status, seconds }): Span => {
              const fromAt = at * second;
              for (let end = at + seconds; at < end; at++) {
                if (at >= 200 || status === 'unobserved') continue;
                seen += 1;
                if (status !== 'offline') up += 1;
                else if (!isExcluded(at * second)) down += 1;
              }
              return { status, fromAt, toAt: at * second };
            });
            const times = uptime({ spans: rows, observedUntil: to, from, to, now: to, excluded });
            return { ...times, outages: 0, responseTimes: emptyHistogram() };
          });
          const total = figuresOf(sumOf(parts));
          expect(total.uptimePercent).toBe(flooredPercent(up, up + down));
          expect(total.observedPercent).toBe(flooredPercent(seen, 200 * monitors.length));
          expect(total.downMs).toBe(down * second);
        },
      ),
    );
  });

  it('round percentages down, so that 100 means no downtime at all [45.5]', () => {
    const times = { degradedMs: 0, excludedMs: 0, unobservedMs: 0, outages: 1 };
    const responseTimes = emptyHistogram();
    const almost = figuresOf({ ...times, upMs: 99_999_999, downMs: 1, responseTimes });
    expect(almost.uptimePercent).toBe(99.999);
    const all = figuresOf({ ...times, upMs: 99_999_999, downMs: 0, responseTimes });
    expect(all.uptimePercent).toBe(100);
  });

  it('divide downtime and time up by the outages [45.6]', () => {
    const times = { upMs: 600, degradedMs: 300, downMs: 100, excludedMs: 7, unobservedMs: 5 };
    const found = figuresOf({ ...times, outages: 2, responseTimes: emptyHistogram() });
    expect([found.mttrMs, found.mtbfMs]).toEqual([50, 450]);
    const none = figuresOf({ ...times, outages: 0, responseTimes: emptyHistogram() });
    expect([none.mttrMs, none.mtbfMs]).toEqual([null, null]);
  });

  it('are compared where any of the times differ [45.9]', () => {
    fc.assert(
      fc.property(measured, measured, (main, other) => {
        const isSame = DURATIONS.every((name) => main[name] === other[name]);
        expect(otherFiguresOf(main, other) === null).toBe(isSame);
        expect(otherFiguresOf(main, sumOfDurations([main]))).toBe(null);
      }),
    );
  });
});
