import { expect, test } from 'vitest';
import { statusCake } from './statuscake.ts';

const read = (text: string) =>
  statusCake.read({ file: 'uptime.json', text, now: Date.UTC(2030, 0, 2) });

function check(given: object, ...others: object[]) {
  const one = {
    id: '1',
    name: 'c',
    check_rate: 300,
    timeout: 15,
    test_type: 'HTTP',
    website_url: 'https://example.com',
    ...given,
  };
  const { document, report } = read(JSON.stringify({ data: [one, ...others] }));
  return { monitors: document.monitors ?? [], report, notes: report.flatMap(({ notes }) => notes) };
}

test.each([
  [{}, { monitor_type: 'http', check_interval: 5, request_timeout: 15, http_method: 'GET' }, ''],
  [{ test_type: 'HEAD' }, { http_method: 'HEAD' }, ''],
  [{ test_type: 'PING', website_url: 'router.example.com' }, { monitor_type: 'ping' }, ''],
  [
    { test_type: 'TCP', website_url: 'db.example.com', port: 5432 },
    { monitor_type: 'port', port: 5432 },
    '',
  ],
  [
    { test_type: 'SSH', website_url: 'host.example.com' },
    { monitor_type: 'port', port: 22 },
    'does not speak SSH',
  ],
  [
    { test_type: 'DNS', dns_server: 'ns.example.com' },
    { monitor_type: 'port', url: 'ns.example.com', port: 53 },
    'DNS server',
  ],
  [{ check_rate: 0 }, { check_interval: 0.5 }, ''],
  [{ check_rate: 86_400 }, { check_interval: 60 }, 'that is the limit'],
  [
    { status_codes: ['404', '500'] },
    { accepted_status_codes: ['1xx', '2xx', '3xx', '400-403', '405-499', '501-599'] },
    '',
  ],
  [
    { find_string: 'Hi' },
    { keyword_settings: { keywords: [{ phrase: 'Hi', mode: 'must_contain' }] } },
    '',
  ],
  [{ find_string: 'Hi', include_header: true }, {}, 'not in headers'],
  [
    { custom_header: '{"X-A": "1"}', user_agent: 'w' },
    { request_headers: { 'X-A': '1', 'User-Agent': 'w' } },
    '',
  ],
  [{ custom_header: '{"X-A"' }, {}, 'it is no JSON'],
  [{ custom_header: 'X-A: 1\nX-B: a:b' }, { request_headers: { 'X-A': '1', 'X-B': 'a:b' } }, ''],
  [{ post_raw: 'x' }, { http_method: 'POST', request_body: 'x' }, ''],
  [
    { post_body: { a: 'b c' } },
    {
      request_body: 'a=b+c',
      request_headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    },
    '',
  ],
  [{ confirmation: 2, trigger_rate: 2 }, { failure_threshold: 7 }, 'counted in rounds'],
  [{ confirmation: 2, trigger_rate: 10 }, { failure_threshold: 10 }, 'that is the limit'],
  [{ confirmation: 2 }, { failure_threshold: 3 }, ''],
  [{ enable_ssl_alert: true }, { check_types: ['ssl'] }, ''],
  [{ follow_redirects: false, paused: true }, { follow_redirects: false, is_paused: true }, ''],
  [{ servers: [{ region_code: 'london' }] }, {}, 'checked from all regions'],
  [{ contact_groups: ['9'] }, {}, 'The file has not all contact groups'],
  [{ final_endpoint: 'https://example.com/x' }, {}, 'redirected anywhere'],
])('%j', (given, settings, sentence) => {
  const { monitors, notes } = check(given);
  expect(monitors[0]).toMatchObject(settings);
  expect(notes.join(' ')).toContain(sentence);
  expect(notes.length > 0).toBe(sentence !== '');
});

test('the list lacks the details, which another answer has', () => {
  const list = {
    data: [
      { id: '1', name: 'c', check_rate: 60, test_type: 'HTTP', website_url: 'https://example.com' },
    ],
  };
  const details = { data: { ...list.data[0], timeout: 20, find_string: 'Hi' } };
  expect(read(JSON.stringify(list)).report[0]).toMatchObject({
    outcome: 'changed',
    notes: [expect.stringContaining('/v1/uptime/ID')],
  });
  const { document, report } = read(JSON.stringify(list) + JSON.stringify(details));
  expect(report[0]!.outcome).toBe('imported');
  expect(document.monitors).toEqual([
    expect.objectContaining({ request_timeout: 20, keyword_settings: expect.anything() }),
  ]);
});

const ssl = (id: string, url: string, more = {}) => ({
  id,
  website_url: url,
  alert_at: [1, 7, 30],
  check_rate: 1800,
  ...more,
});

