import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Span } from '../../engine/history/uptime.ts';
import type { OverviewIncident } from '../../store/resources/monitor-overview.ts';
import { lastSpanId, mergeSpans, NO_SPANS, spansOf } from './monitor-entry.ts';
import {
  barOf,
  barStart,
  SLOT_MS,
  SLOTS,
  statusSince,
  viewNewest,
  worstIncident,
} from './overview-rules.ts';
import { targetOf } from '../../monitor-types/registry.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2030, 0, 1, 12, 10);
const FROM = barStart(NOW);
const CREATED = FROM - 1;

const span = (status: Span['status'], from: number, to: number | null): Span => ({
  status,
  fromAt: FROM + from * SLOT_MS,
  toAt: to === null ? null : FROM + to * SLOT_MS,
});
const window = (from: number, to: number) => ({
  from: FROM + from * SLOT_MS,
  to: FROM + to * SLOT_MS,
});
const usual = {
  spans: [span('online', -5, null)],
  observedUntil: NOW,
  excluded: [] as { from: number; to: number }[],
  createdAt: CREATED,
  isPaused: false,
  from: FROM,
  now: NOW,
};

const of = (failure: 'no_probe' | 'http_status' | null, responseTimeMs: number | null) => ({
  failure,
  responseTimeMs,
});

const stored = (id: number, status: Span['status'], fromAt: number, toAt: number | null) => ({
  id,
  monitorId: 1,
  status,
  fromAt,
  toAt,
});

test('the last slot of a bar contains the present', () => {
  expect(new Date(FROM).toISOString()).toBe('2029-12-31T12:30:00.000Z');
  expect(barStart(FROM + SLOTS * SLOT_MS)).toBe(FROM + SLOT_MS);
  expect(barStart(FROM + SLOTS * SLOT_MS - 1)).toBe(FROM);
});

test.each<[string, Partial<typeof usual>, string]>([
  ['up', {}, 'u'.repeat(48)],
  ['never observed', { spans: [], observedUntil: null as never }, '?'.repeat(48)],
  [
    'down for a moment',
    { spans: [span('online', 0, 10.2), span('offline', 10.2, 10.3), span('online', 10.3, null)] },
    `${'u'.repeat(10)}d${'u'.repeat(37)}`,
  ],
  [
    'degraded, and down over the edge of a slot',
    { spans: [span('degraded', -1, 2), span('offline', 2, 4.5), span('online', 4.5, null)] },
    `wwddd${'u'.repeat(43)}`,
  ],
  [
    'down in maintenance, and after it',
    {
      spans: [span('online', 0, 5), span('offline', 5, 8), span('online', 8, null)],
      excluded: [window(4.5, 6), window(5.5, 7)],
    },
    `uuuummmd${'u'.repeat(40)}`,
  ],
  [
    'unobserved in between',
    { spans: [span('online', 0, 3), span('unobserved', 3, 5), span('online', 5, null)] },
    `uuu??${'u'.repeat(43)}`,
  ],
  ['paused', { observedUntil: FROM + 44.5 * SLOT_MS, isPaused: true }, `${'u'.repeat(45)}ppp`],
  ['silent since', { observedUntil: FROM + 44.5 * SLOT_MS }, `${'u'.repeat(45)}???`],
  [
    'created within the day',
    { spans: [span('online', 40.5, null)], createdAt: FROM + 40.4 * SLOT_MS },
    `${'-'.repeat(40)}${'u'.repeat(8)}`,
  ],
  [
    'overlapping spans',
    { spans: [span('offline', 0, 2), span('online', 1, null)] },
    `dd${'u'.repeat(46)}`,
  ],
])('bar of a monitor: %s [51.5]', (_name, changes, bar) => {
  expect(barOf({ ...usual, ...changes })).toBe(bar);
});

