import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closedAfterEach } from '../../../test/support/closing.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  Answer,
  startStreamingApi,
  type StreamingApi,
} from '../../../test/support/streaming-api.ts';
import type { ApiEndpoint } from './api-client.ts';
import { nameOfObject, type KubernetesObject } from './kubernetes.ts';
import { applyEvent, kubernetesSource } from './kubernetes-source.ts';

const open = closedAfterEach<() => unknown>();

const INGRESSES = '/apis/networking.k8s.io/v1/ingresses';
const SERVICES = '/api/v1/services';

function ingress(name: string, { isMonitored = true, version = '100' } = {}) {
  return {
    metadata: {
      name,
      namespace: 'shop',
      resourceVersion: version,
      annotations: isMonitored ? { 'tocsin.dev/monitor': 'true' } : {},
    },
    spec: { rules: [{ host: `${name}.example.com` }] },
  };
}

const listOf = (items: unknown[], metadata: object = {}) => ({
  kind: 'IngressList',
  apiVersion: 'networking.k8s.io/v1',
  metadata: { resourceVersion: '1000', ...metadata },
  items,
});

/** A cluster without the Gateway API. @param answers by path, instead of empty lists and open watches. */
async function startCluster(answers: Record<string, (url: URL) => unknown> = {}) {
  const api = await startStreamingApi((url) => {
    const own = answers[url.pathname]?.(url);
    if (own !== undefined) return own;
    if (url.searchParams.has('watch')) return 'stream';
    return [INGRESSES, SERVICES].includes(url.pathname)
      ? listOf([])
      : new Answer(404, '404 page not found\n');
  });
  open.push(() => api.close());
  const endpoint: ApiEndpoint = {
    name: 'Kubernetes at test',
    connection: async () => ({ isTls: false, options: { host: '127.0.0.1', port: api.port } }),
  };
  const clock = createFakeClock();
  return { api, clock, source: kubernetesSource(endpoint, clock, { check_interval: 1 }) };
}

async function connect({ source }: Pick<Awaited<ReturnType<typeof startCluster>>, 'source'>) {
  const abort = new AbortController();
  open.push(() => abort.abort());
  let events = 0;
  const connection = await source.connect(() => (events += 1), abort.signal);
  const ended = connection.ended.then(
    () => 'ended',
    (error: Error) => error.message,
  );
  return { ...connection, ended, events: () => events };
}

const keysOf = ({ monitors }: { monitors: { key: string }[] }) => monitors.map(({ key }) => key);
const never = () => new AbortController().signal;
const watchesOf = ({ requests }: StreamingApi) =>
  requests
    .map((request) => new URL(request.path, 'http://api'))
    .filter(({ pathname, searchParams }) => pathname === INGRESSES && searchParams.has('watch'));

async function watched(api: StreamingApi, count = 1) {
  await waitUntil(() => watchesOf(api).length === count && api.streams.length === 2);
  return api.streams;
}

const send = (api: StreamingApi, type: string, object: object) => {
  for (const stream of api.streams) stream.write(`${JSON.stringify({ type, object })}\n`);
};

