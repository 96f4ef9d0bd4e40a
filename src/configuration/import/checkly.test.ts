import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkly } from './checkly.ts';

const NOW = Date.UTC(2030, 0, 2, 12);

const read = (text: string) => checkly.read({ file: 'checks.json', text, now: NOW });

function check(given: object, ...others: object[]) {
  const entries = [{ id: 'c', name: 'c', checkType: 'API', frequency: 10, ...given }, ...others];
  const { document, report } = read(JSON.stringify(entries));
  return {
    monitor: document.monitors?.[0],
    notes: report.flatMap(({ notes }) => notes),
    outcome: report.at(-1)!.outcome,
  };
}

const SITE = 'https://example.com';
const assertion = (source: string, property: string, comparison: string, target = '') => ({
  request: { url: SITE, assertions: [{ source, property, comparison, target }] },
});
const json = (path: string, operator: string, value?: unknown) => ({
  json_assertion_settings: {
    assertions: [{ path, operator, ...(value !== undefined && { value }) }],
  },
});

describe('assertions', () => {
  test.each([
    [['STATUS_CODE', '', 'EQUALS', '204'], { accepted_status_codes: [204] }, ''],
    [['STATUS_CODE', '', 'LESS_THAN', '300'], { accepted_status_codes: ['1xx', '2xx'] }, ''],
    [['STATUS_CODE', '', 'GREATER_THAN', '499'], { accepted_status_codes: ['5xx'] }, ''],
    [['STATUS_CODE', '', 'CONTAINS', '2'], {}, 'does not compare a status like that'],
    [['STATUS_CODE', '', 'EQUALS', '999'], {}, 'It accepts 2xx and 3xx'],
    [
      ['RESPONSE_TIME', '', 'LESS_THAN', '700'],
      { slow_response_threshold: 700 },
      'degraded, not offline',
    ],
    [['JSON_BODY', '$.a.b', 'EQUALS', 'x'], json('$.a.b', 'equals', 'x'), ''],
    [['JSON_BODY', '$.n', 'GREATER_THAN', '3'], json('$.n', 'gt', 3), ''],
    [['JSON_BODY', '$', 'HAS_KEY', '7'], json('$', 'contains', '7'), ''],
    [['JSON_BODY', '$.list', 'NOT_HAS_VALUE', '7'], json('$.list', 'not_contains', 7), ''],
    [['JSON_BODY', '$.a', 'IS_NULL'], json('$.a', 'equals', null), ''],
    [['JSON_BODY', '$.a', 'NOT_EMPTY'], json('$.a', 'exists'), 'may be empty'],
    [['JSON_BODY', '$.a', 'IS_EMPTY'], {}, 'Tocsin has no such comparison'],
    [['JSON_BODY', '$.a.length', 'EQUALS', '1'], {}, 'does not measure lengths'],
    [['JSON_BODY', '$..a', 'EQUALS', '1'], {}, 'its path'],
    [['JSON_BODY', '$.a', 'EQUALS', '{{TOKEN}}'], {}, 'it holds a variable'],
    [
      ['TEXT_BODY', '', 'CONTAINS', 'Hi'],
      {
        keyword_settings: {
          keywords: [{ phrase: 'Hi', mode: 'must_contain', case_sensitive: true }],
        },
      },
      '',
    ],
    [['TEXT_BODY', '(\\d+)', 'EQUALS', '3'], {}, 'only texts in the body'],
    [['HEADERS', 'x-a', 'EQUALS', '1'], {}, 'Tocsin does not check this'],
  ] as const)('%j', ([source, property, comparison, target], settings, sentence) => {
    const { monitor, notes } = check(assertion(source, property, comparison, target));
    const { key: _key, monitor_type: _type, friendly_name: _name, url: _url, ...rest } = monitor!;
    expect(rest).toEqual({
      http_method: 'GET',
      check_interval: 10,
      failure_threshold: 1,
      ...settings,
    });
    expect(notes.join(' ')).toContain(sentence);
    expect(notes.length > 0).toBe(sentence !== '');
  });
});

const request = (more: object) => ({ request: { url: SITE, ...more } });

