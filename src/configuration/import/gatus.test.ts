import { describe, expect, test } from 'vitest';
import { gatus } from './gatus.ts';
import { ImportError } from './importer.ts';

const NOW = Date.UTC(2030, 0, 2, 12);

const read = (text: string) => gatus.read({ file: 'config.yaml', text, now: NOW });

/** The monitor of an endpoint, and the sentences on it. */
function endpoint(lines: object) {
  const { document, report } = read(JSON.stringify({ endpoints: [{ name: 'e', ...lines }] }));
  const { key: _key, friendly_name: _name, ...monitor } = document.monitors?.[0] ?? { key: '' };
  return { monitor, notes: report.flatMap(({ notes }) => notes), outcome: report[0]!.outcome };
}

const json = (path: string, operator: string, value?: unknown) => ({
  json_assertion_settings: {
    assertions: [{ path, operator, ...(value !== undefined && { value }) }],
  },
});
const keyword = (phrase: string, mode = 'must_contain') => ({
  keyword_settings: { keywords: [{ phrase, mode, case_sensitive: true }] },
});
const ANY = { accepted_status_codes: ['1xx', '2xx', '3xx', '4xx', '5xx'] };
const codes = (...list: (string | number)[]) => ({ accepted_status_codes: list });

describe('conditions become settings', () => {
  test.each([
    ['[STATUS] == 200', codes(200), ''],
    ['200 == [STATUS]', codes(200), ''],
    ['[STATUS] < 300', codes('1xx', '2xx'), ''],
    ['300 > [STATUS]', codes('1xx', '2xx'), ''],
    ['[STATUS] <= 204', codes('1xx', '200-204'), ''],
    ['[STATUS] > 400', codes('401-499', '5xx'), ''],
    ['[STATUS] >= 500', codes('5xx'), ''],
    ['[STATUS] != 500', codes('1xx', '2xx', '3xx', '4xx', '501-599'), ''],
    ['[STATUS] == any(200, 429)', codes(200, 429), ''],
    ['[STATUS] == pat(2*)', codes('2xx'), ''],
    ['[STATUS] == pat(20?)', codes('200-209'), ''],
    ['[STATUS] == 999', {}, 'It accepts 2xx and 3xx'],
    ['[STATUS] == 200 || [STATUS] == 404', {}, 'it has no form that Gatus knows'],
    ['[STATUS] >= 200 && [STATUS] < 400', {}, 'it has no form that Gatus knows'],
    [`[STATUS] == pat(${'*?'.repeat(500)})`, {}, 'its pattern is not known'],
    ['[CONNECTED] == true', ANY, ''],
    ['[CONNECTED] == false', ANY, 'a target must be reachable'],
    ['[RESPONSE_TIME] < 500', { ...ANY, slow_response_threshold: 500 }, 'degraded, not offline'],
    ['[RESPONSE_TIME] <= 1s', { ...ANY, slow_response_threshold: 1001 }, 'degraded, not offline'],
    ['[RESPONSE_TIME] < 20', { ...ANY, slow_response_threshold: 100 }, 'that is the limit'],
    ['[RESPONSE_TIME] > 20', ANY, 'only an upper limit'],
    [
      '[CERTIFICATE_EXPIRATION] > 48h',
      { ...ANY, check_types: ['ssl'], ssl_expiry_threshold: 2 },
      'incident of its own',
    ],
    [
      '[CERTIFICATE_EXPIRATION] > 30m',
      { ...ANY, check_types: ['ssl'], ssl_expiry_threshold: 1 },
      'incident of its own',
    ],
    [
      '[DOMAIN_EXPIRATION] > 720h',
      { ...ANY, check_types: ['domain'], domain_expiry_threshold: 30 },
      'incident of its own',
    ],
    ['[DOMAIN_EXPIRATION] < 720h', ANY, 'only a lower limit'],
    ['[BODY].status == UP', { ...ANY, ...json('status', 'equals', 'UP') }, ''],
    ['[BODY].data[0].id == 1', { ...ANY, ...json('data[0].id', 'equals', 1) }, ''],
    ['[BODY][0].ok == true', { ...ANY, ...json('[0].ok', 'equals', true) }, ''],
    ['[BODY].error != null', { ...ANY, ...json('error', 'not_equals', null) }, 'must be there'],
    ['[BODY].memory.used > 500', { ...ANY, ...json('memory.used', 'gt', 500) }, ''],
    ['[BODY].memory.used <= 1.5', { ...ANY, ...json('memory.used', 'lte', 1.5) }, ''],
    ['[BODY].name > john', ANY, 'must be a number'],
    ['[BODY].name == pat(john.*)', { ...ANY, ...json('name', 'regex', '(?s)^john\\..*$') }, ''],
    [
      '[BODY].name != pat(*x?)',
      { ...ANY, ...json('name', 'not_regex', '(?s)^.*x.$') },
      'must be there',
    ],
    [
      '[BODY].ip == any(127.0.0.1, ::1)',
      { ...ANY, ...json('ip', 'regex', '(?s)^(?:127\\.0\\.0\\.1|::1)$') },
      '',
    ],
    ['[BODY].name == pat([a-z]*)', ANY, 'its pattern is not known'],
    ['has([BODY].errors) == false', { ...ANY, ...json('errors', 'not_exists') }, ''],
    ['has([BODY].errors) != false', { ...ANY, ...json('errors', 'exists') }, ''],
    ['len([BODY].data) > 0', { ...ANY, ...json('data', 'exists') }, 'does not measure lengths'],
    ['len([BODY].data) < 5', ANY, 'does not measure lengths'],
    ['[BODY].age == [BODY].id', ANY, 'two values of an answer'],
    ['[BODY].a..b == 1', ANY, 'its path'],
    ['[BODY] == pat(*<h1>Hi</h1>*)', { ...ANY, ...keyword('<h1>Hi</h1>') }, ''],
    ['[BODY] != pat(*Oops*)', { ...ANY, ...keyword('Oops', 'must_not_contain') }, ''],
    ['[BODY] == pat(Hi*)', { ...ANY, ...keyword('Hi') }, 'wherever they stand'],
    ['[BODY] == pong', { ...ANY, ...keyword('pong') }, 'wherever they stand'],
    ['[BODY] != pong', ANY, 'must not be in the body'],
    ['[BODY] == any(a, b)', ANY, 'only texts in the body'],
    ['[BODY] == pat(*)', ANY, 'holds for every text'],
    [`[BODY] == pat(*${'x'.repeat(501)}*)`, ANY, 'its text must be text of 1 to 500 characters'],
    ['[IP] == 127.0.0.1', ANY, 'Tocsin does not check this'],
    ['[BODY].a == ${SECRET}', ANY, 'it holds a variable'],
    ['[BODY].a == $$5', { ...ANY, ...json('a', 'equals', '$5') }, ''],
    ['', ANY, 'no form that Gatus knows'],
    [{ not: 'text' }, ANY, 'no form that Gatus knows'],
  ])('%j', (condition, settings, sentence) => {
    const { monitor, notes } = endpoint({ url: 'https://example.com', conditions: [condition] });
    const { monitor_type, url, http_method, check_interval, ...rest } = monitor;
    expect([monitor_type, url, http_method, check_interval]).toEqual([
      'http',
      'https://example.com',
      'GET',
      1,
    ]);
    expect(rest).toEqual(settings);
    expect(notes.join(' ')).toContain(sentence);
    expect(notes.length > 0).toBe(sentence !== '');
  });

  test('several: codes are those that meet all, and JSON goes before texts', () => {
    const conditions = [
      '[STATUS] >= 200',
      '[STATUS] < 300',
      '[BODY] == pat(*ok*)',
      '[BODY].ok == 1',
    ];
    const { monitor, notes } = endpoint({ url: 'https://example.com', conditions });
    expect(monitor).toMatchObject({ ...codes('2xx'), ...json('ok', 'equals', 1) });
    expect(monitor).not.toHaveProperty('keyword_settings');
    expect(notes).toEqual([
      'The texts that its body must hold are left out: a monitor checks JSON or texts.',
    ]);
  });

  test('more than ten on the body', () => {
    const conditions = Array.from({ length: 12 }, (_, index) => `[BODY].a${index} == 1`);
    const { monitor, notes } = endpoint({ url: 'https://example.com', conditions });
    const { assertions } = monitor['json_assertion_settings'] as { assertions: unknown[] };
    expect([assertions.length, notes]).toEqual([
      10,
      ['Only the first 10 conditions on its body are imported.'],
    ]);
  });
});

