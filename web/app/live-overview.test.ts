import { expect, test } from 'vitest';
import { applyToOverview } from './live-overview.ts';
import type { MonitorOverview, OverviewMonitor } from './api.gen.ts';

const BAR = 'u'.repeat(48);
const SHOP: OverviewMonitor = {
  id: 1,
  name: 'Shop',
  type: 'http',
  status: 'online',
  since: 100,
  bar: BAR,
};
const BLOG: OverviewMonitor = { ...SHOP, id: 2, name: 'Blog' };

function overviewOf(...monitors: OverviewMonitor[]): MonitorOverview {
  return {
    generated_at: '2030-01-01T00:00:00.000Z',
    slot_minutes: 30,
    bar_starts_at: '2029-12-31T00:00:00.000Z',
    regions: [],
    groups: [],
    monitors,
  };
}

const STATUS = {
  monitor_id: 1,
  status: 'offline',
  is_paused: false,
  in_maintenance: false,
  since: '1970-01-01T00:10:00.500Z',
  cause: 'HTTP 503',
};

test.each([
  ['goes down', SHOP, {}, { ...SHOP, status: 'offline', since: 600 }],
  ['has no result yet', SHOP, { status: 'pending', since: null }, { ...SHOP, status: 'pending' }],
  [
    'is paused',
    SHOP,
    { status: 'online', is_paused: true },
    { ...SHOP, since: 600, is_paused: true },
  ],
  ['is resumed', { ...SHOP, is_paused: true }, { status: 'online' }, { ...SHOP, since: 600 }],
  [
    'is observed again',
    { ...SHOP, observed_until: 500 },
    {},
    { ...SHOP, status: 'offline', since: 600 },
  ],
  [
    'stays in maintenance',
    { ...SHOP, maintenance_until: 900 },
    { in_maintenance: true },
    { ...SHOP, status: 'offline', since: 600, maintenance_until: 900 },
  ],
  [
    'leaves maintenance',
    { ...SHOP, maintenance_until: 900 },
    {},
    { ...SHOP, status: 'offline', since: 600 },
  ],
] as const)('a monitor that %s', (_name, before, data, after) => {
  const event = { kind: 'status', data: { ...STATUS, ...data } };
  const next = applyToOverview(overviewOf(before, BLOG), event);
  expect(next.monitors).toEqual([after, BLOG]);
  expect(next.monitors[1]).toBe(BLOG);
});

test('a deleted monitor disappears', () => {
  const event = { kind: 'monitor', data: { id: 1, change: 'deleted' } };
  expect(applyToOverview(overviewOf(SHOP, BLOG), event).monitors).toEqual([BLOG]);
});

test.each([
  { kind: 'status', data: { ...STATUS, monitor_id: 9 } },
  { kind: 'monitor', data: { id: 9, change: 'deleted' } },
  { kind: 'monitor', data: { id: 1, change: 'updated' } },
  { kind: 'incident', data: { id: 3, monitor_id: 1, state: 'opened' } },
])('an event that it does not show leaves it as it is: %o', (event) => {
  const before = overviewOf(SHOP, BLOG);
  expect(applyToOverview(before, event)).toBe(before);
});
