import { readFileSync } from 'node:fs';
import {
  Deployment,
  StatefulSet,
  type IDeployment,
  type IStatefulSet,
} from 'kubernetes-models/apps/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget, type IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import {
  ConfigMap,
  Secret,
  Service,
  type IConfigMap,
  type ISecret,
  type IService,
} from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { deriveRegionKey, probeKeyText } from '../src/lib/region-keys.ts';
import { lint, render, type KubernetesObject } from './support/helm.ts';
import { IMAGE_ENVIRONMENT, settingsOf } from './support/installation.ts';

const MODELS = {
  ConfigMap,
  Deployment,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
};
/** Of interfaces that are not part of Kubernetes. */
const OTHERS = ['HTTPRoute', 'ServiceMonitor'];

const ONE = {
  image: { repository: 'registry.example.com/tocsin' },
  settings: { BASE_URL: 'https://status.example.com' },
};
const SECRETS = { DATABASE_URL: 'postgres://tocsin:ab@db/tocsin', SECRET_KEY: 'a'.repeat(44) };
const PAIR = { ...ONE, database: 'postgres', replicas: 2, secrets: SECRETS };
const SHOWN = {
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'certificate', annotations: { a: 'b' } },
  httpRoute: {
    enabled: true,
    hostnames: ['status.example.com'],
    parentRefs: [{ name: 'gateway' }],
  },
  serviceMonitor: { enabled: true, tokenSecret: 'tocsin' },
  networkPolicy: {
    enabled: true,
    ingressFrom: [{ podSelector: { matchLabels: { a: 'b' } } }],
    privateNetworks: ['10.1.0.0/16'],
  },
};
const CLUSTER = {
  ...PAIR,
  ...SHOWN,
  replicas: 1,
  secrets: {
    ...PAIR.secrets,
    NATS_URL: 'nats://server:ab@nats:4222',
    METRICS_TOKEN: 'c'.repeat(48),
  },
  roles: { api: 2, scheduler: 2, worker: 2 },
  probes: [
    { region: 'nbg', vantage: 'Nuremberg', replicas: 2, existingSecret: 'tocsin-probe-nbg' },
  ],
};
const SETS = [
  ['one pod with SQLite', ONE],
  [
    'one pod with SQLite and all that is optional',
    {
      ...ONE,
      ...SHOWN,
      persistence: { storageClass: 'fast' },
      image: { ...ONE.image, pullSecrets: ['registry'] },
    },
  ],
  ['two pods with all roles on Postgres', PAIR],
  ['pods by role, and probes', CLUSTER],
] as const;

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

type Workload = IDeployment | IStatefulSet;

const workloads = (objects: KubernetesObject[]) =>
  objects.filter(
    ({ kind }) => kind === 'Deployment' || kind === 'StatefulSet',
  ) as unknown as Workload[];
const ofKind = <T>(objects: KubernetesObject[], kind: string) =>
  objects.filter((object) => object.kind === kind) as unknown as T[];
const podsOf = (objects: KubernetesObject[], selector: Record<string, string>) =>
  workloads(objects).filter(({ spec }) =>
    Object.entries(selector).every(
      ([name, value]) => spec!.template.metadata!.labels![name] === value,
    ),
  );

