import { describe, expect, test } from 'vitest';
import type { OverviewMonitor } from '../../app/api.gen.ts';
import { NO_FILTER, type Filter, type Sort } from './filter.ts';
import {
  countByStatus,
  displayStatusOfAll,
  filterRows,
  groupsBelow,
  linesOf,
  rowsOf,
  sortRows,
  votesNow,
  type Line,
} from './rows.ts';

const BASE: Omit<OverviewMonitor, 'id' | 'name'> = {
  since: 0,
  type: 'http',
  status: 'online',
  bar: 'u',
};
const GROUPS = [
  { id: 10, name: 'Shops' },
  { id: 11, name: 'EU', parent_id: 10 },
  { id: 12, name: 'Data' },
];
const MONITORS: OverviewMonitor[] = [
  { ...BASE, id: 1, name: 'Shop', group_id: 10, tags: ['prod'], response_ms: 90, uptime_90d: 99 },
  { ...BASE, id: 2, name: 'Shop 2', group_id: 11, status: 'offline', target: 'eu.example.com' },
  {
    ...BASE,
    id: 3,
    name: 'api',
    type: 'port',
    status: 'degraded',
    response_ms: 900,
    uptime_90d: 98,
  },
  { ...BASE, id: 4, name: 'Old', status: 'offline', is_paused: true, tags: ['prod', 'eu'] },
  { ...BASE, id: 5, name: 'Redis', status: 'offline', maintenance_until: 9, group_id: 12 },
  { ...BASE, id: 6, name: 'New', status: 'pending', type: 'cron' },
];
const ROWS = rowsOf({ monitors: MONITORS });
const idsOf = (rows: readonly { monitor: OverviewMonitor }[]) =>
  rows.map(({ monitor }) => monitor.id);

test('a monitor that did not change keeps its row', () => {
  const next = rowsOf({ monitors: MONITORS.with(1, { ...MONITORS[1]!, status: 'online' }) });
  expect(next.map((row, index) => row === ROWS[index])).toEqual([
    true,
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(next[1]?.displayStatus).toBe('online');
});

test('pausing and maintenance come before what was seen', () => {
  expect(ROWS.map(({ displayStatus }) => displayStatus)).toEqual([
    'online',
    'offline',
    'degraded',
    'paused',
    'maintenance',
    'pending',
  ]);
  expect(countByStatus(ROWS)).toEqual({
    online: 1,
    offline: 1,
    degraded: 1,
    pending: 1,
    paused: 1,
    maintenance: 1,
    unknown: 0,
  });
});

describe('a filter', () => {
  test.each<[Partial<Filter>, number[]]>([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ text: 'SHOP' }, [1, 2]],
    [{ text: 'shop  example' }, [2]],
    [{ text: 'prod' }, [1, 4]],
    [{ text: '   ' }, [1, 2, 3, 4, 5, 6]],
    [{ status: 'offline' }, [2]],
    [{ status: 'maintenance' }, [5]],
    [{ status: 'paused' }, [4]],
    [{ status: 'degraded' }, [3]],
    [{ type: 'port' }, [3]],
    [{ tag: 'eu' }, [4]],
    [{ group: 10 }, [1, 2]],
    [{ group: 11 }, [2]],
    [{ group: 99 }, []],
    [{ group: 10, status: 'offline' }, [2]],
  ])('%o shows %j', (part, ids) => {
    const found = filterRows(ROWS, { ...NO_FILTER, ...part }, (id) => groupsBelow(GROUPS, id));
    expect(idsOf(found)).toEqual(ids);
  });
});

describe('the order', () => {
  test.each<[Sort, number[]]>([
    ['worst', [2, 3, 5, 6, 1, 4]],
    ['name', [3, 6, 4, 5, 1, 2]],
    ['response', [3, 1, 6, 4, 5, 2]],
    ['uptime', [3, 1, 6, 4, 5, 2]],
  ])('%s is %j', (sort, ids) => {
    expect(idsOf(sortRows(ROWS, sort))).toEqual(ids);
    expect(idsOf(sortRows(ROWS.toReversed(), sort))).toEqual(ids);
  });
});

const shown = (lines: readonly Line[]) =>
  lines.map((line) => (line.kind === 'group' ? line.name : line.row.monitor.id));

describe('the lines', () => {
  test('without groups there are no heads', () => {
    expect(shown(linesOf(ROWS, [], new Set()))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('groups come in their order, those without one last, empty ones not at all', () => {
    const groups = [...GROUPS, { id: 13, name: 'Empty' }];
    const lines = linesOf(sortRows(ROWS, 'name'), groups, new Set());
    expect(shown(lines)).toEqual(['Shops', 1, 'Shops › EU', 2, 'Data', 5, null, 3, 6, 4]);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  });

  test('a closed group has its head alone, with all its rows', () => {
    const lines = linesOf(ROWS, GROUPS, new Set([10, null]));
    expect(shown(lines)).toEqual(['Shops', 'Shops › EU', 2, 'Data', 5, null]);
    expect(lines.map((line) => line.kind === 'group' && line.rows.length)).toEqual([
      1,
      1,
      false,
      1,
      false,
      3,
    ]);
  });
});

test.each<[number[], string | null]>([
  [[], null],
  [[1, 6], 'online'],
  [[1, 4, 5], 'online'],
  [[4, 5], 'maintenance'],
  [[4, 6], 'pending'],
  [[4], 'paused'],
  [[1, 3], 'degraded'],
  [[1, 2, 3], 'offline'],
])('monitors %j together are %s', (ids, displayStatus) => {
  expect(displayStatusOfAll(ROWS.filter(({ monitor }) => ids.includes(monitor.id)))).toBe(
    displayStatus,
  );
});

test.each([
  [{}, 'ud?'],
  [{ maintenance_until: 9 }, 'ud?'],
  [{ is_paused: true as const }, '???'],
  [{ observed_until: 9 }, '???'],
  [{ observed_until: 9, maintenance_until: 19 }, '???'],
  [{ regions: undefined }, undefined],
])('votes of a monitor with %o are now %s', (change, votes) => {
  expect(votesNow({ regions: 'ud?', ...change })).toBe(votes);
});
