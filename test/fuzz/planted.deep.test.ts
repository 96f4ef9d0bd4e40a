import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { fuzz } from './run.ts';

eachDatabase((_engine, open) => {
  test(
    'a planted fault is found, and told so that it can be seen again',
    { timeout: 600_000 },
    async () => {
      const overrides = {
        targetRule(host: string) {
          if (host === 'db.example.com') throw new Error('planted');
          return null;
        },
      };
      const options = { requests: 1_000, seed: 3, overrides };
      const { failure } = await fuzz(await open(), options);
      expect(failure).toMatch(/answered 500.*Server error/);
      expect(failure).toContain('A fault was logged: Error: planted');
      expect(failure).toMatch(/^curl .* -X (POST|PUT) .*db\.example\.com.*\/api(\/v1)?\/monitors/m);
      expect(failure).toContain('npm run fuzz -- --requests 1000 --seed 3');
      const again = await fuzz(await open(), options);
      expect(curlOf(again.failure)).toBe(curlOf(failure));
    },
  );
});

function curlOf(failure: string | null): string | undefined {
  return /^curl.*$/m.exec(failure ?? '')?.[0];
}
