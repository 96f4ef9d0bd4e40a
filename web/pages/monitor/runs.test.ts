import { expect, it } from 'vitest';
import type { Ping } from '../../app/api.gen.ts';
import { jobStateOf, offsetText, runsOf, withClockChanges } from './runs.ts';

const NIGHT = Date.parse('2026-11-20T02:00:00Z');
const MINUTE = 60_000;

function ping(id: number, kind: Ping['kind'], minutes: number, more: Partial<Ping> = {}): Ping {
  return {
    id,
    kind,
    received_at: new Date(NIGHT + minutes * MINUTE).toISOString(),
    duration_ms: null,
    exit_code: null,
    run_id: null,
    source_address: '192.0.2.1',
    user_agent: null,
    body: null,
    body_truncated: false,
    ...more,
  };
}

const missed = (id: number, minutes: number) => ({
  id,
  type: 'heartbeat' as const,
  started_at: new Date(NIGHT + minutes * MINUTE).toISOString(),
});

it('makes runs of ends, with their durations, the oldest first', () => {
  const pings = [
    ping(4, 'failure', 31, { exit_code: 2 }),
    ping(3, 'log', 30),
    ping(2, 'success', 12, { duration_ms: 12 * MINUTE }),
    ping(1, 'start', 0),
  ];
  expect(
    runsOf(pings, [], 30).map(({ outcome, duration, exitCode }) => [outcome, duration, exitCode]),
  ).toEqual([
    ['succeeded', 12 * MINUTE, null],
    ['failed', null, 2],
  ]);
});

it('knows a run that did not come by its incident, but not by that of a failed run', () => {
  const pings = [ping(2, 'failure', 40), ping(1, 'success', 0)];
  const runs = runsOf(pings, [missed(7, 20), missed(8, 40), missed(9, -500)], 30);
  expect(runs.map(({ key, outcome }) => [key, outcome])).toEqual([
    ['ping 1', 'succeeded'],
    ['incident 7', 'missed'],
    ['ping 2', 'failed'],
  ]);
});

it.each([
  ['a start alone', [ping(1, 'start', 0)], 'running'],
  ['a start with an end', [ping(2, 'success', 1), ping(1, 'start', 0)], 'ran'],
  [
    'an end of another run',
    [ping(2, 'success', 1, { run_id: 'a' }), ping(1, 'start', 0, { run_id: 'b' })],
    'ran',
  ],
])('says of %s that it is %s', (_, pings, kind) => {
  const monitor = { is_paused: false, status: 'online', last_checked_at: null };
  expect(jobStateOf(monitor, runsOf(pings, [], 30)).kind).toBe(kind);
});

it.each([
  [{ is_paused: true, status: 'online' }, 'paused'],
  [{ is_paused: false, status: 'pending' }, 'never'],
  [{ is_paused: false, status: 'offline' }, 'late'],
])('says of %j without a ping that it is %s', (monitor, kind) => {
  expect(jobStateOf({ ...monitor, last_checked_at: null }, []).kind).toBe(kind);
});

it('keeps the newest runs only', () => {
  const pings = [ping(3, 'success', 3), ping(2, 'success', 2), ping(1, 'success', 1)];
  expect(runsOf(pings, [], 2).map(({ key }) => key)).toEqual(['ping 2', 'ping 3']);
});

it('marks the first time after a change of clocks', () => {
  const now = Date.parse('2027-03-26T12:00:00Z');
  const times = ['2027-03-27T02:00:00Z', '2027-03-28T01:00:00Z', '2027-03-29T01:00:00Z'];
  expect(
    withClockChanges(times.map(Date.parse), 'Europe/Berlin', now).map(({ change }) => change),
  ).toEqual([null, 'UTC+2', null]);
});

it.each([
  [0, 'UTC'],
  [330, 'UTC+5:30'],
  [-300, 'UTC−5'],
])('writes %i minutes as %s', (minutes, text) => {
  expect(offsetText(minutes)).toBe(text);
});