describe('endpoints', () => {
  test.each([
    [{ url: 'icmp://router.example.com' }, { monitor_type: 'ping', url: 'router.example.com' }, ''],
    [
      { url: 'icmp://2001:db8::1' },
      { monitor_type: 'ping', url: '2001:db8::1' },
      'ALLOW_PRIVATE_TARGETS',
    ],
    [
      { url: 'tcp://db.example.com:5432' },
      { monitor_type: 'port', url: 'db.example.com', port: 5432 },
      '',
    ],
    [
      { url: 'tls://mail.example.com:465' },
      { monitor_type: 'port', port: 465 },
      'certificates of https only',
    ],
    [{ url: 'ssh://host.example.com' }, { monitor_type: 'port', port: 22 }, 'does not speak ssh'],
    [
      { url: 'wss://echo.example.com/x' },
      { monitor_type: 'port', url: 'echo.example.com', port: 443 },
      'does not speak wss',
    ],
    [
      { url: 'grpc://api.example.com:9000' },
      { monitor_type: 'port', port: 9000 },
      'does not speak grpc',
    ],
    [
      { url: '9.9.9.9', dns: { 'query-name': 'example.com' } },
      { monitor_type: 'port', url: '9.9.9.9', port: 53 },
      'DNS server',
    ],
    [
      { url: 'https://ann:pass@example.com' },
      { url: 'https://example.com/', auth_type: 'basic' },
      '',
    ],
    [{ url: '${SHOP_URL}' }, { monitor_type: 'http', url: { from: 'env SHOP_URL' } }, ''],
    [
      { url: 'https://$DOMAIN/x' },
      { url: { from: 'env GATUS_E_URL' } },
      'Set the variable GATUS_E_URL to the text "https://$DOMAIN/x"',
    ],
    [
      { url: 'tcp://${DB}:5432' },
      { monitor_type: 'port', url: { from: 'env DB' }, port: 5432 },
      '',
    ],
    [
      { url: 'https://example.com', method: 'post', body: 'x' },
      { http_method: 'POST', request_body: 'x' },
      '',
    ],
    [
      { url: 'https://example.com', body: 'x' },
      { http_method: 'GET' },
      'Its body is not sent with the method GET.',
    ],
    [
      { url: 'https://example.com', method: 'BREW' },
      { url: 'https://example.com' },
      'Its method is GET instead of "BREW".',
    ],
    [
      {
        url: 'https://example.com',
        method: 'POST',
        graphql: true,
        body: '{ a(b: "[ENDPOINT_NAME]") }',
      },
      {
        request_body: '{"query":"{ a(b: \\"e\\") }"}',
        request_headers: { 'Content-Type': 'application/json' },
      },
      '',
    ],
    [
      {
        url: 'https://example.com',
        headers: { 'X-A': 1, Authorization: 'Bearer ${TOKEN}', Host: '$HOST' },
      },
      {
        request_headers: {
          'X-A': '1',
          Authorization: { from: 'env GATUS_E_AUTHORIZATION' },
          Host: { from: 'env HOST' },
        },
      },
      'Set the variable GATUS_E_AUTHORIZATION',
    ],
    [
      { url: 'https://example.com', interval: '1h30m' },
      { check_interval: 60 },
      'that is the limit',
    ],
    [{ url: 'https://example.com', interval: '90s' }, { check_interval: 1.5 }, ''],
    [{ url: 'https://example.com', enabled: false }, { is_paused: true }, ''],
    [
      {
        url: 'https://example.com',
        client: { insecure: true, 'ignore-redirect': true, timeout: '7s', 'proxy-url': 'http://p' },
      },
      { verify_ssl: false, follow_redirects: false, request_timeout: 7 },
      'no longer checked through a proxy',
    ],
    [
      { url: 'https://example.com', group: 'Shop', 'extra-labels': { env: 'prod' } },
      { group_id: 'shop', tags: ['env:prod'] },
      '',
    ],
  ])('%j', (given, settings, sentence) => {
    const { monitor, notes } = endpoint({ conditions: [], ...given });
    expect(monitor).toMatchObject(settings);
    expect(notes.join(' ')).toContain(sentence);
    expect(notes.length > 0).toBe(sentence !== '');
  });

  test.each([
    [{ url: 'udp://example.com:53' }, 'Tocsin does not check udp.'],
    [{ url: 'tcp://example.com' }, 'Tocsin needs its url'],
    [{ url: 'example.com' }, 'Its url is not one that Tocsin checks.'],
    [{}, 'Its url is not one that Tocsin checks.'],
    [{ url: '', dns: { 'query-name': 'a' } }, 'It names no DNS server.'],
  ])('%j is left out', (given, sentence) => {
    const { outcome, notes } = endpoint({ conditions: [], ...given });
    expect([outcome, notes[0]]).toEqual(['left_out', expect.stringContaining(sentence)]);
  });

  test('external ones are heartbeats when they have an interval', () => {
    const { document } = read(`
external-endpoints:
  - { name: Import, token: t, heartbeat: { interval: 30m } }
  - { name: Push, token: t }`);
    expect(document.monitors).toEqual([
      {
        key: 'import',
        monitor_type: 'heartbeat',
        friendly_name: 'Import',
        heartbeat_interval: 1800,
        heartbeat_grace: 0,
      },
    ]);
  });
});

