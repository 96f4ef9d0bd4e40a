import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import {
  ADMIN_TOKEN,
  PATIENTLY,
  useServices,
  type Environment,
  type Service,
} from '../support/service.ts';

vi.setConfig({ testTimeout: 90_000 });

const services = useServices();
const PROGRAM = fileURLToPath(new URL('../../src/tocsin.js', import.meta.url));

/** Monitors of a set; `@` stands for the token of one of them. */
const setOf = (...keys: string[]) =>
  [
    'name: shop',
    'defaults: {monitors: {check_interval: 60, auth_type: bearer, auth_password: {env: SHOP_TOKEN}}}',
    'monitors:',
    ...keys.map((key) => `  - {key: ${key}, url: "https://${key}.example.com"}`),
  ].join('\n');

const urlsOf = async (service: Service) => {
  const { body } = await service.get<{ data: { url: string }[] }>('/api/v1/monitors');
  return body.data.map(({ url }) => url).toSorted();
};

async function tocsin(environment: Environment, ...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], SHOP_TOKEN: 'secret', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, out, error };
}

test('a server follows CONFIG_DIR, and keeps what it has while a file is wrong', async () => {
  const DATA_DIR = await services.folder();
  const CONFIG_DIR = path.join(DATA_DIR, 'files');
  const file = path.join(CONFIG_DIR, 'shop.yaml');
  await mkdir(CONFIG_DIR);
  await writeFile(file, setOf('a'));
  const service = await services.start({ DATA_DIR, CONFIG_DIR, SHOP_TOKEN: 'secret' });
  await expect.poll(() => urlsOf(service), PATIENTLY).toEqual(['https://a.example.com']);

  const problems = async () => {
    const { body } = await service.get<{ problems: { kind: string }[] }>('/readyz');
    return body.problems.map(({ kind }) => kind);
  };
  await writeFile(file, setOf('a', 'B'));
  await expect.poll(problems, PATIENTLY).toContain('files_refused');
  expect(await urlsOf(service)).toEqual(['https://a.example.com']);
  await writeFile(file, setOf('a', 'b'));
  await expect
    .poll(() => urlsOf(service), PATIENTLY)
    .toEqual(['https://a.example.com', 'https://b.example.com']);
});

test('files are planned and applied by the socket and over HTTP alike', async () => {
  const DATA_DIR = await services.folder();
  const file = path.join(DATA_DIR, 'shop.yaml');
  const service = await services.start({ DATA_DIR });
  await writeFile(file, setOf('a'));
  const remote = ['--url', service.url];
  const TOCSIN_TOKEN = ADMIN_TOKEN;
  const sum = '\n\n1 to create, 0 to change, 0 to delete.\n';
  const create = (key: string) => `+ monitors ${key}  "https://${key}.example.com"${sum}`;
  expect(await tocsin({ DATA_DIR }, 'plan', file)).toEqual({
    code: 2,
    out: create('a'),
    error: '',
  });
  expect(await tocsin({ TOCSIN_TOKEN }, 'apply', file, '--yes', ...remote)).toEqual({
    code: 0,
    out: `${create('a')}Applied: 1 created, 0 changed, 0 deleted.\n`,
    error: '',
  });
  expect(await tocsin({ DATA_DIR }, 'plan', file)).toMatchObject({
    code: 0,
    out: 'Nothing to do.\n',
  });
  await writeFile(file, setOf('a', 'b'));
  expect(await tocsin({ DATA_DIR }, 'apply', file, '--yes')).toMatchObject({ code: 0 });
  expect(await tocsin({ TOCSIN_TOKEN }, 'drift', file, ...remote)).toMatchObject({ code: 0 });
  expect(await urlsOf(service)).toHaveLength(2);
});
