import { fitProbeCost, probeCores, probePoints, probeRate, type ProbeCost } from './probe-cost.ts';
import type { LayoutName } from './scale-layouts.ts';
import { countOf, coresOf, postgresCores, postgresNetwork } from './scale-report.ts';
import type { MeasuredLayout, ScalingParts } from './scaling-parts.ts';
import type { Measured } from './scale-sample.ts';

/** Kinds of processes in an installation of single roles. */
export type Role = 'api' | 'scheduler' | 'worker' | 'probe';
export type DatabaseRole = Exclude<Role, 'probe'>;
const ROLES: readonly Role[] = ['api', 'scheduler', 'worker', 'probe'];
const DATABASE_ROLES: readonly DatabaseRole[] = ['api', 'scheduler', 'worker'];

/** An installation to estimate. */
export interface Scenario {
  monitors: number;
  intervalSeconds: number;
}

/** What is assumed where nothing was measured. docs/scaling.md shows them. */
export const ASSUMED = {
  /** Regions of each monitor. */
  regions: 4,
  /** Share of monitors that are in confirmation at a time, and the seconds between their rounds. */
  confirming: 0.02,
  confirmationSeconds: 10,
  /** Certificate, DNS and domain inspections of a monitor an hour, from one place. */
  inspectionsPerHour: 2,
  /** Share of a core that a process may use on average: it has one main thread, and checks must not be late. */
  load: 0.6,
  /** Processes of a role, and probes of a region, beyond those that the load needs: one may fail. A region may be missing. */
  spare: { api: 1, scheduler: 1, worker: 1, probe: 0 },
  /** Bytes of an HTTPS check on the network, both ways. */
  targetBytes: 6_000,
  /** Bytes of roll-ups per check. */
  rollupBytes: 0.6,
  /** Days whose results are kept, today included. */
  rawDays: 4,
  /** A checkpoint every 15 minutes, after which each page is logged whole once. */
  checkpointSeconds: 900,
  pageBytes: 8_192,
  /** Bytes of a round in the index of its day. */
  indexBytes: 28,
  /** Rows of monitor_state in a page. */
  statesPerPage: 8,
  /** A large server of Postgres: cores that may be used, log it can write, and commits that reach the disk. */
  postgresCores: 32 * 0.6,
  postgresLogBytes: 100e6,
  postgresSyncs: 2_000,
  postgresMemoryBytes: 64e9,
  /** Connections without a pooler. */
  connections: 500,
  /** Schedulers can't be more than shards. */
  shards: 256,
  /** Bytes a second of one NATS server, in and out. */
  natsBytes: 1e9 / 8,
  natsCores: 8 * 0.6,
} as const;

/** What one check and one process cost, by role. */
export interface UnitCosts {
  /** Core seconds of all processes of the role. */
  cpuPerCheck: Record<DatabaseRole, number>;
  probe: ProbeCost;
  /** Cores of one idle process. */
  idleCores: Record<Role, number>;
  /** MiB of one process without monitors, and MiB for each monitor that a scheduler has. */
  idleMiB: Record<Role, number>;
  schedulerMiBPerMonitor: number;
  connections: Record<Role, number>;
  postgres: {
    cpuPerCheck: number;
    /** Of the whole idle installation, divided by its processes with a database. */
    idleCores: number;
    statementsPerCheck: number;
    /** A second, of one idle process. */
    idleStatements: Record<DatabaseRole, number>;
    logBytesPerCheck: number;
    idleLogBytes: number;
    networkPerCheck: number;
    /** Bytes a second, of one idle process. */
    idleNetwork: Record<DatabaseRole, number>;
    resultBytesPerCheck: number;
    /** Commits that reach the disk, a second, of one busy scheduler; NaN where Postgres does not count them. */
    syncsPerScheduler: number;
  };
  nats: { bytesPerCheck: number; cpuPerCheck: number };
  /** Monitors a second, by all workers together. */
  rollups: number;
}