describe.each(SETS)('%s', (_name, values) => {
  const objects = render(values);

  test('Helm and Kubernetes accept it', () => {
    expect(lint(values)).toContain('0 chart(s) failed');
    for (const object of objects) {
      if (OTHERS.includes(object.kind)) continue;
      const Model = MODELS[object.kind as keyof typeof MODELS];
      expect(object.apiVersion).toBe(Model.apiVersion);
      new Model(structuredClone(object) as never).validate();
    }
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('Tocsin gets settings that it accepts', () => {
    const configMap = ofKind<IConfigMap>(objects, 'ConfigMap')[0]!.data!;
    const secret = ofKind<ISecret>(objects, 'Secret')[0]?.stringData ?? {};
    const region = {
      NATS_URL: 'nats://nbg:ab@nats:4222',
      PROBE_KEY: probeKeyText(deriveRegionKey(SECRETS.SECRET_KEY, 'nbg')),
    };
    for (const { spec, metadata } of workloads(objects)) {
      const { env = [], envFrom = [] } = spec!.template.spec!.containers[0]!;
      const given = Object.assign(
        {},
        IMAGE_ENVIRONMENT,
        ...envFrom.map(({ configMapRef, secretRef }) =>
          configMapRef ? configMap : secretRef!.name === 'tocsin-probe-nbg' ? region : secret,
        ),
        ...env.map(({ name, value }) => ({ [name]: value! })),
      ) as Record<string, string>;
      const { roles } = settingsOf(given);
      const [, role] = /-(api|scheduler|worker|probe)/.exec(metadata!.name!) ?? [];
      expect(roles).toEqual(role === undefined ? ['api', 'scheduler', 'worker', 'probe'] : [role]);
    }
  });

  test('no container has more rights than it needs', () => {
    for (const { spec } of workloads(objects)) {
      const pod = spec!.template.spec!;
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod.containers[0]!.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.containers[0]!.resources!.limits).toHaveProperty('memory');
    }
  });

  test('selectors, ports and volumes fit', () => {
    for (const one of workloads(objects)) {
      const { selector, template } = one.spec!;
      expect(podsOf(objects, selector.matchLabels!)).toEqual([one]);
      const claims = (
        'volumeClaimTemplates' in one.spec! ? one.spec.volumeClaimTemplates! : []
      ).map((claim) => claim.metadata!.name!);
      const volumes = template.spec!.volumes!.map(({ name }) => name);
      const mounted = template.spec!.containers[0]!.volumeMounts!.map(({ name }) => name);
      expect(mounted.toSorted()).toEqual([...claims, ...volumes].toSorted());
    }
    const all = workloads(objects).length;
    for (const { spec, metadata } of ofKind<IService>(objects, 'Service'))
      expect(podsOf(objects, spec!.selector!)).toHaveLength(
        metadata!.name!.endsWith('metrics') ? all : 1,
      );
    for (const { spec } of ofKind<IPodDisruptionBudget>(objects, 'PodDisruptionBudget')) {
      const [one, ...others] = podsOf(objects, spec!.selector!.matchLabels!);
      expect(others).toEqual([]);
      expect(one!.spec!.replicas).toBeGreaterThan(1);
    }
  });
});

const kinds = (values: object) =>
  render(values)
    .map(({ kind }) => kind)
    .toSorted()
    .join(' ');

test('each set of values makes what it says', () => {
  expect(kinds(ONE)).toBe('ConfigMap Service StatefulSet');
  expect(kinds(PAIR)).toBe('ConfigMap Deployment PodDisruptionBudget Secret Service');
  expect(kinds(CLUSTER).match(/Deployment/g)).toHaveLength(4);
  expect(kinds(CLUSTER)).toContain('HTTPRoute Ingress NetworkPolicy NetworkPolicy');
  expect(kinds(CLUSTER)).toContain('Secret Service Service ServiceMonitor');
});

test.each([
  ['two pods on SQLite', { ...ONE, replicas: 2 }, 'there is one pod'],
  ['roles on SQLite', { ...ONE, roles: { api: 1 } }, 'there is one pod'],
  ['Postgres without its URL', { ...ONE, database: 'postgres' }, 'DATABASE_URL is needed'],
  ['secrets twice', { ...PAIR, existingSecret: 'mine' }, 'not both'],
  ['no address', { ...ONE, settings: {} }, "missing property 'BASE_URL'"],
  ['no image', { settings: ONE.settings }, '/image/repository'],
  ['a value that there is not', { ...ONE, replica: 2 }, "'replica' not allowed"],
])('refused: %s', (_what, values, reason) => {
  expect(() => render(values)).toThrow(reason);
});

test('the chart has the version of the program', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read('deploy/helm/tocsin/Chart.yaml'))).toMatchObject({
    version,
    appVersion: version,
  });
});
