import { measureEngine, type EngineFigures } from './engine-load.ts';
import { numberOption } from './options.ts';
import { atMost, none, percentile, report, type Figure } from './report.ts';

const SIZES = [100, 1_000, 10_000, 50_000];
const FLAT = 1.5;
/** With fewer monitors most of the CPU is fixed cost. */
const SMALLEST = 1_000;

/**
 * The engine at several sizes: CPU per check and the latency of a list must not grow. `--seconds=N` (60) each,
 * `--most=N` for the largest size. 2 of 100 targets fail and 1 of 100 hangs.
 */
export async function run(options: string[]): Promise<void> {
  const seconds = numberOption(options, '--seconds', 60);
  const most = numberOption(options, '--most', SIZES.at(-1)!);
  const measured: EngineFigures[] = [];
  for (const monitors of SIZES.filter((size) => size <= most)) {
    measured.push(await measureEngine({ monitors, seconds, isFull: false, options }));
  }
  const compared = measured.filter((one) => one.monitors >= SMALLEST);
  report('growth', [
    ...measured.flatMap(figuresOf),
    growth('CPU per check, most / least', compared, ({ work }) => work.cpuMsPerCheck),
    growth('list, most / least', compared, ({ reads }) => percentile(reads.monitors, 0.5)),
  ]);
}

function figuresOf({ monitors, work, reads }: EngineFigures): Figure[] {
  return [
    {
      name: `${monitors.toLocaleString('en')} monitors, checks`,
      value: work.checksPerSecond,
      unit: '/s',
    },
    { name: '  CPU per check', value: work.cpuMsPerCheck, unit: 'ms' },
    { name: '  CPU per beat', value: work.cpuMsPerRound, unit: 'ms' },
    { name: '  list of 20, p50', value: percentile(reads.monitors, 0.5), unit: 'ms' },
    none('  rounds skipped or missed', work.skipped + work.missed),
    none('  checks late', work.late),
  ];
}

function growth(
  name: string,
  measured: readonly EngineFigures[],
  value: (figures: EngineFigures) => number,
): Figure {
  const values = measured.map(value);
  return atMost(name, values.at(-1)! / values[0]!, FLAT);
}