/** The layout of single roles that the model is made of: that of one process of each if it was measured. @throws if there is none. */
export function layoutOfRoles(parts: ScalingParts): MeasuredLayout {
  const wanted: LayoutName[] = ['roles', 'regions', 'schedulers-2'];
  for (const name of wanted) {
    const found = parts.layouts.find(({ layout, loads }) => layout === name && loads.length > 0);
    if (found !== undefined) return found;
  }
  throw new Error('No layout of single roles was measured: run it with --layouts=roles.');
}

const memory = (one: Measured, role: Role) => one.present[`memory.${role}`] ?? 0;
const counter = (name: string) => (one: Measured) => one.perSecond[name] ?? 0;
const byRole = (read: (role: Role) => number) =>
  Object.fromEntries(ROLES.map((role) => [role, read(role)])) as Record<Role, number>;
const byDatabaseRole = (read: (role: DatabaseRole) => number) =>
  Object.fromEntries(DATABASE_ROLES.map((role) => [role, read(role)])) as Record<
    DatabaseRole,
    number
  >;

/**
 * Costs by check and by process: what exceeds the idle costs, divided by the checks of that load. What later loads of the
 * layout cost is left out.
 */
export function unitCosts(parts: ScalingParts, loadIndex = -1): UnitCosts {
  const measured = layoutOfRoles(parts);
  const { idle, layout, loads, rollupsPerSecond } = measured;
  const load = loads.at(loadIndex)!;
  const checks = load.perSecond['checks']!;
  const perCheck = (read: (one: Measured) => number) =>
    Math.max(0, read(load) - read(idle)) / checks;
  const processes = (role: Role) => countOf(layout, role);
  const withDatabase = DATABASE_ROLES.reduce((sum, role) => sum + processes(role), 0);
  /** Parts apart: a worker that was busier at its start must not hide what schedulers cost. */
  const perCheckOf = (prefix: string) =>
    Object.keys(load.perSecond)
      .filter((name) => name.startsWith(prefix))
      .reduce((sum, name) => sum + perCheck(counter(name)), 0);
  return {
    cpuPerCheck: byDatabaseRole((role) => perCheck((one) => coresOf(one, role))),
    probe: fitProbeCost(
      probePoints(parts, loads.slice(loads.indexOf(load) + 1)),
      coresOf(idle, 'probe') / processes('probe'),
    ),
    idleCores: byRole((role) => coresOf(idle, role) / processes(role)),
    idleMiB: byRole((role) => memory(role === 'scheduler' ? idle : load, role) / processes(role)),
    schedulerMiBPerMonitor:
      Math.max(0, memory(load, 'scheduler') - memory(idle, 'scheduler')) / load.monitors,
    connections: byRole((role) => (load.present[`connections.${role}`] ?? 0) / processes(role)),
    postgres: {
      cpuPerCheck: perCheckOf('postgres.cpu.'),
      idleCores: postgresCores(idle) / withDatabase,
      statementsPerCheck: perCheckOf('postgres.statements.'),
      idleStatements: byDatabaseRole(
        (role) => counter(`postgres.statements.${role}`)(idle) / processes(role),
      ),
      logBytesPerCheck: perCheck(counter('postgres.wal_bytes')),
      idleLogBytes: counter('postgres.wal_bytes')(idle),
      networkPerCheck: perCheck(postgresNetwork),
      idleNetwork: idleNetwork(parts, measured),
      resultBytesPerCheck: perCheck(counter('postgres.result_bytes')),
      syncsPerScheduler:
        (load.perSecond['postgres.wal_syncs'] ?? Number.NaN) / processes('scheduler'),
    },
    nats: {
      bytesPerCheck: perCheck(
        (one) => counter('nats.in_bytes')(one) + counter('nats.out_bytes')(one),
      ),
      cpuPerCheck: perCheck(counter('cpu.nats')),
    },
    rollups: rollupsPerSecond ?? Number.NaN,
  };
}

