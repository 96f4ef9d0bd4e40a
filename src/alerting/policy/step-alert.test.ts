import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PARTLY_OVER_MS, SUCCESSOR_MS, STEADY_MS } from './changes.ts';
import { POLICIES, stepAlert } from './index.ts';
import type { Alert, AlertStep, Member, Recipient } from './contract.ts';
import type { GroupingWindows } from './timing.ts';
import type { RoutedChannel } from './routing.ts';

const NOW = Date.UTC(2030, 0, 10, 12);
const MINUTE = 60_000;

const channel = (destinationId: number, more: Partial<RoutedChannel> = {}): RoutedChannel => ({
  id: destinationId,
  destinationId,
  personId: null,
  type: 'slack',
  keepsIncidents: false,
  isDefault: true,
  severities: ['critical', 'warning', 'info'],
  quietHours: null,
  ...more,
});
const OPS = channel(1);
const NIGHT = { from: '11:00', to: '13:00', timezone: 'UTC', allow_critical: true };

const ALERT: Alert = { id: 9, kind: 'single', openedAt: NOW, sharedCause: 'a', notifiedAt: null };
const member = (incidentId: number, more: Partial<Member> = {}): Member => ({
  incidentId,
  monitorId: incidentId,
  severity: 'critical',
  startedAt: NOW - 10_000,
  endedAt: null,
  endSeenAt: more.endedAt ?? null,
  isAcknowledged: false,
  joinedAt: NOW,
  hasSuccessor: false,
  heldUntil: null,
  renotified: [],
  targets: [{ channel: OPS, afterMinutes: 0, reminderMinutes: null }],
  ...more,
});
const recipient = (destinationId: number, more: Partial<Recipient> = {}): Recipient => ({
  destinationId,
  notifiedAt: NOW,
  lastNotifiedAt: NOW,
  severity: 'critical',
  ...more,
});

function step(
  members: Member[],
  recipients: Recipient[] = [],
  {
    alert = {},
    channels = [OPS],
    windows = new Map(),
    now = NOW,
  }: {
    alert?: Partial<Alert>;
    channels?: RoutedChannel[];
    windows?: GroupingWindows;
    now?: number;
  } = {},
): AlertStep {
  const byDestination = new Map(channels.map((one) => [one.destinationId, one]));
  const reach = { channels: byDestination, windows };
  const known = { alert: { ...ALERT, ...alert }, members, recipients };
  return stepAlert(known, reach, POLICIES, now);
}
const said = ({ notifications }: AlertStep) =>
  notifications.map(({ destinationId, kind, incidentIds }) => [destinationId, kind, incidentIds]);
const routed = (
  one: RoutedChannel,
  more: { afterMinutes?: number; reminderMinutes?: number } = {},
) => ({
  targets: [{ channel: one, afterMinutes: 0, reminderMinutes: null, ...more }],
});

describe('what begins', () => {
  test('is notified at once, and then there is nothing to wait for [31.1]', () => {
    const first = step([member(1)]);
    expect(said(first)).toEqual([[1, 'alarm', [1]]]);
    expect(first).toMatchObject({ notifiedAt: NOW, overAt: null, nextAt: null });
  });

  test('is notified once [31.2]', () => {
    expect(said(step([member(1)], [recipient(1)], { now: NOW + MINUTE }))).toEqual([]);
  });

  test('waits where its channel was just notified of something else [32.1]', () => {
    const windows = new Map([[1, { openedAt: NOW - 10_000, severity: 'critical' as const }]]);
    const waiting = step([member(1)], [], { windows });
    expect(waiting).toMatchObject({ notifications: [], opened: [], overAt: null });
    expect(waiting.nextAt).toBe(NOW + 20_000);
    const sent = step([member(1)], [], { windows, now: NOW + 20_000 });
    expect(said(sent)).toEqual([[1, 'alarm', [1]]]);
    expect(sent.opened).toEqual([{ destinationId: 1, severity: 'critical' }]);
  });

  test('does not wait behind something less severe, nor where another channel was notified [32.2]', () => {
    const warned = new Map([[1, { openedAt: NOW, severity: 'warning' as const }]]);
    expect(said(step([member(1)], [], { windows: warned }))).toHaveLength(1);
    expect(said(step([member(1, { severity: 'warning' })], [], { windows: warned }))).toEqual([]);
    const other = new Map([[2, { openedAt: NOW, severity: 'critical' as const }]]);
    expect(said(step([member(1)], [], { windows: other }))).toHaveLength(1);
  });

  test('and is over before anybody was notified, is notified to nobody [31.3, 32.6]', () => {
    const windows = new Map([[1, { openedAt: NOW, severity: 'critical' as const }]]);
    const over = step([member(1, { endedAt: NOW })], [], { windows });
    expect(over).toMatchObject({ notifications: [], overAt: NOW, nextAt: null });
  });

  test('is held as long as its monitor is', () => {
    const held = step([member(1, { heldUntil: NOW + 15_000 })]);
    expect(held).toMatchObject({ notifications: [], overAt: null, nextAt: NOW + 15_000 });
  });

  test('of several each channel is notified of what concerns it', () => {
    const databases = channel(2);
    const both = [member(1), member(2, routed(databases))];
    expect(said(step(both, [], { channels: [OPS, databases] }))).toEqual([
      [1, 'alarm', [1]],
      [2, 'alarm', [2]],
    ]);
  });
});

