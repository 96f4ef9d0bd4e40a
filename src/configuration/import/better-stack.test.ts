import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { betterStack } from './better-stack.ts';

const NOW = Date.UTC(2030, 0, 2, 12);

const read = (text: string) => betterStack.read({ file: 'monitors.json', text, now: NOW });

const resource = (type: string, id: number, attributes: object) => ({
  id: String(id),
  type,
  attributes,
});
const answer = (...data: object[]) => JSON.stringify({ data, pagination: { next: null } });

/** The monitors of one of theirs, and the sentences on it. */
function monitor(attributes: object, type = 'monitor') {
  const { document, report } = read(
    answer(resource(type, 1, { check_frequency: 60, ...attributes })),
  );
  return {
    monitors: document.monitors ?? [],
    notes: report.flatMap(({ notes }) => notes),
    outcome: report[0]!.outcome,
  };
}

const SITE = 'https://example.com';

test.each([
  [
    { monitor_type: 'status', url: SITE },
    { monitor_type: 'http', accepted_status_codes: ['2xx'] },
    '',
  ],
  [{ monitor_type: 'status', url: 'example.com' }, { url: 'https://example.com' }, 'had no scheme'],
  [
    { monitor_type: 'expected_status_code', url: SITE, expected_status_codes: [404, 410, 999] },
    { accepted_status_codes: ['404', '410'] },
    'status code "999"',
  ],
  [
    { monitor_type: 'keyword_absence', url: SITE, required_keyword: 'Oops' },
    { keyword_settings: { keywords: [{ phrase: 'Oops', mode: 'must_not_contain' }] } },
    '',
  ],
  [
    { monitor_type: 'ping', url: 'router.example.com', request_timeout: 3000 },
    { monitor_type: 'ping', request_timeout: 3 },
    '',
  ],
  [
    { monitor_type: 'tcp', url: 'db.example.com', port: '5432' },
    { monitor_type: 'port', port: 5432 },
    '',
  ],
  [
    { monitor_type: 'dns', url: '9.9.9.9', request_body: 'example.com' },
    { monitor_type: 'port', port: 53 },
    'DNS server',
  ],
  [
    { monitor_type: 'status', url: SITE, http_method: 'head', verify_ssl: false },
    { http_method: 'HEAD', verify_ssl: false },
    '',
  ],
  [
    { monitor_type: 'status', url: SITE, ssl_expiration: 7, domain_expiration: -1 },
    { check_types: ['ssl'], ssl_expiry_threshold: 7 },
    '',
  ],
  [
    { monitor_type: 'status', url: SITE, auth_username: 'ann', auth_password: 'p' },
    { auth_type: 'basic' },
    '',
  ],
  [
    { monitor_type: 'status', url: SITE, auth_username: 'ann', auth_password: null },
    { url: SITE },
    'without its user name',
  ],
  [
    { monitor_type: 'status', url: SITE, confirmation_period: 90, recovery_period: 30 },
    { failure_threshold: 6, recovery_threshold: 3 },
    'Its confirmation_period of 1.5 min is counted in rounds: 6, of which the last is 90 s after the first.',
  ],
  [
    { monitor_type: 'status', url: SITE, paused_at: '2026-01-01T00:00:00Z' },
    { is_paused: true },
    '',
  ],
  [{ monitor_type: 'status', url: SITE, proxy_host: 'p' }, { url: SITE }, 'through a proxy'],
  [{ monitor_type: 'status', url: SITE, ip_version: 'ipv6' }, { url: SITE }, 'any version of IP'],
  [{ url: SITE, regions: ['us', 'eu'] }, { url: SITE }, 'checked from all regions'],
  [{ url: SITE, regions: ['us', 'eu', 'as', 'au'] }, { url: SITE }, ''],
  [{ url: SITE, monitor_group_id: 7 }, { url: SITE }, 'The file has not all groups'],
  [{ url: SITE, policy_id: null, email: true }, { url: SITE }, 'Who is notified'],
  [{ url: SITE, check_frequency: 5 }, { check_interval: 0.5 }, 'that is the limit'],
])('%j', (attributes, settings, sentence) => {
  const { monitors, notes } = monitor(attributes);
  expect(monitors).toEqual([expect.objectContaining(settings)]);
  expect(notes.join(' ')).toContain(sentence);
  expect(notes.length > 0).toBe(sentence !== '');
});

