import { probeCores, probePoints } from './probe-cost.ts';
import { LAYOUTS } from './scale-layouts.ts';
import {
  coresOf,
  countOf,
  lateShare,
  postgresCores,
  postgresNetwork,
  statementsPerSecond,
} from './scale-report.ts';
import { estimate, layoutOfRoles, limits, unitCosts } from './scaling-model.ts';
import type { MeasuredLayout, ScalingParts } from './scaling-parts.ts';
import type { Measured } from './scale-sample.ts';
import { shown } from './table.ts';

/** Tables of docs/scaling.md: rows of cells, the first row is the head. */
export type Rows = string[][];

const KINDS = ['whole', 'api', 'scheduler', 'worker', 'probe'] as const;
const SIZES = [100, 10_000, 100_000, 1_000_000];
const INTERVALS = [60, 30];
const count = (value: number) => value.toLocaleString('en');
const ms = (seconds: number) => shown(seconds * 1000, 'ms');

const mb = (bytes: number) => `${shown(bytes / 1e6)} MB/s`;
const us = (seconds: number) => `${shown(seconds * 1e6)} µs`;
const monitorsText = (value: number) => (value >= 1e8 ? 'over 100,000,000' : count(value));

/** Checks and costs of each layout and number of monitors. */
export function measuredRows({ layouts }: ScalingParts): Rows {
  const head = ['Processes', 'Monitors', 'Checks/s', 'Late', 'Machine', 'CPU a check', 'Postgres'];
  return [
    head,
    ...layouts.flatMap(({ layout, loads }) =>
      loads.map((load) => {
        const checks = load.perSecond['checks']!;
        const own = KINDS.reduce((sum, kind) => sum + coresOf(load, kind), 0);
        return [
          LAYOUTS[layout].about,
          count(load.monitors),
          shown(checks),
          `${shown(lateShare(load) * 100)} %`,
          `${shown(load.perSecond['cpu.machine'] ?? 0)} cores`,
          ms(own / checks),
          ms(postgresCores(load) / checks),
        ];
      }),
    ),
  ];
}

/** Costs of an idle set of processes. */
export function idleRows({ layouts }: ScalingParts): Rows {
  const head = [
    'Processes',
    'Statements/s',
    'Log of Postgres',
    'Postgres',
    'Network',
    'CPU',
    'Memory',
  ];
  return [
    head,
    ...layouts.map(({ layout, idle }) => [
      LAYOUTS[layout].about,
      shown(statementsPerSecond(idle)),
      `${shown((idle.perSecond['postgres.wal_bytes'] ?? 0) / 1e3)} kB/s`,
      `${ms(postgresCores(idle))}/s`,
      `${shown(postgresNetwork(idle) / 1e3)} kB/s`,
      `${ms(KINDS.reduce((sum, kind) => sum + coresOf(idle, kind), 0))}/s`,
      `${shown(KINDS.reduce((sum, kind) => sum + (idle.present[`memory.${kind}`] ?? 0), 0))} MiB`,
    ]),
  ];
}

/** What one check costs beyond what idle processes do, in the layout that the model is made of. */
export function unitRows(parts: ScalingParts): Rows {
  const { cpuPerCheck, probe, postgres, nats, rollups, schedulerMiBPerMonitor } = unitCosts(parts);
  return [
    ['Part', 'A check costs'],
    ['scheduler', us(cpuPerCheck.scheduler)],
    [`probe, beside ${ms(probe.fixedCores)}/s of each busy process`, us(probe.cpuPerCheck)],
    ['worker and API', us(cpuPerCheck.worker + cpuPerCheck.api)],
    ['Postgres', us(postgres.cpuPerCheck)],
    ['NATS', us(nats.cpuPerCheck)],
    ['statements', shown(postgres.statementsPerCheck)],
    ['log of Postgres between checkpoints', `${shown(postgres.logBytesPerCheck)} bytes`],
    ['result on disk, with its index', `${shown(postgres.resultBytesPerCheck)} bytes`],
    ['from and to Postgres', `${shown(postgres.networkPerCheck)} bytes`],
    ['NATS, in and out', `${shown(nats.bytesPerCheck)} bytes`],
    ['memory of a scheduler, a monitor', `${shown(schedulerMiBPerMonitor * 1024)} KiB`],
    ['hours rolled up, all workers together', `${shown(rollups)} monitors/s`],
  ];
}

/** What a check costs a probe by the rate of its process, and the line that the model draws through it. */
export function probeRows(parts: ScalingParts): Rows {
  const { probe } = unitCosts(parts);
  return [
    ['Checks/s of a probe', 'Processes', 'Monitors', 'CPU a check', 'by the model'],
    ...probePoints(parts).map(({ layout, monitors, checksPerSecond, cores }) => [
      shown(checksPerSecond),
      LAYOUTS[layout].about,
      count(monitors),
      ms(cores / checksPerSecond),
      ms(probeCores(probe, checksPerSecond) / checksPerSecond),
    ]),
  ];
}

