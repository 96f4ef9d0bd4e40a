import { LAYOUTS, countsOf } from './scale-layouts.ts';
import type { Figure } from './report.ts';
import type { MeasuredLayout } from './scaling-parts.ts';
import type { Measured } from './scale-sample.ts';

const KINDS = ['whole', 'api', 'scheduler', 'worker', 'probe'] as const;

/** Figures of a layout: idle ones first, then those of each number of monitors. */
export function scaleFigures({ layout, idle, loads, rollupsPerSecond }: MeasuredLayout): Figure[] {
  return [
    ...idleFigures(layout, idle),
    ...loads.flatMap((load) => loadFigures(layout, load, idle)),
    ...(rollupsPerSecond === null
      ? []
      : [{ name: `${layout}: hours rolled up`, value: rollupsPerSecond, unit: 'monitors/s' }]),
  ];
}

function idleFigures(layout: string, idle: Measured): Figure[] {
  const { perSecond } = idle;
  return [
    { name: `${layout}, idle: statements`, value: statementsPerSecond(idle), unit: '/s' },
    { name: '  transactions', value: perSecond['postgres.commits'] ?? 0, unit: '/s' },
    { name: '  CPU of Postgres', value: postgresCores(idle) * 1000, unit: 'ms/s' },
    { name: '  log of Postgres', value: perSecond['postgres.wal_bytes'] ?? 0, unit: 'bytes/s' },
    { name: '  from and to Postgres', value: postgresNetwork(idle), unit: 'bytes/s' },
    ...kindsOf(idle).flatMap((kind) => [
      { name: `  CPU, ${kind}`, value: coresOf(idle, kind) * 1000, unit: 'ms/s' },
      { name: `  memory, ${kind}`, value: idle.present[`memory.${kind}`] ?? 0, unit: 'MiB' },
    ]),
  ];
}

function loadFigures(layout: string, load: Measured, idle: Measured): Figure[] {
  const { perSecond, present, monitors } = load;
  const checks = perSecond['checks'] ?? 0;
  const each = (value: number | undefined) => (value ?? 0) / checks;
  const beyondIdle = (read: (one: Measured) => number) => Math.max(0, read(load) - read(idle));
  const name = `${layout}, ${monitors.toLocaleString('en')} monitors`;
  return [
    { name: `${name}: checks`, value: checks, unit: '/s' },
    { name: '  due', value: perSecond['checks_due'] ?? 0, unit: '/s' },
    { name: '  late or skipped', value: lateShare(load) * 100, unit: '%' },
    { name: '  checks unknown', value: perSecond['checks_unknown'] ?? 0, unit: '/s' },
    { name: '  cores of the machine', value: perSecond['cpu.machine'] ?? 0 },
    ...kindsOf(load).flatMap((kind) => [
      { name: `  CPU per check, ${kind}`, value: each(coresOf(load, kind)) * 1000, unit: 'ms' },
      {
        name: `  CPU per check beyond idle, ${kind}`,
        value: each(beyondIdle((one) => coresOf(one, kind))) * 1000,
        unit: 'ms',
      },
      { name: `  memory, ${kind}`, value: present[`memory.${kind}`] ?? 0, unit: 'MiB' },
      ...(kind === 'probe'
        ? []
        : [{ name: `  connections, ${kind}`, value: present[`connections.${kind}`] ?? 0 }]),
    ]),
    { name: '  CPU per check, Postgres', value: each(postgresCores(load)) * 1000, unit: 'ms' },
    {
      name: '  CPU per check beyond idle, Postgres',
      value: each(beyondIdle(postgresCores)) * 1000,
      unit: 'ms',
    },
    ...parts(load).map(([part, cores]) => ({
      name: `  CPU per check, Postgres for ${part}`,
      value: each(cores) * 1000,
      unit: 'ms',
    })),
    { name: '  statements per check', value: each(statementsPerSecond(load)) },
    { name: '  transactions per check', value: each(perSecond['postgres.commits']) },
    { name: '  log synced', value: perSecond['postgres.wal_syncs'] ?? Number.NaN, unit: '/s' },
    { name: '  log per check', value: each(perSecond['postgres.wal_bytes']), unit: 'bytes' },
    { name: '  whole pages logged per check', value: each(perSecond['postgres.wal_full_pages']) },
    {
      name: '  results per check, on disk',
      value: each(perSecond['postgres.result_bytes']),
      unit: 'bytes',
    },
    {
      name: '  database per check, on disk',
      value: each(perSecond['postgres.bytes']),
      unit: 'bytes',
    },
    { name: '  blocks read per check', value: each(perSecond['postgres.blocks_read']) },
    { name: '  blocks found in memory per check', value: each(perSecond['postgres.blocks_hit']) },
    { name: '  from and to Postgres per check', value: each(postgresNetwork(load)), unit: 'bytes' },
    ...natsFigures(load),
  ];
}

