import { measureEngine, type EngineFigures } from './engine-load.ts';
import { numberOption } from './options.ts';
import { atLeast, atMost, none, percentile, report, type Figure } from './report.ts';

/** Goals per check: bytes on disk, and on Postgres in its log. */
const DISK_BYTES = { sqlite: 12, postgres: 40 };
const LOG_BYTES = 120;

/**
 * `--monitors=N` (10,000), `--seconds=N` (300), `--engine=postgres` for a Postgres server started for the run, and
 * `--history` to fill the store with 3 days of rounds and 90 days of roll-ups first (takes minutes, and about 10 GB of
 * disk).
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 10_000);
  const seconds = numberOption(options, '--seconds', 300);
  const history = options.includes('--history') ? { rawDays: 3, rollupDays: 90 } : null;
  const figures = await measureEngine({
    monitors,
    seconds,
    isFull: true,
    options,
    ...(history ? { history } : {}),
  });
  const name = `engine, ${monitors.toLocaleString('en')} monitors, ${seconds} s, ${figures.engine}`;
  report(name, figuresOf(figures));
}

function figuresOf(figures: EngineFigures): Figure[] {
  const { monitors, work, reads, engine } = figures;
  const expected = Math.round(((monitors * 4) / 30) * 0.99);
  return [
    atLeast('checks', work.checksPerSecond, expected, '/s'),
    none('rounds skipped or missed', work.skipped + work.missed),
    { name: 'rounds absorbed by rechecks', value: work.absorbed },
    none('checks late', work.late),
    { name: 'checks unknown', value: work.unknown },
    { name: 'checks down', value: work.down },
    atMost('first packet late, p99', work.lagP99Ms, 100, 'ms'),
    { name: 'cores', value: work.cores },
    { name: 'cores of the machine', value: work.machineCores },
    atMost('CPU per check', work.cpuMsPerCheck, 0.08, 'ms'),
    { name: 'CPU per beat', value: work.cpuMsPerRound, unit: 'ms' },
    ...optional('CPU of Postgres per check', figures.serverCpuMsPerCheck, 'ms'),
    atMost('memory, all processes', work.memoryMiB, 600, 'MiB'),
    atMost('disk per check', figures.bytesPerCheck, DISK_BYTES[engine], 'bytes'),
    ...(figures.logBytesPerCheck === null
      ? []
      : [atMost('log per check', figures.logBytesPerCheck, LOG_BYTES, 'bytes')]),
    p50('list of monitors', reads.monitors),
    p50('open incidents', reads.incidents),
    p50('results of a monitor', reads.results),
    p50('report of 40 monitors', reads.reports),
    { name: 'incidents sent to the slow receiver', value: figures.events },
    ...done('hour rolled up', figures.isHourRolledUp),
    ...done('old day dropped', figures.isOldDayDropped),
  ];
}

function p50(name: string, values: readonly number[]): Figure {
  return { name: `${name}, p50`, value: percentile(values, 0.5), unit: 'ms' };
}

function optional(name: string, value: number | null, unit: string): Figure[] {
  return value === null ? [] : [{ name, value, unit }];
}

/** Work that a short run does not finish. */
function done(name: string, reached: boolean): Figure[] {
  return [{ name, value: reached ? 'yes' : 'no', target: 'yes', reached }];
}
