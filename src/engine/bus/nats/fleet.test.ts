import { expect, test } from 'vitest';
import { ProbeFleet } from './fleet.ts';
import { PROTOCOL, type Presence } from './messages.ts';

const presence = (probe: string, sequence: number, more: Partial<Presence> = {}): Presence => ({
  protocol: PROTOCOL,
  probe,
  sequence,
  vantage: 'rack',
  version: '1.0.0',
  load: [],
  now: 0,
  ...more,
});

function setUp() {
  const fleet = new ProbeFleet();
  let monotonic = 0;
  return {
    fleet,
    hear: (...given: Parameters<typeof presence>) => {
      monotonic += 1_000;
      const at = { now: monotonic, monotonic };
      return fleet.record(presence(...given), { region: 'nbg', keyId: 'key' }, at);
    },
  };
}

test('a probe takes part anew when it is first heard of, and when it comes back', () => {
  const { fleet, hear } = setUp();
  expect([hear('a', 1), hear('a', 2)]).toEqual([true, false]);
  // It announces that it leaves until its last checks have ended.
  expect([hear('a', 3, { isLeaving: true }), hear('a', 4, { isLeaving: true })]).toEqual([
    false,
    false,
  ]);
  expect([hear('a', 5), hear('a', 6)]).toEqual([true, false]);
  fleet.markGone('nbg', 'a');
  expect(fleet.taking('nbg', 6_000)).toEqual([]);
  expect(hear('a', 7)).toBe(true);
  expect(fleet.taking('nbg', 7_000)).toHaveLength(1);
});

test('probes that start over and over do not keep a new one out of their region', () => {
  const { fleet, hear } = setUp();
  for (let start = 1; start <= 250; start++) hear(`start-${start}`, 1);
  const known = fleet.of('nbg').map(({ probe }) => probe);
  expect(known).toHaveLength(200);
  expect(known[0]).toBe('start-250');
  expect(known).not.toContain('start-50');
});
