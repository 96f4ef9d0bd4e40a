import { describe, expect, test } from 'vitest';
import type { MachineReport } from '../../src/model/machine.ts';
import { amounts } from '../support/depth.ts';
import {
  createWorld,
  type World,
  type WorldOptions,
  type WorldTarget,
} from '../support/network-world.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const SHARES = [5, 10, 20, 30, 50, 67, 80, 90, 100];
const COUNTS = [3, 5, 9, 10, 30, 100, 300];
/** Milliseconds between the checks of a target, by whether it is among those that fail. */
const INTERVALS: Record<string, (isDown: boolean) => number> = {
  '30 s': () => 30 * SECOND,
  '5 min': () => 5 * MINUTE,
  ...(amounts.hasHourlyChecks && { '60 min': () => 60 * MINUTE }),
  'failing ones 30 s, others 60 min': (isDown) => (isDown ? 30 * SECOND : 60 * MINUTE),
};
const ONSET = 7 * SECOND;

const WORKS: MachineReport = {
  ipv4: 'works',
  ipv6: 'broken',
  gateway: 'works',
  resolver: 'works',
  gatewayAddress: '192.0.2.1',
  resolverAddress: '192.0.2.53',
};
const GATEWAY_GONE: MachineReport = { ...WORKS, gateway: 'broken', resolver: 'broken' };

function targetOf(index: number, fields: Partial<WorldTarget> = {}): WorldTarget {
  return {
    intervalMs: 30 * SECOND,
    host: `www.example-${index}.com`,
    address: `203.${index >> 8}.${index & 255}.7`,
    answers: () => true,
    ...fields,
  };
}

/** Which of so many targets fail: spread over them like dice, but the same in each run. */
function failingOf(count: number, share: number): Set<number> {
  const order = Array.from({ length: count }, (_, index) => index).toSorted(
    (a, b) => (Math.imul(a + 1, 0x85ebca6b) >>> 0) - (Math.imul(b + 1, 0x85ebca6b) >>> 0),
  );
  return new Set(order.slice(0, Math.round((count * share) / 100)));
}

interface Row {
  count: number;
  share: number;
  interval: string;
  machine: MachineReport | null;
  isUplinkLost: boolean;
  timeoutMs?: number;
}

async function play({ count, share, interval, machine, isUplinkLost, timeoutMs = 5_000 }: Row) {
  const failing = failingOf(count, share);
  const intervalOf = INTERVALS[interval]!;
  const targets = Array.from({ length: count }, (_, index) =>
    targetOf(index, {
      intervalMs: intervalOf(failing.has(index)),
      answers: (at) => at < ONSET || !failing.has(index),
    }),
  );
  const world = createWorld({
    targets,
    timeoutMs,
    machine: (at) => (at >= ONSET ? machine : WORKS),
    network: (at) => (isUplinkLost && at >= ONSET ? 'cut' : 'works'),
  });
  // Each failing target has had its round, its recheck, and a minute for what is asked in between.
  const longest = Math.max(
    ...targets.map((target, index) => (failing.has(index) ? target.intervalMs : 0)),
  );
  await world.run(ONSET + longest + 2 * MINUTE);
  return { world, failing };
}

async function outcomeOf(count: number, share: number, interval: string): Promise<string> {
  const options = { count, share, interval, machine: WORKS, isUplinkLost: false };
  const { world, failing } = await play(options);
  expect([...world.opened.keys()].filter((index) => !failing.has(index))).toEqual([]);
  expectPatience(world);
  if (failing.size === 0) return '-';
  const seen = [...failing].filter((index) => world.status(index) === 'offline').length;
  if (seen === 0 && failing.size === count && world.tracker.quarantines().size > 0) return 'ours';
  return seen === failing.size ? 'seen' : `${seen} of ${failing.size}`;
}

const targetsOf = (count: number, fields: Partial<WorldTarget> = {}) =>
  Array.from({ length: count }, (_, index) => targetOf(index, fields));

type Network = NonNullable<WorldOptions['network']>;
const lostBeyondLink: Network = (at, _region, { isOnLink }) =>
  at > ONSET && !isOnLink ? 'cut' : 'works';
const lostFor20Minutes: Network = (at) => (at > ONSET && at < 20 * MINUTE ? 'cut' : 'works');
const withoutNames: Network = (at, _region, { host }) =>
  at > ONSET && host.startsWith('www') ? 'no_names' : 'works';
const withoutIPv6: Network = (at, _region, { address }) =>
  at > ONSET && address.includes(':') ? 'cut' : 'works';
const withoutAsh: Network = (at, region) => (at > ONSET && region === 'ash' ? 'cut' : 'works');

