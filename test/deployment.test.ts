import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { freshDirectory } from './support/directories.ts';
import { IMAGE_ENVIRONMENT } from './support/installation.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const packageJson = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
};

/** Reads a unit: the values of a key, in order. */
const unitOf = (name: string) => {
  const text = read(`deploy/systemd/${name}`);
  return (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);
};
const unit = unitOf('tocsin.service');

test.each([
  ['start', 'tocsin.service', 'all'],
  ['start', 'tocsin-server@.service', 'api,worker'],
  ['start:probe', 'tocsin-probe@.service', 'probe'],
])('what npm run %s starts, %s and the image start, too [39.54]', async (script, file, roles) => {
  const given = /^(?:ROLES=probe )?exec bin\/(tocsin start)$/.exec(packageJson.scripts[script]!);
  const image = read('deploy/Dockerfile');
  expect(image).toContain(
    `CMD ${JSON.stringify(given![1]!.split(' ')).replace('["', '["/usr/local/bin/').replace(',', ', ')}\n`,
  );
  expect(image).toContain('ln -s /app/bin/tocsin /usr/local/bin/tocsin');
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  cpSync(fileURLToPath(new URL('../bin', import.meta.url)), join(place, 'bin'), {
    recursive: true,
  });
  const node = join(place, 'node_modules/.bin/node');
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(node, '#!/bin/sh\necho "MALLOC_ARENA_MAX=$MALLOC_ARENA_MAX" "$0" "$@"\n', {
    mode: 0o755,
  });
  const [setting, ...command] = execFileSync(join(place, 'bin/tocsin'), ['start'], {
    env: { PATH: process.env['PATH'], ROLES: roles },
    encoding: 'utf8',
  })
    .trim()
    .split(' ');
  const values = unitOf(file);
  const inUnit = command
    .join(' ')
    .replaceAll(place, '/opt/tocsin')
    .replace('/opt/tocsin/src', 'src');
  expect(values('ExecStart')).toEqual([inUnit]);
  expect(values('Environment')).toContain(setting);
  expect(image).toMatch(new RegExp(`^ENV .*\\b${setting!}\\b`, 'm'));
});

test('other words than start are commands of the operator', () => {
  const program = fileURLToPath(new URL('../bin/tocsin', import.meta.url));
  expect(packageJson.scripts['tocsin']).toBe('exec bin/tocsin');
  const { version } = packageJson;
  expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toContain(version);
});

test.each([
  ['systemd unit', unit('Environment').join(' ').split(' ')],
  ['image', Object.entries(IMAGE_ENVIRONMENT).map((one) => one.join('='))],
])('the settings of the %s are valid [39.54]', (_what, settings) => {
  const environment = Object.fromEntries(settings.map((one) => one.split('=', 2)));
  expect(readConfig(environment).errors).toBeUndefined();
  expect(environment).toMatchObject({ NODE_ENV: 'production', PORT: '3000' });
});

test('the Dockerfile follows the rules of its language', () => {
  expect(validate(read('deploy/Dockerfile'))).toEqual([]);
});

test('what the image copies exists and is not ignored', () => {
  const ignored = read('.dockerignore').split('\n');
  // Folders of which a part is copied.
  expect(ignored).toContain('!scripts/slim-packages.ts');
  const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(
    ([, names]) => names!.split(' '),
  );
  expect(copied).toContain('src');
  for (const name of copied) {
    expect(existsSync(fileURLToPath(new URL(`../${name}`, import.meta.url))), name).toBe(true);
    expect(ignored).not.toContain(name);
  }
});

test('the proxies replace what clients claim about their address', () => {
  const nginx = read('deploy/nginx/tocsin.conf');
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  expect(nginx).not.toContain('$proxy_add_x_forwarded_for');
  expect(read('deploy/caddy/Caddyfile')).not.toContain('trusted_proxies');
});

test.each([
  'caddy/Caddyfile',
  'caddy/cluster.Caddyfile',
  'caddy/custom-domains.Caddyfile',
  'nginx/tocsin.conf',
  'nginx/custom-domain.conf',
])('%s leads nobody to /metrics and /readyz, under whatever name [41.24]', (name) => {
  const text = read(`deploy/${name}`);
  const isCaddy = name.startsWith('caddy');
  const snippet = /^\(tocsin\) \{\n[^]*?^\}/m.exec(text)?.[0] ?? '';
  // Blocks at the left margin, with what they import.
  const blocks = [...text.matchAll(/^(?!#)\S[^\n]*\{\n[^]*?^\}/gm)].map(([block]) =>
    block.includes('import tocsin') ? block + snippet : block,
  );
  const proxying = blocks.filter((block) => /reverse_proxy|proxy_pass/.test(block));
  expect(proxying.length).toBeGreaterThan(0);
  for (const block of proxying) {
    if (isCaddy) expect(block).toMatch(/path \/metrics \/metrics\/\* \/readyz/);
    else expect(block).toContain('location ~ ^/(metrics(/|$)|readyz$) {');
  }
  if (name === 'nginx/tocsin.conf') expect(text).toContain('default_server;');
});

test.each(['caddy/custom-domains.Caddyfile', 'nginx/custom-domain.conf'])(
  '%s leaves the host and the address of the client to Tocsin [41.22]',
  (name) => {
    const file = read(`deploy/${name}`);
    expect(file).not.toMatch(/trusted_proxies|proxy_add_x_forwarded_for|header_up Host/);
    if (name.startsWith('nginx')) {
      expect(file).toContain('proxy_set_header Host $host;');
      expect(file).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
    } else {
      expect(file).toContain('/api/v1/status-pages/tls-check');
    }
  },
);

test('the unit is sandboxed, and systemd accepts it where it is installed', () => {
  for (const [key, value] of [
    ['User', 'tocsin'],
    ['NoNewPrivileges', 'true'],
    ['CapabilityBoundingSet', ''],
    ['ProtectSystem', 'strict'],
    ['ProtectHome', 'true'],
    ['UMask', '0077'],
    ['SystemCallFilter', '@system-service'],
  ] as const) {
    expect(unit(key), key).toEqual([value]);
  }
  const file = fileURLToPath(new URL('../deploy/systemd/tocsin.service', import.meta.url));
  const { error, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], {
    encoding: 'utf8',
  });
  // Not every machine of developers has systemd.
  if (error !== undefined) return;
  const problems = (stdout + stderr)
    .split('\n')
    .filter((line) => line.includes('tocsin.service') && !line.includes('is not executable'));
  expect(problems).toEqual([]);
});
