import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDirectory } from './support/directories.ts';
import { settingsOf } from './support/installation.ts';
import { DEPLOYED_REGIONS, makeSecrets } from './support/nats-cluster.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const path = (name: string) => join(root, 'deploy/systemd', name);
const UNITS = ['tocsin.service', 'tocsin-server@.service', 'tocsin-probe@.service'];
/** systemd rates how much a service could do, from 0 to 10. */
const MAX_EXPOSURE = 2;

/** Values of a key of a unit, in order. */
const values = (name: string, key: string) =>
  [...readFileSync(path(name), 'utf8').matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(
    ([, value]) => value!,
  );

const sandbox = (unit: string) =>
  readFileSync(path(unit), 'utf8').split('# Sandbox.')[1]!.split('\n').slice(1);

let secrets: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ place: secrets, remove } = await freshDirectory());
  makeSecrets(secrets, 'hub.example.com', `${process.execPath} ${join(root, 'src/tocsin.js')}`);
});
afterAll(() => remove());

/** The settings of an instance of a unit, with the secrets that make-secrets.sh made. */
function configOf(name: string, instance: string, own: Record<string, string>) {
  const credentials = new Map(
    values(name, 'LoadCredential').map((one) => {
      const [id, file] = one.replaceAll('%i', instance).split(':') as [string, string];
      expect(file).toMatch(/^\/etc\/tocsin\/credentials\//);
      return [`%d/${id}`, join(secrets, file.slice('/etc/tocsin/credentials/'.length))];
    }),
  );
  const environment = values(name, 'Environment')
    .flatMap((line) => line.split(' '))
    .map((one) => one.split('=', 2) as [string, string])
    .map(([key, value]) => [key, credentials.get(value) ?? value.replaceAll('%i', instance)]);
  return settingsOf({ ...Object.fromEntries(environment), ...own });
}

describe.each(UNITS)('%s', (name) => {
  test('has no more rights than tocsin.service', () => {
    expect(sandbox(name)).toEqual(sandbox('tocsin.service'));
  });

  test('systemd accepts it where it is installed, and finds it well guarded', () => {
    const verified = spawnSync('systemd-analyze', ['verify', path(name)], { encoding: 'utf8' });
    // Not every machine of developers has systemd.
    if (verified.error !== undefined) return;
    const problems = (verified.stdout + verified.stderr)
      .split('\n')
      .filter((line) => line.includes('tocsin') && !line.includes('is not executable'));
    expect(problems).toEqual([]);
    const { stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', path(name)],
      { encoding: 'utf8' },
    );
    const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(stdout)!;
    expect(Number(exposure)).toBeLessThanOrEqual(MAX_EXPOSURE);
  });
});

test.each(['api', 'scheduler', 'worker'])('tocsin-server@%s has settings that fit', (role) => {
  const config = configOf('tocsin-server@.service', role, {
    BASE_URL: 'https://status.example.com',
    ADMIN_EMAIL: 'you@example.com',
    PORT: '3001',
  });
  expect(config).toMatchObject({ roles: [role], dataDir: `/var/lib/tocsin-${role}` });
  expect(values('tocsin-server@.service', 'StateDirectory')).toEqual(['tocsin-%i']);
});

test.each(DEPLOYED_REGIONS)('tocsin-probe@%s has the key and the user of its region', (region) => {
  const config = configOf('tocsin-probe@.service', region, {});
  expect(config).toMatchObject({ roles: ['probe'], probeRegions: [region], databaseUrl: null });
  expect(new URL(config.natsUrls![0]!).username).toBe(region);
});
