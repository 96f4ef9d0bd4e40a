import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { amounts } from '../support/depth.ts';
import { fuzz, neverDone, shareDone } from './run.ts';

/** More of them: `npm run fuzz -- --requests 1000000`. */
eachDatabase((engine, open) => {
  test('every response to any request is documented', { timeout: 1_200_000 }, async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const { requests, isEachDone } = amounts.fuzz;
    const options = { requests: requests[engine], seed, isEachDone };
    const { failure, answers } = await fuzz(await open(), options);
    expect(failure ?? '').toBe('');
    // Almost half of the requests succeed. With fewer, they would only test validation.
    expect(shareDone(answers), `seed ${seed}`).toBeGreaterThan(1 / 3);
    if (isEachDone) expect(neverDone(answers), `seed ${seed}`).toEqual([]);
  });
});
