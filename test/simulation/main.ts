import { parseArgs } from 'node:util';
import { runSimulation } from './run.ts';
import { addToTally, createTally, reportOf, runSeeds, seedsFrom } from './seeds.ts';

/** `npm run simulate -- --seeds 5000 --from 1` runs that many worlds; `--story` prints the events of each. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    story: { type: 'boolean', default: false },
  },
});
const from = Number(values.from);
const seeds = Number(values.seeds);
if (!Number.isInteger(from) || !Number.isInteger(seeds) || seeds < 1) {
  console.error('Usage: npm run simulate -- [--seeds NUMBER] [--from SEED] [--story]');
  process.exit(2);
}

const startedAt = performance.now();
const tally = createTally();
if (values.story) {
  for (let seed = from; seed < from + seeds; seed += 1) {
    const outcome = await runSimulation(seed);
    addToTally(tally, outcome);
    console.log(reportOf(outcome));
  }
} else {
  await runSeeds(seedsFrom(from, seeds), (outcome) => {
    addToTally(tally, outcome);
    const isBroken = outcome.violations.length > 0;
    if (isBroken && tally.failed.length === 1) console.log(reportOf(outcome));
    else if (isBroken) console.log(`Seed ${outcome.seed}: ${outcome.violations[0]}`);
    if (tally.worlds % 100 === 0) console.log(progress());
  });
}
console.log(progress());
console.log(`Rule coverage: ${JSON.stringify(tally.coverage)}`);
if (tally.failed.length > 0) {
  const failed = tally.failed.map(({ seed }) => seed).toSorted((a, b) => a - b);
  console.log(`${failed.length} of ${seeds} seeds failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

function progress(): string {
  const { worlds, failed, counts } = tally;
  const seconds = (performance.now() - startedAt) / 1_000;
  const hours = (counts.virtualMs ?? 0) / 3_600_000;
  return (
    `${worlds} of ${seeds} worlds, ${failed.length} failed; ${counts.rounds} rounds, ${counts.pings} pings, ` +
    `${counts.incidents} incidents, ` +
    `${counts.edits} edits and ${counts.instances} process instances in ${hours.toFixed(1)} virtual hours, ${seconds.toFixed(1)} s`
  );
}
