import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { fuzz, neverDone } from './run.ts';

/** More of them: `npm run fuzz -- --requests 1000000`. */
const REQUESTS = { sqlite: 10_000, postgres: 4_000 };

eachDatabase((engine, open) => {
  test('whatever is asked, the answer is a documented one', { timeout: 400_000 }, async () => {
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const requests = REQUESTS[engine];
    const { failure, answers } = await fuzz(await open(), { requests, seed });
    expect(failure ?? '').toBe('');
    // Else the requests would be too odd to get past the first judgement.
    expect(neverDone(answers), `seed ${seed}`).toEqual([]);
  });

  test(
    'a planted fault is found, and told so that it can be seen again',
    { timeout: 120_000 },
    async () => {
      const overrides = {
        judgeTarget(host: string) {
          if (host === 'db.example.com') throw new Error('planted');
          return null;
        },
      };
      const options = { requests: 1_000, seed: 7, overrides };
      const { failure } = await fuzz(await open(), options);
      expect(failure).toMatch(/answered 500.*Server error/);
      expect(failure).toContain('A fault was logged: Error: planted');
      expect(failure).toMatch(/^curl .* -X (POST|PUT) .*db\.example\.com.*\/api(\/v1)?\/monitors/m);
      expect(failure).toContain('npm run fuzz -- --requests 1000 --seed 7');
      const again = await fuzz(await open(), options);
      expect(curlOf(again.failure)).toBe(curlOf(failure));
    },
  );
});

function curlOf(failure: string | null): string | undefined {
  return /^curl.*$/m.exec(failure ?? '')?.[0];
}
