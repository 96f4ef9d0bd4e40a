import { assemble, keyOf, type Discovered, type Draft } from './discovered.ts';
import { readMonitorFields } from './monitor-fields.ts';

/** A kind of objects that are monitored, and where the API of Kubernetes lists it. */
export const KUBERNETES_KINDS = [
  { kind: 'Ingress', path: '/apis/networking.k8s.io/v1/ingresses' },
  { kind: 'HTTPRoute', path: '/apis/gateway.networking.k8s.io/v1/httproutes' },
  { kind: 'Service', path: '/api/v1/services' },
] as const;
export type KubernetesKind = (typeof KUBERNETES_KINDS)[number]['kind'];

/** An object as the API answers it. Nothing of it is certain. */
export type KubernetesObject = Readonly<Record<string, unknown>>;

const PREFIX = 'tocsin.dev/';
const FIELD = `${PREFIX}monitor-`;

/** Whether an object is to be monitored: others need not be kept. */
export function isMonitored(object: KubernetesObject): boolean {
  const annotations = record(record(object['metadata'])['annotations']);
  return annotations[`${PREFIX}monitor`] === 'true';
}

/** Identifies an object among those of its kind. */
export function nameOfObject(object: KubernetesObject): string {
  const { namespace, name } = record(object['metadata']);
  return `${text(namespace) ?? ''}/${text(name) ?? ''}`;
}

/** One host or URL of an object, of which a monitor is made. */
interface Target {
  /** Last part of the key: the host where an object may have several. */
  host: string | null;
  name: string;
  /** Fields that follow from the object, as defaults of the annotations. */
  fields: Readonly<Record<string, unknown>>;
}

/**
 * Makes monitors of the objects with the annotation `tocsin.dev/monitor: "true"`. Pure.
 *
 * @param objects of each kind; the first of two objects with one key counts.
 * @param defaults of fields without an annotation, such as `check_interval`.
 */
export function discoverKubernetes(
  objects: ReadonlyMap<KubernetesKind, Iterable<KubernetesObject>>,
  defaults: Readonly<Record<string, unknown>>,
): Discovered {
  const warnings: string[] = [];
  const drafts = KUBERNETES_KINDS.flatMap(({ kind }) =>
    [...(objects.get(kind) ?? [])]
      .filter(isMonitored)
      .toSorted((one, other) => (nameOfObject(one) < nameOfObject(other) ? -1 : 1))
      .flatMap((object) => draftsOf(kind, object, defaults, warnings)),
  );
  return assemble(drafts, warnings);
}

function draftsOf(
  kind: KubernetesKind,
  object: KubernetesObject,
  defaults: Readonly<Record<string, unknown>>,
  warnings: string[],
): Draft[] {
  const { namespace: space, name: given, annotations } = record(object['metadata']);
  const [namespace, name] = [text(space) ?? 'default', text(given) ?? ''];
  const place = `${kind} ${namespace}/${name}`;
  const { texts, path, group } = readAnnotations(record(annotations), place, warnings);
  const targets =
    texts['url'] === undefined
      ? TARGETS[kind](record(object['spec']), { namespace, name, path, texts })
      : [{ host: null, name, fields: {} }];
  if (targets.length === 0)
    warnings.push(`${place}: it names no host. Give the URL in ${FIELD}url.`);
  return targets.flatMap(({ host, name: targetName, fields: derived }): Draft[] => {
    if (host?.startsWith('*')) {
      warnings.push(
        `${place}: ${host} stands for many hosts and is left out. Name one in ${FIELD}url.`,
      );
      return [];
    }
    const read = readMonitorFields({
      // Chose a port of the service, which is part of the URL.
      texts: derived['url'] !== undefined && kind === 'Service' ? withoutPort(texts) : texts,
      defaults: { friendly_name: targetName, ...defaults, ...derived },
    });
    warnings.push(
      ...read.faults.map(({ field, predicate }) => `${place}: ${FIELD}${field} ${predicate}.`),
    );
    return [
      {
        place,
        key: keyOf(host === null ? [namespace, name] : [namespace, name, host]),
        fields: read.faults.length > 0 ? null : read.fields,
        group: group ?? namespace,
      },
    ];
  });
}

function withoutPort({ port: _port, ...texts }: Record<string, string>): Record<string, string> {
  return texts;
}

function readAnnotations(annotations: KubernetesObject, place: string, warnings: string[]) {
  const texts = new Map<string, string>();
  let path: string | null = null;
  let group: string | null = null;
  const given = Object.entries(annotations).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [annotation, value] of given) {
    if (!annotation.startsWith(PREFIX) || typeof value !== 'string') continue;
    // Names in Kubernetes have hyphens where those of the API have underscores.
    const field = annotation.startsWith(FIELD)
      ? annotation.slice(FIELD.length).replaceAll('-', '_')
      : null;
    if (field === 'path') path = value;
    else if (field !== null) texts.set(field, value);
    else if (annotation === `${PREFIX}group`) group = value;
    else if (annotation !== `${PREFIX}monitor`)
      warnings.push(`${place}: the annotation ${annotation} means nothing.`);
  }
  return { texts: Object.fromEntries(texts), path, group };
}

