import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { onPostgres } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { importMonitors, firstIds } from '../../../test/support/monitor-rows.ts';
import {
  createScheduling,
  lineTo,
  passTime,
  timeUntil,
  type Scheduling,
} from '../../../test/support/scheduling.ts';
import { sleep } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { SHARD_COUNT } from '../../model/monitor.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  announceNode,
  fairShare,
  nextVersion,
  renewShards,
  takeShards,
  untilNextEnd,
  type LeaseStore,
} from '../../store/engine/shards.ts';
import { leasedOwnership, fullOwnership } from './shards.ts';

const ALL = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);

/** A node with a clock and a line of its own, so that it can be frozen, cut off or killed while others go on. */
function startNode(target: Database, nodeId: string) {
  const line = lineTo(target);
  const clock = createFakeClock();
  const gained: number[] = [];
  const lost: number[] = [];
  const answers = { lateByMs: 0, renewals: 0 };
  /** Commits come at once; their answers may be late by this node's clock. */
  const transaction: Database['transaction'] = async (work) => {
    const result = await line.database.transaction(work);
    if (answers.lateByMs > 0) await sleep(clock, answers.lateByMs);
    return result;
  };
  const ownership = leasedOwnership({
    database: { ...line.database, transaction },
    clock,
    log: silentLog,
    nodeId,
    onGained: (shards) => void gained.push(...shards),
    onLost: (shards) => void lost.push(...shards),
    onRenewed: () => void answers.renewals++,
  });
  ownership.start();
  return {
    nodeId,
    answers,
    clock,
    ownership,
    gained,
    lost,
    line,
    certain: () => ALL.filter((shard) => ownership.isCertain(shard)),
  };
}

/** As if the database's clock had gone on by more than a lease since that node was heard of last. */
async function outlive(database: Database, nodeId: string) {
  await database.transaction(async (tx) => {
    await tx
      .updateTable('shard')
      .set({ lease_until: sql<number>`lease_until - 11000` })
      .where('owner', '=', nodeId)
      .execute();
    await tx
      .updateTable('node')
      .set({ seen_at: sql<number>`seen_at - 11000` })
      .where('id', '=', nodeId)
      .execute();
  });
}

/** The end of the lease of shard 0, by the database's clock. */
async function leaseEnd(database: Database): Promise<number> {
  const row = await database.read
    .selectFrom('shard')
    .select('lease_until')
    .where('shard', '=', 0)
    .executeTakeFirstOrThrow();
  return row.lease_until;
}

const owners = (database: Database) =>
  database.read.selectFrom('shard').select(['shard', 'owner']).orderBy('shard').execute();

/** A process that runs 300 monitors, each of which it has looked at. */
async function startAlone(database: Database) {
  await importMonitors(database, firstIds(300), 0);
  const line = lineTo(database);
  const clock = createFakeClock();
  const house = createScheduling({ clock, database: line.database });
  house.answer = () => ({ outcome: 'stale' });
  house.scheduler.start();
  await timeUntil([{ clock, line }], () => seenBy(house).size === 300);
  return { house, clock, line };
}

describe('the fair share', () => {
  test.each([
    [0, 256],
    [1, 256],
    [2, 128],
    [3, 86],
    [100, 3],
    [1_000, 1],
  ])('of %i members is %i', (members, share) => {
    expect(fairShare(members)).toBe(share);
  });
});

test('without other processes all shards are always owned', () => {
  const ownership = fullOwnership();
  ownership.distrustLeases();
  expect(ownership.owned.size).toBe(SHARD_COUNT);
  expect(ALL.every((shard) => ownership.isCertain(shard))).toBe(true);
});

/** A node that owns half of the shards, and another one that owns the rest until `othersEndMs` after each renewal. */
function startBesideOther(othersEndMs: () => number | null) {
  const clock = createFakeClock();
  const own = ALL.slice(0, 128);
  const calls: { name: string; at: number }[] = [];
  const called = <Answer>(name: string, answer: Answer): Promise<Answer> => {
    calls.push({ name, at: clock.monotonic() });
    return Promise.resolve(answer);
  };
  const store: LeaseStore = {
    announceNode: () => called('announce', 1),
    renewShards: () => called('renew', own),
    untilNextEnd: () => called('until', othersEndMs()),
    takeShards: () => called('take', []),
    releaseShards: () => called('release', undefined),
    forgetNode: () => called('forget', undefined),
    fairShare,
  };
  const line = { isCut: false };
  const transaction: Database['transaction'] = (work) =>
    line.isCut ? Promise.reject(new Error('no line')) : work({} as Parameters<typeof work>[0]);
  const ownership = leasedOwnership({
    database: { transaction } as Database,
    clock,
    log: silentLog,
    nodeId: 'a',
    store,
    onGained: () => {},
    onLost: () => {},
    onRenewed: () => {},
  });
  ownership.start();
  const timesOf = (name: string) => calls.filter((one) => one.name === name).map(({ at }) => at);
  return { clock, line, ownership, timesOf };
}