describe('alerts', () => {
  test('lead to channels by routes, with the thresholds of the endpoint', () => {
    const { document } = read(`
alerting:
  slack:
    webhook-url: "\${SLACK}"
    default-alert: { failure-threshold: 5, minimum-reminder-interval: 10m }
    overrides: [{ group: jobs, webhook-url: "https://hooks.example.com/jobs" }]
  pagerduty: { integration-key: "****" }
  email: { to: "a@example.com, b@example.com" }
endpoints:
  - { name: one, url: "https://1.example.com", alerts: [{ type: slack }, { type: email, failure-threshold: 2 }] }
  - { name: two, group: jobs, url: "https://2.example.com", alerts: [{ type: slack }, { type: email, enabled: false }] }
  - { name: three, url: "https://3.example.com" }
  - { name: four, url: "https://4.example.com", alerts: [{ type: pagerduty }, { type: zulip }] }`);
    expect(document.alert_channels).toMatchObject([
      {
        key: 'slack',
        type: 'slack',
        is_default: false,
        settings: { webhook_url: { from: 'env SLACK' } },
      },
      { key: 'slack-jobs', settings: { webhook_url: { value: 'https://hooks.example.com/jobs' } } },
      { key: 'email', type: 'email', settings: { addresses: ['a@example.com', 'b@example.com'] } },
    ]);
    expect(document.alert_routes).toMatchObject([
      { monitors: ['one'], channels: ['slack', 'email'], reminder_minutes: 10 },
      { monitors: ['two'], channels: ['slack-jobs'], reminder_minutes: 10 },
    ]);
    expect(
      document.monitors?.map((one) => [one['failure_threshold'], one['recovery_threshold']]),
    ).toEqual([
      [2, 2],
      [5, 2],
      [undefined, undefined],
      [3, 2],
    ]);
  });

  test('say which of them reach nobody', () => {
    const { report } = read(`
alerting: { matrix: { server-url: "https://m.example.com" } }
endpoints: [{ name: e, url: "https://example.com", conditions: ["[STATUS] == 200"], alerts: [{ type: matrix }, { type: slack }] }]`);
    expect(report.map(({ outcome, notes }) => [outcome, notes])).toEqual([
      ['left_out', ['Tocsin has no channel of this kind: a webhook endpoint can take its place.']],
      [
        'changed',
        [
          'Its alerts of type slack reach nobody: alerting is not in the file, or has no such type.',
          'Some of its alerts reach nobody: their channels are left out.',
        ],
      ],
    ]);
  });
});

