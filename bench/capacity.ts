import { measureEngine, type EngineFigures } from './engine-load.ts';
import { numberOption, numbersOption } from './options.ts';
import { atLeast, percentile, report, type Figure } from './report.ts';

const SIZES = [50_000, 75_000, 100_000];
/** Late checks that a size still counts as carried with. */
const LATE_SHARE = 0.001;
/** Share of the best throughput that must remain with more monitors than can be checked. */
const REMAINING = 0.9;

/**
 * How many monitors every 30 s from four regions two cores carry, targets and name server included: 2 of 100 fail, 1 of
 * 100 hangs, each has a name. `--sizes=50000,75000,100000`, `--seconds=N` (60) each. Beyond what is carried, checks are late
 * and the throughput must not fall.
 */
export async function run(options: string[]): Promise<void> {
  const seconds = numberOption(options, '--seconds', 60);
  const measured: EngineFigures[] = [];
  for (const monitors of numbersOption(options, '--sizes') ?? SIZES) {
    measured.push(await measureEngine({ monitors, seconds, isFull: false, options }));
  }
  const rates = measured.map(({ work }) => work.checksPerSecond);
  const carried = measured.filter(isCarried).map(({ monitors }) => monitors);
  report('capacity', [
    ...measured.flatMap(figuresOf),
    { name: 'largest size without late checks', value: Math.max(0, ...carried) },
    atLeast('checks with the most monitors / best', rates.at(-1)! / Math.max(...rates), REMAINING),
  ]);
}

function isCarried({ work }: EngineFigures): boolean {
  return work.late <= work.due * LATE_SHARE;
}

function figuresOf({ monitors, work, reads }: EngineFigures): Figure[] {
  return [
    {
      name: `${monitors.toLocaleString('en')} monitors, checks`,
      value: work.checksPerSecond,
      unit: '/s',
    },
    { name: '  due', value: work.due / work.seconds, unit: '/s' },
    { name: '  late or skipped', value: (work.late / work.due) * 100, unit: '%' },
    { name: '  rounds skipped or missed', value: work.skipped + work.missed },
    { name: '  rounds absorbed by rechecks', value: work.absorbed },
    { name: '  first packet late, p99', value: work.lagP99Ms, unit: 'ms' },
    { name: '  checks unknown', value: work.unknown },
    { name: '  CPU per check', value: work.cpuMsPerCheck, unit: 'ms' },
    { name: '  cores', value: work.cores },
    { name: '  cores of the machine', value: work.machineCores },
    { name: '  memory, all processes', value: work.memoryMiB, unit: 'MiB' },
    { name: '  list of 20, p50', value: percentile(reads.monitors, 0.5), unit: 'ms' },
  ];
}
