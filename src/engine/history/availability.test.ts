import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_TIMINGS } from '../../model/check.ts';
import type { SpanStatus } from '../../model/incident.ts';
import {
  availability,
  availabilityBy,
  type CountedRound,
  type StoredHistory,
} from './availability.ts';
import { encodeSummary, addResult, type SummarisedResult, type Summary } from './summary.ts';
import type { Span } from './uptime.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2030, 0, 1);

const NOTHING: StoredHistory = {
  spans: [],
  observedUntil: null,
  excluded: [],
  hours: [],
  days: [],
  rounds: [],
};

const check = (responseTimeMs: number): SummarisedResult => ({
  region: 'ash',
  vote: 'up',
  responseTimeMs,
  timings: NO_TIMINGS,
});

/** So many checks that took 50 ms. */
function packed(at: number, count: number) {
  const summary: Summary = new Map();
  for (let index = 0; index < count; index++) addResult(summary, check(50));
  return { at, data: encodeSummary(summary) };
}

const round = (startedAt: number): CountedRound => ({ startedAt, results: [check(50), check(80)] });

/** Spans that follow each other, written `online 3, offline 1`: status and hours, from START on. */
function spansOf(text: string): Span[] {
  let at = START;
  return text.split(', ').map((part) => {
    const [status, hours] = part.split(' ') as [SpanStatus, string];
    const fromAt = at;
    at += Number(hours) * HOUR;
    return { status, fromAt, toAt: at };
  });
}

const during = (spans: string, from: number, to: number) =>
  availability(
    { ...NOTHING, spans: spansOf(spans), observedUntil: START + DAY },
    { from: START + from * HOUR, to: START + to * HOUR, now: START + DAY },
  );

