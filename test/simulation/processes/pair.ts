import { leasedOwnership } from '../../../src/engine/schedule/shards.ts';
import { LEASE_MS, type LeaseStore } from '../../../src/store/engine/shards.ts';
import {
  createSupervisor,
  type Supervisor,
  type SupervisorOptions,
  type Member,
} from '../supervisor.ts';
import type { Process } from '../process.ts';
import { fixedRandom } from '../random.ts';
import { createProcessClock, type ProcessClock, type Freeze } from './clock.ts';
import type { MemberDisruption, PairScenario, FreezeDisruption } from './scenario.ts';
import type { PairRules } from './rules.ts';
import type { Transaction } from 'kysely';
import type { Schema } from '../../../src/store/database/contract.ts';
import { SHARDS } from '../world-database.ts';

/**
 * Leases of shards on SQLite, equivalent to the product's statements for Postgres. Transactions are serialized, so that
 * rows need no locks; leases end by the clock of the database, which is that of the world.
 */
function worldLeases(databaseNow: () => number): LeaseStore {
  const lease = async (tx: Transaction<Schema>, nodeId: string, shards: number[]) => {
    if (shards.length === 0) return [];
    await tx
      .updateTable('shard')
      .set({ owner: nodeId, lease_until: databaseNow() + LEASE_MS })
      .where('shard', 'in', shards)
      .execute();
    return shards;
  };
  return {
    // Worlds have fewer shards than the product; each of two processes owns half of them.
    fairShare: (members) => Math.ceil(SHARDS / Math.max(1, members)),
    async announceNode(tx, nodeId) {
      const now = databaseNow();
      await tx
        .insertInto('node')
        .values({ id: nodeId, seen_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
        .execute();
      const { members } = await tx
        .selectFrom('node')
        .select((eb) => eb.fn.countAll<number>().as('members'))
        .where('seen_at', '>', now - LEASE_MS)
        .executeTakeFirstOrThrow();
      return Math.max(1, Number(members));
    },
    async forgetNode(tx, nodeId) {
      await tx.deleteFrom('node').where('id', '=', nodeId).execute();
    },
    async renewShards(tx, nodeId) {
      const own = await tx
        .selectFrom('shard')
        .select('shard')
        .where('owner', '=', nodeId)
        .execute();
      return lease(
        tx,
        nodeId,
        own.map(({ shard }) => shard),
      );
    },
    async takeShards(tx, nodeId, limit) {
      const free = await tx
        .selectFrom('shard')
        .select('shard')
        .where((eb) => eb.or([eb('owner', 'is', null), eb('lease_until', '<', databaseNow())]))
        .limit(limit)
        .execute();
      return lease(
        tx,
        nodeId,
        free.map(({ shard }) => shard),
      );
    },
    async untilNextEnd(tx, nodeId) {
      const now = databaseNow();
      const { end } = await tx
        .selectFrom('shard')
        .select((eb) => eb.fn.min('lease_until').as('end'))
        .where('owner', '<>', nodeId)
        .where('lease_until', '>', now)
        .executeTakeFirstOrThrow();
      return end === null ? null : Number(end) - now;
    },
    async releaseShards(tx, nodeId, shards) {
      if (shards.length === 0) return;
      await tx
        .updateTable('shard')
        .set({ owner: null, lease_until: 0 })
        .where('owner', '=', nodeId)
        .where('shard', 'in', shards)
        .execute();
    },
  };
}

/** Supervises two processes that share the database. */
export interface ProcessPair extends Supervisor {
  /** Applies a disruption to one of the processes now. */
  disrupt(disruption: MemberDisruption): void;
  /** The processes that run and are not frozen. */
  running(): Process[];
  /**
   * When at least one of them has been running without a break (milliseconds since the world began); null while none
   * runs.
   */
  servingSince(): number | null;
}

export interface PairOptions extends Omit<SupervisorOptions, 'member'> {
  pair: PairScenario;
  rules: PairRules;
}

/** Time until the other process has taken over: the lease ends, and its monitors are loaded. */
const TAKE_OVER_MS = LEASE_MS + 3_000;

/** Time until a starting or resumed process owns its share: the other one releases it at its next renewal. */
const SHARED_MS = 8_000;

interface PairMember {
  member: Member;
  clock: ProcessClock;
  supervisor: Supervisor;
  /** When it was stopped or frozen, in milliseconds since the world began; null while it runs. */
  downSince: number | null;
  /** When it started or resumed. */
  runsSince: number;
}

export function createProcessPair(options: PairOptions): ProcessPair {
  const { pair, scenario, clock, random, story, faultInjector, rules } = options;
  const { disturbances } = faultInjector;
  const choices = random.fork('which of the two processes');
  const leases = worldLeases(() => clock.now());
  const pairMembers: PairMember[] = [];
  let draws = 0;

  /** Records that monitors are handed over, so that some may not be checked. */
  function handOver(from: number, lastsMs: number): void {
    disturbances.push({ kind: 'handover', from, to: from + lastsMs });
  }

  function memberWentDown(pairMember: PairMember): void {
    pairMember.downSince ??= clock.monotonic();
    handOver(clock.monotonic(), TAKE_OVER_MS);
  }

  function memberCameBack(pairMember: PairMember, kind: 'away' | 'frozen'): void {
    const now = clock.monotonic();
    const other = pairMembers.find((one) => one !== pairMember)!;
    const since = pairMember.downSince ?? now;
    // Results of rounds from before the freeze arrive now.
    handOver(now, SHARED_MS);
    if (other.downSince !== null) {
      disturbances.push({ kind, from: Math.max(since, other.downSince), to: now });
      handOver(now, TAKE_OVER_MS);
    }
    pairMember.downSince = null;
    pairMember.runsSince = now;
  }

  function createPairMember(index: 0 | 1): PairMember {
    const own = createProcessClock(clock, pair.offsets[index]);
    const member: Member = {
      name: `process ${index + 1}`,
      clock: own,
      createOwnership: (dependencies) =>
        (options.doubles.createOwnership ?? leasedOwnership)({
          ...dependencies,
          store: {
            ...leases,
            async renewShards(tx, nodeId) {
              const renewed = await leases.renewShards(tx, nodeId);
              own.renewed();
              return renewed;
            },
          },
        }),
      checks: rules.checks,
      wentDown: () => memberWentDown(pairMember),
      cameBack() {
        // A process that starts on a sleeping machine runs once the machine wakes.
        if (own.frozen() === null) memberCameBack(pairMember, 'away');
      },
    };
    const supervisor = createSupervisor({ ...options, random: random.fork(member.name), member });
    const pairMember: PairMember = {
      member,
      clock: own,
      supervisor,
      downSince: null,
      runsSince: 0,
    };
    return pairMember;
  }

  pairMembers.push(createPairMember(0), createPairMember(1));
  const [first, second] = pairMembers as [PairMember, PairMember];

  function alive(): Process[] {
    return pairMembers.flatMap(({ supervisor }) => {
      const process = supervisor.current();
      return process?.instance.isAlive() ? [process] : [];
    });
  }

  function either(): PairMember {
    const living = pairMembers.filter(({ supervisor }) => supervisor.current()?.instance.isAlive());
    return choices.pick(living.length > 0 ? living : pairMembers);
  }

  async function stop(pairMember: PairMember, downMs: number): Promise<void> {
    const frozen = pairMember.clock.frozen();
    if (frozen) await frozen;
    await pairMember.supervisor.stop(downMs);
  }

  function freezeProcess(pairMember: PairMember, disruption: FreezeDisruption): void {
    const { name } = pairMember.member;
    const forMs = Math.min(disruption.forMs, Math.max(100, scenario.wildMs - clock.monotonic()));
    const freeze: Freeze = {
      forMs,
      isSuspended: disruption.kind === 'suspend',
      began() {
        story.add(`${name} is frozen (${disruption.kind}) for ${forMs} ms`);
        memberWentDown(pairMember);
      },
      ended() {
        story.add(`${name} resumes`);
        if (pairMember.supervisor.current()?.instance.isAlive() && !pairMember.supervisor.isDown())
          memberCameBack(pairMember, 'frozen');
      },
    };
    if (disruption.isAtRenewal) pairMember.clock.freezeAtRenewal(freeze);
    else pairMember.clock.freezeAfter(disruption.crashPoints, freeze);
  }

  return {
    begin() {
      first.supervisor.begin();
      second.downSince = 0;
      const begin = () => {
        memberCameBack(second, 'away');
        second.supervisor.begin();
      };
      if (pair.secondBeginsAt === 0) begin();
      else clock.after(pair.secondBeginsAt, begin);
    },
    disrupt(disruption) {
      const pairMember = pairMembers[disruption.member]!;
      const left = Math.max(100, scenario.wildMs - clock.monotonic());
      if (disruption.kind === 'step') {
        story.add(
          `the clock of ${pairMember.member.name} is ahead by ${disruption.offset} ms from now on`,
        );
        pairMember.clock.step(disruption.offset);
        handOver(clock.monotonic(), 5_000);
      } else if ('forMs' in disruption) {
        if (pairMember.supervisor.current()?.instance.isAlive() && !pairMember.supervisor.isDown())
          freezeProcess(pairMember, disruption);
      } else if (disruption.kind === 'kill')
        pairMember.supervisor.killAfter(disruption.crashPoints, Math.min(disruption.downMs, left));
      else void stop(pairMember, Math.min(disruption.downMs, left));
    },
    killAfter: (crashPoints, downMs) => either().supervisor.killAfter(crashPoints, downMs),
    stop: (downMs) => stop(either(), downMs),
    end() {
      for (const { supervisor } of pairMembers) supervisor.end();
    },
    async deliverRemaining() {
      second.supervisor.end();
      await first.supervisor.deliverRemaining();
    },
    current() {
      const living = alive();
      const listening = living.filter((process) => process.isListening());
      const found = listening.length > 0 ? listening : living;
      draws += 1;
      const drawn = fixedRandom(scenario.seed, 'one of two', draws);
      return found[Math.floor(drawn * found.length)] ?? first.supervisor.current();
    },
    isDown: () => pairMembers.some((pairMember) => pairMember.downSince !== null),
    count: () => first.supervisor.count() + second.supervisor.count(),
    running: () => alive().filter(({ instance }) => instance.frozen() === null),
    servingSince() {
      const running = pairMembers.filter(({ downSince }) => downSince === null);
      return running.length === 0 ? null : Math.min(...running.map(({ runsSince }) => runsSince));
    },
  };
}