test.each([
  [{ monitor_type: 'playwright', scenario_name: 'Checkout' }, 'Tocsin runs no browser.'],
  [{ monitor_type: 'udp', url: 'example.com', port: '123' }, 'Tocsin does not check "udp".'],
  [{ monitor_type: 'tcp', url: 'example.com' }, 'Tocsin needs its port'],
  [{ monitor_type: 'status', url: 'ftp://example.com' }, 'Its url is not one that Tocsin checks.'],
])('%j is left out', (attributes, sentence) => {
  const { outcome, notes } = monitor(attributes);
  expect([outcome, notes[0]]).toEqual(['left_out', expect.stringContaining(sentence)]);
});

test('a mail server is a monitor a port', () => {
  const { monitors } = monitor({
    monitor_type: 'imap',
    url: 'mail.example.com',
    port: '143,993',
    pronounceable_name: 'Mail',
  });
  expect(monitors.map(({ friendly_name, port }) => [friendly_name, port])).toEqual([
    ['Mail 143', 143],
    ['Mail 993', 993],
  ]);
});

test.each([
  [
    'https://uptime.betterstack.com/api/v1/heartbeat/abcd1234abcd1234abcd1234',
    ['/api/v1/heartbeat/abcd1234abcd1234abcd1234'],
    [],
  ],
  ['https://elsewhere.example.com/x', undefined, ['Its job must call the new ping URL instead.']],
])('a heartbeat at %s', (url, aliases, said) => {
  const { monitors, notes } = monitor(
    { url, name: 'Backup', period: 10, grace: 7200 },
    'heartbeat',
  );
  expect(monitors[0]).toMatchObject({
    monitor_type: 'heartbeat',
    heartbeat_interval: 30,
    heartbeat_grace: 7200,
  });
  expect(monitors[0]!['ping_aliases']).toEqual(aliases);
  expect(notes).toEqual(expect.arrayContaining(said));
});

test('daily maintenance of several monitors is one window', () => {
  const daily = {
    monitor_type: 'status',
    maintenance_from: '23:00:00',
    maintenance_to: '01:00:00',
    maintenance_timezone: 'Tokyo',
  };
  const monitors = [1, 2].map((id) =>
    resource('monitor', id, { ...daily, url: `https://${id}.example.com` }),
  );
  const other = resource('monitor', 3, {
    ...daily,
    url: 'https://3.example.com',
    maintenance_timezone: 'Atlantis',
  });
  const { document, report } = read(answer(...monitors, other));
  expect(document.maintenance_windows).toMatchObject([
    {
      starts_at: '2030-01-02T14:00:00.000Z',
      ends_at: '2030-01-02T16:00:00.000Z',
      timezone: 'Asia/Tokyo',
      monitors: ['1.example.com', '2.example.com'],
    },
    { timezone: 'UTC', monitors: ['3.example.com'] },
  ]);
  expect(report.at(-1)!.notes).toEqual(['Its times are in UTC: "Atlantis" is no known time zone.']);
});

test('status pages show their resources in order, under the headings of their sections', () => {
  const text = readFileSync(new URL('./fixtures/better-stack.txt', import.meta.url), 'utf8');
  const { document } = read(text);
  expect(document.status_pages).toEqual([
    {
      key: 'example-shop',
      name: 'Example Shop',
      slug: 'example-shop',
      custom_domain: 'status.example.com',
      timezone: 'America/New_York',
      monitors: [
        { id: 'shop-sign-in', label: 'Sign-in', display: 'response_time' },
        { id: 'nightly-backup', label: 'Jobs' },
      ],
      groups: [
        { name: 'Shop', monitors: ['shop-sign-in'] },
        { name: 'Jobs', monitors: ['nightly-backup'] },
      ],
    },
  ]);
});

