import { describe, expect, test } from 'vitest';
import { targetsOf, type RoutedChannel, type Route, type RoutedMonitor } from './routing.ts';

const channel = (id: number, more: Partial<RoutedChannel> = {}): RoutedChannel => ({
  id,
  destinationId: 100 + id,
  personId: null,
  type: 'slack',
  keepsIncidents: false,
  isDefault: true,
  severities: ['critical', 'warning'],
  quietHours: null,
  ...more,
});
const route = (more: Partial<Route> = {}): Route => ({
  monitors: [],
  groups: [],
  tags: [],
  severities: ['critical', 'warning', 'info'],
  channels: [],
  users: [],
  reminderMinutes: null,
  escalation: [],
  ...more,
});
const SHOP: RoutedMonitor = { id: 7, groupIds: [3, 1], tags: ['prod'] };

const OPS = channel(1);
const DATABASES = channel(2, { isDefault: false });
const ADAS_PHONE = channel(3, { personId: 50, isDefault: false });
const ALL = [OPS, DATABASES, ADAS_PHONE];

/** `1, 2 after 10, 3 every 30`: channels, minutes until they are asked, and between reminders. */
const notified = (routes: Route[], severity: 'critical' | 'info' = 'critical') =>
  targetsOf(SHOP, severity, routes, ALL)
    .map(({ channel: { id }, afterMinutes, reminderMinutes }) => {
      const after = afterMinutes === 0 ? '' : ` after ${afterMinutes}`;
      return `${id}${after}${reminderMinutes === null ? '' : ` every ${reminderMinutes}`}`;
    })
    .join(', ');

const later = (after_minutes: number, channels: number[], users: number[] = []) => ({
  escalation: [{ after_minutes, channels, users }],
});
const EARLIER = [
  route({ channels: [2], reminderMinutes: 60 }),
  route({ ...later(5, [2]), reminderMinutes: 10 }),
];
const BOTH = [route({ channels: [2] }), route({ channels: [1], reminderMinutes: 30 })];
const NOBODY = [route({ channels: [99], users: [98] })];

describe('who is notified [30.11, 30.12, 30.13, 30.14, 30.16, 31.10]', () => {
  test.for<[string, Route[], string]>([
    ['without routes the default channels, and members by their own', [], '1, 3'],
    ['a route names its channels', [route({ channels: [2] })], '2'],
    ['a route names people', [route({ users: [50] })], '3'],
    ['a route for the monitor', [route({ monitors: [7], channels: [2] })], '2'],
    ['a route for its group', [route({ groups: [3], channels: [2] })], '2'],
    ['a route for the group above', [route({ groups: [1], channels: [2] })], '2'],
    ['a route for a tag of it', [route({ tags: ['prod'], channels: [2] })], '2'],
    ['tags have a case', [route({ tags: ['Prod'], channels: [2] })], '1, 3'],
    ['a route for others does not match', [route({ monitors: [8], channels: [2] })], '1, 3'],
    ['one for other severities', [route({ severities: ['info'], channels: [2] })], '1, 3'],
    ['all that match count', BOTH, '2, 1 every 30'],
    ['of two the earlier and the more frequent', EARLIER, '2 every 10'],
    [
      'escalation steps come later',
      [route({ channels: [1], ...later(10, [2], [50]) })],
      '1, 2 after 10, 3 after 10',
    ],
    ['a route that names nobody who is there counts as none', NOBODY, '1, 3'],
  ])('%s', ([, routes, expected]) => expect(notified(routes)).toBe(expected));

  test("a channel's own severities hold in any case [30.15]", () => {
    expect(notified([route({ channels: [1, 2] })], 'info')).toBe('');
  });
});
