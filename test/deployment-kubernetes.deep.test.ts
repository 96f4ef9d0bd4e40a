import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1';
import {
  Ingress,
  NetworkPolicy,
  type INetworkPolicy,
} from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget, type IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import {
  ClusterRole,
  ClusterRoleBinding,
  type IClusterRole,
} from 'kubernetes-models/rbac.authorization.k8s.io/v1';
import { Namespace, Service, ServiceAccount, type IService } from 'kubernetes-models/v1';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KUBERNETES_KINDS } from '../src/configuration/discover/kubernetes.ts';
import { parseCommandLine } from '../src/operator/command-line.ts';
import { COMMANDS } from '../src/operator/run.ts';
import { freshDirectory } from './support/directories.ts';
import { IMAGE_ENVIRONMENT, settingsOf } from './support/installation.ts';
import { DEPLOYED_REGIONS, makeSecrets } from './support/nats-cluster.ts';
import { parse, parseAllDocuments } from 'yaml';

/** Object of Kubernetes, as far as tests read it. */
interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: unknown;
}

interface Kustomization {
  resources?: string[];
  patches?: { path: string; target: { kind: string; name: string } }[];
  configMapGenerator?: { name: string; files?: string[]; literals?: string[]; behavior?: string }[];
  images?: { name: string }[];
  replicas?: { name: string }[];
}

interface Kustomized {
  objects: KubernetesObject[];
  /** Literals and file names by the name of the config map. */
  configMaps: Map<string, { literals: Record<string, string>; files: string[] }>;
  /** Kustomizations that it is made of, outermost first. */
  parts: { folder: string; kustomization: Kustomization }[];
  /** What it refers to and is not there, and files that nothing refers to. */
  problems: string[];
}

/** Reads a kustomization with all it refers to. Patches and transformations are not applied. */
function readKustomization(folder: string): Kustomized {
  const path = join(folder, 'kustomization.yaml');
  const kustomization = parse(readFileSync(path, 'utf8')) as Kustomization;
  const { resources = [], patches = [], configMapGenerator = [] } = kustomization;
  const all: Kustomized = {
    objects: [],
    configMaps: new Map(),
    parts: [{ folder, kustomization }],
    problems: [],
  };
  for (const name of resources) {
    const resource = join(folder, name);
    if (!existsSync(resource)) all.problems.push(`${resource} is missing`);
    else if (statSync(resource).isDirectory()) addBase(all, readKustomization(resource));
    else all.objects.push(...readObjects(resource));
  }
  const generated = configMapGenerator.flatMap(({ files = [] }) => files);
  const named = new Set([...resources, ...patches.map((patch) => patch.path), ...generated]);
  for (const name of named)
    if (!existsSync(join(folder, name))) all.problems.push(`${join(folder, name)} is missing`);
  for (const name of readdirSync(folder))
    if (name !== 'kustomization.yaml' && !named.has(name))
      all.problems.push(`${join(folder, name)} is not used`);
  for (const { name, literals = [], files = [] } of configMapGenerator) {
    const own = Object.fromEntries(literals.map((one) => splitOnce(one)));
    const former = all.configMaps.get(name);
    all.configMaps.set(name, {
      literals: { ...former?.literals, ...own },
      files: [...(former?.files ?? []), ...files],
    });
  }
  return all;
}

function addBase(all: Kustomized, base: Kustomized): void {
  all.objects.push(...base.objects);
  for (const [name, content] of base.configMaps) all.configMaps.set(name, content);
  all.parts.push(...base.parts);
  all.problems.push(...base.problems);
}

function splitOnce(literal: string): [string, string] {
  const at = literal.indexOf('=');
  return [literal.slice(0, at), literal.slice(at + 1)];
}

function readObjects(path: string): KubernetesObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map(
    (document) => document.toJS() as KubernetesObject,
  );
}

const root = fileURLToPath(new URL('..', import.meta.url));

const folder = (name: string) => join(root, 'deploy/kubernetes', name);

const base = readKustomization(folder('base'));