describe('a real outage', () => {
  /**
   * What becomes of the failing ones by their share (columns) and the number of targets (rows): `-` none fail, `seen`,
   * or `ours`: everything that ten or more unrelated targets show is gone, so our own network is the likelier cause.
   */
  const EXPECTED = `
         5    10   20   30   50   67   80   90   100
    3:   -    -    seen seen seen seen seen seen seen
    5:   -    seen seen seen seen seen seen seen seen
    9:   -    seen seen seen seen seen seen seen seen
   10:   seen seen seen seen seen seen seen seen ours
   30:   seen seen seen seen seen seen seen seen ours
  100:   seen seen seen seen seen seen seen seen ours
  300:   seen seen seen seen seen seen seen seen ours`;

  test.each(Object.keys(INTERVALS))(
    'is seen, every %s',
    async (interval) => {
      const rows = [` ${SHARES.join(' ')}`];
      for (const count of COUNTS) {
        const cells: string[] = [];
        let previous = 0;
        for (const share of SHARES) {
          // Few targets have the same ones failing at several shares.
          const isSame =
            cells.length > 0 && failingOf(count, share).size === failingOf(count, previous).size;
          cells.push(isSame ? cells.at(-1)! : await outcomeOf(count, share, interval));
          previous = share;
        }
        rows.push(`${count}: ${cells.join(' ')}`);
      }
      const lines = EXPECTED.trim().split('\n');
      expect(rows.map(spaced)).toEqual(lines.map(spaced));
    },
    300_000,
  );

  test('of related targets is seen, however many they are', async () => {
    const targets = Array.from({ length: 100 }, (_, index) =>
      targetOf(index, { address: `203.0.${index % 4}.${index}`, answers: (at) => at < ONSET }),
    );
    const world = createWorld({ targets, machine: () => WORKS });
    await world.run(2 * MINUTE);
    expect(world.opened.size).toBe(100);
  });

  test('of all targets is seen from the moment at which a fifth answers again', async () => {
    const targets = Array.from({ length: 100 }, (_, index) =>
      targetOf(index, {
        intervalMs: 60 * MINUTE,
        answers: (at) => at < ONSET || (index % 5 === 0 && at > 70 * MINUTE),
      }),
    );
    const world = createWorld({ targets, machine: () => WORKS });
    await world.run(70 * MINUTE);
    expect(world.opened.size).toBe(0);
    await world.run(72 * MINUTE);
    // What was suppressed is checked at once, though the next slot is up to an hour away.
    expect(world.opened.size).toBe(80);
    expect(world.tracker.quarantines().size).toBe(0);
  });
});

describe('a lost uplink', () => {
  /** Whether anybody is alarmed, by what the machine knows. With fewer than ten targets it must know. */
  const EXPECTED: [string, MachineReport | null, number, boolean][] = [
    ['the gateway is gone', GATEWAY_GONE, 3, false],
    ['the gateway is gone', GATEWAY_GONE, 9, false],
    ['the gateway is gone', GATEWAY_GONE, 10, false],
    ['the gateway is gone', GATEWAY_GONE, 100, false],
    ['the break is beyond the name server', WORKS, 3, true],
    ['the break is beyond the name server', WORKS, 9, true],
    ['the break is beyond the name server', WORKS, 10, false],
    ['the break is beyond the name server', WORKS, 30, false],
    ['the break is beyond the name server', WORKS, 100, false],
    ['nothing is known of the machine', null, 5, true],
    ['nothing is known of the machine', null, 10, false],
    ['nothing is known of the machine', null, 30, false],
  ];

  test.each(EXPECTED)(
    '%s: %s, %i targets, alarm: %s [25.5, 25.11]',
    async (_name, machine, count, isAlarm) => {
      for (const interval of Object.keys(INTERVALS)) {
        for (const timeoutMs of [0, 27_000]) {
          const lost = { isUplinkLost: true, machine, timeoutMs };
          const { world } = await play({ count, share: 30, interval, ...lost });
          expect([interval, timeoutMs, world.opened.size > 0]).toEqual([
            interval,
            timeoutMs,
            isAlarm,
          ]);
          expectPatience(world);
        }
      }
    },
  );

  test('that comes back alarms nobody, and what really failed meanwhile is seen [25.12]', async () => {
    const targets = Array.from({ length: 30 }, (_, index) =>
      targetOf(index, { intervalMs: 5 * MINUTE, answers: (at) => at < ONSET || index > 2 }),
    );
    const world = createWorld({ targets, network: lostFor20Minutes, timeoutMs: 27_000 });
    await world.run(20 * MINUTE);
    expect(world.opened.size).toBe(0);
    await world.run(22 * MINUTE);
    expect(world.tracker.quarantines().size).toBe(0);
    expect([...world.opened.keys()].toSorted()).toEqual([0, 1, 2]);
  });

  test.each([3, 30])(
    'with %i targets ends no outage of this machine and its neighbours',
    async (count) => {
      const targets = Array.from({ length: count }, (_, index) => targetOf(index));
      const near = { address: '192.0.2.9', isOnLink: true } as const;
      targets.push(targetOf(998, near), targetOf(999, { ...near, answers: (at) => at < ONSET }));
      const world = createWorld({ targets, network: lostBeyondLink, machine: () => GATEWAY_GONE });
      await world.run(3 * MINUTE);
      expect([...world.opened.keys()]).toEqual([count + 1]);
    },
  );

  test('without a failure threshold is alarmed by what failed before anything could be asked [25.14]', async () => {
    const targets = Array.from({ length: 30 }, (_, index) => targetOf(index));
    const world = createWorld({ targets, network: lostBeyondLink, failureThreshold: 1 });
    await world.run(5 * MINUTE);
    expect(world.opened.size).toBeGreaterThan(0);
    expect(world.opened.size).toBeLessThan(15);
  });
});