describe('quiet hours', () => {
  const sleeper = channel(1, { quietHours: { ...NIGHT, allow_critical: false } });
  const until = NOW + 60 * MINUTE;

  test('postpone notifications [31.17]', () => {
    const put = step([member(1, routed(sleeper))], [], { channels: [sleeper] });
    expect(put).toMatchObject({ notifications: [], notifiedAt: null, nextAt: until });
    expect(
      said(step([member(1, routed(sleeper))], [], { channels: [sleeper], now: until })),
    ).toEqual([[1, 'alarm', [1]]]);
  });

  test('let through what is critical', () => {
    const waking = channel(1, { quietHours: NIGHT });
    expect(said(step([member(1, routed(waking))], [], { channels: [waking] }))).toHaveLength(1);
    const warning = member(1, { severity: 'warning', ...routed(waking) });
    expect(step([warning], [], { channels: [waking] })).toMatchObject({
      notifications: [],
      nextAt: until,
    });
  });

  test('put off that it is over, but not where an incident of the provider is to be closed [31.20]', () => {
    const over = member(1, { endedAt: NOW, ...routed(sleeper) });
    expect(step([over], [recipient(1)], { channels: [sleeper] })).toMatchObject({
      notifications: [],
      overAt: null,
      nextAt: until,
    });
    const keeper = { ...sleeper, keepsIncidents: true };
    const closed = step([{ ...over, ...routed(keeper) }], [recipient(1)], { channels: [keeper] });
    expect(said(closed)).toEqual([[1, 'recovery', [1]]]);
    expect(closed.overAt).toBe(NOW);
  });

  test('that outlast the problem leave nothing to notify', () => {
    const over = member(1, { endedAt: NOW, ...routed(sleeper) });
    expect(step([over], [], { channels: [sleeper] })).toMatchObject({
      notifications: [],
      overAt: NOW,
    });
  });
});

