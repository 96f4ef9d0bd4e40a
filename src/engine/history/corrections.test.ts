import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CORRECTION_KINDS, type Correction } from '../../model/correction.ts';
import { SPAN_STATUSES } from '../../model/incident.ts';
import { availability } from './availability.ts';
import { applyCorrections, type Times } from './times.ts';
import { uptime, type Interval, type Span } from './uptime.ts';

const SECOND = 1000;

interface Question extends Times {
  corrections: Correction[];
  from: number;
  to: number;
  now: number;
}

const holds = (at: number) => (one: Interval) => one.from <= at && at < one.to;

/** Decides for every second by itself how it counts. */
function bySeconds({ spans, observedUntil, excluded, corrections, from, to, now }: Question) {
  const seconds = { up: 0, degraded: 0, down: 0, excluded: 0, unobserved: 0 };
  for (let at = from; at < to; at += SECOND) {
    const as = corrections.toSorted((a, b) => b.id - a.id).find(holds(at))?.as;
    const span = spans.find((one) => one.fromAt <= at && (one.toAt === null || at < one.toAt));
    const isSeen = observedUntil !== null && at < observedUntil;
    const recorded = isSeen ? (span?.status ?? 'unobserved') : 'unobserved';
    if (at >= now) seconds.unobserved++;
    else if (as === 'up') seconds.up++;
    else if (as === 'down') seconds.down++;
    else if (recorded === 'unobserved') seconds.unobserved++;
    else if (recorded === 'online' || as === 'false_alarm') seconds.up++;
    else if (recorded === 'degraded') seconds.degraded++;
    else if (as !== undefined || excluded.some(holds(at))) seconds.excluded++;
    else seconds.down++;
  }
  return seconds;
}

const at = fc.integer({ min: 0, max: 120 }).map((second) => second * SECOND);
const interval = fc.tuple(at, at).map(([from, to]): Interval => ({ from, to }));

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

const corrections = fc
  .array(fc.tuple(interval, fc.constantFrom(...CORRECTION_KINDS)), { maxLength: 6 })
  .map((all) => all.map(([time, as], index): Correction => ({ id: index + 1, ...time, as })));

const question: fc.Arbitrary<Question> = fc.record({
  spans,
  observedUntil: fc.option(at),
  excluded: fc.array(interval, { maxLength: 3 }),
  corrections: corrections.chain((all) => fc.shuffledSubarray(all)),
  from: at,
  to: at,
  now: at,
});

const corrected = (asked: Question) => applyCorrections(asked, asked.corrections);

const one = (as: Correction['as'], from: number, to: number): Correction[] => [
  { id: 1, from, to, as },
];

describe('applyCorrections', () => {
  test('counts each second as the newest correction of it says [46.4]', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const seconds = bySeconds(asked);
        const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = uptime(corrected(asked));
        expect({ upMs, degradedMs, downMs, excludedMs, unobservedMs }).toEqual({
          upMs: seconds.up * SECOND,
          degradedMs: seconds.degraded * SECOND,
          downMs: seconds.down * SECOND,
          excludedMs: seconds.excluded * SECOND,
          unobservedMs: seconds.unobserved * SECOND,
        });
      }),
      { numRuns: 3000 },
    );
  });

  test('keeps the parts of a period equal to the period [46.5]', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = uptime(corrected(asked));
        const parts = [upMs, degradedMs, downMs, excludedMs, unobservedMs];
        expect(parts.reduce((a, b) => a + b)).toBe(Math.max(0, asked.to - asked.from));
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('changes nothing outside of its corrections [46.5]', () => {
    fc.assert(
      fc.property(question, interval, (asked, time) => {
        const outside = {
          ...asked,
          ...time,
          corrections: asked.corrections.filter(
            ({ from, to }) => to <= time.from || from >= time.to,
          ),
        };
        expect(uptime(corrected(outside))).toEqual(uptime(outside));
      }),
    );
  });

  test('without corrections gives what was recorded [46.6]', () => {
    fc.assert(
      fc.property(question, (asked) => {
        expect(applyCorrections(asked, [])).toBe(asked);
      }),
    );
  });

  const outage = {
    spans: [
      { status: 'online', fromAt: 0, toAt: 400 },
      { status: 'offline', fromAt: 400, toAt: 600 },
      { status: 'online', fromAt: 600, toAt: 800 },
      { status: 'offline', fromAt: 800, toAt: 900 },
      { status: 'online', fromAt: 900, toAt: null },
    ] satisfies Span[],
    observedUntil: 1000,
    excluded: [],
    hours: [],
    days: [],
    rounds: [],
  };
  const period = { from: 0, to: 1000, now: 1000 };

  test.each([
    ['nothing', [], { outages: 2, mttrMs: 150, mtbfMs: 350 }],
    ['a false alarm', one('false_alarm', 400, 600), { outages: 1, mttrMs: 100, mtbfMs: 900 }],
    ['maintenance', one('maintenance', 400, 600), { outages: 1, mttrMs: 100, mtbfMs: 700 }],
    ['an exclusion of a part', one('excluded', 400, 500), { outages: 2, mttrMs: 100, mtbfMs: 350 }],
    [
      'an outage that nobody saw',
      one('down', 0, 100),
      { outages: 3, mttrMs: 400 / 3, mtbfMs: 200 },
    ],
    ['a longer outage', one('down', 600, 700), { outages: 2, mttrMs: 200, mtbfMs: 300 }],
    ['all of it up', one('up', 0, 1000), { outages: 0, mttrMs: null, mtbfMs: null }],
  ])('outages and their means follow %s [46.7]', (_, all, expected) => {
    expect(availability(applyCorrections(outage, all), period)).toMatchObject(expected);
  });
});
