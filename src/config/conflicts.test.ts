import { describe, expect, test } from 'vitest';
import { deriveRegionKey, probeKeyText } from '../lib/region-keys.ts';
import { readConfig } from './config.ts';

const DATABASE = { DATABASE_URL: 'postgres://tocsin@db/tocsin', SECRET_KEY: '0123456789abcdef' };
const NATS = { NATS_URL: 'nats://nats' };
const keyOf = (region: string) => probeKeyText(deriveRegionKey('the secret key of a test', region));
const PROBE = { ROLES: 'probe', PROBE_KEY: keyOf('nbg'), ...NATS };

describe('what a process may be', () => {
  const allowed: [what: string, env: Record<string, string>, regions: string[]][] = [
    ['everything on SQLite', {}, ['ash', 'pdx', 'nbg', 'sin']],
    ['everything, with probes elsewhere', { ...NATS, PROBE_REGIONS: 'ash' }, ['ash']],
    ['no probe', { ROLES: 'api,scheduler,worker', ...NATS }, []],
    ['an API', { ROLES: 'api', ...DATABASE, ...NATS }, []],
    [
      'a scheduler that checks',
      { ROLES: 'scheduler,probe', ...DATABASE },
      ['ash', 'pdx', 'nbg', 'sin'],
    ],
    ['a worker, which needs no probes', { ROLES: 'worker', ...DATABASE }, []],
    ['a probe', PROBE, ['nbg']],
    [
      'a probe of a region that no default names',
      { ...PROBE, PROBE_KEY: keyOf('cellar') },
      ['cellar'],
    ],
    [
      'a probe of two regions',
      { ...PROBE, PROBE_KEY: `${keyOf('nbg')}, ${keyOf('sin')}` },
      ['nbg', 'sin'],
    ],
    [
      'a probe of one of the regions of its keys',
      { ...PROBE, PROBE_KEY: `${keyOf('nbg')},${keyOf('sin')}`, PROBE_REGIONS: 'sin' },
      ['sin'],
    ],
    [
      'a probe beside the settings of servers',
      { ...PROBE, DATABASE_URL: DATABASE.DATABASE_URL },
      ['nbg'],
    ],
  ];
  test.each(allowed)('%s', (_what, env, regions) => {
    const { config, errors } = readConfig(env);
    expect(errors).toBeUndefined();
    expect(config!.probeRegions).toEqual(regions);
  });
});

describe('what it needs', () => {
  const refused: [env: Record<string, string>, errors: string[]][] = [
    [{ ROLES: 'probe' }, ['NATS_URL must be set when ROLES is probe', 'PROBE_KEY must be set']],
    [{ ROLES: 'probe', ...NATS }, ['PROBE_KEY must be set when ROLES is probe']],
    [{ ...PROBE, PROBE_REGIONS: 'sin' }, ['PROBE_REGIONS has sin, for which PROBE_KEY has no key']],
    [
      { ROLES: 'api', ...NATS },
      ['DATABASE_URL must be set when ROLES leaves out scheduler and worker'],
    ],
    [{ ROLES: 'scheduler', ...DATABASE }, ['NATS_URL must be set when ROLES has api or scheduler']],
    [{ ROLES: 'worker', DATABASE_URL: DATABASE.DATABASE_URL }, ['SECRET_KEY must be set']],
    [
      { ...DATABASE, PROBE_KEY: keyOf('nbg') },
      ['PROBE_KEY is for processes that are a probe only'],
    ],
  ];
  test.each(refused)('%j', (env, says) => {
    const { errors } = readConfig(env);
    expect(errors).toHaveLength(says.length);
    for (const [index, words] of says.entries()) expect(errors![index]).toContain(words);
  });
});

describe('discovery', () => {
  const CLUSTER = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

  test.each<[Record<string, string>, { kind: string; name: string }[]]>([
    [{ DISCOVER: 'docker' }, [{ kind: 'docker', name: 'docker' }]],
    [
      { DISCOVER: 'docker=web-1', DOCKER_HOST: 'tcp://proxy:2375' },
      [{ kind: 'docker', name: 'web-1' }],
    ],
    [
      { DISCOVER: 'docker, kubernetes=eu', ...CLUSTER },
      [
        { kind: 'docker', name: 'docker' },
        { kind: 'kubernetes', name: 'eu' },
      ],
    ],
    [
      { DISCOVER: 'kubernetes', KUBECONFIG: '/etc/kube' },
      [{ kind: 'kubernetes', name: 'kubernetes' }],
    ],
  ])('%j', (env, sets) => {
    const { config, errors } = readConfig(env);
    expect(errors).toBeUndefined();
    expect(config!.discover).toEqual(sets);
  });

  test.each([
    [{ DISCOVER: 'podman' }, 'DISCOVER has "podman", but each must be docker or kubernetes'],
    [{ DISCOVER: 'docker=Web' }, 'DISCOVER has "docker=Web"'],
    [{ DISCOVER: 'docker,docker' }, 'DISCOVER has "docker" more than once'],
    [
      { DISCOVER: 'docker', ROLES: 'api', ...DATABASE, ...NATS },
      'DISCOVER is for a process with the role worker.',
    ],
    [
      { DISCOVER: 'docker', DOCKER_HOST: 'ssh://me@host' },
      'DOCKER_HOST is "ssh://me@host", but discovery needs',
    ],
    [{ DISCOVER: 'kubernetes' }, 'KUBECONFIG must be set when DISCOVER has kubernetes'],
  ])('%j is refused', (env, says) => {
    const { errors } = readConfig(env as Record<string, string>);
    expect(errors).toEqual([expect.stringContaining(says)]);
  });

  test('does not mind what others set for themselves', () => {
    expect(readConfig({ DOCKER_HOST: 'ssh://me@host' }).errors).toBeUndefined();
  });
});

describe('private regions', () => {
  const PRIVATE = { ...NATS, PRIVATE_REGIONS: 'office:7=Office Berlin, lab:12' };

  test('belong to a team, with a title of their own; a server never checks for them', () => {
    const { config, errors } = readConfig({ ...PRIVATE, REGION_KEY_VERSIONS: 'office=3' });
    expect(errors).toBeUndefined();
    expect(config!.privateRegions).toEqual([
      { code: 'office', title: 'Office Berlin', teamId: 7 },
      { code: 'lab', title: 'lab', teamId: 12 },
    ]);
    expect(config!.probeRegions).toEqual(['ash', 'pdx', 'nbg', 'sin']);
    expect(config!.regionKeyVersions).toEqual([{ region: 'office', version: 3 }]);
  });

  test.each([
    [{ REGIONS: 'nbg,office' }, 'PRIVATE_REGIONS has "office", which REGIONS has too'],
    [{ PROBE_REGIONS: 'nbg,lab' }, 'PROBE_REGIONS has "lab" of PRIVATE_REGIONS: a server never'],
    [
      { PROBE_REGIONS: 'moon' },
      'PROBE_REGIONS has "moon", but REGIONS has only ash, pdx, nbg, sin',
    ],
  ])('%j does not go with them', (env, says) => {
    const { errors } = readConfig({ ...PRIVATE, ...env });
    expect(errors).toEqual([expect.stringContaining(says)]);
  });

  test('a process that is a probe only serves one by its key alone', () => {
    const { config, errors } = readConfig({ ...PROBE, PROBE_KEY: keyOf('office') });
    expect(errors).toBeUndefined();
    expect(config!.probeRegions).toEqual(['office']);
  });
});
