import { expect, it } from 'vitest';
import type { ResponseTimes } from '../../app/api.gen.ts';
import { chartOf, lonePoints, ownValue, spansOf, tableRows, type Labels } from './chart-data.ts';

const DATA: ResponseTimes = {
  monitor_id: 1,
  from: '2026-11-23T00:00:00Z',
  to: '2026-11-23T01:00:00Z',
  step_seconds: 1_200,
  aggregate: 'median',
  phase_aggregate: 'mean',
  at: ['2026-11-23T00:00:00Z', '2026-11-23T00:20:00Z', '2026-11-23T00:40:00Z'],
  regions: {
    ash: { p50: [150, null, 160], p95: [180, null, 190] },
    nbg: { p50: [90, null, 92], p95: [99, null, 120] },
  },
  all: { p50: [120, null, 125], p95: [170, null, 180], p99: [200, null, 410] },
  phases: {
    dns_ms: [4, null, 5],
    tcp_ms: [10, null, 12],
    tls_ms: [null, null, 20],
    ttfb_ms: [80, null, 90],
  },
  outages: [
    { from: '2026-11-23T00:50:00Z', to: '2026-11-23T01:00:00Z', status: 'offline' },
    { from: '2026-11-23T00:45:00Z', to: '2026-11-23T00:50:00Z', status: 'degraded' },
  ],
  maintenance: [],
  unobserved: [
    { from: '2026-11-23T00:12:00Z', to: '2026-11-23T00:30:00Z' },
    { from: '2026-11-23T00:41:00Z', to: '2026-11-23T00:42:00Z' },
  ],
  paused: [{ from: '2026-11-23T00:40:00Z', to: '2026-11-23T00:43:00Z' }],
};

const LABELS: Labels = {
  region: (code) => `in ${code}`,
  place: null,
  phases: { dns: 'DNS', tcp: 'TCP', tls: 'TLS', ttfb: 'First byte' },
  percentiles: { p50: 'half', p95: 'most', p99: 'slowest' },
};

it('draws a line for each region, with a gap where nothing was measured', () => {
  const { lines, from, to } = chartOf(DATA, 'regions', LABELS);
  expect(lines.map(({ label, values }) => [label, values])).toEqual([
    ['in ash', [150, null, 160]],
    ['in nbg', [90, null, 92]],
  ]);
  expect(to - from).toBe(3_600);
  expect(new Set(lines.map(({ color, dash }) => `${color} ${dash.join()}`)).size).toBe(2);
});

it('draws regions that share a place as one line', () => {
  const { lines } = chartOf(DATA, 'regions', { ...LABELS, place: 'From the office' });
  expect(lines.map(({ label, values }) => [label, values])).toEqual([
    ['From the office', [120, null, 125]],
  ]);
});

it('stacks the phases, the highest first, and knows the value of each', () => {
  const { lines } = chartOf(DATA, 'phases', LABELS);
  expect(lines.map(({ label, values }) => [label, values])).toEqual([
    ['First byte', [94, null, 127]],
    ['TLS', [14, null, 37]],
    ['TCP', [14, null, 17]],
    ['DNS', [4, null, 5]],
  ]);
  expect(lines.map((_, line) => ownValue(lines, line, 2))).toEqual([90, 20, 12, 5]);
  expect(ownValue(lines, 0, 1)).toBeNull();
});

it('draws percentiles with an area from the median to the 95th', () => {
  const { lines, bands } = chartOf(DATA, 'percentiles', LABELS);
  expect(bands.map(([upper, lower]) => [lines[upper]!.key, lines[lower]!.key])).toEqual([
    ['p95', 'p50'],
  ]);
  const p99 = lines.find(({ key }) => key === 'p99');
  expect([p99?.shape, p99?.dots]).toEqual(['dots', [2]]);
});

it('shows a pause as a pause, and outages last', () => {
  expect(spansOf(DATA).map(({ kind }) => kind)).toEqual([
    'unobserved',
    'paused',
    'outage',
    'degraded',
  ]);
});

it('does not say when an outage began that is older than the chart', () => {
  const outages = [{ from: DATA.from, to: DATA.to, status: 'offline' as const }];
  const spans = spansOf({ ...DATA, unobserved: [], paused: [], outages });
  expect(spans.map(({ kind, isCut }) => [kind, isCut])).toEqual([['outage', true]]);
});

it.each([
  [[1, 2, 3], []],
  [
    [1, null, 3],
    [0, 2],
  ],
  [[null, 2, null, 4, 5], [1]],
  [[], []],
])('finds the points of %j that no line shows', (values, lone) => {
  expect(lonePoints(values)).toEqual(lone);
});

it.each([
  [0, 5, []],
  [3, 5, [2, 1, 0]],
  [10, 5, [9, 7, 5, 3, 1]],
])('of %i rows a table of at most %i has', (count, most, rows) => {
  expect(tableRows(count, most)).toEqual(rows);
});
