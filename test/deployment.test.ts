import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { IMAGE_ENVIRONMENT } from './support/installation.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const packageJson = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

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
] as const)(
  'what npm run %s starts, %s and the image start, too [39.54]',
  (script, file, roles) => {
    const { scripts } = packageJson;
    const [, setting, started] = /^(?:ROLES=probe )?(\S+) exec node (.*)$/.exec(scripts[script]!)!;
    const values = unitOf(file);
    expect(values('ExecStart')).toEqual([`/opt/tocsin/node_modules/.bin/node ${started}`]);
    expect(values('Environment')).toContain(setting);
    const image = read('deploy/Dockerfile');
    expect(image).toMatch(new RegExp(`^ENV .*\\b${setting!}\\b`, 'm'));
    const [, command] = /^CMD \["(.*)"\]$/m.exec(image)!;
    const [, written] = new RegExp(`printf '([^']*)' > ${command!}`).exec(image)!;
    const shown = written!.replaceAll(String.raw`\n`, '\n').replace(/^exec /m, 'echo ');
    const env = { PATH: process.env['PATH'], ROLES: roles };
    const printed = execFileSync('sh', ['-c', shown], { env, encoding: 'utf8' });
    expect(printed.trim()).toBe(
      `/app/node_modules/.bin/node ${started!.replace('src/', '/app/src/')}`,
    );
  },
);

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
