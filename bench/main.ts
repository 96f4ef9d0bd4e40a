/**
 * `npm run bench` runs all benchmarks, `npm run bench -- NAME …` some. Each prints its command, one table and one JSON
 * line; method and results are in docs/performance.md. `--help` lists the names and what options each has.
 *
 * `--runs=N` prints the median and the spread of N runs. `--compare REV` runs another revision and this tree in turn,
 * `--quick` does so with the base revision and a few short measurements, and fails if one of them lost more than 30 %.
 */
import { BENCHMARKS } from './benchmarks.ts';
import { helpText, readCommand, type Command } from './options.ts';

const known = Object.keys(BENCHMARKS);

async function runCommand({ names, options, runs, compare, quick, help }: Command): Promise<void> {
  if (help) return console.log(helpText(BENCHMARKS));
  if (quick) {
    const { guardAgainstLosses } = await import('./guard.ts');
    process.exitCode = (await guardAgainstLosses()) ? 0 : 1;
    return;
  }
  if (compare !== null) {
    const { compareRevisions } = await import('./repeat.ts');
    return compareRevisions(compare, names, options, runs!);
  }
  for (const name of names.length > 0 ? names : known) {
    console.log(`$ ${['npm run bench --', name, ...options].join(' ')}`);
    if (runs === null) {
      await (await BENCHMARKS[name]!.load()).run(options);
    } else {
      const { repeatBenchmark } = await import('./repeat.ts');
      await repeatBenchmark([name, ...options], runs);
    }
  }
}

function commandOrExit(): Command {
  try {
    return readCommand(process.argv.slice(2), BENCHMARKS);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await runCommand(commandOrExit());