/**
 * Connections are counted without their processes: what a second scheduler added is what one causes, the rest is divided
 * evenly. Without that measurement, each process causes the same.
 */
function idleNetwork(
  { layouts }: ScalingParts,
  { layout, idle }: MeasuredLayout,
): Record<DatabaseRole, number> {
  const whole = postgresNetwork(idle);
  const schedulers = countOf(layout, 'scheduler');
  const others = countOf(layout, 'api') + countOf(layout, 'worker');
  const second = layouts.find((one) => one.layout === 'schedulers-2');
  const mean = whole / (schedulers + others);
  const added = second === undefined ? mean : postgresNetwork(second.idle) - whole;
  const scheduler = Math.min(whole / schedulers, Math.max(mean, added));
  const other = (whole - scheduler * schedulers) / others;
  return { api: other, scheduler, worker: other };
}

export interface Estimate {
  checksPerSecond: number;
  rowsPerSecond: number;
  processes: Record<Role, number>;
  cores: Record<Role, number> & { postgres: number; nats: number };
  /** Of one scheduler, when those to spare have failed and the others have their monitors. */
  schedulerMiB: number;
  postgres: {
    statementsPerSecond: number;
    syncsPerSecond: number;
    logBytesPerSecond: number;
    /** Of these: pages that are logged whole after a checkpoint. */
    wholePageBytesPerSecond: number;
    connections: number;
    networkBytesPerSecond: number;
    /** Pages of states and of the ends of the index of today, which each round touches. */
    hotBytes: number;
  };
  natsBytesPerSecond: number;
  targetBytesPerSecond: number;
  /** Results of the days that are kept, and of a month if it were kept. */
  storedGb: number;
  monthGb: number;
  /** Share of an hour that its roll-up takes. */
  rollupShare: number;
}

/** Checks a second: of the interval, of confirmations that come more often, and inspections. */
export function checksPerSecond({ monitors, intervalSeconds }: Scenario): number {
  const { regions, confirming, confirmationSeconds, inspectionsPerHour } = ASSUMED;
  const calm = ((1 - confirming) * regions) / intervalSeconds;
  const confirmed = (confirming * regions) / Math.min(intervalSeconds, confirmationSeconds);
  return monitors * (calm + confirmed + inspectionsPerHour / 3600);
}

/** What an installation of single roles needs. */
export function estimate(costs: UnitCosts, scenario: Scenario): Estimate {
  const checks = checksPerSecond(scenario);
  const { monitors } = scenario;
  const processes = processesFor(costs, checks);
  const cores = byDatabaseRole(
    (role) => checks * costs.cpuPerCheck[role] + processes[role] * costs.idleCores[role],
  );
  /** Sum over all processes with a database. */
  const ofAll = (read: (role: DatabaseRole) => number) =>
    DATABASE_ROLES.reduce((sum, role) => sum + processes[role] * read(role), 0);
  const pages = hotPages(scenario);
  const wholePages = (pages * ASSUMED.pageBytes) / ASSUMED.checkpointSeconds;
  const { postgres } = costs;
  const bytesPerDay = checks * 86_400 * postgres.resultBytesPerCheck;
  return {
    checksPerSecond: checks,
    rowsPerSecond: checks / ASSUMED.regions,
    processes,
    cores: {
      ...cores,
      probe: processes.probe * probeCores(costs.probe, checks / processes.probe),
      postgres: checks * postgres.cpuPerCheck + ofAll(() => postgres.idleCores),
      nats: checks * costs.nats.cpuPerCheck,
    },
    schedulerMiB:
      costs.idleMiB.scheduler +
      (monitors / (processes.scheduler - ASSUMED.spare.scheduler)) * costs.schedulerMiBPerMonitor,
    postgres: {
      statementsPerSecond:
        checks * postgres.statementsPerCheck + ofAll((role) => postgres.idleStatements[role]),
      syncsPerSecond: processes.scheduler * postgres.syncsPerScheduler,
      logBytesPerSecond: checks * postgres.logBytesPerCheck + postgres.idleLogBytes + wholePages,
      wholePageBytesPerSecond: wholePages,
      connections: ofAll((role) => Math.max(costs.connections[role], POOL)),
      networkBytesPerSecond:
        checks * postgres.networkPerCheck + ofAll((role) => postgres.idleNetwork[role]),
      hotBytes: pages * ASSUMED.pageBytes,
    },
    natsBytesPerSecond: checks * costs.nats.bytesPerCheck,
    targetBytesPerSecond: checks * ASSUMED.targetBytes,
    storedGb: (bytesPerDay * ASSUMED.rawDays) / 1e9,
    monthGb: (bytesPerDay * 30 + checks * 86_400 * 30 * ASSUMED.rollupBytes) / 1e9,
    rollupShare: monitors / costs.rollups / 3600,
  };
}

