import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Span } from '../engine/history/uptime.ts';
import { createDaySharing, dayFacts, type ServiceTimes, withImported } from './day-facts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = [0, 1, 2].map((day) => ({ from: day * DAY, to: (day + 1) * DAY }));
const NOTHING = {
  upMs: 0,
  degradedMs: 0,
  downMs: 0,
  excludedMs: 0,
  unobservedMs: 0,
  beforeMs: 0,
  futureMs: 0,
  maintenanceMs: 0,
};

test('each day has its own times, and today its future [42.3]', () => {
  const spans: Span[] = [
    { status: 'online', fromAt: 12 * HOUR, toAt: DAY + 6 * HOUR },
    { status: 'offline', fromAt: DAY + 6 * HOUR, toAt: DAY + 10 * HOUR },
    { status: 'degraded', fromAt: DAY + 10 * HOUR, toAt: null },
  ];
  const times = {
    spans,
    observedUntil: 2 * DAY + 5 * HOUR,
    excluded: [{ from: DAY + 8 * HOUR, to: DAY + 12 * HOUR }],
  };
  expect(dayFacts(times, DAYS, { createdAt: 6 * HOUR, now: 2 * DAY + 6 * HOUR })).toEqual([
    { ...DAYS[0], ...NOTHING, beforeMs: 6 * HOUR, upMs: 12 * HOUR, unobservedMs: 6 * HOUR },
    {
      ...DAYS[1],
      ...NOTHING,
      upMs: 6 * HOUR,
      downMs: 2 * HOUR,
      excludedMs: 2 * HOUR,
      degradedMs: 14 * HOUR,
      maintenanceMs: 4 * HOUR,
    },
    { ...DAYS[2], ...NOTHING, degradedMs: 5 * HOUR, unobservedMs: HOUR, futureMs: 18 * HOUR },
  ]);
});

test('the times of a day sum up to it [42.3]', () => {
  const times = fc.record({
    lengths: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }),
    status: fc.constantFrom('online', 'offline', 'degraded', 'unobserved'),
    observedUntil: fc.option(fc.integer({ min: 0, max: 72 })),
    windows: fc.array(fc.tuple(fc.integer({ min: 0, max: 72 }), fc.integer({ min: 0, max: 30 }))),
    createdAt: fc.integer({ min: 0, max: 80 }),
    now: fc.integer({ min: 0, max: 80 }),
  });
  fc.assert(
    fc.property(times, ({ lengths, status, observedUntil, windows, createdAt, now }) => {
      let at = 0;
      const spans = lengths.map((length, index): Span => {
        const fromAt = at * HOUR;
        at += length;
        return { status: index % 2 ? status : 'online', fromAt, toAt: at * HOUR };
      });
      const service: ServiceTimes = {
        spans,
        observedUntil: observedUntil === null ? null : observedUntil * HOUR,
        excluded: windows.map(([from, length]) => ({
          from: from * HOUR,
          to: (from + length) * HOUR,
        })),
      };
      for (const day of dayFacts(service, DAYS, { createdAt: createdAt * HOUR, now: now * HOUR })) {
        const { from, to, maintenanceMs, isImported, ...parts } = day;
        expect(isImported).toBeUndefined();
        expect(Object.values(parts).every((part) => part >= 0)).toBe(true);
        expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(to - from);
        expect(maintenanceMs).toBeLessThanOrEqual(to - from - day.beforeMs - day.futureMs);
        expect(day.excludedMs).toBeLessThanOrEqual(maintenanceMs);
      }
    }),
  );
});

test('equal days are one object', () => {
  const share = createDaySharing();
  const times = { spans: [], observedUntil: null, excluded: [] };
  const when = { createdAt: 0, now: 3 * DAY };
  const [one, other] = [dayFacts(times, DAYS, when), dayFacts(times, DAYS, when)];
  expect(one.map(share)[0]).toBe(other.map(share)[0]);
});

const seen = (upSeconds: number, downSeconds: number) => ({ upSeconds, downSeconds });

test('a day from before the monitor is replaced by what another service saw of it [46.20]', () => {
  const times = { spans: [], observedUntil: null, excluded: [] };
  const days = dayFacts(times, DAYS, { createdAt: DAY + 6 * HOUR, now: 2 * DAY });
  const day = { ...DAYS[0], ...NOTHING, isImported: true };
  const of = (...imported: [number, ReturnType<typeof seen>][]) =>
    withImported(days, new Map(imported), 'UTC');
  expect(of([0, seen(80_000, 400)])[0]).toEqual({
    ...day,
    upMs: 80_000_000,
    downMs: 400_000,
    unobservedMs: 6_000_000,
  });
  // It never is longer than the day is here.
  expect(of([0, seen(86_400, 90_000)])[0]).toEqual({ ...day, downMs: DAY });
  expect(of([0, seen(90_000, 3_600)])[0]).toEqual({ ...day, upMs: 23 * HOUR, downMs: HOUR });
  // The day on which the monitor was created is ours, as is one without import.
  expect(of([1, seen(86_400, 0)], [7, seen(86_400, 0)])).toEqual(days);
});

test('the date of an imported day is that of the zone of the page [46.20]', () => {
  const date = Date.UTC(2030, 5, 1);
  const from = date - 2 * HOUR;
  const later = date + 90 * DAY;
  const days = dayFacts(
    { spans: [], observedUntil: null, excluded: [] },
    [{ from, to: from + DAY }],
    { createdAt: later, now: later },
  );
  const inBerlin = (at: number) =>
    withImported(days, new Map([[at / DAY, seen(86_400, 0)]]), 'Europe/Berlin')[0];
  expect(inBerlin(date)).toMatchObject({ from, upMs: DAY, isImported: true });
  expect(inBerlin(date - DAY)).toEqual(days[0]);
});
