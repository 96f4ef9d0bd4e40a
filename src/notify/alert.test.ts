import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PARTLY_OVER_MS, stepAlert, STEADY_MS, SUCCESSOR_MS } from './alert.ts';
import type { Alert, AlertStep, Member, Recipient } from './alert.ts';
import type { RoutedChannel } from './route.ts';

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

const ALERT: Alert = { id: 9, kind: 'single', openedAt: NOW, gatherUntil: null, toldAt: null };
const member = (incidentId: number, more: Partial<Member> = {}): Member => ({
  incidentId,
  severity: 'critical',
  startedAt: NOW - 10_000,
  endedAt: null,
  isAcknowledged: false,
  joinedAt: NOW,
  hasSuccessor: false,
  heldUntil: null,
  targets: [{ channel: OPS, afterMinutes: 0, reminderMinutes: null }],
  ...more,
});
const recipient = (destinationId: number, more: Partial<Recipient> = {}): Recipient => ({
  destinationId,
  toldAt: NOW,
  lastToldAt: NOW,
  severity: 'critical',
  ...more,
});

function step(
  members: Member[],
  recipients: Recipient[] = [],
  {
    alert = {},
    channels = [OPS],
    now = NOW,
  }: { alert?: Partial<Alert>; channels?: RoutedChannel[]; now?: number } = {},
): AlertStep {
  const byDestination = new Map(channels.map((one) => [one.destinationId, one]));
  return stepAlert({ ...ALERT, ...alert }, members, recipients, byDestination, now);
}
const said = ({ tellings }: AlertStep) =>
  tellings.map(({ destinationId, kind, incidentIds }) => [destinationId, kind, incidentIds]);
const routed = (
  one: RoutedChannel,
  more: { afterMinutes?: number; reminderMinutes?: number } = {},
) => ({
  targets: [{ channel: one, afterMinutes: 0, reminderMinutes: null, ...more }],
});

