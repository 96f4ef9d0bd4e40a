import type { Clock } from '../../lib/clock.ts';
import { ApiRefusal, askJson, openJsonLines, type ApiEndpoint } from './api-client.ts';
import { DiscoveryError } from './discovered.ts';
import {
  discoverKubernetes,
  isMonitored,
  KUBERNETES_KINDS,
  nameOfObject,
  type KubernetesKind,
  type KubernetesObject,
} from './kubernetes.ts';
import type { Source } from './source.ts';

/** Objects with the annotation, by their name: the others are not kept. */
export type KubernetesCache = Map<KubernetesKind, Map<string, KubernetesObject>>;

const PAGE = 500;
/** A list may change while it is read; longer ones than this are an endless loop. */
const MAX_PAGES = 1_000;
/** After this time the server ends a watch, and a new one continues where it ended. */
const WATCH_SECONDS = 290;
const SHORTEST_WATCH_MS = 1_000;
const GONE = 410;

/** The annotated objects of one cluster. @param defaults of fields that no annotation sets. */
export function kubernetesSource(
  endpoint: ApiEndpoint,
  clock: Pick<Clock, 'monotonic'>,
  defaults: Readonly<Record<string, unknown>>,
): Source {
  async function listAll(signal: AbortSignal) {
    const cache: KubernetesCache = new Map();
    const versions = new Map<string, string>();
    for (const { kind, path } of KUBERNETES_KINDS) {
      const listed = await listKind(endpoint, path, signal);
      cache.set(kind, listed.objects);
      if (listed.version !== null) versions.set(path, listed.version);
    }
    return { cache, versions };
  }
  const show = (cache: KubernetesCache) =>
    discoverKubernetes(
      new Map([...cache].map(([kind, objects]) => [kind, objects.values()])),
      defaults,
    );
  return {
    name: endpoint.name,
    list: async (signal) => show((await listAll(signal)).cache),
    async connect(onEvent, signal) {
      const { cache, versions } = await listAll(signal);
      const watches = KUBERNETES_KINDS.flatMap(({ kind, path }) => {
        const version = versions.get(path);
        if (version === undefined) return [];
        const onChange = (event: WatchEvent) => {
          if (applyEvent(cache.get(kind)!, event)) onEvent();
        };
        return [watch({ endpoint, path, version, clock, signal }, onChange)];
      });
      return {
        discovered: show(cache),
        current: async () => show(cache),
        ended: Promise.race(watches),
      };
    },
  };
}

/** Reads all pages of a list. The version is null where the cluster does not have the kind. */
async function listKind(endpoint: ApiEndpoint, path: string, signal: AbortSignal) {
  const objects = new Map<string, KubernetesObject>();
  let next = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = `limit=${PAGE}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
    const answer = await askJson(endpoint, `${path}?${query}`, signal).catch((error: unknown) => {
      if (error instanceof ApiRefusal && error.status === 404) return null;
      throw error;
    });
    if (answer === null) return { objects, version: null };
    const { items, metadata } = answer as Record<string, unknown>;
    const { resourceVersion, continue: more } = (metadata ?? {}) as Record<string, unknown>;
    if (!Array.isArray(items) || typeof resourceVersion !== 'string')
      throw new DiscoveryError(
        `${endpoint.name} answered ${path} with something other than a list.`,
      );
    for (const object of items as unknown[])
      if (isObject(object)) applyEvent(objects, { type: 'ADDED', object });
    if (typeof more !== 'string' || more === '') return { objects, version: resourceVersion };
    next = more;
  }
  throw new DiscoveryError(`${endpoint.name} does not come to the end of ${path}.`);
}

const isObject = (value: unknown): value is KubernetesObject =>
  typeof value === 'object' && value !== null;

export interface WatchEvent {
  type: unknown;
  object: KubernetesObject;
}

/** @returns whether that changes what is monitored. */
export function applyEvent(objects: Map<string, KubernetesObject>, { type, object }: WatchEvent) {
  const name = nameOfObject(object);
  if (type === 'DELETED' || !isMonitored(object)) return objects.delete(name);
  objects.set(name, object);
  return true;
}

interface Watch {
  endpoint: ApiEndpoint;
  path: string;
  version: string;
  clock: Pick<Clock, 'monotonic'>;
  signal: AbortSignal;
}

/** Resolves once the server no longer knows what has happened since the version. */
async function watch(
  { endpoint, path, version: listed, clock, signal }: Watch,
  onChange: (event: WatchEvent) => void,
): Promise<void> {
  let version = listed;
  for (;;) {
    const startedAt = clock.monotonic();
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${encodeURIComponent(version)}`;
    try {
      for await (const { type, object } of await openJsonLines(
        endpoint,
        `${path}?${query}`,
        signal,
      )) {
        if (!isObject(object))
          throw new DiscoveryError(`${endpoint.name} sent an event of nothing.`);
        if (type === 'ERROR')
          throw new ApiRefusal(
            `${endpoint.name} ended a watch: ${String(object.message)} (${String(object.code)}).`,
            Number(object.code),
          );
        const { resourceVersion } = (object['metadata'] ?? {}) as Record<string, unknown>;
        if (typeof resourceVersion === 'string') version = resourceVersion;
        if (type !== 'BOOKMARK') onChange({ type, object });
      }
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === GONE) return;
      throw error;
    }
    if (clock.monotonic() - startedAt < SHORTEST_WATCH_MS)
      throw new DiscoveryError(`${endpoint.name} ends the watch of ${path} at once.`);
  }
}