function natsFigures({ perSecond, present }: Measured): Figure[] {
  const checks = perSecond['checks'] ?? 0;
  const messages = perSecond['nats.in_msgs'] ?? 0;
  if (messages === 0) return [];
  const bytes = (perSecond['nats.in_bytes'] ?? 0) + (perSecond['nats.out_bytes'] ?? 0);
  return [
    { name: '  NATS messages per check', value: messages / checks },
    { name: '  NATS bytes per check, in and out', value: bytes / checks, unit: 'bytes' },
    {
      name: '  CPU per check, NATS',
      value: ((perSecond['cpu.nats'] ?? 0) / checks) * 1000,
      unit: 'ms',
    },
    { name: '  connections, NATS', value: present['connections.nats'] ?? 0 },
  ];
}

/** The statements that took most time with the most monitors, one a line. */
export function statementLines({ layout, loads }: MeasuredLayout): string[] {
  const load = loads.at(-1);
  if (load === undefined) return [];
  const checks = load.perSecond['checks'] ?? 0;
  return [
    `${layout}, ${load.monitors.toLocaleString('en')} monitors: µs and calls per check, rows per call`,
    ...load.statements.map(
      ({ user, text, callsPerSecond, rowsPerCall, msPerSecond }) =>
        `  ${((msPerSecond / checks) * 1000).toFixed(1).padStart(6)}  ${(callsPerSecond / checks).toFixed(3)}  ${String(rowsPerCall).padStart(5)}  ${user}: ${text.slice(0, 110)}`,
    ),
  ];
}

const kindsOf = ({ present }: Measured) =>
  KINDS.filter((kind) => present[`memory.${kind}`] !== undefined);

/** Cores of the processes of a kind and of those below them. */
export function coresOf({ perSecond }: Measured, kind: string): number {
  return (perSecond[`cpu.${kind}`] ?? 0) + (perSecond[`children.${kind}`] ?? 0);
}

const PARTS = /^postgres\.cpu\.(.+)$/;

function parts({ perSecond }: Measured): [string, number][] {
  return Object.entries(perSecond).flatMap(([name, cores]) => {
    const part = PARTS.exec(name)?.[1];
    return part === undefined ? [] : [[part, cores] as [string, number]];
  });
}

export function postgresCores(measured: Measured): number {
  return parts(measured).reduce((sum, [, cores]) => sum + cores, 0);
}

export function statementsPerSecond({ perSecond }: Measured): number {
  return Object.entries(perSecond)
    .filter(([name]) => name.startsWith('postgres.statements.'))
    .reduce((sum, [, value]) => sum + value, 0);
}

export function postgresNetwork({ perSecond }: Measured): number {
  return (perSecond['postgres.bytes_received'] ?? 0) + (perSecond['postgres.bytes_sent'] ?? 0);
}

export function lateShare({ perSecond }: Measured): number {
  return (perSecond['checks_late'] ?? 0) / (perSecond['checks_due'] ?? 1);
}

/** Processes of a kind in a layout. */
export function countOf(layout: MeasuredLayout['layout'], kind: keyof ReturnType<typeof countsOf>) {
  return countsOf(LAYOUTS[layout])[kind] ?? 0;
}
