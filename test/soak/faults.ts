import { sleep, systemClock } from '../../src/lib/clock.ts';
import type { Random } from '../simulation/random.ts';
import { end, signalAll } from './fleet.ts';
import type { ProcessKind } from './fleets.ts';
import type { Fleet, Member } from './fleet.ts';
import { addRecord } from './judge/records.ts';
import type { FaultKind } from './judge/records.ts';
import type { RestartedNats } from './nats.ts';
import type { SoakPostgres } from './postgres.ts';
import type { SharedTables } from './shared-tables.ts';

export interface Disturber {
  /** One fault at random. Resolves when it has happened; what must be put right is put right meanwhile. */
  disturb(): Promise<string>;
  /** Resolves when every process is sound again. @throws if one could not be replaced. */
  recover(): Promise<void>;
}

interface DisturberOptions {
  folder: string;
  fleet: Fleet;
  postgres: SoakPostgres;
  /** Null if the processes use none. */
  nats: RestartedNats | null;
  tables: SharedTables;
  random: Random;
  /** Which faults there are. */
  kinds: readonly FaultKind[];
}

const SERVER_FAULTS = [
  'postgres_fast',
  'postgres_immediate',
  'failover',
  'nats',
  'role_away',
] as const;
type ServerFault = (typeof SERVER_FAULTS)[number];
type ProcessFault = Exclude<FaultKind, ServerFault>;

const isServerFault = (kind: FaultKind): kind is ServerFault =>
  (SERVER_FAULTS as readonly FaultKind[]).includes(kind);

/** How often each fault happens, in proportion. */
const WEIGHTS: Record<FaultKind, number> = {
  kill: 10,
  stop: 5,
  suspend: 4,
  cut: 3,
  unplug: 3,
  slow_clock: 2,
  postgres_fast: 1,
  postgres_immediate: 1,
  failover: 2,
  nats: 2,
  role_away: 1,
};

/** Time until a dead process is replaced. */
const REPLACE_MS = [3_000, 15_000] as const;
const SUSPEND_MS = [15_000, 40_000] as const;
const CUT_MS = [12_000, 30_000] as const;
const SLOW_CLOCK_MS = [20_000, 30_000] as const;
const BELIEVES_FOR_MS = 2_000;
const SERVER_AWAY_MS = [0, 4_000] as const;
/** Until the operators have been told, and then of the return. */
const ROLE_AWAY_MS = 150_000;
const ROLE_BACK_MS = 100_000;
/** For how long shards that do not move are watched. */
const MOVED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

export function createDisturber(options: DisturberOptions): Disturber {
  const { folder, fleet, postgres, nats, tables, random } = options;
  /** Each in turn. */
  let rolesTaken = 0;
  const rolesApart = rolesAlone(fleet.members.map(({ kind }) => kind));
  const canUnplug = fleet.members.some(({ network }) => network !== null);
  const kinds = options.kinds.filter(
    (kind) =>
      (kind !== 'nats' || nats !== null) &&
      (kind !== 'unplug' || canUnplug) &&
      (kind !== 'role_away' || rolesApart.length > 0),
  );
  const weights = Object.fromEntries(kinds.map((kind) => [kind, WEIGHTS[kind]])) as Record<
    FaultKind,
    number
  >;
  /** What is being put right. */
  const repairs = new Set<Promise<void>>();
  /** The standby after a failover. Postgres stays until it is there. */
  let standby: Promise<void> = Promise.resolve();
  let failure: unknown = null;

  const repair = (work: Promise<void>) => {
    const watched = work
      .catch((error: unknown) => void (failure ??= error))
      .finally(() => repairs.delete(watched));
    repairs.add(watched);
  };

  /** Kills all processes of a role, and replaces them when the operators must have been told. */
  async function takeRoleAway(): Promise<string> {
    while (repairs.size > 0) await Promise.all(repairs);
    check();
    const role = rolesApart[rolesTaken++ % rolesApart.length]!;
    const members = fleet.members.filter(({ kind }) => kind.env['ROLES'] === role);
    const at = Date.now();
    await Promise.all(members.map((member) => end(member, 'SIGKILL')));
    await sleep(systemClock, ROLE_AWAY_MS);
    await Promise.all(members.map((member) => fleet.replace(member)));
    const until = Date.now();
    addRecord(folder, 'faults', {
      kind: 'role_away',
      at,
      until,
      process: null,
      role,
      shards: [],
      movedMs: null,
    });
    await sleep(systemClock, ROLE_BACK_MS);
    return `role_away ${role}`;
  }

  async function befallServer(kind: Exclude<ServerFault, 'role_away'>): Promise<void> {
    const at = Date.now();
    const forMs = random.integer(...SERVER_AWAY_MS);
    if (kind === 'nats') await nats!.restart(forMs);
    else if (kind === 'failover') {
      const [kill, addressFirst] = [random.chance(0.5), random.chance(0.5)];
      await postgres.failOver({ kill, addressFirst, afterMs: forMs });
      repair((standby = postgres.redundant()));
    } else {
      const server = postgres.primary();
      await server.stop(kind === 'postgres_fast' ? 'fast' : 'immediate');
      await sleep(systemClock, forMs);
      await server.restart();
    }
    const fault = { kind, at, until: Date.now(), process: null, shards: [], movedMs: null };
    addRecord(folder, 'faults', fault);
  }

  async function befall(kind: ProcessFault, member: Member): Promise<void> {
    member.isSound = false;
    const { nodeId } = member;
    const shards = nodeId === null ? [] : await tables.shardsOf(nodeId);
    const at = Date.now();
    const over = await FAULTS[kind](member, random);
    const moved =
      nodeId === null || shards.length === 0
        ? Promise.resolve(null)
        : timeUntilMoved(tables, nodeId, shards, at);
    const putRight = async () => {
      const until = await over();
      const movedMs = await moved;
      const exit = kind === 'stop' ? { exitCode: member.child.exitCode } : {};
      addRecord(folder, 'faults', {
        kind,
        at,
        until,
        process: member.name,
        shards,
        movedMs,
        ...exit,
      });
      if (until === null) await fleet.replace(member);
      else member.isSound = true;
    };
    repair(putRight());
  }

  const check = () => {
    if (failure !== null) throw failure;
  };

  return {
    async disturb() {
      check();
      const kind = random.weighted(weights);
      if (kind === 'role_away') return takeRoleAway();
      if (isServerFault(kind)) {
        if (kind !== 'nats') await standby;
        await befallServer(kind);
        return kind;
      }
      const candidates = () =>
        fleet.expendable().filter(({ line, network, nodeId }) => {
          if (kind === 'cut') return line !== null;
          if (kind === 'slow_clock') return nodeId !== null;
          return kind !== 'unplug' || network !== null;
        });
      while (candidates().length === 0) {
        await sleep(systemClock, LOOK_EVERY_MS);
        check();
      }
      const member = random.pick(candidates());
      await befall(kind, member);
      return `${kind} ${member.name}`;
    },
    async recover() {
      while (repairs.size > 0) await Promise.all(repairs);
      check();
    },
  };
}