describe('maintenance', () => {
  /** Windows as hours from START on. */
  const within = (spans: string, ...windows: [number, number][]): StoredHistory => ({
    ...NOTHING,
    spans: spansOf(spans),
    observedUntil: START + DAY,
    excluded: windows.map(([from, to]) => ({ from: START + from * HOUR, to: START + to * HOUR })),
  });
  const wholeDay = { from: START, to: START + DAY, now: START + DAY };

  test.each<[string, [number, number][], number, number, number, number]>([
    // Hours down and excluded, outages, and percent.
    ['online 20, offline 4', [[20, 24]], 0, 4, 0, 100],
    ['online 20, offline 4', [[19, 22]], 2, 2, 1, (100 * 20) / 22],
    ['online 20, offline 4', [[0, 20]], 4, 0, 1, (100 * 20) / 24],
    [
      'online 18, offline 2, online 2, offline 2',
      [
        [22, 30],
        [21, 23],
      ],
      2,
      2,
      1,
      (100 * 20) / 22,
    ],
    ['offline 1, unobserved 1, offline 1, online 21', [[1.5, 4]], 1, 1, 1, (100 * 21) / 22],
  ])('%s, %o', (spans, windows, down, excluded, outages, percent) => {
    const found = availability(within(spans, ...windows), wholeDay);
    expect([found.downMs / HOUR, found.excludedMs / HOUR]).toEqual([down, excluded]);
    expect([found.outages, found.uptimePercent]).toEqual([outages, percent]);
  });

  test('the hours add up to the whole', () => {
    const times = fc.tuple(fc.nat(24), fc.nat(24)).map(([a, b]): [number, number] => [a, b]);
    fc.assert(
      fc.property(fc.array(times, { maxLength: 5 }), (windows) => {
        const history = within('offline 5, online 4, offline 7, online 8', ...windows);
        const whole = availability(history, wholeDay);
        const { pieces: hours } = availabilityBy('hour', history, wholeDay);
        const sum = (of: 'downMs' | 'excludedMs') =>
          hours.reduce((total, hour) => total + hour[of], 0);
        expect([sum('downMs'), sum('excludedMs')]).toEqual([whole.downMs, whole.excludedMs]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('outages', () => {
  test.each([
    ['online 24', 0, null, null],
    ['online 3, offline 1, online 20', 1, 1, 23],
    ['online 3, offline 1, online 1, offline 2, degraded 17', 2, 1.5, 10.5],
    ['offline 24', 1, 24, 0],
    ['offline 1, unobserved 1, offline 1, online 21', 1, 2, 21],
    ['offline 1, unobserved 1, online 1, offline 1, online 20', 2, 1, 10.5],
    ['unobserved 24', 0, null, null],
  ])('%s [24.17, 24.18]', (spans, outages, mttrHours, mtbfHours) => {
    expect(during(spans, 0, 24)).toMatchObject({
      outages,
      mttrMs: mttrHours && mttrHours * HOUR,
      mtbfMs: mtbfHours === null ? null : mtbfHours * HOUR,
    });
  });

  test('only what lies in the period counts', () => {
    const spans = 'online 3, offline 2, online 3, offline 2, online 14';
    expect(during(spans, 4, 7)).toMatchObject({ outages: 1, mttrMs: HOUR, mtbfMs: 2 * HOUR });
    expect(during(spans, 5, 8)).toMatchObject({ outages: 0 });
    expect(during(spans, 0, 3)).toMatchObject({ outages: 0 });
  });

  test('an outage that nobody has seen go on is over where the last verdict ends', () => {
    const spans: Span[] = [{ status: 'offline', fromAt: START + 2 * HOUR, toAt: null }];
    const history = { ...NOTHING, spans, observedUntil: START + 3 * HOUR };
    const period = { from: START, to: START + DAY, now: START + DAY };
    expect(availability(history, period)).toMatchObject({ outages: 1, downMs: HOUR });
    const later = { ...period, from: START + 4 * HOUR };
    expect(availability(history, later)).toMatchObject({ outages: 0, downMs: 0 });
  });
});

describe('pieces', () => {
  const period = {
    from: START + 30 * MINUTE,
    to: START + 3 * HOUR + 15 * MINUTE,
    now: START + DAY,
  };

  test('are UTC hours, cut off at the edges', () => {
    const history = {
      ...NOTHING,
      spans: spansOf('online 1.75, offline 0.5, online 21.75'),
      observedUntil: START + DAY,
      hours: [packed(START, 3), packed(START + HOUR, 5)],
      days: [packed(START, 100)],
      rounds: [round(START + 2 * HOUR), round(START + 3 * HOUR + MINUTE)],
    };
    const { whole, pieces } = availabilityBy('hour', history, period);
    expect(whole).toEqual(availability(history, period));
    const minutes = pieces.map((piece) => [
      (piece.from - START) / MINUTE,
      (piece.to - START) / MINUTE,
      piece.upMs / MINUTE,
      piece.downMs / MINUTE,
      piece.outages,
      piece.responseTimes.count,
    ]);
    expect(minutes).toEqual([
      [30, 60, 30, 0, 0, 3],
      [60, 120, 45, 15, 1, 5],
      [120, 180, 45, 15, 1, 2],
      [180, 195, 15, 0, 0, 2],
    ]);
    expect(availability(history, period)).toMatchObject({
      outages: 1,
      responseTimes: { count: 112 },
    });
  });

  test('of days hold their hours', () => {
    const history = {
      ...NOTHING,
      hours: [packed(START + 23 * HOUR, 3), packed(START + DAY, 5), packed(START + DAY + HOUR, 7)],
      days: [packed(START, 100)],
      rounds: [round(START + DAY + 2 * HOUR)],
    };
    const whole = { from: START, to: START + 2 * DAY + 1, now: START + 3 * DAY };
    const found = availabilityBy('day', history, whole);
    expect(found.pieces.map((piece) => piece.responseTimes.count)).toEqual([103, 14, 0]);
    expect(found.whole).toEqual(availability(history, whole));
  });

  test('damaged roll-ups count nothing', () => {
    const hours = [{ at: START, data: new Uint8Array([1, 200]) }, packed(START + HOUR, 5)];
    expect(availability({ ...NOTHING, hours }, period).responseTimes.count).toBe(5);
  });

  test('add up to the whole', () => {
    const length = fc.integer({ min: 1, max: 300 });
    const status = fc.constantFrom<SpanStatus>('online', 'degraded', 'offline', 'unobserved');
    const parts = fc.array(fc.tuple(status, length), { maxLength: 20 });
    const minute = fc.integer({ min: 0, max: 4_000 });
    fc.assert(
      fc.property(parts, minute, minute, minute, (given, first, size, observed) => {
        let at = START;
        const spans = given.map(([one, minutes]) => {
          const fromAt = at;
          at += minutes * MINUTE;
          return { status: one, fromAt, toAt: at };
        });
        const from = START + first * MINUTE;
        const asked = { from, to: from + size * MINUTE, now: START + 3_500 * MINUTE };
        const history = { ...NOTHING, spans, observedUntil: START + observed * MINUTE };
        const whole = availability(history, asked);
        for (const unit of ['hour', 'day'] as const) {
          const { whole: same, pieces } = availabilityBy(unit, history, asked);
          expect(same).toEqual(whole);
          for (const name of ['upMs', 'degradedMs', 'downMs', 'unobservedMs'] as const) {
            expect(pieces.reduce((sum, piece) => sum + piece[name], 0)).toBe(whole[name]);
          }
        }
      }),
    );
  });
});
