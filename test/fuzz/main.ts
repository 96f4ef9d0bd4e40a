/** Fuzzes the API: `npm run fuzz -- --requests 100000 --seed 7`. Fails at the first wrong response. */
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/store/database/database.ts';
import { fuzz, type FuzzReport } from './run.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? Math.trunc(Math.random() * 2 ** 31));
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed)) {
  console.error('Give whole numbers: npm run fuzz -- --requests 100000 --seed 7');
  process.exit(2);
}

const begun = performance.now();
const database = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
const report = await fuzz(database, { requests, seed });
await database.close();
print(report);
const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
console.log(`${requests} requests with seed ${seed} in ${seconds} s`);
if (report.failure !== null) {
  console.error(report.failure);
  process.exitCode = 1;
}

function print({ answers }: FuzzReport): void {
  for (const [name, counts] of [...answers].toSorted()) {
    const sorted = [...counts].toSorted(([one], [other]) => one - other);
    const statuses = sorted.map(([status, count]) => `${status}: ${count}`);
    console.log(`${name.padEnd(24)} ${statuses.join('  ')}`);
  }
}
