import { existsSync, readFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DCLinter } from 'dclint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../src/config/config.ts';
import { freshDirectory } from './support/directories.ts';
import { IMAGE_ENVIRONMENT, settingsOf } from './support/installation.ts';
import { DEPLOYED_REGIONS, makeSecrets } from './support/nats-cluster.ts';
import { parse } from 'yaml';

/** Service of a compose file, as far as tests read it. */
interface ComposeService {
  image?: string;
  user?: string;
  environment?: Record<string, string>;
  secrets?: (string | { source: string; target: string })[];
  configs?: { source: string; target: string }[];
  networks?: string[] | Record<string, unknown>;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  ports?: string[];
  command?: string[];
  healthcheck?: object;
  sysctls?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  tmpfs?: string[];
  deploy?: { resources: { limits: { memory: string; pids: number } } };
}

interface ComposeFile {
  services: Record<string, ComposeService>;
  networks?: Record<string, { internal?: boolean } | null>;
  volumes?: Record<string, unknown>;
  configs?: Record<string, { file: string }>;
  secrets?: Record<string, { file: string }>;
}

type Raw = ComposeService & { extends?: { file: string; service: string } };

/** Reads a compose file with what its services extend. */
function readCompose(path: string): ComposeFile {
  const file = parse(readFileSync(path, 'utf8'), { merge: true }) as ComposeFile;
  const services = Object.entries<Raw>(file.services).map(([name, { extends: base, ...own }]) => {
    if (base === undefined) return [name, own] as const;
    const inherited = readCompose(join(dirname(path), base.file)).services[base.service]!;
    const needs = { ...inherited.depends_on, ...own.depends_on };
    return [name, { ...inherited, ...own, depends_on: needs }] as const;
  });
  return { ...file, services: Object.fromEntries(services) };
}

/** Names of the secrets that a service sees, and where. */
function secretsOf({ secrets = [] }: ComposeService): { source: string; target: string }[] {
  return secrets.map((one) =>
    typeof one === 'string' ? { source: one, target: `/run/secrets/${one}` } : one,
  );
}

function networksOf({ networks = [] }: ComposeService): string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

const deploy = fileURLToPath(new URL('../deploy', import.meta.url));

const program = fileURLToPath(new URL('../src/tocsin.js', import.meta.url));

const FILES = ['compose.yaml', 'compose.cluster.yaml', 'compose.region.yaml'];

const cluster = readCompose(join(deploy, 'compose.cluster.yaml'));

const region = readCompose(join(deploy, 'compose.region.yaml'));

let secrets: string;

let remove: () => Promise<void>;

beforeAll(async () => {
  ({ place: secrets, remove } = await freshDirectory());
  makeSecrets(secrets, 'nats', `${process.execPath} ${program}`);
});

afterAll(() => remove());

/** What is a matter of taste, or wrong for a service that is to be reached. */
const UNUSED_RULES = [
  'no-build-and-image',
  'no-unbound-port-interfaces',
  'require-quotes-in-ports',
  'service-dependencies-alphabetical-order',
  'service-image-require-explicit-tag',
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
];

test.each(FILES)('%s follows the compose specification', (name) => {
  const rules = Object.fromEntries(UNUSED_RULES.map((rule) => [rule, 0 as const]));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const results = linter.lintFiles([join(deploy, name)], false) as { messages: unknown[] }[];
  expect(results.flatMap(({ messages }) => messages)).toEqual([]);
});

