import { expect, test } from 'vitest';
import { errorsByPlace, jobsOf, placesOf, rowsOf, selectedOf } from './selection.ts';

const DOCUMENT = {
  name: 'old',
  groups: [
    { key: 'shop', name: 'Shop' },
    { key: 'eu', name: 'Europe', parent_id: 'shop' },
  ],
  monitors: [
    { key: 'a', friendly_name: 'A', url: 'https://a.example', group_id: 'eu' },
    { key: 'b', url: 'https://b.example', depends_on: ['a'] },
    { key: 'job', monitor_type: 'heartbeat', friendly_name: 'Job', ping_aliases: ['/ping/1'] },
  ],
  alert_channels: [{ key: 'chat', type: 'slack', name: 'Chat' }],
  alert_routes: [
    { key: 'about-a', name: 'About A', monitors: ['a'], channels: ['chat'] },
    {
      key: 'both',
      name: 'Both',
      monitors: ['a'],
      groups: ['eu'],
      users: ['ada@example.com'],
      escalation: [{ after_minutes: 5, channels: ['chat'] }],
    },
  ],
  status_pages: [
    {
      key: 'page',
      name: 'Page',
      monitors: [{ id: 'a', label: 'Shop' }, { id: 'b' }],
      groups: [
        { name: 'One', monitors: ['a'] },
        { name: 'Two', monitors: ['a', 'b'] },
      ],
    },
  ],
  reports: [{ key: 'monthly', name: 'Monthly', group_id: 'eu', status_page_id: 'page' }],
};

test.each<[string[], string[]]>([
  [[], []],
  // A route about both a monitor and a group stays while one of them does.
  [['monitors a'], ['alert_routes about-a']],
  [
    ['monitors a', 'groups eu'],
    ['alert_routes about-a', 'alert_routes both', 'reports monthly'],
  ],
  // A route that nobody hears of goes, but not one that loses a step.
  [['alert_channels chat'], ['alert_routes about-a']],
  [
    ['monitors a', 'monitors b'],
    ['alert_routes about-a', 'status_pages page'],
  ],
  [['status_pages page'], []],
  [['groups shop'], []],
])('without %j, %j goes, too', (leftOut, dropped) => {
  expect([...selectedOf(DOCUMENT, new Set(leftOut)).dropped].toSorted()).toEqual(dropped);
});

test('references to what is left out are cleared', () => {
  const leftOut = new Set(['monitors a', 'groups shop', 'alert_channels chat']);
  expect(selectedOf(DOCUMENT, leftOut).document).toEqual({
    name: 'old',
    groups: [{ key: 'eu', name: 'Europe' }],
    monitors: [{ ...DOCUMENT.monitors[1], depends_on: [] }, DOCUMENT.monitors[2]],
    alert_channels: [],
    alert_routes: [
      {
        key: 'both',
        name: 'Both',
        monitors: [],
        groups: ['eu'],
        users: ['ada@example.com'],
        escalation: [],
      },
    ],
    status_pages: [
      {
        key: 'page',
        name: 'Page',
        monitors: [{ id: 'b' }],
        groups: [{ name: 'Two', monitors: ['b'] }],
      },
    ],
    reports: DOCUMENT.reports,
  });
});

test('what is not left out stays as it is', () => {
  expect(selectedOf(DOCUMENT, new Set()).document).toEqual(DOCUMENT);
});

test('each thing of the source has a row, and each item that was made beside them', () => {
  const report = [
    {
      source: 'monitor 1',
      outcome: 'imported' as const,
      item: { section: 'monitors' as const, key: 'b' },
      notes: [],
    },
    { source: 'monitor 2', outcome: 'left_out' as const, item: null, notes: ['No.'] },
  ];
  const { name, monitors, groups } = DOCUMENT;
  const document = { name, groups: groups.slice(0, 1), monitors: monitors.slice(1, 2) };
  expect(rowsOf({ document, report }).map(({ source, item }) => [source, item])).toEqual([
    [
      'monitor 1',
      { place: 'monitors b', section: 'monitors', name: 'https://b.example', type: null },
    ],
    ['monitor 2', null],
    ['Shop', { place: 'groups shop', section: 'groups', name: 'Shop', type: null }],
  ]);
});

test('errors are shown at their items', () => {
  const { byPlace, others } = errorsByPlace(DOCUMENT, {
    'monitors.1.url': ['monitors.1.url must be an http or https URL.'],
    'monitors.1': ['monitors.1 refers to itself: b → b.'],
    'monitors.9.url': ['monitors.9.url is required.'],
    name: ['name must be the name of the set.'],
    monitors: ['monitors must be a list.'],
  });
  expect([...byPlace]).toEqual([
    ['monitors b', ['url must be an http or https URL.', 'refers to itself: b → b.']],
  ]);
  expect(others).toEqual([
    'monitors.9.url is required.',
    'name must be the name of the set.',
    'monitors must be a list.',
  ]);
});

test('an item that several things become is counted once', () => {
  const item = { section: 'groups', key: 'shop' } as const;
  const report = ['check 1', 'certificate 1'].map((source) => ({
    source,
    outcome: 'imported' as const,
    item,
    notes: [],
  }));
  const { name, groups } = DOCUMENT;
  const rows = rowsOf({ document: { name, groups: groups.slice(0, 1) }, report });
  expect([rows.length, placesOf(rows)]).toEqual([2, ['groups shop']]);
});

test('jobs that reported to the source', () => {
  expect(jobsOf(DOCUMENT)).toEqual([{ key: 'job', name: 'Job' }]);
});