describe('the time of the next renewal', () => {
  test('is the end of a lease of another node, if that comes first', async () => {
    const ends = [1_200, null, 5_000];
    const node = startBesideOther(() => ends.shift() ?? null);
    const begunAt = node.clock.monotonic();
    await node.clock.advance(5_300);
    const times = node.timesOf('take').map((at) => at - begunAt);
    expect(times).toEqual([0, 1_210, 3_210, 5_210]);
    await node.ownership.stop();
  });

  test('after a failure others get half a second to renew before their shards are taken', async () => {
    const node = startBesideOther(() => null);
    await node.clock.advance(100);
    node.line.isCut = true;
    await node.clock.advance(3_000);
    const [taken] = node.timesOf('take');
    expect(node.timesOf('take')).toEqual([taken]);
    node.line.isCut = false;
    await node.clock.advance(1_100);
    const [renewedAt] = node.timesOf('renew').filter((at) => at > taken!);
    const [takenAt] = node.timesOf('take').filter((at) => at > taken!);
    expect(takenAt! - renewedAt!).toBe(500);
    await node.ownership.stop();
  });
});

onPostgres((open) => {
  test('the next end of a lease: own ones and those that are over do not count', async () => {
    const database = await open();
    const until = (nodeId: string) => database.transaction((tx) => untilNextEnd(tx, nodeId));
    expect(await until('a')).toBeNull();
    await database.transaction((tx) => takeShards(tx, 'a', 10));
    expect(await until('a')).toBeNull();
    const waitMs = await until('b');
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(7_000);
    await outlive(database, 'a');
    expect(await until('b')).toBeNull();
  });

  test('the membership of a node that died in its renewal ends before its leases', async () => {
    const database = await open();
    await database.transaction((tx) => takeShards(tx, 'a', 10));
    await database.transaction(async (tx) => {
      await announceNode(tx, 'a');
      await renewShards(tx, 'a');
    });
    const node = await database.read
      .selectFrom('node')
      .select('seen_at')
      .where('id', '=', 'a')
      .executeTakeFirstOrThrow();
    const shards = await database.read
      .selectFrom('shard')
      .select('lease_until')
      .where('owner', '=', 'a')
      .execute();
    expect(shards).toHaveLength(10);
    for (const { lease_until: until } of shards) {
      expect(node.seen_at + 7_000).toBeLessThanOrEqual(until);
    }
  });

  describe('leases', () => {
    test('one node takes all; a second one gets half, and no shard has two owners', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.ownership.owned.size === SHARD_COUNT);
      const b = startNode(database, 'b');
      await timeUntil([a, b], () => b.ownership.owned.size === 128);
      expect(a.ownership.owned.size).toBe(128);
      const both = a.certain().filter((shard) => b.ownership.isCertain(shard));
      expect(both).toEqual([]);
      expect((await owners(database)).every(({ owner }) => owner !== null)).toBe(true);
      await Promise.all([a.ownership.stop(), b.ownership.stop()]);
    });

    test('two that start at once both get some of the monitors that were created in sequence [40.4]', async () => {
      const database = await open();
      const take = (nodeId: string, limit: number) =>
        database.transaction((tx) => takeShards(tx, nodeId, limit));
      await take('a', 128);
      await take('b', 128);
      const runs = (await owners(database)).map(({ owner }) => owner).join('');
      expect(runs).toMatch(/^[ab]{256}$/);
      expect(runs).not.toMatch(/a{4}|b{4}/);
    });

    test('a node that joins gets some of them too [40.4]', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.ownership.owned.size === SHARD_COUNT);
      const b = startNode(database, 'b');
      await timeUntil([a, b], () => b.ownership.owned.size === 128);
      const runs = (await owners(database)).map(({ owner }) => owner).join('');
      expect(runs).toMatch(/^[ab]{256}$/);
      expect(runs).not.toMatch(/a{4}|b{4}/);
      await Promise.all([a.ownership.stop(), b.ownership.stop()]);
    });

    test('a node that stops releases its shards, and another takes them', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.ownership.owned.size === SHARD_COUNT);
      await a.ownership.stop();
      expect(a.ownership.owned.size).toBe(0);
      expect(a.lost).toHaveLength(SHARD_COUNT);
      expect((await owners(database)).every(({ owner }) => owner === null)).toBe(true);
      expect(await database.read.selectFrom('node').selectAll().execute()).toEqual([]);
      const b = startNode(database, 'b');
      await timeUntil([b], () => b.ownership.owned.size === SHARD_COUNT);
      await b.ownership.stop();
    });

    test('shards seen free are taken without waiting for the next renewal', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      const b = startNode(database, 'b');
      await timeUntil([a, b], () => a.certain().length + b.certain().length === SHARD_COUNT);
      await a.ownership.stop();
      const freeAt = b.clock.monotonic();
      b.ownership.observe([{ shard: 0, version: 0, owner: null }], freeAt);
      await b.line.idle();
      expect(b.ownership.owned.size).toBe(SHARD_COUNT);
      expect(b.clock.monotonic()).toBe(freeAt);
      await b.ownership.stop();
    });

    test('a node frozen beyond its lease is certain of no shard, and learns what it lost', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.ownership.owned.size === SHARD_COUNT);
      a.clock.freeze(10_000);
      await outlive(database, 'a');
      const b = startNode(database, 'b');
      await timeUntil([b], () => b.ownership.owned.size === SHARD_COUNT);
      expect(a.certain()).toEqual([]);
      const askedAt = a.clock.monotonic();
      const rows = await database.read
        .selectFrom('shard')
        .select(['shard', 'version', 'owner'])
        .execute();
      a.ownership.observe(rows, askedAt);
      expect(a.ownership.owned.size).toBe(0);
      expect(a.lost).toHaveLength(SHARD_COUNT);
      await timeUntil(
        [a, b],
        () => a.certain().length + b.certain().length === SHARD_COUNT && a.certain().length === 128,
      );
      await Promise.all([a.ownership.stop(), b.ownership.stop()]);
    });

    test('a disconnected node stops being certain before its lease can be taken', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.certain().length === SHARD_COUNT);
      a.line.cut(true);
      await passTime([a], 3_500);
      expect(a.certain()).toHaveLength(SHARD_COUNT);
      await passTime([a], 3_000);
      expect(a.certain()).toEqual([]);
      expect(a.ownership.owned.size).toBe(SHARD_COUNT);
      a.line.cut(false);
      await timeUntil([a], () => a.certain().length === SHARD_COUNT);
      expect(a.lost).toEqual([]);
      await a.ownership.stop();
    });

    test('certainty runs from when a renewal was sent, not from its answer', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.certain().length === SHARD_COUNT);
      const { renewals } = a.answers;
      a.answers.lateByMs = 4_000;
      await timeUntil([a], () => a.answers.renewals > renewals);
      // It was sent 4 s ago, and the lease ends 7 s after that.
      a.line.cut(true);
      await passTime([a], 1_500);
      expect(a.certain()).toHaveLength(SHARD_COUNT);
      await passTime([a], 1_000);
      expect(a.certain()).toEqual([]);
      a.line.cut(false);
      a.answers.lateByMs = 0;
      await a.ownership.stop();
    });

    test('a renewal sent before distrustLeases makes nothing certain', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.certain().length === SHARD_COUNT);
      const { renewals } = a.answers;
      a.answers.lateByMs = 1_000;
      // It was sent, as its row in the database shows, and is answered in a second.
      const before = await leaseEnd(database);
      while ((await leaseEnd(database)) === before) await passTime([a], 100);
      a.ownership.distrustLeases();
      await timeUntil([a], () => a.answers.renewals > renewals);
      expect(a.certain()).toEqual([]);
      await timeUntil([a], () => a.certain().length === SHARD_COUNT);
      expect(a.lost).toEqual([]);
      a.answers.lateByMs = 0;
      await timeUntil([a], () => a.answers.renewals > renewals + 2);
      await a.ownership.stop();
    });

    test('distrust lasts until a later renewal is answered', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.certain().length === SHARD_COUNT);
      a.ownership.distrustLeases();
      expect(a.certain()).toEqual([]);
      await timeUntil([a], () => a.certain().length === SHARD_COUNT);
      expect(a.lost).toEqual([]);
      await a.ownership.stop();
    });

    test('owners read before shards were taken do not cause their loss', async () => {
      const database = await open();
      const clock = createFakeClock();
      const rows = ALL.map((shard) => ({ shard, version: 0, owner: null }));
      const askedAt = clock.monotonic();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.ownership.owned.size === SHARD_COUNT);
      a.ownership.observe(rows, askedAt);
      expect(a.ownership.owned.size).toBe(SHARD_COUNT);
      a.ownership.observe(rows, a.clock.monotonic() + 1);
      expect(a.ownership.owned.size).toBe(0);
      await a.ownership.stop();
    });

    test('an edit that locks a shard delays only the renewal of that shard, and briefly', async () => {
      const database = await open();
      const a = startNode(database, 'a');
      await timeUntil([a], () => a.certain().length === SHARD_COUNT);
      const held = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      const edit = database.transaction(async (tx) => {
        await nextVersion(tx, 9);
        held.resolve();
        await over.promise;
      });
      await held.promise;
      await passTime([a], 9_000);
      expect(ALL.filter((shard) => !a.ownership.isCertain(shard))).toEqual([9]);
      over.resolve();
      await edit;
      await passTime([a], 1_000);
      expect(a.certain()).toHaveLength(SHARD_COUNT);
      expect(a.lost).toEqual([]);
      await a.ownership.stop();
    });
  });

  describe('two schedulers', () => {
    test('check each monitor once per slot, and one takes over when the other is gone', async () => {
      const database = await open();
      await importMonitors(database, firstIds(512), 0);
      const nodes = ['a', 'b'].map((nodeId) => {
        const line = lineTo(database);
        const clock = createFakeClock();
        return { clock, line, house: createScheduling({ clock, database: line.database, nodeId }) };
      });
      const [a, b] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
      for (const { house } of nodes) house.scheduler.start();
      const counts = () => nodes.map(({ house }) => house.scheduler.monitors);
      await timeUntil(nodes, () => counts().every((count) => count === 256));
      for (const { house } of nodes) house.rounds.length = 0;
      await timeUntil(nodes, () => nodes.every(({ house }) => seenBy(house).size === 256));
      const both = [...seenBy(a.house)].filter((id) => seenBy(b.house).has(id));
      expect(both).toEqual([]);
      await a.house.scheduler.stop();
      expect(a.house.scheduler.monitors).toBe(0);
      await timeUntil([b], () => b.house.scheduler.monitors === 512);
      b.house.rounds.length = 0;
      await timeUntil([b], () => seenBy(b.house).size === 512);
      await b.house.scheduler.stop();
    });

    test.each([
      ['forward, as when the machine slept', 60_000],
      ['back', -60_000],
    ])('one whose clock jumps %s starts nothing until it has renewed', async (_how, stepMs) => {
      const { house, clock, line } = await startAlone(await open());
      line.cut(true);
      clock.stepWall(stepMs);
      house.started.length = 0;
      // By the steady clock alone the leases would be good for some seconds more.
      await passTime([{ clock, line }], 5_000);
      expect(house.scheduler.counters.clock_steps).toBe(1);
      expect(house.started).toEqual([]);
      line.cut(false);
      await timeUntil(
        [{ clock, line }],
        () => new Set(house.started.map((s) => s.monitorId)).size === 300,
      );
      await house.scheduler.stop();
    });

    test('one that cannot renew starts no rounds, and makes up for them once it can', async () => {
      const { house, clock, line } = await startAlone(await open());
      line.cut(true);
      await passTime([{ clock, line }], 9_000);
      house.started.length = 0;
      await passTime([{ clock, line }], 60_000);
      expect(house.started).toEqual([]);
      line.cut(false);
      await timeUntil(
        [{ clock, line }],
        () => new Set(house.started.map((s) => s.monitorId)).size === 300,
      );
      const { slots_missed_in_gap, slots_skipped } = house.scheduler.counters;
      expect(slots_missed_in_gap).toBeGreaterThanOrEqual(600);
      expect(slots_skipped).toBe(0);
      await house.scheduler.stop();
    });
  });
});

const seenBy = (house: Scheduling) => new Set(house.rounds.map(({ monitorId }) => monitorId));