test('two pages share no address, and a service stands under its first heading', () => {
  const page = (id: number) =>
    resource('status_page', id, {
      company_name: `P${id}`,
      subdomain: 'ours',
      custom_domain: 'a.de',
    });
  const section = (id: number) =>
    resource('status_page_section', id, { status_page_id: 1, name: `S${id}`, position: id });
  const shown = (id: number) =>
    resource('status_page_resource', id, {
      status_page_section_id: id,
      resource_type: 'Monitor',
      resource_id: 1,
    });
  const { document } = read(
    answer(
      resource('monitor', 1, { url: SITE }),
      page(1),
      page(2),
      section(1),
      section(2),
      shown(1),
      shown(2),
    ),
  );
  expect(document.status_pages).toMatchObject([
    {
      slug: 'ours',
      custom_domain: 'a.de',
      monitors: [{ id: 'example.com' }],
      groups: [{ name: 'S1', monitors: ['example.com'] }],
    },
    { monitors: [], groups: [] },
  ]);
  expect(document.status_pages![1]).not.toHaveProperty('slug');
  expect(document.status_pages![1]).not.toHaveProperty('custom_domain');
});

test.each([
  [{ password_enabled: true }, { type: 'members' }, 'Its password is not in the file'],
  [
    { ip_allowlist: ['192.0.2.0/24 # office', '# home', 'no address'] },
    { type: 'addresses', addresses: ['192.0.2.0/24'] },
    'Not all addresses',
  ],
  [{}, undefined, 'Nothing stands on it'],
])('access of a page with %j', (attributes, access, sentence) => {
  const { document, report } = read(
    answer(resource('status_page', 1, { company_name: 'Ours', ...attributes })),
  );
  expect(document.status_pages![0]!['access']).toEqual(access);
  expect(report[0]!.notes.join(' ')).toContain(sentence);
});

test('what two pages of a list have in common counts once', () => {
  const page = answer(resource('monitor', 1, { url: SITE, monitor_type: 'status' }));
  expect(read(page + page).document.monitors).toHaveLength(1);
});

test('a group without a monitor is left out', () => {
  const { report } = read(answer(resource('monitor_group', 7, { name: 'Old' })));
  expect(report).toMatchObject([{ source: 'monitor group 7 "Old"', outcome: 'left_out' }]);
});

const LIST = 'https://uptime.betterstack.com/api/v2/monitors?page=';
const page = (id: number, next: string | null) => ({
  data: [resource('monitor', id, { url: SITE })],
  pagination: { first: `${LIST}1`, last: `${LIST}2`, next },
});

test.each([
  [[page(1, `${LIST}2`)], 1],
  [[page(1, `${LIST}2`), page(2, null)], 0],
  [[[resource('monitor', 1, { url: SITE })]], 0],
  [resource('monitor', 1, { url: SITE }), 0],
])('of a list in %j, as many pages are missing', (content, count) => {
  const { document, report } = read(JSON.stringify(content));
  expect(document.monitors).toHaveLength(Array.isArray(content) ? content.length : 1);
  expect(report.filter(({ source }) => source.startsWith('further pages'))).toHaveLength(count);
});

test.each([
  ['', 'monitors.json is empty.', null, null],
  ['{"data": []}', 'has no answer of Better Stack in it', 1, 1],
  ['[1, 2]', 'has no answer of Better Stack in it', 1, 1],
  ['{"data": []}\n{"data": [}', 'is no JSON from here on', 2, 11],
  ['{"data": [', 'ends too early', 1, 11],
])('refuses %j', (text, message, line, column) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ name: 'ImportError', line, column }) as Error,
  );
  expect(() => read(text)).toThrow(message);
});
