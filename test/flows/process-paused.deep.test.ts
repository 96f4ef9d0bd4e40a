import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { ADMIN_TOKEN, createMonitor, PATIENTLY, useServices } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 120_000 });

const services = useServices();
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LOOPBACK = { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };

/** Runs a command of the operator on a data folder. */
function tocsin(dataDir: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const { status, stderr } = spawnSync(process.execPath, ['src/tocsin.js', ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
}

test('a restored backup that is started paused checks nothing and sends nothing, until it is started without [39.53]', async () => {
  const target = services.use(await startTarget());
  const [DATA_DIR, elsewhere] = [await services.folder(), await services.folder()];
  const backup = path.join(await services.folder(), 'tocsin.backup');
  const first = await services.start({ DATA_DIR, ...LOOPBACK });
  await createMonitor(first, { url: target.url('/shop'), check_interval: 0.5 });
  await expect.poll(() => target.requests('/shop').length, PATIENTLY).toBeGreaterThan(0);
  tocsin(DATA_DIR, 'backup', backup);
  await first.stop();
  tocsin(elsewhere, 'restore', backup);

  const before = target.requests('/shop').length;
  const drill = { DATA_DIR: elsewhere, ADMIN_TOKEN, ...LOOPBACK };
  const paused = await services.start({ ...drill, PAUSED: 'true' });
  expect((await paused.get('/api/v1/monitors/1')).status).toBe(200);
  expect((await paused.getAs(null, '/readyz')).status).toBe(200);
  const since = Date.now();
  // A server that is not paused checks an overdue monitor within a second of its start.
  await expect
    .poll(async () => [(await paused.getAs(null, '/healthz')).status, Date.now() - since > 5_000], {
      ...PATIENTLY,
      interval: 500,
    })
    .toEqual([200, true]);
  await paused.stop();
  expect(paused.stdout).toContain('Tocsin is paused: it checks nothing and sends nothing.');
  expect(paused.stdout).toMatch(/"checks":0,"rounds":0,.*"messages_sent":0/);
  expect(target.requests('/shop')).toHaveLength(before);

  const real = await services.start(drill);
  await expect.poll(() => target.requests('/shop').length, PATIENTLY).toBeGreaterThan(before);
  await real.stop();
});

test('an unknown argument of the start is refused, so that a misspelled --paused starts nothing', () => {
  const { status, stderr } = spawnSync(process.execPath, ['src/start.js', '--pause'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATA_DIR: '/nowhere' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, 'Unknown argument "--pause". The only one is --paused.\n']);
});
