import { measureEngine, numberOption } from './engine.ts';
import type { EngineFigures } from './engine.ts';
import { report } from './report.ts';

const SIZES = [100, 1_000, 10_000, 50_000];
const FLAT = 1.5;

/**
 * The engine at several sizes: CPU per check and the latency of a list must not grow. `--seconds=N` (60) each. Without
 * the roll-up of an hour, which would fall into a single minute.
 */
export async function run(options: string[]): Promise<void> {
  const seconds = numberOption(options, '--seconds', 60);
  const most = numberOption(options, '--most', 50_000);
  const measured: EngineFigures[] = [];
  for (const monitors of SIZES.filter((size) => size <= most)) {
    measured.push(await measureEngine({ monitors, seconds, withRollUp: false }));
  }
  const rows = measured.flatMap((one) => [
    {
      name: `${one.monitors.toLocaleString('en')}: CPU per check`,
      value: one.cpuMsPerCheck,
      unit: 'ms',
    },
    {
      name: `${one.monitors.toLocaleString('en')}: list of 20, p50`,
      value: one.listP50Ms,
      unit: 'ms',
    },
    {
      name: `${one.monitors.toLocaleString('en')}: checks`,
      value: one.checksPerSecond,
      unit: '/s',
    },
    { name: `${one.monitors.toLocaleString('en')}: slots skipped`, value: one.skipped },
  ]);
  // With few monitors most of the CPU is fixed cost, so growth is measured from a thousand on.
  const judged = measured.filter((one) => one.monitors >= 1_000);
  report('growth', [
    ...rows,
    ratio(
      'CPU per check, most / least',
      judged.map((one) => one.cpuMsPerCheck),
    ),
    ratio(
      'list, most / least',
      judged.map((one) => one.listP50Ms),
    ),
  ]);
}

function ratio(name: string, values: number[]) {
  const value = values.at(-1)! / values[0]!;
  return { name, value, target: `≤ ${FLAT}`, reached: value <= FLAT };
}