describe('a cluster', () => {
  test('is listed page by page, without the kinds that it does not have', async () => {
    const { api, source } = await startCluster({
      [INGRESSES]: ({ searchParams }) =>
        searchParams.get('continue') === 'next page'
          ? listOf([ingress('b'), ingress('c', { isMonitored: false }), null, 5])
          : listOf([ingress('a')], { continue: 'next page', remainingItemCount: 2 }),
    });
    expect(keysOf(await source.list(never()))).toEqual([
      'shop.a.a.example.com',
      'shop.b.b.example.com',
    ]);
    expect(api.requests.map((request) => request.path)).toEqual([
      `${INGRESSES}?limit=500`,
      `${INGRESSES}?limit=500&continue=next%20page`,
      '/apis/gateway.networking.k8s.io/v1/httproutes?limit=500',
      `${SERVICES}?limit=500`,
    ]);
  });

  test('is followed by watches from the version of the list', async () => {
    const cluster = await startCluster({
      [INGRESSES]: ({ searchParams }) =>
        searchParams.has('watch') ? undefined : listOf([ingress('a'), ingress('b')]),
    });
    const { api } = cluster;
    const connection = await connect(cluster);
    await watched(api);
    expect(watchesOf(api)[0]!.searchParams.get('resourceVersion')).toBe('1000');
    send(api, 'ADDED', ingress('c'));
    send(api, 'MODIFIED', ingress('a', { isMonitored: false }));
    send(api, 'DELETED', ingress('b'));
    await waitUntil(() => connection.events() >= 4);
    expect(keysOf(await connection.current())).toEqual(['shop.c.c.example.com']);
  });

  test('does not wake anybody for what is not monitored', async () => {
    const cluster = await startCluster();
    const connection = await connect(cluster);
    await watched(cluster.api);
    send(cluster.api, 'ADDED', ingress('x', { isMonitored: false }));
    send(cluster.api, 'BOOKMARK', { metadata: { resourceVersion: '2000' } });
    send(cluster.api, 'ADDED', ingress('a'));
    await waitUntil(() => connection.events() > 0);
    // One of each of the two watches.
    await waitUntil(() => connection.events() === 2);
  });

  test('goes on from the last bookmark when a watch ends', async () => {
    const cluster = await startCluster();
    const { api, clock } = cluster;
    const connection = await connect(cluster);
    const [stream] = await watched(api);
    send(api, 'BOOKMARK', { metadata: { resourceVersion: '2000' } });
    send(api, 'ADDED', ingress('a', { version: '2001' }));
    send(api, 'BOOKMARK', { metadata: { resourceVersion: '2005' } });
    await waitUntil(() => connection.events() === 2);
    await clock.advance(290_000);
    stream!.end();
    await watched(api, 2);
    expect(watchesOf(api)[1]!.searchParams.get('resourceVersion')).toBe('2005');
    expect(api.requests.filter(({ path }) => path.startsWith(`${INGRESSES}?limit`))).toHaveLength(
      1,
    );
  });

  const gone = {
    kind: 'Status',
    code: 410,
    reason: 'Expired',
    message: 'too old resource version',
  };
  test('is listed anew when a watch is answered that its version is gone', async () => {
    const cluster = await startCluster();
    const { ended } = await connect(cluster);
    await watched(cluster.api);
    send(cluster.api, 'ERROR', gone);
    expect(await ended).toBe('ended');
  });

  test('is listed anew when a watch is refused for its version', async () => {
    const cluster = await startCluster({
      [INGRESSES]: ({ searchParams }) =>
        searchParams.has('watch') ? new Answer(410, gone) : undefined,
    });
    expect(await (await connect(cluster)).ended).toBe('ended');
  });

  test.each<[string, (api: StreamingApi) => unknown, RegExp]>([
    ['is cut off', (api) => api.streams[0]!.destroy(), /aborted/],
    ['ends at once', (api) => api.streams[0]!.end(), /ends the watch of .* at once/],
    ['sends half a line', (api) => api.streams[0]!.end('{"type": "ADD'), /at once/],
    ['sends garbage', (api) => api.streams[0]!.write('upstream error\n'), /event that is no JSON/],
    [
      'sends nothing of an object',
      (api) => api.streams[0]!.write('{"type": "ADDED"}\n'),
      /event of nothing/,
    ],
    [
      'reports an error',
      (api) => send(api, 'ERROR', { code: 500, message: 'etcd is away' }),
      /ended a watch: etcd is away \(500\)/,
    ],
  ])('ends the connection when a watch %s', async (_what, happens, message) => {
    const cluster = await startCluster();
    const { ended } = await connect(cluster);
    await watched(cluster.api);
    happens(cluster.api);
    expect(await ended).toMatch(message);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'a missing permission',
      new Answer(403, {
        kind: 'Status',
        message: 'ingresses.networking.k8s.io is forbidden',
        code: 403,
      }),
      /with 403 \(ingresses.networking.k8s.io is forbidden\): a permission is missing, see docs\/discovery.md/,
    ],
    ['no list', { items: 5 }, /something other than a list/],
    ['a list without a version', { items: [], metadata: {} }, /something other than a list/],
  ])('says what is wrong: %s', async (_what, answer, message) => {
    const { source } = await startCluster({ [INGRESSES]: () => answer });
    await expect(source.list(never())).rejects.toThrow(message);
  });
});

test('events, whatever they are, leave what a fresh list has', () => {
  const event = fc.record({
    type: fc.constantFrom('ADDED', 'MODIFIED', 'DELETED'),
    name: fc.constantFrom('a', 'b', 'c'),
    isMonitored: fc.boolean(),
    version: fc.constantFrom('1', '2'),
  });
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const followed = new Map<string, KubernetesObject>();
      const cluster = new Map<string, KubernetesObject>();
      for (const { type, name, ...more } of events) {
        const object = ingress(name, more);
        applyEvent(followed, { type, object });
        if (type === 'DELETED') cluster.delete(nameOfObject(object));
        else cluster.set(nameOfObject(object), object);
      }
      const listed = new Map<string, KubernetesObject>();
      for (const object of cluster.values()) applyEvent(listed, { type: 'ADDED', object });
      expect(Object.fromEntries(followed)).toEqual(Object.fromEntries(listed));
    }),
  );
});
