import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { amounts } from '../support/depth.ts';
import { fuzz, neverDone, shareDone } from './run.ts';

const PATIENCE = { timeout: 1_200_000 };
/** How many requests succeed differs by seed, and may fall under a third: it is judged by one. */
const SEED = 7;

/** More of them: `npm run fuzz -- --requests 1000000`. */
eachDatabase((engine, open) => {
  const { requests, isEachDone } = amounts.fuzz;

  test('every response to requests of a known seed is documented', PATIENCE, async () => {
    const options = { requests: requests[engine], seed: SEED, isEachDone };
    const { failure, answers } = await fuzz(await open(), options);
    expect(failure ?? '').toBe('');
    // Almost half of the requests succeed. With fewer, they would only test validation.
    expect(shareDone(answers)).toBeGreaterThan(1 / 3);
    if (isEachDone) expect(neverDone(answers)).toEqual([]);
  });

  test('every response to any request is documented', PATIENCE, async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const options = { requests: requests[engine], seed, isEachDone };
    const { failure } = await fuzz(await open(), options);
    expect(failure ?? '').toBe('');
  });
});
