import { describe, expect, test } from 'vitest';
import { discoverKubernetes, type KubernetesKind, type KubernetesObject } from './kubernetes.ts';

type Annotations = Record<string, string>;

function object(kind: KubernetesKind, name: string, spec: object, annotations: Annotations = {}) {
  const apiVersion = {
    Ingress: 'networking.k8s.io/v1',
    HTTPRoute: 'gateway.networking.k8s.io/v1',
    Service: 'v1',
  }[kind];
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: 'shop',
      uid: 'f0c4',
      resourceVersion: '7321',
      annotations: { 'tocsin.dev/monitor': 'true', ...annotations },
    },
    spec,
    status: {},
  };
}

function discover(...objects: (KubernetesObject & { kind?: unknown })[]) {
  const byKind = Map.groupBy(objects, ({ kind }) => kind as KubernetesKind);
  return discoverKubernetes(byKind, { check_interval: 1 });
}

const urlsOf = (...objects: KubernetesObject[]) =>
  discover(...objects).monitors.map(({ key, url, port }) => ({
    key,
    url,
    ...(port === undefined ? {} : { port }),
  }));

const backend = { service: { name: 'web', port: { number: 80 } } };
const prefix = (path: string) => ({ path, pathType: 'Prefix', backend });

const rule = (host: string, ...paths: string[]) => ({
  host,
  http: { paths: paths.map(prefix) },
});

const route = (spec: object) =>
  object('HTTPRoute', 'site', {
    hostnames: ['shop.example.com'],
    parentRefs: [{ name: 'gateway' }],
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/login' } }],
        backendRefs: [{ name: 'web', port: 8080 }],
      },
    ],
    ...spec,
  });

const port = (number: number, name?: string, more: object = {}) => ({
  port: number,
  ...(name === undefined ? {} : { name }),
  protocol: 'TCP',
  targetPort: 8080,
  ...more,
});

