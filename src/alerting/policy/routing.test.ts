import { describe, expect, test } from 'vitest';
import { targetsOf, type Route, type RoutedChannel, type RoutedMonitor } from './routing.ts';

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

const told = (routes: Route[], severity: 'critical' | 'warning' | 'info' = 'critical') =>
  targetsOf(SHOP, severity, routes, ALL).map((target) => [
    target.channel.id,
    target.afterMinutes,
    target.reminderMinutes,
  ]);

describe('who is told [30.11, 30.12, 30.13, 30.14, 30.16, 31.10]', () => {
  test.for<[string, Route[], [number, number, number | null][]]>([
    [
      'without routes the default channels, and members by their own',
      [],
      [
        [1, 0, null],
        [3, 0, null],
      ],
    ],
    ['a route names its channels', [route({ channels: [2] })], [[2, 0, null]]],
    ['a route names people', [route({ users: [50] })], [[3, 0, null]]],
    ['a route for the monitor', [route({ monitors: [7], channels: [2] })], [[2, 0, null]]],
    ['a route for its group', [route({ groups: [3], channels: [2] })], [[2, 0, null]]],
    ['a route for the group above', [route({ groups: [1], channels: [2] })], [[2, 0, null]]],
    ['a route for a tag of it', [route({ tags: ['prod'], channels: [2] })], [[2, 0, null]]],
    [
      'tags have a case',
      [route({ tags: ['Prod'], channels: [2] })],
      [
        [1, 0, null],
        [3, 0, null],
      ],
    ],
    [
      'a route for others does not match',
      [route({ monitors: [8], channels: [2] })],
      [
        [1, 0, null],
        [3, 0, null],
      ],
    ],
    [
      'a route for other severities does not match',
      [route({ severities: ['info'], channels: [2] })],
      [
        [1, 0, null],
        [3, 0, null],
      ],
    ],
    [
      'all that match count',
      [route({ channels: [2] }), route({ channels: [1], reminderMinutes: 30 })],
      [
        [2, 0, null],
        [1, 0, 30],
      ],
    ],
    [
      'of two the earlier and the more frequent',
      [
        route({ channels: [2], reminderMinutes: 60 }),
        route({
          escalation: [{ after_minutes: 5, channels: [2], users: [] }],
          reminderMinutes: 10,
        }),
      ],
      [[2, 0, 10]],
    ],
    [
      'escalation steps come later',
      [route({ channels: [1], escalation: [{ after_minutes: 10, channels: [2], users: [50] }] })],
      [
        [1, 0, null],
        [2, 10, null],
        [3, 10, null],
      ],
    ],
    [
      'a route that names nobody who is there counts as none',
      [route({ channels: [99], users: [98] })],
      [
        [1, 0, null],
        [3, 0, null],
      ],
    ],
  ])('%s', ([, routes, expected]) => expect(told(routes)).toEqual(expected));

  test("a channel's own severities hold in any case [30.15]", () => {
    expect(told([route({ channels: [1, 2] })], 'info')).toEqual([]);
  });
});
