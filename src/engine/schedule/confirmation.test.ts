import { NO_PRIVATE_REGIONS } from '../../../test/support/regions.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { createMonitor, editMonitor } from '../../../test/support/monitor-rows.ts';
import { checkResult, inspectNothing } from '../../../test/support/rounds.ts';
import type { Bus } from '../bus/contract.ts';
import { silentLog } from '../../lib/log.ts';
import { shardOf } from '../../model/monitor.ts';
import type { Database } from '../../store/database/contract.ts';
import { monitorChanges } from '../../store/resources/monitor-changes.ts';
import { nextVersion } from '../../store/engine/shards.ts';
import { createRoundRecorder } from '../index.ts';
import { nextSlot } from './grid.ts';
import { Scheduler } from './scheduler.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { PLAIN_SECRETS } from '../../../test/support/plain-secrets.ts';

/** The scheduler and the recorder as they run in production, before a target that fails for a moment. */

const INTERVAL_MS = 30_000;
const START = Date.UTC(2030, 0, 1);

let end: (() => Promise<void>) | null = null;
afterEach(() => end?.());

interface World {
  clock: FakeClock;
  database: Database;
  /** The target of each monitor fails from then on, for this time. */
  blips: Map<number, { from: number; lastsMs: number }>;
  /** Monitors that had a bad round. */
  failed: Set<number>;
  /** When each round of a monitor began. */
  starts: Map<number, number[]>;
  start(): void;
  wakeScheduler(shard: number): void;
}

async function createWorld(checkTakesMs: number): Promise<World> {
  const clock = createFakeClock({ now: START });
  const database = await openInMemory();
  const starts = new Map<number, number[]>();
  const bus: Bus = {
    async check(_region, { monitorId }) {
      starts.set(monitorId, [...(starts.get(monitorId) ?? []), clock.now()]);
      const { from, lastsMs } = world.blips.get(monitorId)!;
      const fails = () => clock.now() >= from && clock.now() < from + lastsMs;
      const begins = fails();
      await new Promise<void>((resolve) => void clock.after(checkTakesMs, resolve));
      // A check fails when the target does at any time of it.
      const isBad = begins || fails();
      if (isBad) world.failed.add(monitorId);
      return checkResult(isBad ? 'down' : 'up');
    },
    inspect: inspectNothing,
    vantageOf: () => 'office',
    lastSeen: () => clock.now(),
    close: async () => {},
  };
  const recorder = createRoundRecorder({ database, clock, log: silentLog });
  const scheduler = new Scheduler({
    database,
    bus,
    recorder,
    clock,
    log: silentLog,
    nodeId: 'node-1',
    regions: NO_PRIVATE_REGIONS,
    secrets: PLAIN_SECRETS,
  });
  end = async () => {
    await scheduler.stop();
    await database.close();
  };
  const world: World = {
    clock,
    database,
    blips: new Map(),
    failed: new Set(),
    starts,
    start: () => scheduler.start(),
    wakeScheduler: (shard) => scheduler.wake(shard),
  };
  return world;
}

type Ask = (world: World, id: number) => Promise<unknown>;

const inShard = (
  { database }: World,
  id: number,
  work: (
    tx: Parameters<Parameters<Database['transaction']>[0]>[0],
    version: number,
  ) => Promise<unknown>,
) => database.transaction(async (tx) => work(tx, await nextVersion(tx, shardOf(id))));

/** As a manual check does it where no confirmation runs: here it always does, so that the recorder stands alone. */
const hasten: Ask = (world, id) =>
  inShard(world, id, (tx, version) =>
    monitorChanges(tx).scheduleNow(id, version, world.clock.now()),
  );