describe('a part of the network', () => {
  test('name servers that fail hide no outage of targets by address [25.9]', async () => {
    const targets = Array.from({ length: 40 }, (_, index) => {
      const address = `203.0.${index}.7`;
      return targetOf(index, {
        ...(index < 20 && { host: address }),
        answers: (at) => at < 3 * MINUTE || index !== 4,
      });
    });
    const world = createWorld({ targets, network: withoutNames });
    await world.run(6 * MINUTE);
    expect([...world.opened.keys()]).toEqual([4]);
    expect(world.tracker.quarantines().get('ash')!.reason).toContain('our own name servers');
  });

  test.each([
    ['broken', 0],
    ['works', 3],
  ] as const)('few names, the name server %s: %i alarms', async (resolver, alarms) => {
    const targets = Array.from({ length: 5 }, (_, index) =>
      targetOf(index, index < 2 ? { host: `203.0.${index}.7` } : {}),
    );
    const world = createWorld({
      targets,
      network: withoutNames,
      machine: () => ({ ...WORKS, resolver }),
    });
    await world.run(3 * MINUTE);
    expect(world.opened.size).toBe(alarms);
  });

  test('IPv6 that is lost says nothing of IPv4', async () => {
    const targets = Array.from({ length: 40 }, (_, index) =>
      targetOf(index, {
        ...(index >= 20 && { address: `2001:db8:${index}::7` }),
        answers: (at) => at < 3 * MINUTE || index !== 4,
      }),
    );
    const world = createWorld({ targets, network: withoutIPv6 });
    await world.run(6 * MINUTE);
    expect([...world.opened.keys()]).toEqual([4]);
    expect(world.tracker.quarantines().get('ash')!.reason).toContain('IPv6');
  });
});

describe('one region of three', () => {
  const regions = ['ash', 'pdx', 'nbg'];
  test.each([
    ['30 s', 30 * SECOND],
    ['60 min', 60 * MINUTE],
  ])(
    'that has lost its network alone raises no regional incident, every %s',
    async (_name, intervalMs) => {
      const world = createWorld({
        targets: targetsOf(20, { intervalMs }),
        regions,
        network: withoutAsh,
      });
      await world.run(ONSET + intervalMs + MINUTE);
      expect([world.regional.size, world.opened.size]).toEqual([0, 0]);
      expect([...world.tracker.quarantines().keys()]).toEqual(['ash']);
    },
  );

  test('that fails alone for some targets is told, for whatever share a fifth of them answers', async () => {
    for (const share of [10, 30, 50, 80]) {
      const failing = failingOf(50, share);
      const targets = targetsOf(50).map((target, index) => ({
        ...target,
        intervalMs: failing.has(index) ? 30 * SECOND : 60 * MINUTE,
        answers: (at: number, region: string) =>
          at < ONSET || region !== 'ash' || !failing.has(index),
      }));
      const world = createWorld({ targets, regions });
      await world.run(3 * MINUTE);
      expect([share, world.regional.size]).toEqual([share, failing.size]);
    }
  });

  test('that is quarantined still votes up, and the others see outages', async () => {
    const targets = targetsOf(20).map((target, index) => ({
      ...target,
      answers: (at: number, region: string) => at < ONSET || region === 'ash' || index > 1,
    }));
    const world = createWorld({ targets, regions, network: withoutAsh });
    await world.run(5 * MINUTE);
    expect([...world.opened.keys()].toSorted()).toEqual([0, 1]);
  });
});

/** No target is asked again within 5 s, and few enough are at all. */
function expectPatience({ asked }: World): void {
  const all = [...asked.values()].flat().toSorted((a, b) => a - b);
  const gaps = [...asked.values()].flatMap((times) => gapsOf(times, 1));
  expect(Math.min(Infinity, ...gaps)).toBeGreaterThanOrEqual(5 * SECOND);
  expect(Math.min(Infinity, ...gapsOf(all, 60))).toBeGreaterThan(5 * SECOND);
}

/** Milliseconds between each time and the one so many places later. */
function gapsOf(times: readonly number[], places: number): number[] {
  return times.slice(places).map((at, index) => at - times[index]!);
}

function spaced(text: string): string {
  return text.trim().split(/\s+/).join(' ');
}
