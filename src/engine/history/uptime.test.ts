import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uptime, type Interval, type Span, type UptimeQuestion } from './uptime.ts';
import { SPAN_STATUSES } from '../../model/incident.ts';

const SECOND = 1000;

/** Decides for every second by itself what it was. */
function bySeconds(question: UptimeQuestion) {
  const { spans, observedUntil, from, to, now, excluded = [] } = question;
  const seconds = { up: 0, degraded: 0, down: 0, excluded: 0, unobserved: 0 };
  for (let at = from; at < to; at += SECOND) {
    const span = spans.find((one) => one.fromAt <= at && (one.toAt === null || at < one.toAt));
    const seen = observedUntil !== null && at < observedUntil && at < now;
    if (!span || !seen || span.status === 'unobserved') seconds.unobserved++;
    else if (span.status === 'online') seconds.up++;
    else if (span.status === 'degraded') seconds.degraded++;
    else if (excluded.some((window) => window.from <= at && at < window.to)) seconds.excluded++;
    else seconds.down++;
  }
  return seconds;
}

const at = fc.integer({ min: 0, max: 120 }).map((second) => second * SECOND);
const interval = fc.tuple(at, at).map(([from, to]): Interval => ({ from, to }));

/** Spans one after another, perhaps with gaps, the last one perhaps open. */
const spans = fc
  .tuple(fc.uniqueArray(at, { maxLength: 12 }), fc.boolean(), fc.infiniteStream(fc.nat(3)))
  .map(([instants, isOpen, statuses]): Span[] => {
    const sorted = instants.toSorted((a, b) => a - b);
    return sorted.flatMap((fromAt, index) => {
      const next = sorted[index + 1];
      if (next === undefined && !isOpen) return [];
      return [{ status: SPAN_STATUSES[statuses.next().value!]!, fromAt, toAt: next ?? null }];
    });
  });

const question: fc.Arbitrary<UptimeQuestion> = fc.record({
  spans,
  observedUntil: fc.option(at),
  from: at,
  to: at,
  now: at,
  excluded: fc.array(interval, { maxLength: 4 }),
});

describe('uptime', () => {
  test('says what a look at every second says [24.8]', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const seconds = bySeconds(asked);
        const answer = uptime(asked);
        expect(answer).toMatchObject({
          upMs: seconds.up * SECOND,
          degradedMs: seconds.degraded * SECOND,
          downMs: seconds.down * SECOND,
          excludedMs: seconds.excluded * SECOND,
          unobservedMs: seconds.unobserved * SECOND,
        });
      }),
      { numRuns: 1000 },
    );
  });

  test('its parts add up to the period, to the millisecond, whatever the spans are [24.7]', () => {
    const any = fc.integer({ min: -1e13, max: 1e13 });
    const wild = fc.record({
      spans: fc.array(
        fc.record({ status: fc.constantFrom(...SPAN_STATUSES), fromAt: any, toAt: fc.option(any) }),
      ),
      observedUntil: fc.option(any),
      from: any,
      to: any,
      now: any,
      excluded: fc.array(fc.record({ from: any, to: any })),
    });
    fc.assert(
      fc.property(wild, (asked) => {
        const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = uptime(asked);
        const parts = [upMs, degradedMs, downMs, excludedMs, unobservedMs];
        expect(parts.reduce((a, b) => a + b)).toBe(Math.max(0, asked.to - asked.from));
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  const online: Span = { status: 'online', fromAt: 0, toAt: 600 };
  const offline: Span = { status: 'offline', fromAt: 600, toAt: 800 };
  const degraded: Span = { status: 'degraded', fromAt: 800, toAt: null };
  const day = {
    spans: [online, offline, degraded],
    observedUntil: 1000,
    from: 0,
    to: 1000,
    now: 5000,
  };

  test.each([
    ['down counts against up and degraded', day, 80, 100],
    ['a tail without a verdict is not observed', { ...day, observedUntil: 800 }, 75, 80],
    ['the future is not observed', { ...day, to: 2000, now: 1000, observedUntil: 9000 }, 80, 50],
    [
      'downtime in maintenance is left out',
      { ...day, excluded: [{ from: 0, to: 700 }] },
      8000 / 90,
      100,
    ],
    ['all downtime in maintenance', { ...day, excluded: [{ from: 0, to: 900 }] }, 100, 100],
    ['time before the first span is not observed', { ...day, from: -1000 }, 80, 50],
    ['nothing was ever observed', { ...day, spans: [], observedUntil: null }, null, 0],
    ['an empty period', { ...day, to: 0 }, null, null],
    [
      'only maintenance was observed',
      { ...day, from: 600, to: 800, excluded: [{ from: 0, to: 900 }] },
      null,
      100,
    ],
  ])('%s [24.10]', (_, asked, uptimePercent, observedPercent) => {
    const answer = uptime(asked);
    if (uptimePercent === null) expect(answer.uptimePercent).toBeNull();
    else expect(answer.uptimePercent).toBeCloseTo(uptimePercent, 9);
    expect(answer.observedPercent).toBe(observedPercent);
  });
});
