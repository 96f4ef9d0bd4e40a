/** `npm run soak -- --kills=100`: real processes on a real Postgres, faults at random, and a judge of its own. */
import { rmSync } from 'node:fs';
import { readOptions, USAGE } from './options.ts';
import type { SoakOptions } from './options.ts';
import { runSoak } from './run.ts';

const words = process.argv.slice(2);
if (words.includes('--help')) console.log(USAGE);
else await run(optionsOrExit());

function optionsOrExit(): SoakOptions {
  try {
    return readOptions(words);
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

async function run(options: SoakOptions): Promise<void> {
  const from = options.upgradeFrom === null ? '' : `, upgraded from ${options.upgradeFrom}`;
  console.log(`Seed ${options.seed}, fleet ${options.fleet}, ${options.kills} faults${from}.`);
  const { report, passed, folder } = await runSoak(options, (line) => console.log(line));
  console.log(report.trimEnd());
  if (passed && options.folder === null) rmSync(folder, { recursive: true, force: true });
  else console.log(`Records and logs: ${folder}`);
  process.exitCode = passed ? 0 : 1;
}
