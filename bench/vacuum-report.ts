import { atLeast, type Figure } from './report.ts';

/** A minute of `npm run bench -- vacuum`. */
export interface Minute {
  /** Per second, as all that `perSecond` holds: rounds, updates, `postgres.…` as `PostgresWatch` names it. */
  checks: number;
  perSecond: Record<string, number>;
  /** From the end of a round to its commit. */
  latencyP50Ms: number;
  latencyP99Ms: number;
  /** Of monitor_state, at the end of the minute. */
  deadStates: number;
  stateMb: number;
  stateIndexMb: number;
  /** Automatic vacuums of monitor_state since the start. */
  stateVacuums: number;
  /** Dead rows of all tables. */
  deadRows: number;
  databaseMb: number;
  /** Last monitor whose hour was rolled up, 0 when all were. */
  rolledUp: number;
}

const US_PER_SECOND = 1e6;

function postgresUs({ perSecond, checks }: Minute): number {
  const cores = Object.entries(perSecond)
    .filter(([name]) => name.startsWith('postgres.cpu.'))
    .reduce((sum, [, value]) => sum + value, 0);
  return (cores * US_PER_SECOND) / checks;
}

const per = ({ perSecond, checks }: Minute, name: string) => (perSecond[name] ?? 0) / checks;
const hotShare = ({ perSecond }: Minute) =>
  (perSecond['hot_updates'] ?? 0) / (perSecond['updates'] ?? 1);

/** What a minute is shown as, by its column's head. */
const COLUMNS: readonly [string, (minute: Minute) => number, number][] = [
  ['checks/s', ({ checks }) => checks, 0],
  ['µs/check', postgresUs, 2],
  ['of-vacuum', (minute) => per(minute, 'postgres.cpu.autovacuum') * US_PER_SECOND, 2],
  ['own-µs', (minute) => per(minute, 'own_cpu') * US_PER_SECOND, 2],
  ['log-B', (minute) => per(minute, 'postgres.wal_bytes'), 1],
  ['pages/1000', (minute) => per(minute, 'postgres.wal_full_pages') * 1000, 2],
  ['results-B', (minute) => per(minute, 'postgres.result_bytes'), 1],
  ['hot', hotShare, 4],
  ['dead-states', ({ deadStates }) => deadStates, 0],
  ['state-MB', ({ stateMb }) => stateMb, 1],
  ['index-MB', ({ stateIndexMb }) => stateIndexMb, 1],
  ['vacuums', ({ stateVacuums }) => stateVacuums, 0],
  ['all-vacuums/min', ({ perSecond }) => (perSecond['vacuums'] ?? 0) * 60, 0],
  ['dead-rows', ({ deadRows }) => deadRows, 0],
  ['db-MB', ({ databaseMb }) => databaseMb, 0],
  ['rolled-up', ({ rolledUp }) => rolledUp, 0],
  ['p50-ms', ({ latencyP50Ms }) => latencyP50Ms, 0],
  ['p99-ms', ({ latencyP99Ms }) => latencyP99Ms, 0],
];

export const MINUTE_HEAD: readonly string[] = ['min', ...COLUMNS.map(([head]) => head.padStart(8))];

/** Cells of the minute's line, below `MINUTE_HEAD`. */
export function minuteCells(number: number, minute: Minute): string[] {
  const cells = COLUMNS.map(([head, read, digits]) =>
    read(minute).toFixed(digits).padStart(Math.max(8, head.length)),
  );
  return [String(number).padStart(3), ...cells];
}

/** A later cost may exceed the earlier one by a fifth: the machine's own noise is not less. */
const MOST_GROWTH = 1.2;

/** Share of the wanted rate that must be reached. */
const RATE_REACHED = 0.97;

/**
 * Figures of the second quarter beside those of the last one: the first has what only a start does.
 *
 * @param rate checks a second that are wanted.
 */
export function steadyFigures(minutes: readonly Minute[], rate: number): Figure[] {
  const quarter = Math.max(1, Math.floor(minutes.length / 4));
  const early = minutes.slice(quarter, 2 * quarter);
  const late = minutes.slice(-quarter);
  const compared = (name: string, read: (minute: Minute) => number, unit?: string): Figure[] => {
    const [before, after] = [mean(early.map(read)), mean(late.map(read))];
    return [
      { name: `${name}, second quarter`, value: before, ...(unit && { unit }) },
      { name: '  last quarter', value: after, ...(unit && { unit }) },
      {
        name: '  ratio',
        value: before === after ? 1 : after / before,
        target: `≤ ${MOST_GROWTH}`,
        reached: after <= before * MOST_GROWTH,
      },
    ];
  };
  return [
    atLeast('checks', mean(minutes.map(({ checks }) => checks)), rate * RATE_REACHED, '/s'),
    ...compared('CPU of Postgres per check', postgresUs, 'µs'),
    ...compared(
      'of it for vacuums',
      (minute) => per(minute, 'postgres.cpu.autovacuum') * US_PER_SECOND,
      'µs',
    ),
    ...compared('log per check', (minute) => per(minute, 'postgres.wal_bytes'), 'bytes'),
    ...compared('table of states', ({ stateMb }) => stateMb, 'MB'),
    ...compared('its indexes', ({ stateIndexMb }) => stateIndexMb, 'MB'),
    ...compared('dead rows', ({ deadRows }) => deadRows),
    ...compared('round stored after, p99', ({ latencyP99Ms }) => latencyP99Ms, 'ms'),
    {
      name: 'results per check, on disk',
      value: mean(minutes.map((minute) => per(minute, 'postgres.result_bytes'))),
      unit: 'bytes',
    },
    { name: 'updates of states within their page', value: mean(minutes.map(hotShare)) },
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