test('an SSL check becomes part of the monitor of its address, or one of its own', () => {
  const { monitors, report } = check(
    { website_url: 'https://example.com/path' },
    ssl('10', 'https://example.com'),
    ssl('11', 'https://other.example.com:8443/x', { paused: true }),
    ssl('12', 'http://plain.example.com'),
  );
  expect(monitors.map(({ key, url, ssl_expiry_threshold: days }) => [key, url, days])).toEqual([
    ['c', 'https://example.com/path', 30],
    ['certificate-of-other.example.com-8443', 'https://other.example.com:8443/', 30],
  ]);
  expect(report.map(({ source, item }) => [source, item?.key ?? null])).toEqual([
    ['uptime check 1 "c"', 'c'],
    ['SSL check 10 "https://example.com"', 'c'],
    ['SSL check 12 "http://plain.example.com"', null],
    ['SSL check 11 "https://other.example.com:8443/x"', 'certificate-of-other.example.com-8443'],
  ]);
});

test.each([
  [['7'], ['7'], 'imported'],
  [['7'], [], 'imported'],
  [['7'], ['7', '8'], 'changed'],
])('a monitor of the contact groups %j, and its SSL check of %j', (groups, own, outcome) => {
  const { report } = check(
    { contact_groups: groups },
    ssl('10', 'https://example.com', { contact_groups: own }),
  );
  expect(report.find(({ source }) => source.startsWith('SSL check'))).toMatchObject({ outcome });
});

test('of two SSL checks of an address, both are there', () => {
  const { monitors } = check(
    { website_url: 'https://example.com' },
    ssl('10', 'https://example.com', { paused: true }),
    ssl('11', 'https://example.com/x'),
  );
  expect(monitors).toMatchObject([
    { key: 'c', ssl_expiry_threshold: 30 },
    { key: 'certificate-of-example.com', is_paused: true },
  ]);
});

test('contact groups are notified by mail', () => {
  const { document } = read(
    JSON.stringify({
      data: [{ id: '1', name: 'job', period: 60, contact_groups: ['7', '8'], test: 1 }],
    }) +
      JSON.stringify({
        data: [
          { id: '7', name: 'Ops', email_addresses: ['a@example.com', 'no'] },
          { id: '8', name: 'None', email_addresses: [] },
        ],
      }),
  );
  expect(document.alert_channels).toMatchObject([
    { key: 'ops', settings: { addresses: ['a@example.com'] } },
  ]);
  expect(document.alert_routes).toMatchObject([{ monitors: ['job'], channels: ['ops'] }]);
});

test('maintenance, page speed and missing pages', () => {
  const window = {
    start_at: '2029-12-01T02:00:00+00:00',
    end_at: '2029-12-01T04:00:00+00:00',
    timezone: 'Europe/Paris',
    tests: ['1'],
    tags: [],
  };
  const windows = [
    { id: '5', name: 'Nightly', repeat_interval: '1d', ...window },
    { id: '6', name: 'Monthly', repeat_interval: '1m', ...window, tests: [], tags: ['shop'] },
    { id: '7', name: 'Over', repeat_interval: 'never', ...window },
    { id: '8', name: 'Of none', repeat_interval: '2w', ...window, tests: ['9'] },
  ];
  const { document, report } = read(
    JSON.stringify({
      data: [{ id: '1', test_type: 'PING', website_url: 'a.example.com', timeout: 5 }, ...windows],
      metadata: { page: 1, page_count: 2, total_count: 26 },
    }) + JSON.stringify({ id: '10', name: 'Home', alert_slower: 0 }),
  );
  expect(document.maintenance_windows).toMatchObject([
    {
      starts_at: '2030-01-02T02:00:00.000Z',
      ends_at: '2030-01-02T04:00:00.000Z',
      rrule: 'FREQ=DAILY',
      monitors: ['check'],
    },
    { rrule: 'FREQ=MONTHLY;BYMONTHDAY=1', tags: ['shop'] },
  ]);
  expect(
    report.filter(({ outcome }) => outcome === 'left_out').map(({ source }) => source),
  ).toEqual([
    'page speed check 10 "Home"',
    'maintenance window 7 "Over"',
    'maintenance window 8 "Of none"',
    'further pages of the answer',
  ]);
});

test('refuses what is no answer of StatusCake', () => {
  expect(() => read('{"message": "unauthorized"}')).toThrow(
    'uptime.json has no answer of StatusCake in it.',
  );
});

test('a window of more checks than one may name is for the whole team, whatever its tags', () => {
  const checks = Array.from({ length: 501 }, (_, index) => ({
    id: `${index}`,
    test_type: 'PING',
    website_url: 'a.example.com',
    timeout: 5,
  }));
  const window = {
    id: '900',
    start_at: '2029-12-01T02:00:00+00:00',
    end_at: '2029-12-01T04:00:00+00:00',
    repeat_interval: '1d',
    tests: checks.map(({ id }) => id),
    tags: ['shop'],
  };
  const { document, report } = read(JSON.stringify({ data: [...checks, window] }));
  const [whole] = document.maintenance_windows!;
  expect([whole!['monitors'], whole!['tags']]).toEqual([undefined, undefined]);
  expect(report.at(-1)!.notes.join(' ')).toContain('all monitors of the team');
});
