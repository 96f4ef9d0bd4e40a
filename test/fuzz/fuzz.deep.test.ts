import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { fuzz, neverDone } from './run.ts';

const REQUESTS = { sqlite: 10_000, postgres: 4_000 };

/** More of them: `npm run fuzz -- --requests 1000000`. */
eachDatabase((engine, open) => {
  test('every response to any request is documented', { timeout: 400_000 }, async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const { failure, answers } = await fuzz(await open(), { requests: REQUESTS[engine], seed });
    expect(failure ?? '').toBe('');
    // Otherwise the requests would not pass validation.
    expect(neverDone(answers), `seed ${seed}`).toEqual([]);
  });
});
