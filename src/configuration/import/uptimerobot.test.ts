import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { uptimeRobot } from './uptimerobot.ts';

const NOW = Date.UTC(2030, 0, 1);
const read = (text: string) => uptimeRobot.read({ file: 'monitors', text, now: NOW });
const fixture = (file: string) =>
  read(readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8'));
const secret = (value: string) => ({ from: 'import', value });

/** The keyword of a monitor. */
const keyword = (phrase: string, mode: string, isExact: boolean) => ({
  keywords: [{ phrase, mode, case_sensitive: isExact }],
});

describe('version 2 of the API', () => {
  const { document, report } = fixture('uptimerobot-v2.json');

  test('has its monitors', () => {
    expect(document.monitors).toMatchObject([
      {
        key: 'main-website',
        url: 'https://example.com',
        check_interval: 5,
        request_timeout: 30,
        http_method: 'HEAD',
        request_headers: { 'X-Test': '1' },
        accepted_status_codes: ['404'],
      },
      {
        key: 'docs',
        check_interval: 1,
        keyword_settings: keyword('Documentation', 'must_contain', false),
      },
      { key: 'widget', keyword_settings: keyword('Error', 'must_not_contain', true) },
      { key: 'gateway', monitor_type: 'ping', url: '198.51.100.10' },
      { key: 'ftp', monitor_type: 'port', url: 'ftp.example.com', port: 21 },
      { key: 'app-port', port: 8_443, group_id: 'uptimerobot-group-12', is_paused: true },
      {
        key: 'nightly-backup',
        monitor_type: 'heartbeat',
        heartbeat_interval: 86_400,
        ping_aliases: ['/m777749815-0123456789abcdef0123456789abcdef01234567'],
      },
      {
        key: 'admin',
        http_method: 'POST',
        request_body: '{"probe":true}',
        request_headers: { 'Content-Type': 'application/json' },
        auth_type: 'digest',
        auth_username: secret('opuser'),
        auth_password: secret('s3cret'),
      },
    ]);
    // A body to search comes with GET only.
    expect(document.monitors![1]).not.toHaveProperty('http_method');
  });

  test('has its contacts, routes and windows', () => {
    expect(document.alert_channels).toMatchObject([
      { type: 'email', name: 'ops@example.com', settings: { addresses: ['ops@example.com'] } },
      {
        type: 'slack',
        settings: { webhook_url: secret('https://hooks.slack.com/services/T000/B000/XXXX') },
      },
    ]);
    expect(
      document.alert_routes?.map(({ monitors, reminder_minutes }) => [monitors, reminder_minutes]),
    ).toEqual([
      [['main-website'], 30],
      [['docs'], 30],
    ]);
    expect(document.maintenance_windows).toMatchObject([
      {
        starts_at: '2030-01-01T23:30:00.000Z',
        ends_at: '2030-01-02T01:00:00.000Z',
        rrule: 'FREQ=WEEKLY;BYDAY=TU,TH,SU',
        monitors: ['main-website'],
      },
    ]);
  });

  test('says what is left out', () => {
    expect(report.filter(({ outcome }) => outcome === 'left_out')).toMatchObject([
      { source: 'monitor 777749817 "Unknown"', notes: ['Tocsin has no monitors of the type "6".'] },
      { source: 'monitor 777749818 "No port"' },
    ]);
  });
});

test('version 3 of the API', () => {
  const { document, report } = fixture('uptimerobot-v3.json');
  expect(document.monitors).toMatchObject([
    {
      key: 'home-page',
      url: 'https://example.com',
      accepted_status_codes: ['2xx', '3xx'],
      check_types: ['ssl', 'domain'],
      ssl_expiry_threshold: 30,
      failure_threshold: 3,
      slow_response_threshold: 2_000,
      request_headers: { 'X-Env': 'prod', Authorization: secret('Bearer abc') },
      group_id: 'uptimerobot-group-41',
      tags: ['public'],
    },
    {
      key: 'checkout',
      keyword_settings: keyword('Pay now', 'must_contain', false),
      follow_redirects: false,
      verify_ssl: false,
    },
    { key: 'orders-api', http_method: 'POST', auth_type: 'basic', is_paused: true },
    {
      key: 'health',
      auth_type: 'bearer',
      auth_password: secret('t0ken'),
      json_assertion_settings: {
        assertions: [
          { path: '$.status', operator: 'equals', value: 'ok' },
          { path: '$.depth', operator: 'lt', value: 100 },
          { path: '$.error', operator: 'equals', value: null },
        ],
      },
    },
    { key: 'gateway', check_interval: 0.5 },
    { key: 'database', port: 5_432, request_timeout: 10 },
    { key: 'nightly-backup', heartbeat_grace: 3_600, ping_aliases: ['/m807-0123456789abcdef'] },
  ]);
  expect(document.maintenance_windows).toMatchObject([
    { starts_at: '2030-01-01T02:00:00.000Z', rrule: 'FREQ=MONTHLY;BYMONTHDAY=1' },
  ]);
  expect(document.status_pages).toMatchObject([
    {
      name: 'Public status',
      custom_domain: 'status.example.com',
      settings: { show_uptime_percentage: false },
      monitors: [{ id: 'checkout' }, { id: 'home-page' }],
    },
  ]);
  expect(report.at(-1)).toMatchObject({
    source: 'further pages of the answer',
    outcome: 'left_out',
  });
});

test('the CSV', () => {
  const { document, report } = fixture('uptimerobot.csv');
  expect(document.monitors).toMatchObject([
    { key: 'shop-main', url: 'https://example.com/', check_interval: 5 },
    {
      key: 'docs',
      check_interval: 5,
      keyword_settings: keyword('Documentation', 'must_contain', true),
    },
    { key: 'gateway', monitor_type: 'ping' },
    { key: 'database', monitor_type: 'port', port: 5_432 },
    { key: 'backup', monitor_type: 'heartbeat', ping_aliases: ['/m123-0123456789abcdef'] },
  ]);
  expect(document.alert_routes).toMatchObject([
    { monitors: ['shop-main', 'docs'], channels: ['ops-example.com'] },
  ]);
  expect(report.at(-2)).toMatchObject({
    source: 'monitor in line 7 "Odd one"',
    outcome: 'left_out',
  });
});

test('the export has no intervals, and the form for many monitors has services for ports', () => {
  const { document, report } = read(
    'ID,Type,Status,"Friendly Name",URL/IP,"Keyword Type","Keyword Value",Port\n7,HTTP(s),Paused,A,https://a.example,,,\n',
  );
  expect(document.monitors).toMatchObject([{ key: 'a', is_paused: true, check_interval: 5 }]);
  expect(report).toMatchObject([
    { notes: [expect.stringContaining('interval is not in the file')] },
  ]);
  const form = read(
    'Type,Friendly Name,URL/IP,Interval,Alert Contact,Port,Custom port\n4,B,b.example,5,3565,2,\n4,C,c.example,5,,99,8080\n',
  );
  expect(form.document.monitors).toMatchObject([{ port: 443 }, { port: 8_080 }]);
  expect(form.report[0]).toMatchObject({ source: 'alert contact 3565', outcome: 'left_out' });
});

test('what has no types is taken for web sites', () => {
  expect(read('name,url,interval\nA,https://a.example,60\n').document.monitors).toMatchObject([
    { monitor_type: 'http', check_interval: 1 },
  ]);
});

const PAGE = { stat: 'ok', pagination: { offset: 0, limit: 1, total: 2 } };
const ONE = {
  id: 1,
  friendly_name: 'A',
  type: 1,
  url: 'https://a.example',
  interval: 300,
  status: 2,
};

test.each<[what: string, content: unknown, monitors: number, lines: number]>([
  ['one page of two', { ...PAGE, monitors: [ONE] }, 1, 2],
  [
    'both pages',
    [
      { ...PAGE, monitors: [ONE] },
      { ...PAGE, monitors: [ONE] },
    ],
    2,
    2,
  ],
  ['monitors alone', [ONE, ONE], 2, 2],
  ['one monitor', ONE, 1, 1],
])('%s', (_what, content, monitors, lines) => {
  const { document, report } = read(JSON.stringify(content));
  expect([document.monitors?.length, report.length]).toEqual([monitors, lines]);
});

test.each([
  [
    '{"stat": "fail", "error": {"message": "api_key is wrong"}}',
    /an error that UptimeRobot answered \("api_key is wrong"\)/,
  ],
  ['{"alert_contacts": []}', /has no list of monitors/],
  ['{"monitors": [', /ends too early/],
  ['a,b\n1,2', /has none of the columns friendly name, url\/ip/],
])('%s is refused', (text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('a heartbeat without its address needs the new one', () => {
  const { report } = read(
    '{"data": [{"id": 1, "type": "HEARTBEAT", "friendlyName": "Job", "interval": 60}]}',
  );
  expect(report).toMatchObject([
    { outcome: 'changed', notes: ['Its job must call the new ping URL instead.'] },
  ]);
});
