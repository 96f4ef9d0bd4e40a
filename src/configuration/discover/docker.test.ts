import { describe, expect, test } from 'vitest';
import { discoverDocker } from './docker.ts';

/** An entry of `GET /containers/json`, in the form of Docker Engine API 1.54. */
function container(name: string, labels: Record<string, string>, more: object = {}) {
  return {
    Id: `8dfafdbc3a40${Buffer.from(name).toString('hex')}`.padEnd(64, '0').slice(0, 64),
    Names: [`/${name}`],
    Image: 'nginx:1.29',
    ImageID: 'sha256:d9c98b1a2f29',
    Command: "/docker-entrypoint.sh nginx -g 'daemon off;'",
    Created: 1_739_811_096,
    Ports: [{ IP: '0.0.0.0', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' }],
    Labels: labels,
    State: 'running',
    Status: 'Up 4 days',
    HostConfig: { NetworkMode: 'shop_default' },
    NetworkSettings: { Networks: {} },
    Mounts: [],
    ...more,
  };
}

const compose = (project: string, service: string, number = 1) => ({
  'com.docker.compose.config-hash': 'f8c3',
  'com.docker.compose.container-number': String(number),
  'com.docker.compose.oneoff': 'False',
  'com.docker.compose.project': project,
  'com.docker.compose.service': service,
});

const URL_LABEL = { 'tocsin.monitor.url': 'https://shop.example.com' };

const discover = (...containers: unknown[]) => discoverDocker(containers, { check_interval: 1 });

describe('the monitors of containers', () => {
  test('follow the labels', () => {
    const labels = {
      ...compose('shop', 'web'),
      ...URL_LABEL,
      'tocsin.group': 'Shop',
      'tocsin.monitor.name': 'Shop front',
      'tocsin.monitor.check_interval': '0.5',
      'tocsin.monitor.verify_ssl': 'no',
      'tocsin.monitor.tags': 'shop, front ,',
      'tocsin.monitor.check_types': 'ssl,dns',
      'tocsin.monitor.accepted_status_codes': '200,3xx',
      'tocsin.monitor.request_headers': '{"x-check": "1"}',
      'tocsin.monitor.keyword_settings':
        '{"keywords": [{"phrase": "Cart", "mode": "must_contain"}]}',
      'tocsin.monitor.slo': '{"target": 99.9}',
      'traefik.enable': 'true',
    };
    expect(discover(container('shop-web-1', labels))).toEqual({
      groups: [{ key: 'shop', name: 'Shop' }],
      monitors: [
        {
          key: 'shop.web',
          monitor_type: 'http',
          url: 'https://shop.example.com',
          friendly_name: 'Shop front',
          check_interval: 0.5,
          verify_ssl: false,
          tags: ['shop', 'front'],
          check_types: ['ssl', 'dns'],
          accepted_status_codes: ['200', '3xx'],
          request_headers: { 'x-check': '1' },
          keyword_settings: { keywords: [{ phrase: 'Cart', mode: 'must_contain' }] },
          slo: { target: 99.9 },
          group_id: 'shop',
        },
      ],
      refused: [],
      warnings: [],
    });
  });

  test('can be several of one container', () => {
    const labels = {
      ...compose('shop', 'db'),
      'tocsin.monitor.port.type': 'port',
      'tocsin.monitor.port.url': 'db.example.com',
      'tocsin.monitor.port.port': '5432',
      'tocsin.monitor.backup.type': 'heartbeat',
      'tocsin.monitor.backup.heartbeat_interval': '86400',
    };
    expect(discover(container('shop-db-1', labels))).toMatchObject({
      monitors: [
        {
          key: 'shop.db.backup',
          monitor_type: 'heartbeat',
          friendly_name: 'shop db backup',
          heartbeat_interval: 86_400,
        },
        {
          key: 'shop.db.port',
          monitor_type: 'port',
          url: 'db.example.com',
          port: 5432,
          check_interval: 1,
        },
      ],
      warnings: [],
    });
  });

  test.each([
    ['project and service', compose('shop', 'web'), 'shop.web', 'shop web'],
    [
      'the service of a swarm',
      { 'com.docker.swarm.service.name': 'shop_web' },
      'shop_web',
      'shop_web',
    ],
    ['the name of the container', {}, 'my_app.1', 'My_App.1'],
  ])('have a key of %s', (_what, labels, key, name) => {
    const { monitors } = discover(container('My_App.1', { ...labels, ...URL_LABEL }));
    expect(monitors).toMatchObject([{ key, friendly_name: name }]);
  });

  test('are those of the newest container of a service, while others end or beside them', () => {
    const labels = compose('shop', 'web');
    const url = 'tocsin.monitor.url';
    const old = container('abc_shop-web-1', { ...labels, [url]: 'https://old.example.com' });
    const young = container(
      'shop-web-1',
      { ...labels, [url]: 'https://new.example.com' },
      {
        Created: old.Created + 1,
      },
    );
    for (const order of [
      [old, young],
      [young, old],
    ]) {
      const { monitors, warnings } = discover(...order);
      expect(monitors).toMatchObject([{ url: 'https://new.example.com' }]);
      expect(warnings).toEqual([]);
    }
  });

  test('exist also while the container is stopped', () => {
    const stopped = container('shop-web-1', URL_LABEL, { State: 'exited', Status: 'Exited (1)' });
    expect(discover(stopped).monitors).toHaveLength(1);
  });

  test.each([
    ['without a label', container('web', {})],
    ['whose labels are null', container('web', {}, { Labels: null })],
    ['that is not to be monitored', container('web', { ...URL_LABEL, 'tocsin.enable': 'false' })],
    [
      'of a single run',
      container('web', { ...compose('a', 'b'), ...URL_LABEL, 'com.docker.compose.oneoff': 'True' }),
    ],
  ])('are none of a container %s', (_what, one) => {
    expect(discover(one)).toEqual({ groups: [], monitors: [], refused: [], warnings: [] });
  });

  test('has the name of the container, not that of a link', () => {
    const linked = container('web', URL_LABEL, { Names: ['/proxy/backend', '/web'] });
    expect(discover(linked).monitors).toMatchObject([{ key: 'web' }]);
  });
});

describe('a mistake', () => {
  const M = 'tocsin.monitor.';
  test.each<[string, Record<string, string>, string]>([
    [
      'no url',
      { [`${M}tags`]: 'a' },
      'tocsin.monitor.url is missing: give an absolute http or https URL',
    ],
    [
      'a url of another kind',
      { [`${M}url`]: 'ftp://x' },
      'tocsin.monitor.url must be an absolute http or https URL, such as https://example.com',
    ],
    [
      'an unknown type',
      { ...URL_LABEL, [`${M}type`]: 'htpp' },
      'tocsin.monitor.type must be one of http, ping, port, heartbeat, cron (did you mean http?)',
    ],
    [
      'an unknown field',
      { ...URL_LABEL, [`${M}check_intervall`]: '1' },
      'tocsin.monitor.check_intervall is no setting of a monitor (did you mean check_interval?)',
    ],
    [
      'an id of a group',
      { ...URL_LABEL, [`${M}group_id`]: '7' },
      'tocsin.monitor.group_id is no setting of a monitor',
    ],
    [
      'a word for a number',
      { ...URL_LABEL, [`${M}check_interval`]: 'soon' },
      'tocsin.monitor.check_interval must be a number',
    ],
    [
      'a number out of range',
      { ...URL_LABEL, [`${M}check_interval`]: '0.1' },
      'tocsin.monitor.check_interval must be a number of minutes from 0.5 to 60',
    ],
    [
      'neither yes nor no',
      { ...URL_LABEL, [`${M}verify_ssl`]: 'maybe' },
      'tocsin.monitor.verify_ssl must be yes or no',
    ],
    [
      'a list of wrong entries',
      { ...URL_LABEL, [`${M}check_types`]: 'ssl,tls' },
      'tocsin.monitor.check_types (1) must be one of ssl, dns, domain, keyword, json',
    ],
    [
      'no JSON',
      { ...URL_LABEL, [`${M}request_headers`]: 'x: 1' },
      'tocsin.monitor.request_headers must be JSON',
    ],
    [
      'JSON that is refused',
      { ...URL_LABEL, [`${M}keyword_settings`]: '{"words": []}' },
      'tocsin.monitor.keyword_settings (words) is not a known setting: use keywords, search_target, or leave it out',
    ],
    [
      'a field of another type',
      { ...URL_LABEL, [`${M}port`]: '80' },
      'tocsin.monitor.port is not for monitors of type http',
    ],
    [
      'half a character',
      { ...URL_LABEL, [`${M}name`]: '\ud800' },
      'tocsin.monitor.name must not hold a NUL character or half a character',
    ],
  ])('leaves out the monitor and nothing else: %s', (_what, labels, warning) => {
    const good = container('good', URL_LABEL);
    const { monitors, warnings, refused } = discover(container('bad', labels), good);
    expect(monitors.map(({ key }) => key)).toEqual(['good']);
    expect(refused).toEqual(['bad']);
    expect(warnings).toEqual([`Container bad: ${warning}.`]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'a label of nothing',
      { ...URL_LABEL, 'tocsin.monitors.url': 'x' },
      'tocsin.monitors.url is no label of Tocsin',
    ],
    [
      'a name of a monitor',
      { ...URL_LABEL, [`${M}Über.url`]: 'x' },
      'tocsin.monitor.Über.url must have the form tocsin.monitor.FIELD or tocsin.monitor.NAME.FIELD, the name of lower-case letters, digits, _ and -',
    ],
    [
      'too many parts',
      { ...URL_LABEL, [`${M}a.b.url`]: 'x' },
      'tocsin.monitor.a.b.url must have the form tocsin.monitor.FIELD or tocsin.monitor.NAME.FIELD, the name of lower-case letters, digits, _ and -',
    ],
  ])('in a label that belongs to no monitor gives a warning, too: %s', (_what, labels, warning) => {
    const { monitors, warnings } = discover(container('web', labels));
    expect(monitors).toHaveLength(1);
    expect(warnings).toEqual([`Container web: ${warning}.`]);
  });

  test('of a container that is only enabled gives a warning', () => {
    expect(discover(container('web', { 'tocsin.enable': 'true' })).warnings).toEqual([
      'Container web: tocsin.enable is set, but no label tocsin.monitor.url says what to monitor.',
    ]);
  });

  test('gives a warning of at most 500 characters', () => {
    const { warnings } = discover(
      container('web', { ...URL_LABEL, [`${M}${'x'.repeat(9_999)}`]: 'x' }),
    );
    expect(warnings.map(({ length }) => length)).toEqual([500]);
  });

  test('shows no secret', () => {
    const labels = { ...URL_LABEL, [`${M}auth_password`]: 'geheim\u0000' };
    expect(discover(container('web', labels)).warnings.join()).not.toContain('geheim');
  });

  test('of two containers with one key leaves the first one', () => {
    const { monitors, warnings } = discover(
      container('My-App', { 'tocsin.monitor.url': 'https://one.example.com' }),
      container('my-app', { 'tocsin.monitor.url': 'https://two.example.com' }),
    );
    expect(monitors).toMatchObject([{ key: 'my-app', url: 'https://one.example.com' }]);
    expect(warnings).toEqual([
      'Container my-app: the key my-app is that of Container My-App, too, which counts. Give one of them another name.',
    ]);
  });

  test('of a monitor that depends on one of no container leaves that out', () => {
    const { monitors, warnings } = discover(
      container('db', { 'tocsin.monitor.url': 'https://db.example.com' }),
      container('web', { ...URL_LABEL, 'tocsin.monitor.depends_on': 'db, router' }),
    );
    expect(monitors[1]).toMatchObject({ depends_on: ['db'] });
    expect(warnings).toEqual([
      'Monitor web: depends_on names router, but no monitor of this set has that key.',
    ]);
  });
});

test.each([
  ['null', null],
  ['an error', { message: 'page not found' }],
  ['text', 'Forbidden'],
])('refuses an answer that is no list: %s', (_what, answer) => {
  expect(() => discoverDocker(answer, {})).toThrow(
    'Docker answered something other than a list of containers.',
  );
});

test('survives entries of any form', () => {
  const odd = [null, 1, 'x', [], {}, { Id: 5 }, { Id: 'a', Names: null, Labels: [], Created: 'x' }];
  const proto = JSON.parse(
    '{"Id": "abc", "Names": ["/p"], "Labels": {"tocsin.monitor.__proto__.url": "https://x.example.com", "tocsin.monitor.__proto__": "x", "__proto__": "y"}}',
  ) as unknown;
  const { monitors, warnings } = discover(...odd, proto);
  expect(monitors).toEqual([]);
  expect(warnings).toHaveLength(3);
});
