import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { amounts } from '../support/depth.ts';
import { fuzz, neverDone } from './run.ts';

/** More of them: `npm run fuzz -- --requests 1000000`. */
eachDatabase((engine, open) => {
  test('every response to any request is documented', { timeout: 400_000 }, async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const { requests, isEachDone } = amounts.fuzz;
    const options = { requests: requests[engine], seed, isEachDone };
    const { failure, answers } = await fuzz(await open(), options);
    expect(failure ?? '').toBe('');
    // Otherwise the requests would not pass validation.
    const undone = neverDone(answers);
    if (isEachDone) expect(undone, `seed ${seed}`).toEqual([]);
    else expect(undone.length, `seed ${seed}`).toBeLessThan(answers.size / 2);
  });
});