describe('while it goes on', () => {
  const nagged = routed(OPS, { reminderMinutes: 30 });

  test('reminders come until somebody acknowledges it [31.7]', () => {
    expect(step([member(1, nagged)])).toMatchObject({ nextAt: NOW + 30 * MINUTE });
    const early = step([member(1, nagged)], [recipient(1)], { now: NOW + 29 * MINUTE });
    expect(early).toMatchObject({ notifications: [], nextAt: NOW + 30 * MINUTE });
    const due = step([member(1, nagged)], [recipient(1)], { now: NOW + 30 * MINUTE });
    expect(said(due)).toEqual([[1, 'reminder', [1]]]);
    expect(due.nextAt).toBe(NOW + 60 * MINUTE);
    const heard = step([member(1, { ...nagged, isAcknowledged: true })], [recipient(1)], {
      now: NOW + 30 * MINUTE,
    });
    expect(heard).toMatchObject({ notifications: [], nextAt: null });
  });

  test('escalation follows when nobody has acknowledged it by then [31.8]', () => {
    const boss = channel(2);
    const asked = member(1, {
      targets: [
        { channel: OPS, afterMinutes: 0, reminderMinutes: null },
        { channel: boss, afterMinutes: 10, reminderMinutes: null },
      ],
    });
    const channels = [OPS, boss];
    const first = step([asked], [], { channels });
    expect(said(first)).toEqual([[1, 'alarm', [1]]]);
    expect(first.nextAt).toBe(NOW + 10 * MINUTE);
    const told = { alert: { notifiedAt: NOW }, channels, now: NOW + 10 * MINUTE };
    expect(said(step([asked], [recipient(1)], told))).toEqual([[2, 'escalation', [1]]]);
    const heard = step([{ ...asked, isAcknowledged: true }], [recipient(1)], told);
    expect(heard).toMatchObject({ notifications: [], nextAt: null });
  });

  test('what gets worse is notified again', () => {
    const worse = [
      member(1, { severity: 'warning', endedAt: NOW + MINUTE, hasSuccessor: true }),
      member(2, { joinedAt: NOW + MINUTE }),
    ];
    const knew = [recipient(1, { severity: 'warning' })];
    expect(said(step(worse, knew, { now: NOW + MINUTE }))).toEqual([[1, 'alarm', [2]]]);
  });

  test('a reminder of the rest does not make what was acknowledged news', () => {
    const first = member(1, { ...nagged, isAcknowledged: true });
    const rest = member(2, { ...nagged, severity: 'warning' });
    const due = step([first, rest], [recipient(1)], { now: NOW + 30 * MINUTE });
    expect(said(due)).toEqual([[1, 'reminder', [2]]]);
    const { severity } = due.notifications[0]!;
    const reminded = [recipient(1, { severity, lastNotifiedAt: NOW + 30 * MINUTE })];
    expect(said(step([first, rest], reminded, { now: NOW + 31 * MINUTE }))).toEqual([]);
  });

  test('what joins after it was acknowledged gives people their time before others are asked', () => {
    const boss = channel(2);
    const asked = {
      targets: [
        { channel: OPS, afterMinutes: 0, reminderMinutes: null },
        { channel: boss, afterMinutes: 10, reminderMinutes: null },
      ],
    };
    const known = member(1, { ...asked, isAcknowledged: true });
    const joined = member(2, { ...asked, joinedAt: NOW + 30 * MINUTE });
    const at = (now: number) =>
      step([known, joined], [recipient(1, { lastNotifiedAt: NOW + 30 * MINUTE })], {
        alert: { notifiedAt: NOW },
        channels: [OPS, boss],
        now,
      });
    expect(at(NOW + 30 * MINUTE)).toMatchObject({ notifications: [], nextAt: NOW + 40 * MINUTE });
    expect(said(at(NOW + 40 * MINUTE))).toEqual([[2, 'escalation', [2]]]);
  });

  test('what becomes something lesser is an update, and no recovery', () => {
    const lesser = [
      member(1, { endedAt: NOW + MINUTE, hasSuccessor: true }),
      member(2, { severity: 'warning', joinedAt: NOW + MINUTE }),
    ];
    expect(said(step(lesser, [recipient(1)], { now: NOW + MINUTE }))).toEqual([
      [1, 'update', [1, 2]],
    ]);
  });

  test('what becomes something that others are notified of has not recovered until that has [31.5]', () => {
    const boss = channel(2);
    const lesser = { severity: 'warning' as const, endedAt: NOW + MINUTE, hasSuccessor: true };
    const worse = member(2, { monitorId: 1, joinedAt: NOW + MINUTE, ...routed(boss) });
    const at = (now: number, last: Member) =>
      said(
        step([member(1, lesser), last], [recipient(1), recipient(2)], {
          channels: [OPS, boss],
          now,
        }),
      );
    expect(at(NOW + 9 * MINUTE, { ...worse, joinedAt: NOW })).toEqual([]);
    expect(at(NOW + 9 * MINUTE, { ...worse, endedAt: NOW, endSeenAt: NOW })).toEqual([
      [1, 'recovery', [1]],
      [2, 'recovery', [2]],
    ]);
  });

  test('what became another that never came is over after a moment', () => {
    const lost = [member(1, { endedAt: NOW, hasSuccessor: true })];
    expect(step(lost, [recipient(1)])).toMatchObject({
      notifications: [],
      nextAt: NOW + SUCCESSOR_MS,
    });
    expect(said(step(lost, [recipient(1)], { now: NOW + SUCCESSOR_MS }))).toEqual([
      [1, 'recovery', [1]],
    ]);
  });

  test('a storm that is over in part has an update, once that has settled [32.12]', () => {
    const partly = [member(1, { endedAt: NOW + MINUTE }), member(2)];
    const told = [recipient(1)];
    const storm = { alert: { kind: 'storm' as const, notifiedAt: NOW } };
    expect(step(partly, told, { ...storm, now: NOW + MINUTE })).toMatchObject({
      notifications: [],
      nextAt: NOW + MINUTE + PARTLY_OVER_MS,
    });
    // What ends in between does not put it off.
    const more = [...partly, member(3, { endedAt: NOW + PARTLY_OVER_MS })];
    const settled = step(more, told, { ...storm, now: NOW + MINUTE + PARTLY_OVER_MS });
    expect(said(settled)).toEqual([[1, 'update', [1, 3, 2]]]);
  });

  test('what was found to be over after a notification that it goes on is news, whenever it ended', () => {
    const partly = [member(1, { endedAt: NOW - 5_000, endSeenAt: NOW + 5_000 }), member(2)];
    const storm = { alert: { kind: 'storm' as const, notifiedAt: NOW } };
    const settled = step(partly, [recipient(1)], { ...storm, now: NOW + 5_000 + PARTLY_OVER_MS });
    expect(said(settled)).toEqual([[1, 'update', [1, 2]]]);
  });

  test('what was acknowledged and gets worse is notified again, and escalated, too [31.6]', () => {
    const boss = channel(2);
    const asked = {
      targets: [
        { channel: OPS, afterMinutes: 0, reminderMinutes: null },
        { channel: boss, afterMinutes: 10, reminderMinutes: null },
      ],
    };
    const over = { endedAt: NOW + MINUTE, hasSuccessor: true, isAcknowledged: true };
    const worse = [
      member(1, { severity: 'warning', ...over, ...asked }),
      member(2, { monitorId: 1, joinedAt: NOW + MINUTE, ...asked }),
    ];
    const at = (now: number, told: Recipient) =>
      step(worse, [told], { alert: { notifiedAt: NOW }, channels: [OPS, boss], now });
    const alarm = at(NOW + MINUTE, recipient(1, { severity: 'warning' }));
    expect(said(alarm)).toEqual([[1, 'alarm', [2]]]);
    const told = recipient(1, { lastNotifiedAt: NOW + MINUTE });
    expect(said(at(NOW + 10 * MINUTE, told))).toEqual([]);
    expect(said(at(NOW + 11 * MINUTE, told))).toEqual([[2, 'escalation', [2]]]);
  });

  test('escalation counts from when the first are notified, however long it was held [31.9]', () => {
    const boss = channel(2);
    const freed = member(1, {
      targets: [
        { channel: boss, afterMinutes: 10, reminderMinutes: null },
        { channel: OPS, afterMinutes: 0, reminderMinutes: null },
      ],
    });
    const late = NOW + 120 * MINUTE;
    const told = step([freed], [], { channels: [boss, OPS], now: late });
    expect(said(told)).toEqual([[1, 'alarm', [1]]]);
    expect(told).toMatchObject({ notifiedAt: late, nextAt: late + 10 * MINUTE });
    // Where the first have quiet hours, somebody is to hear of it all the same.
    const asleep = channel(1, { quietHours: { ...NIGHT, to: '20:00', allow_critical: false } });
    const night = step(
      [member(1, { targets: [freed.targets[0]!, { ...freed.targets[1]!, channel: asleep }] })],
      [],
      { channels: [boss, asleep], now: NOW + 10 * MINUTE },
    );
    expect(said(night)).toEqual([[2, 'escalation', [1]]]);
  });
});