const region = readKustomization(folder('region'));

const example = readKustomization(folder('overlays/example'));

const discovery = readKustomization(folder('discovery'));

const all = [
  ['base', base],
  ['region', region],
  ['overlays/example', example],
] as const;

const withDiscovery = [...all, ['discovery', discovery]] as const;

const MODELS = {
  ClusterRole,
  ClusterRoleBinding,
  Deployment,
  Ingress,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
};

type Kind = keyof typeof MODELS;

const ofKind = <T>(objects: KubernetesObject[], kind: Kind) =>
  objects.filter((object) => object.kind === kind) as unknown as T[];

const deployments = (of: { objects: KubernetesObject[] }) =>
  ofKind<IDeployment>(of.objects, 'Deployment');

const tocsin = (of: { objects: KubernetesObject[] }) =>
  deployments(of).filter((one) => containerOf(one).image === 'tocsin');

const nameOf = ({ metadata }: IDeployment) => metadata!.name!;

const podOf = ({ spec }: IDeployment) => spec!.template.spec!;

const containerOf = (one: IDeployment) => podOf(one).containers[0]!;

const labelsOf = ({ spec }: IDeployment) => spec!.template.metadata!.labels!;

let secrets: string;

let remove: () => Promise<void>;

beforeAll(async () => {
  ({ place: secrets, remove } = await freshDirectory());
  makeSecrets(secrets, 'nats', `${process.execPath} ${join(root, 'src/tocsin.js')}`);
});

afterAll(() => remove());

test.each(withDiscovery)(
  '%s refers to what is there, and every file is used',
  (_name, { problems }) => {
    expect(problems).toEqual([]);
  },
);

test.each(withDiscovery)('%s has valid objects', (_name, { objects }) => {
  for (const object of objects) {
    const Model = MODELS[object.kind as Kind];
    expect(object.apiVersion).toBe(Model.apiVersion);
    new Model(structuredClone(object) as never).validate();
  }
});

// The schemas accept fields that there are not; types do not.
test('no object has a field that Kubernetes does not know', () => {
  const objects = [...example.objects, ...region.objects, ...discovery.objects];
  const modules = {
    ClusterRole: 'rbac.authorization.k8s.io/v1',
    ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
    Deployment: 'apps/v1',
    PodDisruptionBudget: 'policy/v1',
    Namespace: 'v1',
    Service: 'v1',
    ServiceAccount: 'v1',
  };
  const lines = objects.map(({ kind }, index) => {
    const module = (modules as Record<string, string>)[kind] ?? 'networking.k8s.io/v1';
    const value = JSON.stringify(objects[index]);
    return `import type { I${kind} as T${index} } from 'kubernetes-models/${module}';\nexport const o${index}: T${index} = ${value};`;
  });
  const wrong = 'export const wrong: T0 = { apiVersion: "v1", kind: "Namespace", sepc: {} };';
  expect(typeErrors(lines.join('\n'))).toEqual([]);
  expect(typeErrors(`${lines[0]}\n${wrong}`)).toEqual([expect.stringContaining("'sepc'")]);
});