const WAYS: Record<string, Ask> = {
  'the grid alone': async () => undefined,
  'a manual check': hasten,
  'a rename': ({ database, clock }, id) =>
    editMonitor(database, id, { friendly_name: `At ${clock.now()}` }, clock.now()),
  'an edit of the check': ({ database, clock }, id) =>
    editMonitor(database, id, { url: `http://${clock.now()}.example/` }, clock.now()),
  async 'a pause and a resume'(world, id) {
    const now = world.clock.now();
    await inShard(world, id, (tx, version) => monitorChanges(tx).pause(id, version, now));
    await inShard(world, id, (tx, version) => monitorChanges(tx).resume(id, version, now));
  },
};

/** When somebody asks for rounds, in milliseconds after the target began to fail. */
const MOMENTS: Record<string, number[]> = {
  once: [5],
  'twice at once': [5, 20],
  'twice, gathering apart': [5, 305],
  'at the end and before': [5, 7_900],
  'every second': [5, 1_005, 2_005, 3_005, 4_005, 5_005, 6_005, 7_005, 8_005],
};
/** How long before its slot of the grid the target begins to fail, in milliseconds. */
const BEFORE_SLOT = [0, 6, 45, 100, 1_000, 8_000];

interface Case {
  way: string;
  moments: number[];
  beforeMs: number;
}

const CASES: Case[] = Object.keys(WAYS).flatMap((way) =>
  Object.values(way === 'the grid alone' ? { never: [] } : MOMENTS).flatMap((moments) =>
    BEFORE_SLOT.map((beforeMs) => ({ way, moments, beforeMs })),
  ),
);

/** A monitor for each case, all in one world. Answers them by id, with the time at which its target began to fail. */
async function live(world: World, cases: Case[], lastsMs: number) {
  const { clock, database } = world;
  const lives = new Map<number, Case & { from: number }>();
  for (const one of cases) {
    const id = await createMonitor(database, clock.now());
    const slot = nextSlot(id, INTERVAL_MS, clock.now() + one.beforeMs + 3_000);
    const from = slot - one.beforeMs;
    lives.set(id, { ...one, from });
    world.blips.set(id, { from, lastsMs });
    for (const moment of one.moments) {
      clock.after(from + moment - clock.now(), () => {
        void WAYS[one.way]!(world, id).then(() => world.wakeScheduler(shardOf(id)));
      });
    }
  }
  world.start();
  await clock.advance(3 * INTERVAL_MS);
  return lives;
}

async function incidentsOf({ database }: World): Promise<Set<number>> {
  const rows = await database.read.selectFrom('incident').select('monitor_id').execute();
  return new Set(rows.map((row) => row.monitor_id));
}

describe.each([1, 700])('with checks that take %d ms', { timeout: 600_000 }, (checkTakesMs) => {
  test.each([50, 300, 3_000, 8_900 - checkTakesMs])(
    'failures of %d ms confirm no outage, whatever requests rounds and when [18.15]',
    async (lastsMs) => {
      const world = await createWorld(checkTakesMs);
      const lives = await live(world, CASES, lastsMs);
      const accused = [...(await incidentsOf(world))].map((id) => lives.get(id));
      expect(accused).toEqual([]);
      const failed = [...lives].filter(([id]) => world.failed.has(id));
      expect(failed.length).toBeGreaterThan(CASES.length / 3);
    },
  );

  test('a lasting outage is confirmed, whatever requests rounds and when', async () => {
    const world = await createWorld(checkTakesMs);
    // What is edited once more every second is another target every time.
    const cases = CASES.filter(({ moments }) => moments.length < 3);
    const lives = await live(world, cases, 1_000_000);
    const accused = await incidentsOf(world);
    expect([...lives].filter(([id]) => !accused.has(id))).toEqual([]);
  });
});

test('a grid slot before the verdict of a failed round starts no extra round', async () => {
  const world = await createWorld(1);
  const cases = [{ way: 'a manual check', moments: [5], beforeMs: 45 }];
  const [[id, { from }] = [0, { from: 0 }]] = [...(await live(world, cases, 300))];
  const during = world.starts.get(id)!.filter((at) => at >= from && at < from + 9_000);
  expect(during).toHaveLength(1);
});