/** Connections that a process may open: 10 for reads and transactions, 2 for scans, 1 for migrations. */
const POOL = 13;

const needed = (processes: number) => Math.max(1, Math.ceil(processes));

function processesFor(costs: UnitCosts, checks: number): Record<Role, number> {
  const { load, spare, regions } = ASSUMED;
  const ofRegion = needed(checks / regions / probeRate(costs.probe, load)) + spare.probe;
  return {
    ...byDatabaseRole((role) => needed((checks * costs.cpuPerCheck[role]) / load) + spare[role]),
    probe: ofRegion * regions,
  };
}

/**
 * Pages that the rounds of an interval touch at the end of a day: the states, and for each monitor the end of its part of
 * the index of results, once a monitor's part is more than a page.
 */
function hotPages({ monitors, intervalSeconds }: Scenario): number {
  const indexBytes = (86_400 / intervalSeconds) * ASSUMED.indexBytes;
  const indexPages = Math.min(1, indexBytes / ASSUMED.pageBytes);
  return monitors * (indexPages + 1 / ASSUMED.statesPerPage);
}

/** A resource that can't be added to, and the number of monitors at which it is used up. */
export interface Limit {
  resource: string;
  monitors: number;
}

/** All limits at an interval, the first one first. */
export function limits(costs: UnitCosts, intervalSeconds: number): Limit[] {
  const used: [string, (one: Estimate) => number][] = [
    ['cores of one Postgres server', ({ cores }) => cores.postgres / ASSUMED.postgresCores],
    ['log of Postgres', ({ postgres }) => postgres.logBytesPerSecond / ASSUMED.postgresLogBytes],
    ['commits of Postgres', ({ postgres }) => postgres.syncsPerSecond / ASSUMED.postgresSyncs],
    [
      'memory of Postgres for the pages of each round',
      ({ postgres }) => postgres.hotBytes / ASSUMED.postgresMemoryBytes,
    ],
    ['connections without a pooler', ({ postgres }) => postgres.connections / ASSUMED.connections],
    ['one scheduler for each shard', ({ processes }) => processes.scheduler / ASSUMED.shards],
    ['roll-ups, one after another', ({ rollupShare }) => rollupShare],
    [
      'network of one NATS server',
      ({ natsBytesPerSecond }) => natsBytesPerSecond / ASSUMED.natsBytes,
    ],
    ['cores of one NATS server', ({ cores }) => cores.nats / ASSUMED.natsCores],
  ];
  return used
    .filter(([, share]) =>
      Number.isFinite(share(estimate(costs, { monitors: 1_000, intervalSeconds }))),
    )
    .map(([resource, share]) => ({
      resource,
      monitors: largest((monitors) => share(estimate(costs, { monitors, intervalSeconds })) <= 1),
    }))
    .toSorted((a, b) => a.monitors - b.monitors);
}

const MOST_MONITORS = 1e9;

/** Largest number of monitors, to two digits, for which it holds; it must not hold again beyond one for which it does not. */
function largest(holds: (monitors: number) => boolean): number {
  let [low, high] = [0, MOST_MONITORS];
  while (high - low > Math.max(1, low / 1_000)) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return Number(low.toPrecision(2));
}
