import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BOSS,
  channel,
  ESCALATED,
  member,
  MINUTE,
  NIGHT,
  NOW,
  OPS,
  recipient,
  routed,
  said,
  step,
} from '../../../test/support/alert-steps.ts';
import type { Alert, Member, Recipient } from './contract.ts';
import { PARTLY_OVER_MS, SUCCESSOR_MS } from './changes.ts';

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

test.each([
  ['in the millisecond of a message that named it as open', NOW, [], [[1, 'update', [1, 2]]]],
  ['in the millisecond of a message that named it as over', NOW, [1], []],
  [
    'after a message that named it as open, by a clock that is behind',
    NOW - 3_000,
    [],
    [[1, 'update', [1, 2]]],
  ],
])('an end %s', (_when, endedAt, ends, messages) => {
  const incidents = new Map([1, 2].map((id) => [id, NOW]));
  const ended = member(1, { endedAt, endSeenAt: endedAt });
  const known = { ...recipient(1), incidents, ends: new Set(ends), lastNotifiedAt: NOW };
  const later = step([ended, member(2)], [known], { now: NOW + PARTLY_OVER_MS });
  expect(said(later)).toEqual(messages);
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
    const asked = member(1, ESCALATED);
    const channels = [OPS, BOSS];
    const first = step([asked], [], { channels });
    expect(said(first)).toEqual([[1, 'alarm', [1]]]);
    expect(first.nextAt).toBe(NOW + 10 * MINUTE);
    const received = { alert: { notifiedAt: NOW }, channels, now: NOW + 10 * MINUTE };
    expect(said(step([asked], [recipient(1)], received))).toEqual([[2, 'escalation', [1]]]);
    const heard = step([{ ...asked, isAcknowledged: true }], [recipient(1)], received);
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
    const known = member(1, { ...ESCALATED, isAcknowledged: true });
    const joined = member(2, { ...ESCALATED, joinedAt: NOW + 30 * MINUTE });
    const at = (now: number) =>
      step([known, joined], [recipient(1, { lastNotifiedAt: NOW + 30 * MINUTE })], {
        alert: { notifiedAt: NOW },
        channels: [OPS, BOSS],
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
    const lesser = { severity: 'warning' as const, endedAt: NOW + MINUTE, hasSuccessor: true };
    const worse = member(2, { monitorId: 1, joinedAt: NOW + MINUTE, ...routed(BOSS) });
    const at = (now: number, last: Member) =>
      said(
        step([member(1, lesser), last], [recipient(1), recipient(2)], {
          channels: [OPS, BOSS],
          now,
        }),
      );
    expect(at(NOW + 9 * MINUTE, { ...worse, joinedAt: NOW })).toEqual([]);
    expect(at(NOW + 9 * MINUTE, { ...worse, endedAt: NOW, endSeenAt: NOW })).toEqual([
      [1, 'recovery', [1]],
      [2, 'recovery', [2]],
    ]);
  });

  test('what ends beside something that others are notified of is named at once', () => {
    const ended = { endedAt: NOW + MINUTE, endSeenAt: NOW + MINUTE };
    const both = [
      member(1, { ...ended, hasSuccessor: true }),
      member(2, { monitorId: 1, joinedAt: NOW + MINUTE, ...routed(BOSS) }),
      member(3, ended),
    ];
    const options = { channels: [OPS, BOSS], now: NOW + 2 * MINUTE };
    expect(said(step(both, [recipient(1), recipient(2)], options))).toContainEqual([
      1,
      'update',
      [3],
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
    const received = [recipient(1)];
    const storm = { alert: { kind: 'storm' as const, notifiedAt: NOW } };
    expect(step(partly, received, { ...storm, now: NOW + MINUTE })).toMatchObject({
      notifications: [],
      nextAt: NOW + MINUTE + PARTLY_OVER_MS,
    });
    // What ends in between does not put it off.
    const more = [...partly, member(3, { endedAt: NOW + PARTLY_OVER_MS })];
    const settled = step(more, received, { ...storm, now: NOW + MINUTE + PARTLY_OVER_MS });
    expect(said(settled)).toEqual([[1, 'update', [1, 3, 2]]]);
  });

  test('what was found to be over after a notification that it goes on is news, whenever it ended', () => {
    const partly = [member(1, { endedAt: NOW - 5_000, endSeenAt: NOW + 5_000 }), member(2)];
    const storm = { alert: { kind: 'storm' as const, notifiedAt: NOW } };
    const settled = step(partly, [recipient(1)], { ...storm, now: NOW + 5_000 + PARTLY_OVER_MS });
    expect(said(settled)).toEqual([[1, 'update', [1, 2]]]);
  });

  test('what was acknowledged and gets worse is notified again, and escalated, too [31.6]', () => {
    const over = { endedAt: NOW + MINUTE, hasSuccessor: true, isAcknowledged: true };
    const worse = [
      member(1, { severity: 'warning', ...over, ...ESCALATED }),
      member(2, { monitorId: 1, joinedAt: NOW + MINUTE, ...ESCALATED }),
    ];
    const at = (now: number, received: Recipient) =>
      step(worse, [received], { alert: { notifiedAt: NOW }, channels: [OPS, BOSS], now });
    const alarm = at(NOW + MINUTE, recipient(1, { severity: 'warning' }));
    expect(said(alarm)).toEqual([[1, 'alarm', [2]]]);
    const received = recipient(1, { lastNotifiedAt: NOW + MINUTE });
    expect(said(at(NOW + 10 * MINUTE, received))).toEqual([]);
    expect(said(at(NOW + 11 * MINUTE, received))).toEqual([[2, 'escalation', [2]]]);
  });

  test('escalation counts from when the first are notified, however long it was held [31.9]', () => {
    const freed = member(1, { targets: ESCALATED.targets.toReversed() });
    const late = NOW + 120 * MINUTE;
    const received = step([freed], [], { channels: [BOSS, OPS], now: late });
    expect(said(received)).toEqual([[1, 'alarm', [1]]]);
    expect(received).toMatchObject({ notifiedAt: late, nextAt: late + 10 * MINUTE });
    // Where the first have quiet hours, somebody is to hear of it all the same.
    const asleep = channel(1, { quietHours: { ...NIGHT, to: '20:00', allow_critical: false } });
    const night = step(
      [member(1, { targets: [freed.targets[0]!, { ...freed.targets[1]!, channel: asleep }] })],
      [],
      { channels: [BOSS, asleep], now: NOW + 10 * MINUTE },
    );
    expect(said(night)).toEqual([[2, 'escalation', [1]]]);
  });
});

/** The message sent this many minutes after the first one. The previous one was sent an hour after it. */
const atMinute = (minutes: number, members: Member[], kind: Alert['kind'] = 'single') =>
  said(
    step(members, [recipient(1, { lastNotifiedAt: NOW + 60 * MINUTE })], {
      alert: { kind, notifiedAt: NOW },
      channels: [OPS, BOSS],
      now: NOW + minutes * MINUTE,
    }),
  );

test('what is opened again leaves those who come next their time, what flaps or goes on does not', () => {
  const { targets } = ESCALATED;
  const again = member(1, { monitorId: 1, joinedAt: NOW + 60 * MINUTE, targets });
  expect(atMinute(69, [again])).toEqual([]);
  expect(atMinute(70, [again])).toEqual([[2, 'escalation', [1]]]);
  expect(atMinute(61, [again], 'flapping')).toEqual([[2, 'escalation', [1]]]);
  const before = member(9, { monitorId: 1, endedAt: NOW + 60 * MINUTE, hasSuccessor: true });
  expect(atMinute(61, [again, before])).toEqual([[2, 'escalation', [1]]]);
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
        // Asked again at once, knowing what was received, it says nothing more.
        const known = first.notifications.map((one) =>
          recipient(one.destinationId, {
            severity: one.severity,
            incidents: new Map(one.incidentIds.map((id) => [id, NOW])),
          }),
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