/** Type errors of a file in the root of the project. */
function typeErrors(text: string): string[] {
  const name = join(root, 'objects-of-kubernetes.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.readFile = (path) => (path === name ? text : readFile(path));
  host.getSourceFile = (path, version) =>
    path === name ? ts.createSourceFile(path, text, version) : getSourceFile(path, version);
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test.each(withDiscovery)('kustomize accepts %s where it is installed', (name) => {
  const { error, status, stderr } = spawnSync('kubectl', ['kustomize', folder(name)], {
    encoding: 'utf8',
  });
  // Not every machine of developers has it.
  if (error !== undefined) return;
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('images, replicas and patches of the example name what is there', () => {
  const names = new Set(deployments(example).map(nameOf));
  const images = new Set(deployments(example).map((one) => containerOf(one).image));
  for (const { kustomization } of example.parts) {
    for (const image of kustomization.images ?? []) expect(images).toContain(image.name);
    for (const one of kustomization.replicas ?? []) expect(names).toContain(one.name);
  }
  expect(images).toEqual(new Set(['tocsin', 'nats']));
  // The patch replaces the third rule of each server, which is that for Postgres.
  for (const name of ['api', 'scheduler', 'worker'])
    expect(policy(base.objects, name).egress![2]!.ports).toEqual([{ port: 5432 }]);
});

/** Beside the servers that its policies name. */
const inExample: Kustomized = {
  ...discovery,
  objects: [...example.objects, ...discovery.objects],
};

describe.each([...all, ['discovery', inExample]] as const)('%s', (_name, kustomized) => {
  test('no container has more rights than it needs', () => {
    for (const one of deployments(kustomized)) {
      const pod = podOf(one);
      expect(pod.containers).toHaveLength(1);
      expect(pod.automountServiceAccountToken, nameOf(one)).toBe(false);
      expect(pod.securityContext, nameOf(one)).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containerOf(one).securityContext, nameOf(one)).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(containerOf(one).resources?.limits, nameOf(one)).toHaveProperty('memory');
    }
  });

  test('selectors, ports and volumes fit', () => {
    const { objects } = kustomized;
    for (const one of deployments(kustomized)) {
      expect(labelsOf(one)).toMatchObject(one.spec!.selector.matchLabels!);
      const { volumeMounts = [] } = containerOf(one);
      const volumes = (podOf(one).volumes ?? []).map(({ name }) => name);
      expect(volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
    }
    const chosen = (labels: Record<string, string>) =>
      deployments(kustomized).filter((one) =>
        Object.entries(labels).every(([name, value]) => labelsOf(one)[name] === value),
      );
    for (const { spec } of ofKind<IService>(objects, 'Service')) {
      const [one, ...others] = chosen(spec!.selector!);
      expect(others).toEqual([]);
      const ports = containerOf(one!).ports!.map(({ name }) => name);
      for (const { targetPort } of spec!.ports!) expect(ports).toContain(targetPort);
    }
    for (const { spec, metadata } of ofKind<IPodDisruptionBudget>(objects, 'PodDisruptionBudget')) {
      const [one] = chosen(spec!.selector!.matchLabels!);
      expect(one!.spec!.replicas, metadata!.name!).toBeGreaterThan(Number(spec!.minAvailable));
    }
    for (const { spec, metadata } of ofKind<INetworkPolicy>(objects, 'NetworkPolicy')) {
      const labels = spec!.podSelector!.matchLabels ?? {};
      expect(chosen(labels).length, metadata!.name!).toBeGreaterThan(0);
    }
  });
});

describe.each(all)('%s', (_name, kustomized) => {
  test('Tocsin gets settings that it accepts, and is asked whether it is alive and ready', () => {
    for (const one of tocsin(kustomized)) {
      const config = configOf(kustomized, one);
      expect(config.roles).toEqual([labelsOf(one)['tocsin/role']]);
      const { livenessProbe, readinessProbe, startupProbe, ports } = containerOf(one);
      expect(ports).toEqual([{ name: 'http', containerPort: config.port }]);
      expect(livenessProbe?.httpGet?.path).toBe('/healthz');
      expect(startupProbe?.httpGet?.path).toBe('/readyz');
      const isApi = config.roles[0] === 'api';
      expect(readinessProbe?.httpGet?.path).toBe(isApi ? '/healthz' : '/readyz');
      expect(podOf(one).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(isApi ? 25 : 20);
    }
  });

  test('probes have the key and the user of their region, and may send ICMP echoes', () => {
    const probes = tocsin(kustomized).filter((one) => nameOf(one).startsWith('probe-'));
    for (const one of probes) {
      const code = nameOf(one).slice('probe-'.length);
      const config = configOf(kustomized, one);
      expect(config.probeKeys!.map((key) => key.region)).toEqual([code]);
      const { username, hostname, port } = new URL(config.natsUrls![0]!);
      expect(username).toBe(code);
      const service = ofKind<IService>(kustomized.objects, 'Service').find(
        ({ metadata }) => metadata!.name === hostname,
      );
      expect(service!.spec!.ports!.map((each) => String(each.port))).toContain(port);
      expect(podOf(one).securityContext!.sysctls).toEqual([
        { name: 'net.ipv4.ping_group_range', value: '0 2147483647' },
      ]);
    }
    expect(probes.length).toBeGreaterThan(0);
  });

  test('only servers reach Postgres, and nothing but the API is reached from outside of NATS', () => {
    const { objects } = kustomized;
    expect(policy(objects, 'nothing-unless-allowed')).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const policies = ofKind<INetworkPolicy>(objects, 'NetworkPolicy');
    const withIngress = policies.filter(({ spec }) => spec!.ingress !== undefined);
    for (const { metadata } of withIngress) expect(metadata!.name).toMatch(/^(api|nats.*)$/);
    const probe = policy(objects, 'probe');
    expect(probe.podSelector).toEqual({ matchLabels: { 'tocsin/role': 'probe' } });
    // Any port of public addresses, or named ports of pods: never Postgres.
    for (const { to, ports } of probe.egress!) {
      const blocks = to!.flatMap(({ ipBlock }) => ipBlock ?? []);
      for (const { except } of blocks) expect(except!.length).toBeGreaterThan(1);
      if (blocks.length === 0) expect(ports!.map(({ port }) => port)).not.toContain(5432);
    }
  });
});

test('discovery may list and watch what it reads, and nothing else', () => {
  const [role] = ofKind<IClusterRole>(discovery.objects, 'ClusterRole');
  const granted = role!.rules!.map(({ apiGroups, resources, verbs }) => {
    expect(verbs).toEqual(['list', 'watch']);
    return `${apiGroups![0] === '' ? '/api' : `/apis/${apiGroups![0]}`}/v1/${resources!.join()}`;
  });
  expect(granted.toSorted()).toEqual(KUBERNETES_KINDS.map((kind) => kind.path).toSorted());
  const [one] = deployments(discovery);
  expect(one!.spec!.replicas).toBe(1);
  const { command, args } = containerOf(one!);
  expect(command!.at(-1)).toBe('/app/src/tocsin.js');
  expect(existsSync(join(root, 'src/tocsin.js'))).toBe(true);
  expect(parseCommandLine(args!, COMMANDS)).toMatchObject({
    kind: 'run',
    command: { name: 'discover' },
    given: { positionals: ['kubernetes'], options: { url: 'http://api' } },
  });
});

test('there is a probe of each region', () => {
  const names = [...tocsin(base), ...tocsin(region)].map(nameOf);
  const probes = names.filter((name) => name.startsWith('probe-'));
  expect(probes.map((name) => name.slice('probe-'.length))).toEqual(DEPLOYED_REGIONS);
});

function policy(objects: KubernetesObject[], name: string) {
  return ofKind<INetworkPolicy>(objects, 'NetworkPolicy').find(
    ({ metadata }) => metadata!.name === name,
  )!.spec!;
}

/** The settings of a deployment, with the secrets that make-secrets.sh made. */
function configOf(
  { configMaps }: { configMaps: ReturnType<typeof readKustomization>['configMaps'] },
  one: IDeployment,
) {
  const { env = [], envFrom = [], volumeMounts = [] } = containerOf(one);
  const environment: Record<string, string> = { ...IMAGE_ENVIRONMENT };
  for (const { configMapRef } of envFrom)
    Object.assign(environment, configMaps.get(configMapRef!.name!)!.literals);
  const mounted = volumeMounts.find(({ name }) => name === 'secrets')!.mountPath;
  for (const { name, value } of env) {
    if (!name.endsWith('_FILE')) environment[name] = value!;
    else {
      expect(value!.startsWith(`${mounted}/`), name).toBe(true);
      environment[name] = join(secrets, value!.slice(mounted.length));
      expect(existsSync(environment[name])).toBe(true);
    }
  }
  return settingsOf(environment);
}
