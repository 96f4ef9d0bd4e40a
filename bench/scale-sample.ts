import { setTimeout as pause } from 'node:timers/promises';
import { anonymousMiB, cpuSeconds, family, machineCpuSeconds, sumOf } from './process.ts';
import type { PostgresWatch, StatementCost } from './postgres-watch.ts';
import { countsIn } from './sample.ts';
import type { Member, Nats } from './scale-fleet.ts';

/** What can be read while processes run. */
export interface Observed {
  members: readonly Member[];
  postgres: PostgresWatch;
  nats: Nats;
  /** Process of the targets. */
  targetPid: number;
}

/** Growth per second of counters, and values at the end of a measurement. `bench/scaling-parts.json` holds them. */
export interface Measured {
  /** Monitors that are checked every 30 s from four regions; 0 for what processes cost when idle. */
  monitors: number;
  seconds: number;
  /**
   * By name: `checks`, `due`, `late`, …; `cpu.scheduler` of all processes of a kind and `children.whole` of the probes below
   * them, cores; `postgres.…` as `PostgresWatch` names it; `nats.…`.
   */
  perSecond: Record<string, number>;
  /** By name: `memory.scheduler` of all processes of a kind, MiB; `connections.scheduler`. */
  present: Record<string, number>;
  /** The most expensive ones. */
  statements: Statement[];
}

export interface Statement {
  user: string;
  text: string;
  callsPerSecond: number;
  rowsPerCall: number;
  /** Milliseconds per second. */
  msPerSecond: number;
  walBytesPerSecond: number;
}

type Counters = Record<string, number>;

const MS_PER_SECOND = 1000;
const STATEMENTS_KEPT = 12;
const MAX_TEXT = 160;

/** Measures all processes for that time. */
export async function measureFleet(
  observed: Observed,
  { monitors, seconds }: { monitors: number; seconds: number },
): Promise<Measured> {
  await observed.postgres.resetStatements();
  const before = await readCounters(observed);
  const startedAt = performance.now();
  await pause(seconds * MS_PER_SECOND);
  const after = await readCounters(observed);
  const elapsed = (performance.now() - startedAt) / MS_PER_SECOND;
  return {
    monitors,
    seconds: Number(elapsed.toFixed(1)),
    perSecond: growthPerSecond(before, after, elapsed),
    present: await readPresent(observed),
    statements: mostExpensive(await observed.postgres.statements(), elapsed),
  };
}

/** Counters that began meanwhile, such as the CPU of new connections, count from 0. */
export function growthPerSecond(before: Counters, after: Counters, seconds: number): Counters {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, value]) => [name, (value - (before[name] ?? 0)) / seconds] as const)
      .map(([name, value]) => [name, Number(value.toPrecision(5))]),
  );
}

async function readCounters({ members, postgres, nats, targetPid }: Observed): Promise<Counters> {
  const counters: Counters = {
    ...(await postgres.counters()),
    'cpu.targets': await cpuSeconds(targetPid),
    'cpu.nats': await cpuSeconds(nats.pid),
    'cpu.machine': await machineCpuSeconds(),
  };
  for (const [name, value] of Object.entries(await nats.read())) {
    if (/^(in|out)_(msgs|bytes)$/.test(name)) counters[`nats.${name}`] = value;
  }
  const add = (name: string, value: number) => {
    counters[name] = (counters[name] ?? 0) + value;
  };
  for (const { kind, service } of members) {
    for (const pid of await family(service.pid)) {
      const seconds = await cpuSeconds(pid).catch(() => 0);
      add(pid === service.pid ? `cpu.${kind}` : `children.${kind}`, seconds);
    }
    if (kind !== 'whole' && kind !== 'scheduler') continue;
    const text = await service.metricsText();
    const { checks, down, unknown, due, late, rounds, skipped, missed } = countsIn(text);
    add('checks', checks);
    add('checks_down', down);
    add('checks_unknown', unknown);
    add('checks_due', due);
    add('checks_late', late);
    add('rounds', rounds);
    add('slots_skipped', skipped + missed);
    add('nats_batches', sumOf(text, 'tocsin_nats_batches_sent_total'));
  }
  return counters;
}

async function readPresent({ members, postgres, nats }: Observed): Promise<Counters> {
  const present: Counters = {};
  for (const { kind, service } of members) {
    for (const pid of await family(service.pid)) {
      const name = `memory.${kind}`;
      present[name] = (present[name] ?? 0) + (await anonymousMiB(pid).catch(() => 0));
    }
  }
  present['memory.nats'] = await anonymousMiB(nats.pid);
  for (const [user, count] of Object.entries(await postgres.connections()))
    present[`connections.${user}`] = count;
  present['connections.nats'] = (await nats.read()).connections;
  for (const name of Object.keys(present)) present[name] = Number(present[name]!.toPrecision(4));
  return present;
}

function mostExpensive(statements: readonly StatementCost[], seconds: number): Statement[] {
  const each = (value: number) => Number((value / seconds).toPrecision(4));
  return statements.slice(0, STATEMENTS_KEPT).map(({ user, text, calls, rows, ms, walBytes }) => ({
    user,
    text: text.replaceAll(/\s+/g, ' ').slice(0, MAX_TEXT),
    callsPerSecond: each(calls),
    rowsPerCall: Number((rows / calls).toPrecision(3)),
    msPerSecond: each(ms),
    walBytesPerSecond: each(walBytes),
  }));
}
