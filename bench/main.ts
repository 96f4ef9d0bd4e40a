/**
 * `npm run bench` runs all benchmarks, `npm run bench -- NAME …` some. Each prints its command, one table and one JSON
 * line; method and results are in docs/performance.md.
 *
 * `--runs=N` prints the median and the spread of N runs. `--compare REV` runs another revision and this tree in turn,
 * `--quick` does so with the base revision and a few short measurements, and fails if one of them lost more than 30 %.
 */
import { readCommand, type Command } from './options.ts';

const BENCHMARKS: Record<string, () => Promise<{ run(options: string[]): Promise<void> }>> = {
  quick: () => import('./quick.ts'),
  checks: () => import('./checks.ts'),
  stored: () => import('./stored.ts'),
  content: () => import('./content.ts'),
  icmp: () => import('./icmp.ts'),
  start: () => import('./start.ts'),
  detect: () => import('./detect.ts'),
  storm: () => import('./storm.ts'),
  blackholes: () => import('./blackholes.ts'),
  overload: () => import('./overload.ts'),
  webhooks: () => import('./webhooks.ts'),
  accuracy: () => import('./accuracy.ts'),
  growth: () => import('./growth.ts'),
  capacity: () => import('./capacity.ts'),
  engine: () => import('./engine.ts'),
  record: () => import('./record.ts'),
  api: () => import('./api.ts'),
  history: () => import('./history.ts'),
  incidents: () => import('./incidents.ts'),
  ping: () => import('./ping.ts'),
  status: () => import('./status.ts'),
  reports: () => import('./reports.ts'),
  overview: () => import('./overview.ts'),
  'monitor-overview': () => import('./monitor-overview.ts'),
  subscribers: () => import('./subscribers.ts'),
};

const known = Object.keys(BENCHMARKS);

async function runCommand({ names, options, runs, compare, quick }: Command): Promise<void> {
  if (quick) {
    const { guardAgainstLosses } = await import('./guard.ts');
    process.exitCode = (await guardAgainstLosses()) ? 0 : 1;
    return;
  }
  if (compare !== null) {
    const { compareRevisions } = await import('./repeat.ts');
    const compared = names.length > 0 ? names : ['quick'];
    return compareRevisions(compare, compared, options, runs!);
  }
  for (const name of names.length > 0 ? names : known) {
    console.log(`$ ${['npm run bench --', name, ...options].join(' ')}`);
    if (runs === null) {
      await (await BENCHMARKS[name]!()).run(options);
    } else {
      const { repeatBenchmark } = await import('./repeat.ts');
      await repeatBenchmark([name, ...options], runs);
    }
  }
}

function commandOrExit(): Command {
  try {
    return readCommand(process.argv.slice(2), known);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await runCommand(commandOrExit());
