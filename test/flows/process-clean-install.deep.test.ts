import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { useServices } from '../support/service.ts';

vi.setConfig({ testTimeout: 300_000 });

const services = useServices();
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a clean copy starts with the packages of npm ci --omit=dev alone [39.55]', async () => {
  const copy = await services.folder();
  const made = ['.git', 'node_modules', 'coverage', 'data', 'test', 'bench', 'docs'];
  for (const name of readdirSync(ROOT).filter((one) => !made.includes(one))) {
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  }
  const installed = spawnSync(
    'npm',
    ['ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  );
  expect(installed.status, installed.stderr).toBe(0);
  expect(existsSync(path.join(copy, 'node_modules/typescript'))).toBe(false);
  const [megabytes] = spawnSync('du', ['-sm', 'node_modules'], {
    cwd: copy,
    encoding: 'utf8',
  }).stdout.split('\t');
  expect(Number(megabytes)).toBeGreaterThan(100);
  expect(Number(megabytes)).toBeLessThan(250);
  const DATA_DIR = await services.folder();
  const program = path.join(copy, 'src/start.js');
  const service = await services.start({ DATA_DIR }, null, program);
  expect((await service.get('/api/v1/test')).status).toBe(200);
  expect((await service.getAs(null, '/openapi.json')).status).toBe(200);
  // Loads better-auth, of which the reference does not speak.
  expect((await fetch(`${service.url}/api/auth/get-session`)).status).toBe(200);
  // The dashboard is built at this start, from what was copied alone.
  const page = await fetch(service.url, { headers: { accept: 'text/html' } });
  const html = await page.text();
  expect([page.status, html]).toEqual([200, expect.stringContaining('id="app"')]);
  const script = /<script type="module" src="([^"]+)"/.exec(html)![1]!;
  expect((await fetch(service.url + script)).status).toBe(200);
  await service.stop();
});