describe('what joins a storm', () => {
  const storm = { alert: { kind: 'storm' as const, notifiedAt: NOW }, now: NOW + 20_000 };
  const both = [member(1), member(2, { joinedAt: NOW + 10_000 })];

  test('waits for the window of its channel, and starts another one', () => {
    const windows = new Map([[1, { openedAt: NOW, severity: 'critical' as const }]]);
    expect(step(both, [recipient(1)], { ...storm, windows })).toMatchObject({
      notifications: [],
      nextAt: NOW + 30_000,
    });
    const sent = step(both, [recipient(1)], { ...storm, windows, now: NOW + 30_000 });
    expect(said(sent)).toEqual([[1, 'update', [1, 2]]]);
    expect(sent.opened).toEqual([{ destinationId: 1, severity: 'critical' }]);
  });

  test('an update that only says what is over starts none', () => {
    const partly = [member(1, { endedAt: NOW + 1 }), member(2)];
    const few = { alert: { ...storm.alert, sharedCause: null }, now: NOW + 31_000 };
    const sent = step(partly, [recipient(1)], few);
    expect(said(sent)).toEqual([[1, 'update', [1, 2]]]);
    expect(sent.opened).toEqual([]);
  });
});

describe('what is over of a storm whose rest goes on', () => {
  const storm = { alert: { kind: 'storm' as const, notifiedAt: NOW } };
  const ended = { endedAt: NOW + MINUTE };
  const over = (id: number, more: Partial<Member> = {}) => member(id, { ...ended, ...more });
  const nagged = (id: number, more: Partial<Member> = {}) =>
    member(id, { ...routed(OPS, { reminderMinutes: 5 }), ...more });
  const warned = recipient(1, { severity: 'warning' });

  test.for<[string, Member[], Recipient, [string, number[]][]]>([
    ['is notified with what gets worse', [over(1), member(2)], warned, [['alarm', [1, 2]]]],
    [
      'is not when it got worse itself',
      [over(1, { hasSuccessor: true }), member(2)],
      warned,
      [['alarm', [2]]],
    ],
    [
      'is not where they were never notified of it',
      [over(1, { joinedAt: NOW + 1 }), member(2)],
      warned,
      [['alarm', [2]]],
    ],
    ['is part of a reminder', [over(1), nagged(2)], recipient(1), [['update', [1, 2]]]],
    [
      'is part of a reminder with what somebody knows of',
      [over(1), nagged(2), nagged(3, { isAcknowledged: true })],
      recipient(1),
      [['update', [1, 2, 3]]],
    ],
    [
      'is not where they were notified that it is down again',
      [over(1, { renotified: [1] }), nagged(2)],
      recipient(1),
      [['reminder', [2]]],
    ],
    [
      'is where others were',
      [over(1, { renotified: [2] }), nagged(2)],
      recipient(1),
      [['update', [1, 2]]],
    ],
  ])('%s', ([, members, told, expected]) => {
    const got = step(members, [told], { ...storm, now: NOW + 5 * MINUTE });
    expect(got.notifications.map(({ kind, incidentIds }) => [kind, incidentIds])).toEqual(expected);
  });

  test('is left out of the recovery where people were notified that it is down again, unless all of it is', () => {
    const again = over(1, { renotified: [1] });
    const at = { ...storm, now: NOW + MINUTE };
    expect(said(step([again, over(2)], [recipient(1)], at))).toEqual([[1, 'recovery', [2]]]);
    expect(said(step([again], [recipient(1)], at))).toEqual([[1, 'recovery', [1]]]);
  });
});

