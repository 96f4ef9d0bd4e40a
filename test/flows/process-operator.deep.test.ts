import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { createMonitor, useServices, type Environment } from '../support/service.ts';

vi.setConfig({ testTimeout: 90_000 });

const services = useServices();
const PROGRAM = fileURLToPath(new URL('../../src/tocsin.js', import.meta.url));

/** The command line in a process of its own. */
async function tocsin(environment: Environment, args: string[], input = '') {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

test('the command line works beside the running server, and on its own when none runs [39.22]', async () => {
  const DATA_DIR = await services.folder();
  const target = 'http://127.0.0.1:9/';
  const first = await services.start({ DATA_DIR });
  const owner = 'admin@localhost';

  // By the running server: what it makes holds at once.
  const made = await tocsin({ DATA_DIR }, [
    'token',
    'create',
    owner,
    '--name',
    'ci',
    '--permissions',
    'read',
  ]);
  expect(made).toMatchObject({ code: 0, stderr: expect.not.stringContaining('No server runs') });
  const token = made.stdout.trim();
  expect((await first.getAs(token, '/api/v1/monitors')).status).toBe(200);
  expect(first.stdout).not.toContain(token);

  // A backup while it runs; what comes after it is gone after the restore.
  const before = await createMonitor(first, { url: target, is_paused: true });
  const file = `${DATA_DIR}/of-today.db`;
  expect(await tocsin({ DATA_DIR }, ['backup', file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 monitor'),
  });
  const after = await createMonitor(first, { url: target, is_paused: true });
  expect(await tocsin({ DATA_DIR }, ['restore', file])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `A server runs on ${DATA_DIR}: stop it first. A restore needs exclusive access to the database.\n`,
  });
  // Killed, it leaves its socket and its log behind.
  await first.kill();
  expect(existsSync(`${DATA_DIR}/operator.sock`)).toBe(true);
  const password = await tocsin(
    { DATA_DIR },
    ['user', 'reset-password', owner, '--password-stdin'],
    'correct horse battery\n',
  );
  expect(password).toMatchObject({
    code: 0,
    stdout: `${owner} has a new password. All their sessions have ended.\n`,
    stderr: `No server runs on ${DATA_DIR}: its database is opened here.\n`,
  });
  expect(await tocsin({ DATA_DIR }, ['restore', file])).toMatchObject({ code: 0, stderr: '' });

  const second = await services.start({ DATA_DIR });
  expect((await second.get(`/api/v1/monitors/${before}`)).status).toBe(200);
  expect((await second.get(`/api/v1/monitors/${after}`)).status).toBe(404);
  expect(statSync(`${DATA_DIR}/operator.sock`).mode & 0o777).toBe(0o600);
  await second.stop();
  expect(existsSync(`${DATA_DIR}/operator.sock`)).toBe(false);
});

test('exit codes tell done, refused and not understood apart [39.24]', async () => {
  const DATA_DIR = await services.folder();
  const runs = await Promise.all([
    tocsin({}, ['--version']),
    tocsin({}, ['user', 'create']),
    tocsin({ DATA_DIR }, ['user', 'list']),
    tocsin({ DATA_DIR, PORT: 'many' }, ['migrate']),
  ]);
  expect(runs).toEqual([
    { code: 0, stdout: expect.stringMatching(/^Tocsin \d+\.\d+\.\d+\n$/), stderr: '' },
    {
      code: 64,
      stdout: '',
      stderr: expect.stringMatching(/^EMAIL is missing\.\nUsage: npm run tocsin -- user create/),
    },
    {
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`There is no database in ${DATA_DIR}.`),
    },
    { code: 1, stdout: '', stderr: expect.stringMatching(/^PORT is "many", but must be .+\.\n$/) },
  ]);
});

test('help, and a command that the server runs, load only what they need', async () => {
  const DATA_DIR = await services.folder();
  await services.start({ DATA_DIR });
  const loaded: Record<string, number> = {};
  for (const args of [['help'], ['help', 'user', 'create'], ['user', 'list'], ['export']]) {
    const NODE_COMPILE_CACHE = path.join(DATA_DIR, args.join('-'));
    const { code } = await tocsin({ DATA_DIR, NODE_COMPILE_CACHE }, args);
    expect([args, code]).toEqual([args, 0]);
    // Node stores each module that it loads.
    const stored = readdirSync(NODE_COMPILE_CACHE, { recursive: true, withFileTypes: true });
    loaded[args.join(' ')] = stored.filter((one) => one.isFile()).length;
  }
  // It was 938 when all commands were loaded with each.
  for (const [command, count] of Object.entries(loaded)) {
    expect(count, command).toBeGreaterThan(5);
    expect(count, command).toBeLessThan(60);
  }
});