it('has in each slot the worst minute of it [51.5]', () => {
  const statuses = ['online', 'degraded', 'offline', 'unobserved'] as const;
  const runs = fc.array(fc.tuple(fc.constantFrom(...statuses), fc.integer({ min: 1, max: 400 })), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(runs, fc.nat(1_000), fc.nat(400), (lengths, start, length) => {
      const expected = lengths.flatMap(([status, count]) => Array(count).fill(status)) as string[];
      const spans: Span[] = [];
      let at = FROM;
      for (const [status, count] of lengths) {
        spans.push({ status, fromAt: at, toAt: at + count * MINUTE });
        at += count * MINUTE;
      }
      const excluded = [{ from: FROM + start * MINUTE, to: FROM + (start + length) * MINUTE }];
      const bar = barOf({ ...usual, spans, excluded });
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const inside = Array.from({ length: 30 }, (_, index) => slot * 30 + index).filter(
          (minute) => FROM + minute * MINUTE < NOW,
        );
        const isExcluded = (minute: number) => minute >= start && minute < start + length;
        const has = (status: string) => inside.some((minute) => expected[minute] === status);
        const isDown = inside.some(
          (minute) => expected[minute] === 'offline' && !isExcluded(minute),
        );
        const letter = isDown
          ? 'd'
          : inside.some(isExcluded)
            ? 'm'
            : has('degraded')
              ? 'w'
              : has('online')
                ? 'u'
                : '?';
        expect([slot, bar[slot]]).toEqual([slot, letter]);
      }
    }),
    { numRuns: 60 },
  );
});

test.each<[string, string, number | null, string | null]>([
  [
    'http',
    'https://user:pass@shop.example.com:8443/a/b?token=x#y',
    null,
    'shop.example.com:8443/a/b',
  ],
  ['http', 'https://shop.example.com/', null, 'shop.example.com'],
  ['http', 'https://shop.example.com\\@evil.example/x', null, 'shop.example.com/@evil.example/x'],
  ['http', 'no url', null, null],
  ['ping', 'https://user:pass@router.example.com/x?y', null, 'router.example.com'],
  ['port', 'db.example.com', 5432, 'db.example.com:5432'],
  ['port', '2001:db8::1', 22, '[2001:db8::1]:22'],
])('target of a %s monitor of %s [51.3]', (type, url, port, target) => {
  expect(targetOf(type, url, port)).toBe(target);
});

test('newest results are a letter per region and the median of those that are up [51.5]', () => {
  const newest = {
    a: of(null, 10),
    b: of(null, 21),
    c: of('http_status', 1),
    d: of('no_probe', 1),
  };
  const regions = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(viewNewest(newest, ['a', 'b', 'c', 'd', 'e'], regions)).toEqual({
    letters: 'uud??-',
    responseMs: 16,
  });
  expect(viewNewest(newest, ['b'], regions)).toEqual({ letters: '-u----', responseMs: 21 });
  expect(viewNewest({}, ['a'], ['a'])).toEqual({ letters: '?', responseMs: null });
});

test('unobserved time ends no status', () => {
  const spans = [
    span('offline', 0, 1),
    span('online', 1, 2),
    span('unobserved', 2, 3),
    span('online', 3, null),
  ];
  expect(statusSince(spans, 'online', 5)).toBe(FROM + SLOT_MS);
  expect(statusSince(spans, 'degraded', 5)).toBe(5);
  expect(statusSince([], 'pending', 5)).toBe(5);
});

test('the worst incident is by severity, acknowledgement and age [51.8]', () => {
  const base: OverviewIncident = {
    id: 1,
    monitor_id: 1,
    severity: 'critical',
    root_cause: null,
    started_at: 5,
    acknowledged_at: null,
    acknowledger: null,
  };
  const ordered: OverviewIncident[] = [
    { ...base, id: 4, started_at: 4 },
    base,
    { ...base, id: 2, started_at: 1, acknowledged_at: 9 },
    { ...base, id: 3, severity: 'warning', started_at: 0 },
  ];
  for (let first = 0; first < ordered.length; first += 1)
    expect(worstIncident(ordered.slice(first).toReversed())).toBe(ordered[first]);
  expect(worstIncident([])).toBeNull();
});

describe('spans in memory', () => {
  it('are continued by what is read again and by what is new', () => {
    const first = mergeSpans(
      NO_SPANS,
      [stored(1, 'online', 0, 10), stored(2, 'offline', 10, null)],
      0,
    );
    expect(lastSpanId(first)).toBe(2);
    const read = [stored(2, 'offline', 10, 20), stored(5, 'degraded', 20, null)];
    const next = mergeSpans(first, [stored(1, 'offline', 0, 10), ...read], 0);
    expect(spansOf(next)).toEqual([
      { status: 'online', fromAt: 0, toAt: 10 },
      { status: 'offline', fromAt: 10, toAt: 20 },
      { status: 'degraded', fromAt: 20, toAt: null },
    ]);
    expect(spansOf(mergeSpans(next, read, 0))).toEqual(spansOf(next));
    expect(spansOf(mergeSpans(next, [], 10))).toEqual(spansOf(next).slice(1));
  });
});