test('what is held is notified with the rest to whom it is new, where others know of it', () => {
  const late = channel(2);
  const both = { targets: [OPS, late].map((one) => routed(one).targets[0]!) };
  const held = (more: Partial<Member> = {}) =>
    member(2, { heldUntil: NOW + 9e5, ...both, ...more });
  const at = (second: Member) =>
    said(
      step([member(1, both), second], [recipient(1)], {
        alert: { kind: 'storm', notifiedAt: NOW },
        channels: [OPS, late],
        now: NOW + MINUTE,
      }),
    );
  expect(at(held())).toEqual([[2, 'alarm', [1, 2]]]);
  expect(at(held({ joinedAt: NOW + 1 }))).toEqual([[2, 'alarm', [1]]]);
  expect(at(held(routed(OPS)))).toEqual([[2, 'alarm', [1]]]);
});

test('what is opened again leaves those who come next their time, what flaps or goes on does not', () => {
  const boss = channel(2);
  const targets = [
    { channel: OPS, afterMinutes: 0, reminderMinutes: null },
    { channel: boss, afterMinutes: 10, reminderMinutes: null },
  ];
  const again = member(1, { monitorId: 1, joinedAt: NOW + 60 * MINUTE, targets });
  const at = (minutes: number, members: Member[], kind: Alert['kind'] = 'single') =>
    said(
      step(members, [recipient(1, { lastNotifiedAt: NOW + 60 * MINUTE })], {
        alert: { kind, notifiedAt: NOW },
        channels: [OPS, boss],
        now: NOW + minutes * MINUTE,
      }),
    );
  expect(at(69, [again])).toEqual([]);
  expect(at(70, [again])).toEqual([[2, 'escalation', [1]]]);
  expect(at(61, [again], 'flapping')).toEqual([[2, 'escalation', [1]]]);
  const before = member(9, { monitorId: 1, endedAt: NOW + 60 * MINUTE, hasSuccessor: true });
  expect(at(61, [again, before])).toEqual([[2, 'escalation', [1]]]);
});