describe('an Ingress', () => {
  test('gives a monitor for each of its hosts', () => {
    const ingress = object('Ingress', 'front', {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['shop.example.com'], secretName: 'shop-tls' }],
      rules: [
        { host: 'shop.example.com', http: { paths: [prefix('/')] } },
        { host: 'api.example.com', http: { paths: [prefix('/v1'), prefix('/v2')] } },
      ],
    });
    expect(discover(ingress)).toEqual({
      groups: [{ key: 'shop', name: 'shop' }],
      monitors: [
        {
          key: 'shop.front.api.example.com',
          monitor_type: 'http',
          friendly_name: 'api.example.com/v1',
          url: 'http://api.example.com/v1',
          check_interval: 1,
          group_id: 'shop',
        },
        {
          key: 'shop.front.shop.example.com',
          monitor_type: 'http',
          friendly_name: 'shop.example.com',
          url: 'https://shop.example.com/',
          check_interval: 1,
          group_id: 'shop',
        },
      ],
      refused: [],
      warnings: [],
    });
  });

  test.each([
    ['of a wildcard', [{ hosts: ['*.example.com'] }], 'https://a.example.com/'],
    ['of a wildcard with one label less', [{ hosts: ['*.com'] }], 'http://a.example.com/'],
    ['for all hosts', [{ secretName: 'x' }], 'https://a.example.com/'],
    ['of another host', [{ hosts: ['b.example.com'] }], 'http://a.example.com/'],
    ['of nonsense', [{ hosts: [7] }], 'http://a.example.com/'],
  ])('has https by tls %s', (_what, tls, url) => {
    expect(urlsOf(object('Ingress', 'a', { tls, rules: [rule('a.example.com', '/')] }))).toEqual([
      { key: 'shop.a.a.example.com', url },
    ]);
  });

  test.each([
    ['the root where it is one', ['/api', '/'], '/'],
    ['the first', ['/api', '/web'], '/api'],
    ['no pattern', ['/api(/|$)(.*)', '/web'], '/web'],
    ['the root where all are patterns', ['/api(/|$)(.*)'], '/'],
    ['the root where there is none', [], '/'],
  ])('has the path: %s', (_what, paths, path) => {
    const [{ url } = {}] = urlsOf(
      object('Ingress', 'a', { rules: [rule('a.example.com', ...paths)] }),
    );
    expect(url).toBe(`http://a.example.com${path}`);
  });

  test('may say its path, its URL and all fields by annotations', () => {
    const rules = [rule('a.example.com', '/'), rule('b.example.com', '/')];
    expect(
      urlsOf(object('Ingress', 'a', { rules }, { 'tocsin.dev/monitor-path': 'healthz' })),
    ).toEqual([
      { key: 'shop.a.a.example.com', url: 'http://a.example.com/healthz' },
      { key: 'shop.a.b.example.com', url: 'http://b.example.com/healthz' },
    ]);
    const { groups, monitors, warnings } = discover(
      object(
        'Ingress',
        'a',
        { rules },
        {
          'tocsin.dev/monitor-url': 'https://example.com/x',
          'tocsin.dev/monitor-name': 'Shop',
          'tocsin.dev/monitor-check-interval': '5',
          'tocsin.dev/monitor-failure_threshold': '3',
          'tocsin.dev/group': 'Customers',
        },
      ),
    );
    expect(warnings).toEqual([]);
    expect(groups).toEqual([{ key: 'customers', name: 'Customers' }]);
    expect(monitors).toEqual([
      {
        key: 'shop.a',
        monitor_type: 'http',
        url: 'https://example.com/x',
        friendly_name: 'Shop',
        check_interval: 5,
        failure_threshold: 3,
        group_id: 'customers',
      },
    ]);
  });

  test('with a wildcard host or none is left out with a warning', () => {
    const wildcard = object('Ingress', 'a', {
      rules: [rule('*.example.com', '/'), rule('b.example.com', '/')],
    });
    const nowhere = object('Ingress', 'b', { defaultBackend: backend });
    const { monitors, warnings } = discover(wildcard, nowhere);
    expect(monitors).toMatchObject([{ key: 'shop.a.b.example.com' }]);
    expect(warnings).toEqual([
      'Ingress shop/a: *.example.com stands for many hosts and is left out. Name one in tocsin.dev/monitor-url.',
      'Ingress shop/b: it names no host. Give the URL in tocsin.dev/monitor-url.',
    ]);
  });
});

describe('an HTTPRoute', () => {
  test.each([
    ['https without more', {}, 'https://shop.example.com/login'],
    [
      'http of a listener of that name',
      { parentRefs: [{ name: 'g', sectionName: 'http' }] },
      'http://shop.example.com/login',
    ],
    ['http of port 80', { parentRefs: [{ name: 'g', port: 80 }] }, 'http://shop.example.com/login'],
    [
      'https of one of two listeners',
      {
        parentRefs: [
          { name: 'g', sectionName: 'http' },
          { name: 'g', sectionName: 'https' },
        ],
      },
      'https://shop.example.com/login',
    ],
    [
      'no path of a pattern',
      { rules: [{ matches: [{ path: { type: 'RegularExpression', value: '/x' } }] }] },
      'https://shop.example.com/',
    ],
    ['the root without rules', { rules: undefined }, 'https://shop.example.com/'],
  ])('has %s', (_what, spec, url) => {
    expect(urlsOf(route(spec))).toEqual([{ key: 'shop.site.shop.example.com', url }]);
  });

  test('is the same monitor as an Ingress of its name and host, which it replaces', () => {
    const ingress = object('Ingress', 'site', {
      tls: [{}],
      rules: [{ host: 'shop.example.com', http: { paths: [prefix('/login')] } }],
    });
    const [one, other] = [discover(ingress), discover(route({}))];
    expect(one).toEqual(other);
    expect(discover(ingress, route({}))).toEqual(one);
  });

  test('without a hostname gives a warning', () => {
    expect(discover(route({ hostnames: undefined })).warnings).toEqual([
      'HTTPRoute shop/site: it names no host. Give the URL in tocsin.dev/monitor-url.',
    ]);
  });
});