test('maintenance recurs on the days that are named', () => {
  const { document, report } = read(`
maintenance: { start: "23:00", duration: 2h, timezone: America/New_York, every: [Monday, Thursday] }
endpoints:
  - { name: e, url: "https://example.com", conditions: ["[STATUS] == 200"], maintenance-windows: [{ start: "01:30", duration: 30m }, { start: noon, duration: 1h }] }`);
  expect(document.maintenance_windows).toEqual([
    {
      key: 'e-1',
      name: 'e 1',
      starts_at: '2030-01-02T01:30:00.000Z',
      ends_at: '2030-01-02T02:00:00.000Z',
      rrule: 'FREQ=DAILY',
      timezone: 'UTC',
      monitors: ['e'],
    },
    {
      key: 'maintenance',
      name: 'Maintenance',
      starts_at: '2030-01-04T04:00:00.000Z',
      ends_at: '2030-01-04T06:00:00.000Z',
      rrule: 'FREQ=WEEKLY;BYDAY=MO,TH',
      timezone: 'America/New_York',
      monitors: ['e'],
    },
  ]);
  expect(report.find(({ outcome }) => outcome === 'left_out')?.notes).toEqual([
    'It has no time of day.',
  ]);
});

test('several files, and a ConfigMap, are one configuration', () => {
  const map = {
    kind: 'ConfigMap',
    data: { 'b.yaml': 'endpoints: [{name: b, url: "tcp://b.example.com:1"}]', 'c.sh': ':' },
  };
  const { document } = read(
    `endpoints: [{name: a, url: "tcp://a.example.com:1"}]\n---\n${JSON.stringify(map)}`,
  );
  expect(document.monitors?.map(({ key }) => key)).toEqual(['a', 'b']);
});

test.each([
  ['', 'config.yaml is empty.', null],
  ['a: b', 'config.yaml has no endpoints.', 1],
  ['<html>', 'config.yaml has no endpoints.', 1],
  [
    'endpoints:\n\t- name: x',
    'config.yaml is no YAML here: Tabs are not allowed as indentation.',
    2,
  ],
  ['endpoints: [', 'config.yaml is no YAML here: Flow sequence', 1],
  ['endpoints:\n  - *unknown', "config.yaml can't be read: its aliases", 1],
])('refuses %j', (text, message, line) => {
  const error = refusalOf(text);
  expect(error).toBeInstanceOf(ImportError);
  expect(error.message).toContain(message);
  expect(error.message).toContain('Give the configuration of Gatus');
  expect(error.line).toBe(line);
});

function refusalOf(text: string): ImportError {
  try {
    read(text);
  } catch (error) {
    return error as ImportError;
  }
  throw new Error('It was read.');
}
