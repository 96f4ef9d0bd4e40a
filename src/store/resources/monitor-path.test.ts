import { expect, test } from 'vitest';
import { choosePath, choosePathOfCount } from './monitor-path.ts';
import { NO_FILTER, type MonitorFilter, type MonitorSort, type Paging } from './monitors.ts';

const NEWEST: Paging<MonitorSort> = { sort: 'created_at', direction: 'desc', limit: 20, offset: 0 };
const team = 100_000;

test.each<[string, Partial<MonitorFilter>, Partial<Paging<MonitorSort>>, number, object]>([
  ['the newest', {}, {}, team, { by: 'order', from: 'monitor', steps: 20 }],
  ['a deep page', {}, { offset: 90_000 }, team, { by: 'order', steps: 90_020 }],
  ['by status', {}, { sort: 'status' }, team, { by: 'order', from: 'monitor_state', steps: 20 }],
  ['by the last check', {}, { sort: 'last_checked_at' }, team, { by: 'scan', steps: team }],
  ['a frequent type', { type: 'http' }, {}, 50_000, { by: 'order', from: 'monitor', steps: 40 }],
  ['a rare type', { type: 'cron' }, {}, 30, { by: 'filter', from: 'monitor', steps: 30 }],
  [
    'a rare status',
    { status: 'offline' },
    {},
    9,
    { by: 'filter', from: 'monitor_state', steps: 9 },
  ],
  ['a status without any', { status: 'offline' }, {}, 0, { by: 'filter', steps: 0 }],
  [
    'a rare status by the last check',
    { status: 'offline' },
    { sort: 'last_checked_at' },
    900,
    { by: 'filter', from: 'monitor_state', steps: 900 },
  ],
  [
    'a status that may be rare at one end of the urls',
    { status: 'offline' },
    { sort: 'url' },
    3_000,
    { by: 'filter', from: 'monitor_state', steps: 3_000 },
  ],
  ['past the end', { type: 'http' }, { offset: 1e15 }, 50_000, { by: 'filter', steps: 50_000 }],
])('%s', (_name, filter, paging, matching, expected) => {
  const path = choosePath(
    { ...NO_FILTER, ...filter },
    { ...NEWEST, ...paging },
    { team, matching },
  );
  expect(path).toMatchObject(expected);
});

test.each([
  [70_000, 75_000, { by: 'scan', from: 'monitor', steps: team, isByOthers: false }],
  [92_000, 70_000, { by: 'filter', from: 'monitor_state', steps: 8_000, isByOthers: true }],
  [300, 70_000, { by: 'filter', from: 'monitor_state', steps: 300, isByOthers: false }],
  [90_000, 200, { by: 'filter', from: 'monitor', steps: 200, isByOthers: false }],
  // Estimates may be older than each other.
  [team + 1, 70_000, { by: 'filter', from: 'monitor_state', steps: 0, isByOthers: true }],
])('%i of a status and %i of the rest are counted', (ofStatus, ofRest, expected) => {
  expect(choosePathOfCount({ team, ofStatus, ofRest })).toEqual(expected);
});
