import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { uptimeKuma } from './uptime-kuma.ts';

const NOW = Date.UTC(2030, 0, 1);
const read = (content: unknown) =>
  uptimeKuma.read({ file: 'backup.json', text: JSON.stringify(content), now: NOW });

/** The fields of one monitor beside those that all have, and what is said of it. */
function monitor(fields: object) {
  const { document, report } = read({
    monitorList: [
      { id: 1, name: 'A', type: 'http', url: 'https://a.example', interval: 60, ...fields },
    ],
  });
  return { monitor: document.monitors?.[0], ...report[0]! };
}

const secret = (value: string) => ({ from: 'import', value });

describe('a backup', () => {
  const text = readFileSync(new URL('fixtures/uptime-kuma.json', import.meta.url), 'utf8');
  const { document } = uptimeKuma.read({ file: 'backup.json', text, now: NOW });

  test('has its monitors', () => {
    expect(document.monitors).toMatchObject([
      {
        key: 'website',
        monitor_type: 'http',
        friendly_name: 'Website',
        url: 'https://example.com/',
        check_interval: 1,
        request_timeout: 48,
        failure_threshold: 3,
        accepted_status_codes: ['200-299', '304'],
        follow_redirects: true,
        check_types: ['ssl'],
        request_headers: { 'X-Tenant': 'acme' },
        group_id: 'production',
        tags: ['prod', 'region: eu-west'],
      },
      {
        key: 'orders',
        check_interval: 0.5,
        request_timeout: 60,
        failure_threshold: 1,
        http_method: 'POST',
        request_body: '{"ping": true}',
        request_headers: { 'Content-Type': 'application/json' },
        follow_redirects: false,
        verify_ssl: false,
        auth_type: 'basic',
        auth_username: secret('probe'),
        auth_password: secret('s3cret'),
        accepted_status_codes: ['200-299'],
        keyword_settings: {
          keywords: [{ phrase: '"status":"ok"', mode: 'must_contain', case_sensitive: true }],
        },
        group_id: 'europe',
      },
      {
        key: 'health',
        auth_type: 'bearer',
        auth_password: secret('abc'),
        json_assertion_settings: {
          assertions: [{ path: 'checks[0]["db.main"].up', operator: 'regex', value: '^true$' }],
        },
      },
      { key: 'queue', is_paused: true },
      {
        key: 'ssh',
        monitor_type: 'port',
        url: 'bastion.example.com',
        port: 22,
        failure_threshold: 10,
        check_interval: 5,
        group_id: 'frankfurt',
        is_paused: true,
      },
      { key: 'gateway', monitor_type: 'ping', url: '192.168.0.1', is_paused: true },
      {
        key: 'zone',
        monitor_type: 'ping',
        url: 'example.com',
        check_types: ['dns'],
        check_interval: 60,
      },
      {
        key: 'nightly-backup',
        monitor_type: 'heartbeat',
        heartbeat_interval: 86_400,
        heartbeat_grace: 1_801,
        ping_aliases: ['/api/push/a1B2c3D4e5F6g7H8i9J0'],
      },
      {
        key: 'website-2',
        url: 'http://intranet.example.com/',
        auth_type: 'basic',
        auth_username: secret('ann'),
        auth_password: secret('pa:ss'),
      },
    ]);
    expect(document.monitors![3]).not.toHaveProperty('json_assertion_settings');
    expect(document.monitors![8]).not.toHaveProperty('request_body');
  });

  test('has its groups, one level deep', () => {
    expect(document.groups).toEqual([
      { key: 'production', name: 'Production' },
      { key: 'europe', name: 'Europe', parent_id: 'production' },
      { key: 'frankfurt', name: 'Frankfurt', parent_id: 'production' },
    ]);
  });

  test('has its notifications as channels, endpoints and routes', () => {
    expect(
      document.alert_channels?.map(({ key, type, is_default, settings }) => [
        key,
        type,
        is_default,
        settings,
      ]),
    ).toEqual([
      [
        'ops-slack',
        'slack',
        true,
        { webhook_url: secret('https://hooks.slack.com/services/T000/B000/XXXX') },
      ],
      [
        'on-call',
        'telegram',
        false,
        {
          bot_token: secret('110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'),
          chat_id: '-1001234567890',
          thread_id: 42,
        },
      ],
      ['mail', 'email', false, { addresses: ['ops@example.com', 'ann@example.com'] }],
      [
        'phone',
        'ntfy',
        false,
        {
          server_url: 'https://ntfy.example.com',
          topic: secret('kuma-alerts'),
          token: secret('tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'),
        },
      ],
      [
        'duty',
        'pagerduty',
        false,
        { routing_key: secret('e93facc04764012d7bfb002500d5d1a6'), region: 'eu' },
      ],
      [
        'chat',
        'discord',
        false,
        {
          webhook_url: secret(
            'https://discord.com/api/webhooks/223704706495545344/3d89bb7572e0fb30d8128367b3b1b44f?thread_id=99',
          ),
        },
      ],
    ]);
    expect(document.webhook_endpoints).toEqual([
      {
        key: 'hook',
        name: 'Hook',
        url: secret('https://hooks.example.com/kuma?token=abc'),
        auth_type: 'bearer',
        auth_token: secret('t0ken'),
        is_active: false,
      },
    ]);
    // Monitors with the default channel alone need no route.
    expect(document.alert_routes).toMatchObject([
      { monitors: ['website'], channels: ['ops-slack', 'on-call'], reminder_minutes: 10 },
      { monitors: ['nightly-backup'], channels: ['on-call', 'duty'] },
    ]);
  });
});