describe('what is held while the rest of a storm is over', () => {
  const storm = { alert: { kind: 'storm' as const, notifiedAt: NOW }, now: NOW + MINUTE };
  const over = (id: number, more: Partial<Member> = {}) =>
    member(id, { endedAt: NOW + MINUTE, ...more });
  const held = (id: number, more: Partial<Member> = {}) =>
    member(id, { heldUntil: NOW + 2 * MINUTE, ...more });
  const unheard = { joinedAt: NOW + 1 };
  const gone = { hasSuccessor: true, endedAt: NOW + MINUTE };

  test.for<[string, Member[], [string, number[]][]]>([
    ['nobody was notified of it', [over(1), over(2), held(3, unheard)], [['recovery', [1, 2]]]],
    ['it is known', [over(1), over(2), held(3)], [['update', [1, 2, 3]]]],
    ['some of it is known', [over(1), held(2), held(3, unheard)], [['update', [1, 2]]]],
    ['and something goes on that is not held', [over(1), member(2), held(3)], []],
    ['it is all there is', [held(1), held(2)], []],
    [
      'it follows on what they were notified of',
      [over(1), over(2, gone), held(3, { monitorId: 2, ...unheard })],
      [['update', [1]]],
    ],
    [
      'it follows on what they were notified of, and the others go on',
      [over(2, gone), held(3, { monitorId: 2, ...unheard })],
      [],
    ],
    [
      'what follows is not handed on yet',
      [over(1), over(2, { ...gone, heldUntil: NOW + 9 * MINUTE })],
      [['update', [1]]],
    ],
    ['what follows comes at once', [over(1), over(2, gone)], []],
  ])('%s', ([, members, expected]) => {
    const got = step(members, [recipient(1)], storm);
    expect(got.notifications.map(({ kind, incidentIds }) => [kind, incidentIds])).toEqual(expected);
    expect(got.overAt).toBe(null);
    expect(got.nextAt).toBeGreaterThan(storm.now);
  });

  test('it comes as news when it is notified, with its own time until escalation', () => {
    const rest = [over(1), held(2, unheard)];
    const end = step(rest, [recipient(1)], storm);
    expect(end).toMatchObject({ notifiedAt: NOW, overAt: null, nextAt: NOW + 2 * MINUTE });
    const boss = channel(2);
    const targets = [
      { channel: OPS, afterMinutes: 0, reminderMinutes: null },
      { channel: boss, afterMinutes: 10, reminderMinutes: null },
    ];
    const freedAt = NOW + 60 * MINUTE;
    const at = (now: number, recipients: Recipient[]) =>
      step([over(1), member(2, { ...unheard, targets })], recipients, {
        alert: { kind: 'storm', notifiedAt: NOW },
        channels: [OPS, boss],
        now,
      });
    const freed = at(freedAt, []);
    expect(said(freed)).toEqual([[1, 'alarm', [2]]]);
    expect(freed.nextAt).toBe(freedAt + 10 * MINUTE);
    const told = [recipient(1, { notifiedAt: freedAt, lastNotifiedAt: freedAt })];
    expect(said(at(freedAt + 9 * MINUTE, told))).toEqual([]);
    expect(said(at(freedAt + 10 * MINUTE, told))).toEqual([[2, 'escalation', [2]]]);
  });

  test('of what flaps the end is not notified while it is down', () => {
    const later = { ...storm, alert: { kind: 'flapping' as const, notifiedAt: NOW } };
    const bouts = [over(1), held(2, { monitorId: 1, ...unheard, heldUntil: NOW + 99 * MINUTE })];
    const got = step(bouts, [recipient(1)], { ...later, now: NOW + STEADY_MS + MINUTE });
    expect(said(got)).toEqual([]);
  });

  test('whoever was woken is notified at night that it is over, though something lesser goes on [31.19]', () => {
    const sleeper = channel(1, { quietHours: NIGHT });
    const members = [
      over(1, routed(sleeper)),
      member(2, { severity: 'warning', ...routed(sleeper) }),
    ];
    const got = step(members, [recipient(1)], {
      alert: storm.alert,
      channels: [sleeper],
      now: NOW + MINUTE + PARTLY_OVER_MS,
    });
    expect(got.notifications).toMatchObject([{ kind: 'update', severity: 'warning' }]);
  });

  test('keeps nothing back, whatever it is', () => {
    const one = fc.record({
      monitorId: fc.integer({ min: 1, max: 3 }),
      endedAt: fc.option(fc.constant(NOW + MINUTE), { nil: null }),
      joinedAt: fc.constantFrom(NOW - MINUTE, NOW, NOW + 1),
      severity: fc.constantFrom('critical' as const, 'warning' as const),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 5 }), (lists) => {
        const members = lists.map((fields, index) =>
          member(index + 1, {
            ...fields,
            heldUntil: fields.endedAt === null ? NOW + 2 * MINUTE : null,
          }),
        );
        const told = step(members, [recipient(1)], storm).notifications;
        const heard = new Set(told.flatMap(({ incidentIds }) => incidentIds));
        const known = members.filter(({ joinedAt }) => joinedAt <= NOW);
        for (const { endedAt, incidentId } of known)
          if (endedAt !== null) expect(heard).toContain(incidentId);
        // Nobody waits for the end of what is told to be over.
        if (told.some(({ kind }) => kind === 'recovery'))
          expect(known.every(({ endedAt }) => endedAt !== null)).toBe(true);
        for (const { incidentId, endedAt, joinedAt } of members)
          if (endedAt === null && joinedAt > NOW) expect(heard).not.toContain(incidentId);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('what ends', () => {
  test('is notified to those who were notified that it began, and to nobody else [31.4]', () => {
    const other = channel(2);
    const over = member(1, { endedAt: NOW + MINUTE });
    const end = step([over], [recipient(1)], { channels: [OPS, other], now: NOW + MINUTE });
    expect(said(end)).toEqual([[1, 'recovery', [1]]]);
    expect(end).toMatchObject({ overAt: NOW + MINUTE, nextAt: null });
  });

  test('is the only notification for those whom no route names any more', () => {
    const lesser = recipient(1, { severity: 'warning' });
    const worse = [member(1, { targets: [] }), member(2, { targets: [], joinedAt: NOW + 1 })];
    expect(said(step(worse, [lesser], { now: NOW + 60 * MINUTE }))).toEqual([]);
  });

  test('also where routes have changed meanwhile', () => {
    const over = member(1, { endedAt: NOW, targets: [] });
    expect(said(step([over], [recipient(1)]))).toEqual([[1, 'recovery', [1]]]);
  });
});

describe('what comes and goes', () => {
  const flapping = { alert: { kind: 'flapping' as const, notifiedAt: NOW } };

  test('and gets worse, is in one notification with the end of what was notified before', () => {
    const over = { severity: 'warning' as const, endedAt: NOW + MINUTE, monitorId: 1 };
    const bouts = [
      member(1, over),
      member(2, {
        ...over,
        joinedAt: NOW + 2 * MINUTE,
        endedAt: NOW + 3 * MINUTE,
        hasSuccessor: true,
      }),
      member(3, { monitorId: 1, joinedAt: NOW + 3 * MINUTE }),
    ];
    const warned = recipient(1, { severity: 'warning' });
    expect(said(step(bouts, [warned], { ...flapping, now: NOW + 3 * MINUTE }))).toEqual([
      [1, 'alarm', [1, 3]],
    ]);
  });

  test('waits for no grouping window', () => {
    const windows = new Map([[1, { openedAt: NOW, severity: 'critical' as const }]]);
    expect(said(step([member(1)], [], { alert: { kind: 'flapping' }, windows }))).toHaveLength(1);
  });

  test('is notified once', () => {
    const first = step([member(1)], [], { alert: { kind: 'flapping' } });
    expect(said(first)).toEqual([[1, 'alarm', [1]]]);
    expect(first).toMatchObject({ kind: 'flapping', nextAt: NOW + STEADY_MS });
    const coming = [
      member(1, { endedAt: NOW + MINUTE }),
      member(2, { joinedAt: NOW + 2 * MINUTE, endedAt: NOW + 3 * MINUTE }),
      member(3, { joinedAt: NOW + 4 * MINUTE }),
    ];
    expect(step(coming, [recipient(1)], { ...flapping, now: NOW + 4 * MINUTE })).toMatchObject({
      notifications: [],
      overAt: null,
      nextAt: NOW + 4 * MINUTE + STEADY_MS,
    });
  });

  test('and gets worse is notified again, also to those who are notified of that alone', () => {
    const pager = channel(2);
    const lesser = member(1, { severity: 'warning', endedAt: NOW + MINUTE, hasSuccessor: true });
    const worse = member(2, {
      joinedAt: NOW + MINUTE,
      targets: [OPS, pager].map((one) => ({
        channel: one,
        afterMinutes: 0,
        reminderMinutes: null,
      })),
    });
    const got = step([lesser, worse], [recipient(1, { severity: 'warning' })], {
      ...flapping,
      channels: [OPS, pager],
      now: NOW + MINUTE,
    });
    expect(said(got)).toEqual([
      [1, 'alarm', [2]],
      [2, 'alarm', [2]],
    ]);
    expect(got).toMatchObject({ kind: 'flapping', nextAt: NOW + MINUTE + STEADY_MS });
  });

  test('is over once it has been well for a while', () => {
    const well = [member(1, { endedAt: NOW + MINUTE })];
    const end = step(well, [recipient(1)], { ...flapping, now: NOW + MINUTE + STEADY_MS });
    expect(said(end)).toEqual([[1, 'recovery', [1]]]);
    expect(end.overAt).toBe(NOW + MINUTE + STEADY_MS);
  });

  test('and stays away is down like others', () => {
    const down = step([member(1)], [recipient(1)], { ...flapping, now: NOW + STEADY_MS });
    expect(said(down)).toEqual([[1, 'update', [1]]]);
    expect(down.kind).toBe('single');
  });
});

test('an alert always has something to wait for, is over, or needs an event; no end is sent without a beginning', () => {
  const channels = [OPS, channel(2, { quietHours: NIGHT }), channel(3, { keepsIncidents: true })];
  const target = fc.record({
    channel: fc.constantFrom(...channels),
    afterMinutes: fc.constantFrom(0, 0, 5),
    reminderMinutes: fc.constantFrom(null, 10),
  });
  const at = fc.integer({ min: NOW - 60 * MINUTE, max: NOW });
  const anyMember = fc.record({
    severity: fc.constantFrom('critical' as const, 'warning' as const),
    startedAt: at,
    endedAt: fc.option(at, { nil: null }),
    isAcknowledged: fc.boolean(),
    joinedAt: at,
    hasSuccessor: fc.boolean(),
    renotified: fc.subarray([1, 2, 3]),
    heldUntil: fc.option(fc.constant(NOW + 5_000), { nil: null }),
    targets: fc.uniqueArray(target, { maxLength: 3, selector: (one) => one.channel.id }),
  });
  fc.assert(
    fc.property(
      fc.array(anyMember, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('single' as const, 'storm' as const, 'flapping' as const),
      (lists, kind) => {
        const members = lists.map((one, index) => member(index + 1, one));
        const alert = { kind, openedAt: NOW - 60 * MINUTE };
        const first = step(members, [], { alert, channels });
        expect(
          first.notifications.every((one) => one.kind === 'alarm' || one.kind === 'escalation'),
        ).toBe(true);
        if (first.nextAt !== null) expect(first.nextAt).toBeGreaterThan(NOW);
        if (first.overAt !== null) expect(members.every((one) => one.endedAt !== null)).toBe(true);
        // Asked again at once, knowing what was told, it says nothing more.
        const known = first.notifications.map((one) =>
          recipient(one.destinationId, { severity: one.severity }),
        );
        const again = step(members, known, {
          alert: { ...alert, kind: first.kind, notifiedAt: first.notifiedAt },
          channels,
        });
        expect(again.notifications).toEqual([]);
      },
    ),
    { numRuns: 2_000 },
  );
});