interface Described {
  namespace: string;
  name: string;
  /** Of the annotation; null without it. */
  path: string | null;
  texts: Readonly<Record<string, string>>;
}

const TARGETS: Readonly<
  Record<KubernetesKind, (spec: KubernetesObject, described: Described) => Target[]>
> = {
  /** Ingress of networking.k8s.io/v1: each host of its rules, https where `tls` covers it. */
  Ingress(spec, { path }) {
    const secured = list(spec['tls']).map((tls) => list(record(tls)['hosts']).map(text));
    const isSecured = (host: string) =>
      secured.some((hosts) => hosts.length === 0 || hosts.some((one) => one && covers(one, host)));
    const rules = list(spec['rules']).map(record);
    const hosts = unique(rules.map(({ host }) => text(host)));
    return hosts.map((host) => {
      const paths = rules
        .filter((rule) => text(rule['host']) === host)
        .flatMap((rule) => list(record(rule['http'])['paths']))
        .map((one) => text(record(one)['path']));
      return website(isSecured(host) ? 'https' : 'http', host, path ?? plainPath(paths));
    });
  },

  /** HTTPRoute of gateway.networking.k8s.io/v1: each of its hostnames. Whether TLS is used only its gateway says. */
  HTTPRoute(spec, { path }) {
    const parents = list(spec['parentRefs']).map(record);
    const scheme = parents.length > 0 && parents.every(isPlainHttp) ? 'http' : 'https';
    const paths = list(spec['rules'])
      .flatMap((rule) => list(record(rule)['matches']))
      .map((match) => record(record(match)['path']))
      .map(({ type, value }) => (type === 'RegularExpression' ? null : text(value)));
    const hosts = unique(list(spec['hostnames']).map(text));
    return hosts.map((host) => website(scheme, host, path ?? plainPath(paths)));
  },

  /** Service of v1, by its name in the cluster. */
  Service(spec, { namespace, name, path, texts }) {
    const ports = list(spec['ports'])
      .map(record)
      .filter(({ protocol }) => protocol === undefined || protocol === 'TCP');
    const asked = texts['port'];
    const port = ports.find(
      (one) => asked === undefined || String(one['port']) === asked || one['name'] === asked,
    );
    const host =
      spec['type'] === 'ExternalName'
        ? (text(spec['externalName']) ?? '')
        : `${name}.${namespace}.svc.cluster.local`;
    const number = Number(port?.['port'] ?? asked);
    if (host === '' || !Number.isInteger(number)) return [];
    const protocol = protocolOf(port, number);
    const title = `${namespace}/${name}`;
    const isWebsite =
      (texts['type'] ?? texts['monitor_type'] ?? (protocol === null ? 'port' : 'http')) === 'http';
    if (!isWebsite)
      return [
        { host: null, name: title, fields: { monitor_type: 'port', url: host, port: number } },
      ];
    const { fields } = website(protocol ?? 'http', `${host}:${number}`, path ?? '/');
    return [{ host: null, name: title, fields }];
  },
};

/** Whether a route names a listener of its gateway without TLS. */
function isPlainHttp({ port, sectionName }: KubernetesObject): boolean {
  return port === 80 || (port === undefined && sectionName === 'http');
}

function website(scheme: 'http' | 'https', host: string, path: string): Target {
  const slashed = path.startsWith('/') ? path : `/${path}`;
  const isDefault = host.endsWith(scheme === 'https' ? ':443' : ':80');
  const shown = isDefault ? host.slice(0, host.lastIndexOf(':')) : host;
  const url = `${scheme}://${shown}${slashed}`;
  const name = `${shown}${slashed === '/' ? '' : slashed}`;
  return { host, name, fields: { url } };
}

/** Whether a host of `tls` covers another one: `*.example.com` covers those with one label more. */
function covers(pattern: string, host: string): boolean {
  return (
    pattern === host ||
    (pattern.startsWith('*.') && host.slice(host.indexOf('.')) === pattern.slice(1))
  );
}

/** `/` where it is among the paths, or else the first one that is no pattern. */
function plainPath(paths: readonly (string | null)[]): string {
  if (paths.includes('/')) return '/';
  return paths.find((path) => path !== null && /^\/[\w/.~%-]*$/.test(path)) ?? '/';
}

/** Protocol of the port by what the service says of it; null for none that a website has. */
function protocolOf(port: KubernetesObject | undefined, number: number): 'http' | 'https' | null {
  const named = text(port?.['appProtocol']) ?? text(port?.['name']) ?? '';
  if (/^(kubernetes\.io\/)?(https|wss)/.test(named) || number === 443 || number === 8443)
    return 'https';
  const isWebsite = /^(kubernetes\.io\/)?(http|web|ws|h2c)/.test(named);
  return isWebsite || [80, 3000, 8000, 8080].includes(number) ? 'http' : null;
}

const record = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as KubernetesObject)
    : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const unique = (texts: readonly (string | null)[]): string[] => [
  ...new Set(texts.filter((one) => one !== null)),
];