describe('a Service', () => {
  const host = 'db.shop.svc.cluster.local';

  test.each<[string, object, Annotations, object]>([
    ['a website by the number of its port', { ports: [port(80)] }, {}, { url: `http://${host}/` }],
    [
      'a website by the name of its port',
      { ports: [port(9000, 'http-api')] },
      {},
      { url: `http://${host}:9000/` },
    ],
    [
      'a website by its protocol',
      { ports: [port(9000, 'x', { appProtocol: 'https' })] },
      {},
      { url: `https://${host}:9000/` },
    ],
    [
      'a website with a path',
      { ports: [port(443)] },
      { 'tocsin.dev/monitor-path': '/healthz' },
      { url: `https://${host}/healthz` },
    ],
    ['a port', { ports: [port(5432, 'postgres')] }, {}, { url: host, port: 5432 }],
    [
      'a chosen port',
      { ports: [port(5432, 'postgres'), port(9187, 'metrics')] },
      { 'tocsin.dev/monitor-port': '9187' },
      { url: host, port: 9187 },
    ],
    [
      'a chosen port by name',
      { ports: [port(80, 'http'), port(8081, 'http-admin')] },
      { 'tocsin.dev/monitor-port': 'http-admin' },
      { url: `http://${host}:8081/` },
    ],
    [
      'no port of UDP',
      { ports: [port(53, 'dns', { protocol: 'UDP' }), port(5353, 'dns-tcp')] },
      {},
      { url: host, port: 5353 },
    ],
    [
      'a port that is asked for',
      { ports: [port(80)] },
      { 'tocsin.dev/monitor-type': 'port' },
      { url: host, port: 80 },
    ],
    [
      'a name outside',
      { type: 'ExternalName', externalName: 'db.example.com' },
      { 'tocsin.dev/monitor-port': '5432' },
      { url: 'db.example.com', port: 5432 },
    ],
  ])('is monitored as %s', (_what, spec, annotations, expected) => {
    const service = object('Service', 'db', spec, annotations);
    expect(discover(service).warnings).toEqual([]);
    expect(urlsOf(service)).toEqual([{ key: 'shop.db', ...expected }]);
  });
});

test('objects without the annotation are not monitored', () => {
  const spec = { rules: [{ host: 'a.example.com' }] };
  for (const value of ['false', 'yes', ''])
    expect(
      discover(object('Ingress', 'a', spec, { 'tocsin.dev/monitor': value })).monitors,
    ).toEqual([]);
  expect(discover({ kind: 'Ingress', metadata: { name: 'a' }, spec }).monitors).toEqual([]);
});

test('a mistake in an annotation leaves out its object only', () => {
  const spec = { rules: [{ host: 'a.example.com' }] };
  const { monitors, refused, warnings } = discover(
    object(
      'Ingress',
      'bad',
      { rules: [...spec.rules, { host: 'b.example.com' }] },
      {
        'tocsin.dev/monitor-check_interval': 'often',
        'tocsin.dev/monitors': '2',
      },
    ),
    object('Ingress', 'good', spec),
  );
  expect(monitors.map(({ key }) => key)).toEqual(['shop.good.a.example.com']);
  expect(refused).toEqual(['shop.bad.a.example.com', 'shop.bad.b.example.com']);
  expect(warnings).toEqual([
    'Ingress shop/bad: the annotation tocsin.dev/monitors means nothing.',
    'Ingress shop/bad: tocsin.dev/monitor-check_interval must be a number.',
  ]);
});

test('survives objects of any form', () => {
  const annotations = { 'tocsin.dev/monitor': 'true' };
  const odd = [
    {},
    { metadata: null },
    { metadata: { annotations, name: 5 } },
    { metadata: { annotations }, spec: [] },
  ];
  for (const spec of [null, 5, { rules: 'x', tls: {}, hostnames: 5, ports: [null] }])
    odd.push({ metadata: { annotations }, spec } as object);
  for (const kind of ['Ingress', 'HTTPRoute', 'Service'])
    expect(discover(...odd.map((one) => ({ ...one, kind }))).monitors).toEqual([]);
});