test.each([
  [
    { ...request({}), frequency: 0, frequencyOffset: 10 },
    { check_interval: 0.5 },
    'that is the limit',
  ],
  [{ ...request({}), frequency: 0, frequencyOffset: 30 }, { check_interval: 0.5 }, ''],
  [
    { ...request({}), activated: false, muted: true },
    { is_paused: true, notification_settings: { enabled: false } },
    '',
  ],
  [{ ...request({}), shouldFail: true }, { accepted_status_codes: ['4xx', '5xx'] }, ''],
  [
    { ...request({}), degradedResponseTime: 2000, maxResponseTime: 4500 },
    { slow_response_threshold: 2000, request_timeout: 5 },
    '',
  ],
  [{ ...request({}), retryStrategy: { maxRetries: 2 } }, { failure_threshold: 3 }, ''],
  [
    {
      ...request({}),
      alertSettings: {
        escalationType: 'TIME_BASED',
        timeBasedEscalation: { minutesFailingThreshold: 2 },
      },
    },
    { failure_threshold: 7 },
    'counted in rounds',
  ],
  [
    { ...request({}), alertSettings: { sslCertificates: { enabled: true, alertThreshold: 20 } } },
    { check_types: ['ssl'], ssl_expiry_threshold: 20 },
    '',
  ],
  [{ ...request({}), localSetupScript: 'x' }, { url: SITE }, 'scripts before and after'],
  [request({ url: '{{BASE}}' }), { url: { from: 'env BASE' } }, ''],
  [
    request({ url: '{{BASE}}/x' }),
    { url: { from: 'env CHECKLY_C_URL' } },
    'Set the variable CHECKLY_C_URL',
  ],
  [
    request({ queryParameters: [{ key: 'a', value: 'b c' }], url: `${SITE}/?x=1#f` }),
    { url: `${SITE}/?x=1&a=b%20c#f` },
    '',
  ],
  [
    request({ method: 'POST', body: 'a=b', bodyType: 'FORM' }),
    {
      request_body: 'a=b',
      request_headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    },
    '',
  ],
  [request({ body: 'x', bodyType: 'RAW' }), { http_method: 'GET' }, 'Its body is not sent'],
  [request({ basicAuth: { username: 'ann', password: 'p' } }), { auth_type: 'basic' }, ''],
  [
    request({ basicAuth: { username: 'ann', password: '{{P}}' } }),
    { auth_username: { from: 'import', value: 'ann' }, auth_password: { from: 'env P' } },
    '',
  ],
  [
    request({ basicAuth: { username: [], password: '{{P}}' } }),
    { url: SITE },
    'basic authentication needs both',
  ],
  [
    request({ skipSSL: true, followRedirects: false }),
    { verify_ssl: false, follow_redirects: false },
    '',
  ],
  [
    { checkType: 'TCP', request: { hostname: 'db.example.com', port: 5432, data: 'x' } },
    { monitor_type: 'port', port: 5432 },
    'sends nothing',
  ],
  [
    { checkType: 'ICMP', request: { hostname: '2001:db8::1' } },
    { monitor_type: 'ping' },
    'ALLOW_PRIVATE_TARGETS',
  ],
  [
    { checkType: 'TRACEROUTE', request: { url: 'far.example.com' } },
    { monitor_type: 'ping' },
    'echo requests',
  ],
  [
    { checkType: 'GRPC', request: { url: 'rpc.example.com', port: 50051 } },
    { monitor_type: 'port', port: 50051 },
    'gRPC',
  ],
  [
    { checkType: 'DNS', request: { query: 'example.com', nameServer: 'ns.example.com' } },
    { monitor_type: 'port', port: 53 },
    'DNS server',
  ],
  [
    { checkType: 'SSL', request: { sslConfig: { hostname: 'example.com', port: 8443 } } },
    { url: 'https://example.com:8443/', check_types: ['ssl'], ssl_expiry_threshold: 30 },
    'takes any answer',
  ],
  [
    {
      checkType: 'HEARTBEAT',
      heartbeat: {
        period: 2,
        periodUnit: 'hours',
        grace: 5,
        graceUnit: 'minutes',
        pingToken: '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278',
      },
    },
    {
      monitor_type: 'heartbeat',
      heartbeat_interval: 7200,
      heartbeat_grace: 300,
      ping_aliases: ['/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'],
    },
    '',
  ],
])('%j', (given, settings, sentence) => {
  const { monitor, notes } = check(given);
  expect(monitor).toMatchObject(settings);
  expect(notes.join(' ')).toContain(sentence);
  expect(notes.length > 0).toBe(sentence !== '');
});