describe('what begins', () => {
  test('is told at once, and then there is nothing to wait for', () => {
    const first = step([member(1)]);
    expect(said(first)).toEqual([[1, 'alarm', [1]]]);
    expect(first).toMatchObject({ toldAt: NOW, overAt: null, nextAt: null });
  });

  test('is told once', () => {
    expect(said(step([member(1)], [recipient(1)], { now: NOW + MINUTE }))).toEqual([]);
  });

  test('waits for others that may share its cause', () => {
    const gathering = { alert: { gatherUntil: NOW + 30_000 } };
    expect(step([member(1)], [], gathering)).toMatchObject({ tellings: [], nextAt: NOW + 30_000 });
    expect(said(step([member(1)], [], { ...gathering, now: NOW + 30_000 }))).toEqual([
      [1, 'alarm', [1]],
    ]);
  });

  test('and is over before anybody was told is told to nobody', () => {
    const over = step([member(1, { endedAt: NOW })], [], { alert: { gatherUntil: NOW + 30_000 } });
    expect(over).toMatchObject({ tellings: [], overAt: NOW, nextAt: null });
  });

  test('is held as long as its monitor is', () => {
    const held = step([member(1, { heldUntil: NOW + 15_000 })]);
    expect(held).toMatchObject({ tellings: [], overAt: null, nextAt: NOW + 15_000 });
  });

  test('of several each channel hears what concerns it', () => {
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

  test('put off what is told', () => {
    const put = step([member(1, routed(sleeper))], [], { channels: [sleeper] });
    expect(put).toMatchObject({ tellings: [], toldAt: null, nextAt: until });
    expect(
      said(step([member(1, routed(sleeper))], [], { channels: [sleeper], now: until })),
    ).toEqual([[1, 'alarm', [1]]]);
  });

  test('let through what is critical', () => {
    const waking = channel(1, { quietHours: NIGHT });
    expect(said(step([member(1, routed(waking))], [], { channels: [waking] }))).toHaveLength(1);
    const warning = member(1, { severity: 'warning', ...routed(waking) });
    expect(step([warning], [], { channels: [waking] })).toMatchObject({
      tellings: [],
      nextAt: until,
    });
  });

  test('put off that it is over, but not where an incident of the provider is to be closed', () => {
    const over = member(1, { endedAt: NOW, ...routed(sleeper) });
    expect(step([over], [recipient(1)], { channels: [sleeper] })).toMatchObject({
      tellings: [],
      overAt: null,
      nextAt: until,
    });
    const keeper = { ...sleeper, keepsIncidents: true };
    const closed = step([{ ...over, ...routed(keeper) }], [recipient(1)], { channels: [keeper] });
    expect(said(closed)).toEqual([[1, 'recovery', [1]]]);
    expect(closed.overAt).toBe(NOW);
  });

  test('that outlast the trouble leave nothing to tell', () => {
    const over = member(1, { endedAt: NOW, ...routed(sleeper) });
    expect(step([over], [], { channels: [sleeper] })).toMatchObject({ tellings: [], overAt: NOW });
  });
});

describe('while it goes on', () => {
  const nagged = routed(OPS, { reminderMinutes: 30 });

  test('reminders come until somebody acknowledges it', () => {
    expect(step([member(1, nagged)])).toMatchObject({ nextAt: NOW + 30 * MINUTE });
    const early = step([member(1, nagged)], [recipient(1)], { now: NOW + 29 * MINUTE });
    expect(early).toMatchObject({ tellings: [], nextAt: NOW + 30 * MINUTE });
    const due = step([member(1, nagged)], [recipient(1)], { now: NOW + 30 * MINUTE });
    expect(said(due)).toEqual([[1, 'reminder', [1]]]);
    expect(due.nextAt).toBe(NOW + 60 * MINUTE);
    const heard = step([member(1, { ...nagged, isAcknowledged: true })], [recipient(1)], {
      now: NOW + 30 * MINUTE,
    });
    expect(heard).toMatchObject({ tellings: [], nextAt: null });
  });

  test('those who come next are asked when nobody has acknowledged it by then', () => {
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
    const told = { alert: { toldAt: NOW }, channels, now: NOW + 10 * MINUTE };
    expect(said(step([asked], [recipient(1)], told))).toEqual([[2, 'escalation', [1]]]);
    const heard = step([{ ...asked, isAcknowledged: true }], [recipient(1)], told);
    expect(heard).toMatchObject({ tellings: [], nextAt: null });
  });

  test('what gets worse is told again', () => {
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
    const { severity } = due.tellings[0]!;
    const reminded = [recipient(1, { severity, lastToldAt: NOW + 30 * MINUTE })];
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
      step([known, joined], [recipient(1, { lastToldAt: NOW + 30 * MINUTE })], {
        alert: { toldAt: NOW },
        channels: [OPS, boss],
        now,
      });
    expect(at(NOW + 30 * MINUTE)).toMatchObject({ tellings: [], nextAt: NOW + 40 * MINUTE });
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

  test('what became another that never came is over after a moment', () => {
    const lost = [member(1, { endedAt: NOW, hasSuccessor: true })];
    expect(step(lost, [recipient(1)])).toMatchObject({ tellings: [], nextAt: NOW + SUCCESSOR_MS });
    expect(said(step(lost, [recipient(1)], { now: NOW + SUCCESSOR_MS }))).toEqual([
      [1, 'recovery', [1]],
    ]);
  });

  test('of a storm that is over in part an update tells, once that has settled', () => {
    const partly = [member(1, { endedAt: NOW + MINUTE }), member(2)];
    const told = [recipient(1)];
    const storm = { alert: { kind: 'storm' as const, toldAt: NOW } };
    expect(step(partly, told, { ...storm, now: NOW + MINUTE })).toMatchObject({
      tellings: [],
      nextAt: NOW + MINUTE + PARTLY_OVER_MS,
    });
    const settled = step(partly, told, { ...storm, now: NOW + MINUTE + PARTLY_OVER_MS });
    expect(said(settled)).toEqual([[1, 'update', [1, 2]]]);
  });
});

describe('what ends', () => {
  test('is told to whoever was told that it began, and to nobody else', () => {
    const other = channel(2);
    const over = member(1, { endedAt: NOW + MINUTE });
    const end = step([over], [recipient(1)], { channels: [OPS, other], now: NOW + MINUTE });
    expect(said(end)).toEqual([[1, 'recovery', [1]]]);
    expect(end).toMatchObject({ overAt: NOW + MINUTE, nextAt: null });
  });

  test('also where routes have changed meanwhile', () => {
    const over = member(1, { endedAt: NOW, targets: [] });
    expect(said(step([over], [recipient(1)]))).toEqual([[1, 'recovery', [1]]]);
  });
});

describe('what comes and goes', () => {
  const flapping = { alert: { kind: 'flapping' as const, toldAt: NOW } };

  test('is told once', () => {
    const first = step([member(1)], [], { alert: { kind: 'flapping' } });
    expect(said(first)).toEqual([[1, 'alarm', [1]]]);
    expect(first).toMatchObject({ kind: 'flapping', nextAt: NOW + STEADY_MS });
    const coming = [
      member(1, { endedAt: NOW + MINUTE }),
      member(2, { joinedAt: NOW + 2 * MINUTE, endedAt: NOW + 3 * MINUTE }),
      member(3, { joinedAt: NOW + 4 * MINUTE }),
    ];
    expect(step(coming, [recipient(1)], { ...flapping, now: NOW + 4 * MINUTE })).toMatchObject({
      tellings: [],
      overAt: null,
      nextAt: NOW + 4 * MINUTE + STEADY_MS,
    });
  });

  test('and gets worse is told again, also to those who hear of that alone', () => {
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

test('an alert always has something to wait for, is over, or needs an event; nobody hears an end without a beginning', () => {
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
    heldUntil: fc.option(fc.constant(NOW + 5_000), { nil: null }),
    targets: fc.uniqueArray(target, { maxLength: 3, selector: (one) => one.channel.id }),
  });
  fc.assert(
    fc.property(
      fc.array(anyMember, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('single' as const, 'storm' as const, 'flapping' as const),
      (lists, kind) => {
        const members = lists.map((one, index) => ({ incidentId: index + 1, ...one }));
        const alert = { kind, openedAt: NOW - 60 * MINUTE };
        const first = step(members, [], { alert, channels });
        expect(
          first.tellings.every((one) => one.kind === 'alarm' || one.kind === 'escalation'),
        ).toBe(true);
        if (first.nextAt !== null) expect(first.nextAt).toBeGreaterThan(NOW);
        if (first.overAt !== null) expect(members.every((one) => one.endedAt !== null)).toBe(true);
        // Asked again at once, knowing what was told, it says nothing more.
        const known = first.tellings.map((one) =>
          recipient(one.destinationId, { severity: one.severity }),
        );
        const again = step(members, known, {
          alert: { ...alert, kind: first.kind, toldAt: first.toldAt },
          channels,
        });
        expect(again.tellings).toEqual([]);
      },
    ),
    { numRuns: 2_000 },
  );
});