test.each<[fields: object, expected: object]>([
  [
    { type: 'keyword', keyword: 'Error', invertKeyword: true },
    {
      keyword_settings: {
        keywords: [{ phrase: 'Error', mode: 'must_not_contain', case_sensitive: true }],
      },
    },
  ],
  [
    { type: 'json-query', jsonPath: '$', jsonPathOperator: 'contains', expectedValue: 'ok' },
    { json_assertion_settings: { assertions: [{ path: '$', operator: 'contains', value: 'ok' }] } },
  ],
  [
    { type: 'json-query', jsonPath: 'a.b', jsonPathOperator: '>=', expectedValue: '5' },
    { json_assertion_settings: { assertions: [{ path: 'a.b', operator: 'gte', value: '5' }] } },
  ],
  [
    { type: 'json-query', jsonPath: 'v', jsonPathOperator: '!=', expectedValue: '1.5' },
    {
      json_assertion_settings: {
        assertions: [{ path: 'v', operator: 'not_regex', value: String.raw`^1\.5$` }],
      },
    },
  ],
  [{ method: 'head' }, { http_method: 'HEAD' }],
  [{ active: 0 }, { is_paused: true }],
  [
    { timeout: 0, interval: 30 },
    { request_timeout: 24, check_interval: 0.5 },
  ],
  [
    { type: 'port', url: 'tcp://db.example.com:5432' },
    { url: 'db.example.com', port: 5432 },
  ],
  [{ basic_auth_user: 'u', basic_auth_pass: 'p' }, { auth_type: 'basic' }],
  [
    { domainExpiryNotification: true, url: 'http://shop.example.co.uk' },
    { check_types: ['domain'] },
  ],
])('%j', (fields, expected) => {
  expect(monitor(fields).monitor).toMatchObject(expected);
});

test.each<[fields: object, field: string]>([
  [{ authMethod: null, basic_auth_user: 'u', basic_auth_pass: 'p' }, 'auth_type'],
  [{ domainExpiryNotification: true, url: 'http://192.0.2.1/' }, 'check_types'],
  [{ expiryNotification: true, url: 'http://a.example' }, 'check_types'],
  [{ body: 'x' }, 'request_body'],
])('%j has no %s', (fields, field) => {
  expect(monitor(fields).monitor).not.toHaveProperty(field);
});

test.each<[fields: object, reason: string]>([
  [{ type: 'gamedig' }, 'Tocsin has no monitors of the type "gamedig".'],
  [
    { type: 'redis' },
    'Tocsin has no monitors of the type "redis". A port monitor can watch its port.',
  ],
  [{ type: 'constructor' }, 'Tocsin has no monitors of the type "constructor".'],
  [
    { upsideDown: true },
    'It is upside down, so it is up while its target fails: Tocsin has no such monitors.',
  ],
  [{ url: 'ftp://a.example' }, 'Tocsin needs its url: give an absolute http or https URL.'],
  [
    { type: 'port', hostname: 'a.example' },
    'Tocsin needs its port: give a TCP port from 1 to 65535.',
  ],
  [
    { type: 'port', hostname: 'a.example', port: 443, expectedTlsAlert: 'certificate_required' },
    'It expects a TLS alert: Tocsin has no such check.',
  ],
])('%j is left out', (fields, reason) => {
  expect(monitor(fields)).toMatchObject({ outcome: 'left_out', item: null, notes: [reason] });
});

test('notifications of a group are a route for it, beside those of its monitors', () => {
  const { document } = read({
    notificationList: [1, 2].map((id) => ({
      id,
      name: `N${id}`,
      isDefault: id === 1,
      config: JSON.stringify({
        type: 'pushover',
        pushoverapptoken: 'a'.repeat(30),
        pushoveruserkey: 'u'.repeat(30),
      }),
    })),
    monitorList: [
      { id: 1, name: 'G', type: 'group', notificationIDList: { 2: true } },
      {
        id: 2,
        name: 'M',
        type: 'http',
        url: 'https://a.example',
        interval: 60,
        parent: 1,
        notificationIDList: { 1: true },
      },
    ],
  });
  expect(document.alert_routes).toMatchObject([
    { groups: ['g'], channels: ['n2'] },
    { monitors: ['m'], channels: ['n1'] },
  ]);
});

test('groups in a circle, and deep ones, are still groups', () => {
  const deep = Array.from({ length: 60 }, (_, index) => ({
    id: index + 10,
    name: `D${index}`,
    type: 'group',
    parent: index + 9,
  }));
  const { document } = read({
    monitorList: [
      { id: 1, name: 'A', type: 'group', parent: 2 },
      { id: 2, name: 'B', type: 'group', parent: 1 },
      { id: 3, name: 'a', type: 'group', parent: 3 },
      ...deep,
    ],
  });
  expect(document.groups).toHaveLength(63);
  const parents = new Set(
    document.groups!.filter(({ parent_id: parent }) => parent === undefined).map(({ key }) => key),
  );
  for (const { parent_id: parent } of document.groups!)
    expect(parent === undefined || parents.has(parent as string)).toBe(true);
  expect(document.groups!.map(({ name }) => name)).toContain('a 2');
});

test.each([
  ['{"version": "2.0.0"}', 'it has no monitorList'],
  ['[{"url": "https://a.example"}]', 'it has no monitorList'],
])('%s is refused', (text, message) => {
  expect(() => uptimeKuma.read({ file: 'backup.json', text, now: NOW })).toThrow(message);
});

test('a list of monitors alone, and one by id, are read', () => {
  const one = { id: 1, name: 'A', type: 'ping', hostname: 'a.example', interval: 60 };
  for (const content of [[one], { monitorList: { 1: one } }, { monitors: [one] }])
    expect(read(content).document.monitors).toHaveLength(1);
});
