import { expect, test } from 'vitest';
import type { Condition, Tracks } from '../../model/condition.ts';
import { statusOfConditions } from './tracks.ts';
import type { ConditionChange } from './condition.ts';
import { statusesOf } from './spans.ts';

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

/** Tracks in which these conditions are open. The names of the tracks do not matter here. */
function tracksOf(open: readonly Condition[]): Tracks {
  const names = ['reachability', 'dual_stack', 'slow_response'] as const;
  return Object.fromEntries(open.map((one, index) => [names[index], { open: one }])) as Tracks;
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

test.each<[string, Condition[], ConditionChange[], string[]]>([
  ['nothing changes', [], [], []],
  ['a trouble since it began', [], [opens('uptime', 40)], ['offline 40']],
  [
    'a worse one that began later',
    [],
    [opens('slow_response', 40), opens('uptime', 70)],
    ['degraded 40', 'offline 70'],
  ],
  ['two at once', [], [opens('dual_stack', 40), opens('keyword', 40)], ['offline 40']],
  [
    'a lesser one that began later',
    [],
    [opens('uptime', 40), opens('slow_response', 70)],
    ['offline 40'],
  ],
  [
    'one whose incident was closed by hand, and opens again beside a worse one',
    ['dual_stack'],
    [opens('dual_stack', 10), opens('keyword', 70)],
    ['offline 70'],
  ],
  ['the end of the only one', ['uptime'], [ends('uptime', 60)], ['online 60']],
  [
    'the end of the worse one, then of the other',
    ['uptime', 'dual_stack'],
    [ends('dual_stack', 80), ends('uptime', 60)],
    ['degraded 60', 'online 80'],
  ],
  ['the end of the lesser one', ['uptime', 'dual_stack'], [ends('dual_stack', 80)], []],
  ['a change over', ['regional'], [turns('regional', 'uptime', 60)], ['offline 60']],
  ['one that is switched off', ['keyword'], [ends('keyword', null)], ['online 100']],
  [
    'one that is switched off while another begins',
    ['keyword'],
    [ends('keyword', null), opens('slow_response', 70)],
    ['degraded 100'],
  ],
])('%s [19.14]', (_, open, changes, expected) => {
  const before = { status: statusOfConditions(open), tracks: tracksOf(open) };
  const found = statusesOf(before, after(open, changes), changes, SEEN_AT);
  expect(found.map(({ status, at }) => `${status} ${at}`)).toEqual(expected);
});

test('a first verdict says what the monitor is since it was seen, or since its trouble began', () => {
  const before = { status: 'pending', tracks: {} } as const;
  expect(statusesOf(before, { status: 'online' }, [], SEEN_AT)).toEqual([
    { status: 'online', at: SEEN_AT },
  ]);
  expect(statusesOf(before, { status: 'offline' }, [opens('uptime', 40)], SEEN_AT)).toEqual([
    { status: 'offline', at: 40 },
  ]);
  expect(statusesOf(before, { status: 'pending' }, [], SEEN_AT)).toEqual([]);
});