test.each([
  [{ checkType: 'BROWSER' }, 'Tocsin runs no browser and no scripts.'],
  [{ checkType: 'MULTI_STEP' }, 'Tocsin runs no browser and no scripts.'],
  [
    { checkType: 'DNS', request: { query: 'example.com', nameServer: '' } },
    'add the check type dns',
  ],
  [
    { checkType: 'HEARTBEAT', heartbeat: { period: 2, periodUnit: 'moons' } },
    'Tocsin needs its heartbeat_interval',
  ],
  [{ request: { url: 'nowhere' } }, 'Its url'],
])('%j is left out', (given, sentence) => {
  const { outcome, notes } = check(given);
  if (sentence !== 'Its url')
    expect([outcome, notes[0]]).toEqual(['left_out', expect.stringContaining(sentence)]);
  else expect(notes.join(' ')).toContain('had no scheme');
});

test('a check has what its group gives it, and notifies those whom both name', () => {
  const text = readFileSync(new URL('./fixtures/checkly.txt', import.meta.url), 'utf8');
  const { document } = read(text);
  expect(document.monitors![0]).toMatchObject({
    url: 'https://api.example.com/v2/orders?limit=1',
    group_id: 'shop',
    tags: ['orders', 'shop'],
    request_headers: {
      'X-Probe': 'yes',
      Authorization: { from: 'env CHECKLY_ORDERS_API_AUTHORIZATION' },
    },
    auth_password: { from: 'env PASSWORD' },
  });
  expect(document.alert_channels?.map(({ key, type }) => [key, type])).toEqual([
    ['oncall-example.com', 'email'],
    ['ops', 'slack'],
  ]);
  expect(document.alert_routes).toMatchObject([
    { monitors: ['orders-api'], channels: ['ops'] },
    { monitors: ['welcome-page', 'nightly-import'], channels: ['oncall-example.com'] },
  ]);
});

test.each([
  [{ repeatUnit: 'DAY', repeatInterval: 2 }, 'FREQ=DAILY;INTERVAL=2', '2030-01-02'],
  [{ repeatUnit: 'WEEK', repeatInterval: 2 }, 'FREQ=DAILY;INTERVAL=14', '2030-01-14'],
  [{ repeatUnit: 'MONTH', repeatInterval: 1 }, 'FREQ=MONTHLY;BYMONTHDAY=31', '2030-01-31'],
  [
    { repeatUnit: 'MONTH', repeatInterval: 6, repeatEndsAt: '2031-01-01T00:00:00Z' },
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=1,7;UNTIL=20310101',
    '2030-01-31',
  ],
  [{}, null, null],
])('maintenance with %j', (repeats, rrule, day) => {
  const window = {
    id: 1,
    name: 'Upgrade',
    startsAt: '2028-01-31T02:00:00.000Z',
    endsAt: '2028-01-31T03:30:00.000Z',
    ...repeats,
  };
  const { document } = read(JSON.stringify([window]));
  const [first] = document.maintenance_windows ?? [];
  expect([
    first?.['rrule'] ?? null,
    first === undefined ? null : String(first['starts_at']).slice(0, 10),
  ]).toEqual([rrule, day]);
});

test('pages may stand in a list', () => {
  const window = { id: 1, startsAt: '2031-01-01T00:00:00Z', endsAt: '2031-01-01T01:00:00Z' };
  const { document } = read(JSON.stringify([[window], [{ ...window, id: 2 }]]));
  expect(document.maintenance_windows).toHaveLength(2);
});

test('refuses what is no answer of Checkly', () => {
  expect(() => read('{"statusCode": 401, "message": "Unauthorized"}')).toThrow(
    'checks.json has no answer of Checkly in it.',
  );
});
