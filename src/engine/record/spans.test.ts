import { describe, expect, test } from 'vitest';
import type { Condition, Confirmations } from '../../model/condition.ts';
import { OBSERVED_INDEFINITELY } from '../../model/heartbeat.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import { statusOfConditions } from './confirmations.ts';
import type { ConditionChange } from './condition.ts';
import {
  outcomeOf,
  SPAN_RULES,
  statusesOf,
  type ObservedState,
  type SpanRuleName,
} from './outcome.ts';

const SEEN_AT = 100;

const opens = (condition: Condition, at: number): ConditionChange => ({
  kind: 'open',
  condition,
  at,
  attempts: [],
});
const ends = (condition: Condition, at: number | null): ConditionChange => ({
  kind: 'resolve',
  condition,
  at,
  reason: at === null ? 'switched_off' : 'recovered',
});
const turns = (from: Condition, condition: Condition, at: number): ConditionChange => ({
  kind: 'change_over',
  from,
  condition,
  at,
  attempts: [],
});

/** Confirmations in which these conditions are open. The names of the confirmations do not matter here. */
function confirmationsOf(open: readonly Condition[]): Confirmations {
  const names = ['reachability', 'dual_stack', 'slow_response'] as const;
  return Object.fromEntries(
    open.map((one, index) => [names[index], { open: one }]),
  ) as Confirmations;
}

function after(open: readonly Condition[], changes: readonly ConditionChange[]) {
  const left = new Set(open);
  for (const change of changes) {
    if (change.kind === 'change_over') left.delete(change.from);
    if (change.kind === 'resolve') left.delete(change.condition);
    else left.add(change.condition);
  }
  return { status: statusOfConditions([...left]) };
}

const DOWN = opens('uptime', 70);
const BOTH: Condition[] = ['uptime', 'dual_stack'];
const OFF = ends('keyword', null);

test.each<[string, Condition[], ConditionChange[], string[]]>([
  ['nothing changes', [], [], []],
  ['a problem since it began', [], [opens('uptime', 40)], ['offline 40']],
  ['a worse one later', [], [opens('slow_response', 40), DOWN], ['degraded 40', 'offline 70']],
  ['two at once', [], [opens('dual_stack', 40), opens('keyword', 40)], ['offline 40']],
  ['a lesser one later', [], [opens('uptime', 40), opens('slow_response', 70)], ['offline 40']],
  // Its incident was closed by hand, and opens again beside a worse one.
  ['one again', ['dual_stack'], [opens('dual_stack', 10), opens('keyword', 70)], ['offline 70']],
  ['the end of the only one', ['uptime'], [ends('uptime', 60)], ['online 60']],
  [
    'the end of both',
    BOTH,
    [ends('dual_stack', 80), ends('uptime', 60)],
    ['degraded 60', 'online 80'],
  ],
  ['the end of the lesser one', BOTH, [ends('dual_stack', 80)], []],
  ['a change over', ['regional'], [turns('regional', 'uptime', 60)], ['offline 60']],
  ['one that is switched off', ['keyword'], [OFF], ['online 100']],
  [
    'one off while another begins',
    ['keyword'],
    [OFF, opens('slow_response', 70)],
    ['degraded 100'],
  ],
])('%s [19.14]', (_, open, changes, expected) => {
  const before = { status: statusOfConditions(open), confirmations: confirmationsOf(open) };
  const found = statusesOf(before, after(open, changes), changes, SEEN_AT);
  expect(found.map(({ status, at }) => `${status} ${at}`)).toEqual(expected);
});

test('a first verdict says what the monitor is since it was seen, or since its problem began', () => {
  const before = { status: 'pending', confirmations: {} } as const;
  expect(statusesOf(before, { status: 'online' }, [], SEEN_AT)).toEqual([
    { status: 'online', at: SEEN_AT },
  ]);
  expect(statusesOf(before, { status: 'offline' }, [opens('uptime', 40)], SEEN_AT)).toEqual([
    { status: 'offline', at: 40 },
  ]);
  expect(statusesOf(before, { status: 'pending' }, [], SEEN_AT)).toEqual([]);
});

/** A monitor whose status is covered until 50, and observed at 100. */
const MONITOR = { monitorId: 1, teamId: 1, confirmations: {} };
const TIMES = { startedAt: 100, foundAt: 100, receivedAt: 100, deadline: 100, nextDueBy: 130 };

const explain = () => ({ rootCause: 'It fails', failureCode: null, regions: null, evidence: [] });

/** What an observation by that rule makes of it: status, end of what is covered, spans. */
function observed(
  rule: SpanRuleName,
  status: MonitorStatus,
  open: Condition[],
  changes: ConditionChange[] = [],
  observedUntil = 50,
) {
  const before: ObservedState = { ...MONITOR, status, observedUntil };
  const stepped = { ...before, confirmations: confirmationsOf(open) };
  const { state, spans } = outcomeOf(before, stepped, { rule, changes, explain, ...TIMES });
  const until =
    state.observedUntil === OBSERVED_INDEFINITELY ? 'further notice' : state.observedUntil;
  return [state.status, until, ...spans.map((span) => `${span.status} ${span.at}`)].join(', ');
}

const GAP = 'unobserved 50';

describe('each row of the rules', () => {
  const HEARD = 'online, further notice';
  const FAILED = 'offline, further notice, offline 90';
  const SEEN = `online, 130, ${GAP}, online 100`;
  const LATE = `${HEARD}, ${GAP}, online 100`;
  test.each<[SpanRuleName, pending: string, confirmed: string, same: string]>([
    ['up_round', 'online, 130, online 100', 'offline, 130, offline 90', SEEN],
    ['failing_round', 'pending, 130', 'offline, 130, offline 90', SEEN],
    ['unknown_round', 'pending, 50', 'offline, 50', 'online, 50'],
    ['inspection', 'pending, 50', 'pending, 50', 'online, 50'],
    ['finished_run', `${HEARD}, online 100`, FAILED, LATE],
    ['missed_deadline', `${HEARD}, online 100`, FAILED, LATE],
    ['other_ping', 'pending, 50', 'pending, 50', 'online, 50'],
    ['unheard_deadline', 'pending, 50', 'pending, 50', 'online, 50'],
  ])('%s', (rule, pending, confirmed, same) => {
    expect(observed(rule, 'pending', [])).toBe(pending);
    expect(observed(rule, 'pending', ['uptime'], [opens('uptime', 90)])).toBe(confirmed);
    expect(observed(rule, 'online', [])).toBe(same);
  });

  test('are all there', () => {
    expect(Object.keys(SPAN_RULES)).toHaveLength(8);
  });
});

describe('a change of the status after uncovered time', () => {
  test.each<[string, number, SpanRuleName, string]>([
    ['begins later', 90, 'inspection', `offline, 50, ${GAP}, offline 90`],
    ['began before and goes on', 40, 'inspection', `offline, 50, offline 40, ${GAP}, offline 100`],
    [
      'begins after the start of a round, until which the status was as before',
      110,
      'up_round',
      `offline, 130, ${GAP}, online 100, offline 110`,
    ],
  ])('%s', (_, at, rule, expected) => {
    expect(observed(rule, 'online', ['uptime'], [opens('uptime', at)])).toBe(expected);
  });

  test('is no gap where the time is covered', () => {
    const changes = [opens('uptime', 90)];
    expect(observed('inspection', 'online', ['uptime'], changes, 100)).toBe(
      'offline, 100, offline 90',
    );
    expect(observed('finished_run', 'online', [], [], 100)).toBe('online, further notice');
  });
});