/** The settings of a service, with the secrets that make-secrets.sh made. */
function configOf(file: ComposeFile, service: ComposeService): Config {
  const mounted = new Map(secretsOf(service).map(({ source, target }) => [target, source]));
  const environment = Object.entries(service.environment ?? {}).map(([name, value]) => {
    const filled = value
      .replace(/\$\{SITE:.*?\}/, 'status.example.com')
      .replace(/\$\{ADMIN_EMAIL:.*?\}/, 'you@example.com');
    if (!name.endsWith('_FILE')) return [name, filled];
    const source = mounted.get(value);
    expect(source, `${name} is mounted`).toBeDefined();
    return [name, join(secrets, file.secrets![source!]!.file.replace(/^secrets\//, ''))];
  });
  return settingsOf({ ...IMAGE_ENVIRONMENT, ...Object.fromEntries(environment) });
}

const tocsin = (file: ComposeFile) =>
  Object.entries(file.services).filter(([, { image }]) => image === 'tocsin');

describe.each([
  ['compose.cluster.yaml', cluster],
  ['compose.region.yaml', region],
] as const)('%s', (_name, file) => {
  test('what its services refer to is there, and nothing else', () => {
    const services = Object.values(file.services);
    const used = {
      secrets: services.flatMap((one) => secretsOf(one).map(({ source }) => source)),
      configs: services.flatMap(({ configs = [] }) => configs.map(({ source }) => source)),
      networks: services.flatMap(networksOf),
      volumes: services.flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]!)),
    };
    for (const [kind, names] of Object.entries(used)) {
      const declared = Object.keys(file[kind as keyof typeof used] ?? {});
      expect([...new Set(names)].toSorted(), kind).toEqual(declared.toSorted());
    }
    for (const [name, { depends_on = {} }] of Object.entries(file.services))
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect(Object.keys(file.services), name).toContain(needed);
        // The image of Tocsin has a health check.
        const { healthcheck, image } = file.services[needed]!;
        expect(condition === 'service_healthy' && (healthcheck ?? image)).toBeTruthy();
      }
  });

  test('its files exist, and make-secrets.sh makes its secrets', () => {
    for (const { file: path } of Object.values(file.configs ?? {}))
      expect(existsSync(join(deploy, path)), path).toBe(true);
    for (const { file: path } of Object.values(file.secrets ?? {})) {
      expect(path).toMatch(/^secrets\//);
      expect(existsSync(join(secrets, path.replace(/^secrets\//, ''))), path).toBe(true);
    }
  });

  test('no service has more rights than it needs', () => {
    for (const [name, service] of Object.entries(file.services)) {
      expect(service.read_only, name).toBe(true);
      expect(service.cap_drop, name).toEqual(['ALL']);
      expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
      expect(service.deploy?.resources.limits, name).toMatchObject({
        memory: expect.any(String),
        pids: expect.any(Number),
      });
      expect(service.stop_grace_period, name).toBeDefined();
    }
  });

  test('probes have the key and the user of their region, and nothing of the servers', () => {
    const probes = tocsin(file).filter(([name]) => name.startsWith('probe-'));
    for (const [name, service] of probes) {
      const code = name.slice('probe-'.length);
      const config = configOf(file, service);
      expect(config).toMatchObject({ roles: ['probe'], databaseUrl: null, secretKeys: [] });
      expect(config.probeRegions).toEqual([code]);
      expect(config.probeKeys?.map((key) => key.region)).toEqual([code]);
      const { username, hostname, port } = new URL(config.natsUrls![0]!);
      expect(username).toBe(code);
      expect(port).toBe('4222');
      const shared = networksOf(service).filter((network) =>
        networksOf(file.services[hostname]!).includes(network),
      );
      expect(shared).toHaveLength(1);
      expect(networksOf(service)).not.toContain('database');
      expect(service.sysctls).toEqual({ 'net.ipv4.ping_group_range': '0 2147483647' });
    }
    expect(probes.length).toBeGreaterThan(0);
  });
});

test('the cluster has two processes of each role of servers, on the same database and key', () => {
  const servers = tocsin(cluster).filter(([name]) => !name.startsWith('probe-'));
  const configs = servers.map(([, service]) => configOf(cluster, service));
  expect(configs.map(({ roles }) => roles.join(','))).toEqual(
    ['api', 'scheduler', 'worker'].flatMap((role) => [role, role]),
  );
  for (const config of configs) {
    expect(config.regions.map(({ code }) => code)).toEqual(DEPLOYED_REGIONS);
    expect(config.natsUrls).toEqual(configs[0]!.natsUrls);
    expect(config.secretKeys).toEqual(configs[0]!.secretKeys);
    expect(new URL(config.databaseUrl!).hostname).toBe('postgres');
    // Nothing of the first start has to be kept in DATA_DIR.
    expect(config.adminPassword).not.toBeNull();
  }
  const { username, hostname } = new URL(configs[0]!.natsUrls![0]!);
  expect([username, hostname]).toEqual(['server', 'nats']);
});

test('there is a probe of each region, and Postgres is reached by servers only', () => {
  const probes = tocsin(cluster).filter(([name]) => name.startsWith('probe-'));
  expect(probes.map(([name]) => name.slice('probe-'.length))).toEqual(DEPLOYED_REGIONS);
  const onDatabase = Object.entries(cluster.services)
    .filter(([, service]) => networksOf(service).includes('database'))
    .map(([name]) => name.replace(/-\d$/, ''));
  expect(new Set(onDatabase)).toEqual(new Set(['api', 'scheduler', 'worker', 'postgres']));
  expect(cluster.networks!['database']).toEqual({ internal: true });
});