/** Roles that processes have alone, and that no others have. */
export function rolesAlone(kinds: readonly ProcessKind[]): string[] {
  const roles = kinds.flatMap(({ env, usesDatabase }) =>
    usesDatabase && env['ROLES'] !== undefined ? [env['ROLES']] : [],
  );
  return [...new Set(roles)].filter((role) => !role.includes(','));
}

/** Does it, and answers how it is over: resolves with the time, or with null when the process has ended. */
type HowToBefall = (member: Member, random: Random) => Promise<() => Promise<number | null>>;

const replaceLater = (random: Random) => {
  const inMs = random.integer(...REPLACE_MS);
  return async () => {
    await sleep(systemClock, inMs);
    return null;
  };
};

const FAULTS: Record<ProcessFault, HowToBefall> = {
  async kill(member, random) {
    await end(member, 'SIGKILL');
    return replaceLater(random);
  },
  async stop(member, random) {
    const ended = end(member, 'SIGTERM');
    const replace = replaceLater(random);
    return async () => {
      await ended;
      return replace();
    };
  },
  async suspend(member, random) {
    const withProbes = random.chance(0.5);
    const send = (signal: NodeJS.Signals) =>
      withProbes ? signalAll(member, signal) : void member.child.kill(signal);
    const forMs = random.integer(...SUSPEND_MS);
    send('SIGSTOP');
    return async () => {
      await sleep(systemClock, forMs);
      send('SIGCONT');
      return Date.now();
    };
  },
  async cut({ line }, random) {
    const isSilent = random.chance(0.5);
    const forMs = random.integer(...CUT_MS);
    if (isSilent) line?.freeze();
    else await line?.close();
    return async () => {
      await sleep(systemClock, forMs);
      if (isSilent) line?.thaw();
      else await line?.reopen();
      return Date.now();
    };
  },
  /** Its leases end 7 seconds later, and by its own clocks not before it is over. */
  async slow_clock({ line, child }, random) {
    const forMs = random.integer(...SLOW_CLOCK_MS);
    line!.freeze();
    child.kill('SIGUSR2');
    return async () => {
      await sleep(systemClock, forMs);
      line!.thaw();
      // What it found meanwhile is stored while it still believes.
      await sleep(systemClock, BELIEVES_FOR_MS);
      child.kill('SIGUSR2');
      return Date.now();
    };
  },
  async unplug({ network }, random) {
    const forMs = random.integer(...CUT_MS);
    await network!.unplug();
    return async () => {
      await sleep(systemClock, forMs);
      await network!.plugIn();
      return Date.now();
    };
  },
};

/** Milliseconds until all these shards of a node have another owner; null if that is not seen within a minute. */
export async function timeUntilMoved(
  tables: SharedTables,
  nodeId: string,
  shards: readonly number[],
  since: number,
): Promise<number | null> {
  while (Date.now() - since < MOVED_WITHIN_MS) {
    if ((await tables.withoutNewOwner(nodeId, shards)) === 0) return Date.now() - since;
    await sleep(systemClock, LOOK_EVERY_MS);
  }
  return null;
}
