import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { PATIENTLY, useServices } from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000 });

const services = useServices();
const TOKEN = /tocsin_\w+/;

test('the first start stores a token and a set-up link that work, and puts them into no log [39.9]', async () => {
  const DATA_DIR = await services.folder();
  const first = await services.start({ DATA_DIR, ADMIN_TOKEN: undefined });
  const file = path.join(DATA_DIR, 'first-start.txt');
  expect(first.stdout).toContain(JSON.stringify(file));
  const kept = await readFile(file, 'utf8');
  const token = TOKEN.exec(kept)![0];
  expect((await first.getAs(token, '/api/v1/test')).status).toBe(200);
  expect((await first.getAs(null, '/api/v1/test')).status).toBe(401);
  const link = new URL(/^ {2}(http\S+)$/m.exec(kept)![1]!);
  expect([link.origin, link.pathname]).toEqual([`http://localhost:${first.port}`, '/setup']);
  const state = await first.getAs(null, `/api/v1/setup/state${link.search}`);
  expect([state.status, state.body]).toEqual([200, { email: null, team_name: 'My team' }]);
  const secrets = [token, link.searchParams.get('token')!];

  // While the port is taken, another installation fails to start, and its secrets wait for the next start.
  const other = await services.folder();
  const PORT = String(first.port);
  const failed = await services.run({ DATA_DIR: other, PORT, ADMIN_TOKEN: undefined });
  expect([failed.code, failed.stderr]).toEqual([1, '']);
  expect(failed.stdout).toContain(`is already in use by process ${first.pid} (`);
  const waiting = TOKEN.exec(await readFile(path.join(other, 'first-start.txt'), 'utf8'))![0];
  expect(failed.stdout).not.toContain(waiting);
  const later = await services.start({ DATA_DIR: other, ADMIN_TOKEN: undefined });
  expect((await later.getAs(waiting, '/api/v1/test')).status).toBe(200);

  const done = { token: secrets[1], email: 'root@example.com', password: 'correct horse battery' };
  const { status } = await first.post('/api/v1/setup', done);
  expect(status).toBe(201);
  await expect.poll(() => existsSync(file), PATIENTLY).toBe(false);
  await first.stop();
  expect(first.stderr).toBe('');
  for (const secret of secrets) expect(first.stdout).not.toContain(secret);

  const second = await services.start({ DATA_DIR, ADMIN_TOKEN: undefined });
  expect((await second.getAs(token, '/api/v1/test')).status).toBe(200);
  await second.stop();
  expect([second.stderr, existsSync(file)]).toEqual(['', false]);
  for (const secret of secrets) expect(second.stdout).not.toContain(secret);
});

test('a bad configuration is told whole, a line for each mistake [39.6]', async () => {
  const DATA_DIR = await services.folder();
  const { code, stdout, stderr } = await services.run({
    DATA_DIR,
    PORT: '99999',
    LOG_LEVEL: 'loud',
    PROBE_WORKERS: 'none',
    ADMIN_TOKEN: 'much-too-short',
    DATABASE_URL: 'postgres://localhost/tocsin',
  });
  expect(code).toBe(1);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.map((line) => line.split(' ', 1)[0]).toSorted()).toEqual([
    'ADMIN_TOKEN',
    'LOG_LEVEL',
    'PORT',
    'PROBE_WORKERS',
    'SECRET_KEY',
  ]);
  expect(lines.every((line) => / must be .+\.$/.test(line))).toBe(true);
  expect(stdout + stderr).not.toContain('much-too-short');
});

test('a second server on the same folder is refused, and the first goes on [39.14]', async () => {
  const DATA_DIR = await services.folder();
  const first = await services.start({ DATA_DIR });
  const { code, stdout } = await services.run({ DATA_DIR });
  expect(code).toBe(1);
  expect(messagesOf(stdout)).toEqual([
    expect.stringContaining(`Another Tocsin server is already running on ${DATA_DIR}.`),
  ]);
  expect(stdout).not.toContain('    at ');
  expect((await first.get('/readyz')).status).toBe(200);
  await first.stop();
});

function messagesOf(log: string): string[] {
  const lines = log.trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}