/** What the model says for installations of single roles. */
export function modelRows(parts: ScalingParts): Rows {
  const costs = unitCosts(parts);
  const scenarios = INTERVALS.flatMap((intervalSeconds) =>
    SIZES.map((monitors) => ({ monitors, intervalSeconds })),
  );
  const estimates = scenarios.map((scenario) => estimate(costs, scenario));
  const row = (name: string, read: (one: (typeof estimates)[number]) => string) => [
    name,
    ...estimates.map(read),
  ];
  return [
    ['', ...scenarios.map((one) => `${count(one.monitors)}, ${one.intervalSeconds} s`)],
    row('checks/s', (one) => shown(one.checksPerSecond)),
    row('rows/s', (one) => shown(one.rowsPerSecond)),
    ...(['scheduler', 'probe', 'worker', 'api'] as const).map((role) =>
      row(
        `${role}: processes, cores`,
        (one) => `${one.processes[role]}, ${shown(one.cores[role])}`,
      ),
    ),
    row('memory of a scheduler, another one missing', (one) => `${shown(one.schedulerMiB)} MiB`),
    row('Postgres: cores', (one) => shown(one.cores.postgres)),
    row('statements/s', (one) => shown(one.postgres.statementsPerSecond)),
    row('commits on disk/s', (one) => shown(one.postgres.syncsPerSecond)),
    row('log', (one) => mb(one.postgres.logBytesPerSecond)),
    row('pages of each round', (one) => `${shown(one.postgres.hotBytes / 1e9)} GB`),
    row('connections at most', (one) => shown(one.postgres.connections)),
    row('results, 4 days', (one) => `${shown(one.storedGb)} GB`),
    row('results of a month', (one) => `${shown(one.monthGb)} GB`),
    row('network of Postgres', (one) => mb(one.postgres.networkBytesPerSecond)),
    row('network of NATS, checks alone', (one) => mb(one.natsBytesPerSecond)),
    row('network of targets', (one) => mb(one.targetBytesPerSecond)),
    row('roll-up of an hour takes', (one) => `${shown(one.rollupShare * 60)} min`),
  ];
}

/** Resources in the order in which they are used up. */
export function limitRows(parts: ScalingParts): Rows {
  const costs = unitCosts(parts);
  const [slow, fast] = INTERVALS.map((seconds) => limits(costs, seconds)) as [
    ReturnType<typeof limits>,
    ReturnType<typeof limits>,
  ];
  return [
    ['Resource', 'Monitors every 60 s', 'every 30 s'],
    ...slow.map(({ resource, monitors: most }) => [
      resource,
      monitorsText(most),
      monitorsText(fast.find((one) => one.resource === resource)!.monitors),
    ]),
  ];
}

/** The larger measured load, predicted from the smaller one; only the head if one load was measured. */
export function comparisonRows(parts: ScalingParts): Rows {
  const head = ['', 'predicted', 'measured', 'difference'];
  const measured = layoutOfRoles(parts);
  const load = measured.loads.at(-1)!;
  if (measured.loads.length < 2) return [head];
  const costs = unitCosts(parts, 0);
  const checks = load.perSecond['checks']!;
  const cores = (name: string, perCheck: number, read: (one: Measured) => number) =>
    compared(`${name}, cores`, read(measured.idle) + perCheck * checks, read(load));
  const probes = countOf(measured.layout, 'probe');
  return [
    head,
    compared('checks/s due', checksOf(measured, load), load.perSecond['checks_due']!),
    cores('scheduler', costs.cpuPerCheck.scheduler, (one) => coresOf(one, 'scheduler')),
    compared(
      'probe, cores',
      probes * probeCores(costs.probe, checks / probes),
      coresOf(load, 'probe'),
    ),
    cores('Postgres', costs.postgres.cpuPerCheck, postgresCores),
    cores('NATS', costs.nats.cpuPerCheck, (one) => one.perSecond['cpu.nats'] ?? 0),
    compared(
      'memory of the scheduler, MiB',
      costs.idleMiB.scheduler + load.monitors * costs.schedulerMiBPerMonitor,
      load.present['memory.scheduler'] ?? 0,
    ),
    compared(
      'log of Postgres, kB/s',
      (costs.postgres.idleLogBytes + costs.postgres.logBytesPerCheck * checks) / 1e3,
      (load.perSecond['postgres.wal_bytes'] ?? 0) / 1e3,
    ),
  ];
}

function compared(name: string, predicted: number, found: number): string[] {
  const percent = Math.round((predicted / found - 1) * 100);
  return [name, shown(predicted), shown(found), `${percent > 0 ? '+' : ''}${percent} %`];
}

/** Checks that come due in the benchmark: all monitors every 30 s, of which none is inspected. */
function checksOf({ loads }: MeasuredLayout, load: Measured): number {
  return (loads[0]!.perSecond['checks_due']! / loads[0]!.monitors) * load.monitors;
}

/** The statements that took most time of Postgres with the most monitors. */
export function statementRows(parts: ScalingParts): Rows {
  const load = layoutOfRoles(parts).loads.at(-1)!;
  const checks = load.perSecond['checks']!;
  return [
    ['µs a check', 'Calls/s', 'Rows', 'By', 'Statement'],
    ...load.statements
      .slice(0, 10)
      .map(({ user, text, callsPerSecond, rowsPerCall, msPerSecond }) => [
        shown((msPerSecond / checks) * 1000),
        shown(callsPerSecond),
        shown(rowsPerCall),
        user,
        `\`${text.replaceAll('`', '').replaceAll('|', ' ').slice(0, 80)}\``,
      ]),
  ];
}
