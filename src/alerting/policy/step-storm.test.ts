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
import type { Member, Recipient } from './contract.ts';
import { PARTLY_OVER_MS, STEADY_MS } from './changes.ts';

const over = (id: number, more: Partial<Member> = {}) =>
  member(id, { endedAt: NOW + MINUTE, ...more });
const held = (id: number, more: Partial<Member> = {}) =>
  member(id, { heldUntil: NOW + 2 * MINUTE, ...more });
const nagged = (id: number, more: Partial<Member> = {}) =>
  member(id, { ...routed(OPS, { reminderMinutes: 5 }), ...more });

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
  ])('%s', ([, members, received, expected]) => {
    const got = step(members, [received], { ...storm, now: NOW + 5 * MINUTE });
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
  const suppressed = (more: Partial<Member> = {}) =>
    member(2, { heldUntil: NOW + 9e5, ...both, ...more });
  const at = (second: Member) =>
    said(
      step([member(1, both), second], [recipient(1)], {
        alert: { kind: 'storm', notifiedAt: NOW },
        channels: [OPS, late],
        now: NOW + MINUTE,
      }),
    );
  expect(at(suppressed())).toEqual([[2, 'alarm', [1, 2]]]);
  expect(at(suppressed({ joinedAt: NOW + 1 }))).toEqual([[2, 'alarm', [1]]]);
  expect(at(suppressed(routed(OPS)))).toEqual([[2, 'alarm', [1]]]);
});

test('what is held is not part of a reminder, also where others know of it', () => {
  const late = channel(2);
  const both = {
    targets: [OPS, late].map((one) => routed(one, { reminderMinutes: 5 }).targets[0]!),
  };
  const members = [member(1, both), member(2, { heldUntil: NOW + 9e5, ...both })];
  const knowsFirst = recipient(2, { incidents: new Map([[1, NOW]]) });
  const due = step(members, [recipient(1), knowsFirst], {
    alert: { kind: 'storm', notifiedAt: NOW },
    channels: [OPS, late],
    now: NOW + 5 * MINUTE,
  });
  expect(said(due)).toEqual([
    [1, 'reminder', [1]],
    [2, 'reminder', [1]],
  ]);
});

describe('what is held while the rest of a storm is over', () => {
  const storm = { alert: { kind: 'storm' as const, notifiedAt: NOW }, now: NOW + MINUTE };
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
    const { targets } = ESCALATED;
    const freedAt = NOW + 60 * MINUTE;
    const at = (now: number, recipients: Recipient[]) =>
      step([over(1), member(2, { ...unheard, targets })], recipients, {
        alert: { kind: 'storm', notifiedAt: NOW },
        channels: [OPS, BOSS],
        now,
      });
    const freed = at(freedAt, []);
    expect(said(freed)).toEqual([[1, 'alarm', [2]]]);
    expect(freed.nextAt).toBe(freedAt + 10 * MINUTE);
    const received = [recipient(1, { notifiedAt: freedAt, lastNotifiedAt: freedAt })];
    expect(said(at(freedAt + 9 * MINUTE, received))).toEqual([]);
    expect(said(at(freedAt + 10 * MINUTE, received))).toEqual([[2, 'escalation', [2]]]);
  });

  test('of what flaps the end is not notified while it is down', () => {
    const later = { ...storm, alert: { kind: 'flapping' as const, notifiedAt: NOW } };
    const members = [over(1), held(2, { monitorId: 1, ...unheard, heldUntil: NOW + 99 * MINUTE })];
    const got = step(members, [recipient(1)], { ...later, now: NOW + STEADY_MS + MINUTE });
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
        const received = step(members, [recipient(1)], storm).notifications;
        const heard = new Set(received.flatMap(({ incidentIds }) => incidentIds));
        const known = members.filter(({ joinedAt }) => joinedAt <= NOW);
        for (const { endedAt, incidentId } of known)
          if (endedAt !== null) expect(heard).toContain(incidentId);
        // Nobody waits for the end of what was named as over.
        if (received.some(({ kind }) => kind === 'recovery'))
          expect(known.every(({ endedAt }) => endedAt !== null)).toBe(true);
        for (const { incidentId, endedAt, joinedAt } of members)
          if (endedAt === null && joinedAt > NOW) expect(heard).not.toContain(incidentId);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('what comes and goes', () => {
  const flapping = { alert: { kind: 'flapping' as const, notifiedAt: NOW } };

  test('and gets worse, is in one notification with the end of what was notified before', () => {
    const warned = { severity: 'warning' as const, endedAt: NOW + MINUTE, monitorId: 1 };
    const members = [
      member(1, warned),
      member(2, {
        ...warned,
        joinedAt: NOW + 2 * MINUTE,
        endedAt: NOW + 3 * MINUTE,
        hasSuccessor: true,
      }),
      member(3, { monitorId: 1, joinedAt: NOW + 3 * MINUTE }),
    ];
    const knew = recipient(1, { severity: 'warning' });
    expect(said(step(members, [knew], { ...flapping, now: NOW + 3 * MINUTE }))).toEqual([
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
      targets: [OPS, pager].map((one) => routed(one).targets[0]!),
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
