import { expect, test } from 'vitest';
import { blackbox } from './blackbox.ts';

const read = (text: string) => blackbox.read({ file: 'prometheus.yml', text, now: 0 });

const THROUGH = [
  { source_labels: ['__address__'], target_label: '__param_target' },
  { target_label: '__address__', replacement: 'exporter:9115' },
];

/** The monitors of a job, and the sentences on them. */
function job(given: object, modules: object = {}) {
  const scrape = { job_name: 'j', relabel_configs: THROUGH, ...given };
  const { document, report } = read(JSON.stringify({ scrape_configs: [scrape], modules }));
  return { monitors: document.monitors ?? [], report, notes: report.flatMap(({ notes }) => notes) };
}

const of = (module: string, target: string) => ({
  params: { module: [module] },
  static_configs: [{ targets: [target] }],
});

test.each([
  [
    'http_2xx',
    'https://example.com',
    { monitor_type: 'http', accepted_status_codes: ['2xx'], check_interval: 1 },
    '',
  ],
  ['http_2xx', 'example.com:8080/x', { url: 'http://example.com:8080/x' }, ''],
  ['http_post_2xx', 'https://example.com', { http_method: 'POST' }, ''],
  ['icmp', 'router.example.com', { monitor_type: 'ping', url: 'router.example.com' }, ''],
  ['icmp_ipv4', '192.0.2.1', { monitor_type: 'ping' }, 'ALLOW_PRIVATE_TARGETS'],
  [
    'tcp_connect',
    'db.example.com:5432',
    { monitor_type: 'port', url: 'db.example.com', port: 5432 },
    '',
  ],
  [
    'tcp_connect',
    '[2001:4860:4860::8888]:53',
    { monitor_type: 'port', url: '2001:4860:4860::8888', port: 53 },
    '',
  ],
  ['ssh_banner', 'host.example.com:22', { monitor_type: 'port', port: 22 }, ''],
  ['dns_udp', 'ns.example.com', { monitor_type: 'port', port: 53 }, 'DNS server'],
  ['grpc_plain', 'rpc.example.com:50051', { monitor_type: 'port', port: 50051 }, 'gRPC'],
])('%s of %s', (module, target, settings, sentence) => {
  const { monitors, notes } = job(of(module, target));
  expect(monitors).toEqual([expect.objectContaining(settings)]);
  expect(notes.join(' ')).toContain(sentence);
  expect(notes.length > 0).toBe(sentence !== '');
});

test.each([
  ['tcp_connect', 'db.example.com', 'Tocsin needs its port'],
  ['http_2xx', 'https://a..b', 'Its target is no address'],
  ['if_mib', '192.0.2.1', 'Its module "if_mib" is not known'],
])('%s of %s is left out', (module, target, sentence) => {
  expect(job(of(module, target)).report[0]).toMatchObject({
    outcome: 'left_out',
    notes: [expect.stringContaining(sentence)],
  });
});

const http = (settings: object) => ({ m: { prober: 'http', timeout: '7s', http: settings } });

test.each([
  [
    { valid_status_codes: [200, 301] },
    { accepted_status_codes: ['200', '301'], request_timeout: 7 },
    '',
  ],
  [
    { method: 'POST', body: 'x', headers: { Accept: 'text/html' } },
    { http_method: 'POST', request_body: 'x', request_headers: { Accept: 'text/html' } },
    '',
  ],
  [
    { http_headers: { 'X-Token': { secrets: ['s'] } } },
    { request_headers: { 'X-Token': { from: 'import', value: 's' } } },
    '',
  ],
  [
    { follow_redirects: false, tls_config: { insecure_skip_verify: true } },
    { follow_redirects: false, verify_ssl: false },
    '',
  ],
  [{ basic_auth: { username: 'ann', password: 'p' } }, { auth_type: 'basic' }, ''],
  [{ basic_auth: { username: 'ann', password_file: '/p' } }, {}, 'which is in a file'],
  [
    { authorization: { credentials: 't' } },
    { auth_type: 'bearer', auth_password: { from: 'import', value: 't' } },
    '',
  ],
  [
    { fail_if_body_matches_regexp: ['.*Oops\\!'] },
    {
      keyword_settings: {
        keywords: [{ phrase: 'Oops!', mode: 'must_not_contain', case_sensitive: true }],
      },
    },
    '',
  ],
  [
    { fail_if_body_not_matches_regexp: '(?i)hello' },
    {
      keyword_settings: {
        keywords: [{ phrase: 'hello', mode: 'must_contain', case_sensitive: false }],
      },
    },
    '',
  ],
  [{ fail_if_body_matches_regexp: ['a+'] }, {}, 'no patterns'],
  [
    { fail_if_header_matches: [{ header: 'a', regexp: 'b' }] },
    {},
    'Tocsin does not check its headers.',
  ],
  [{ fail_if_ssl: true }, {}, 'not encrypted'],
  [{ fail_if_not_ssl: true }, {}, ''],
  [{ proxy_url: 'http://p', enable_http3: true }, {}, 'through a proxy'],
])('a module with %j', (settings, fields, sentence) => {
  const { monitors, notes } = job(of('m', 'https://example.com'), http(settings));
  expect(monitors[0]).toMatchObject(fields);
  expect(notes.join(' ')).toContain(sentence);
  expect(notes.length > 0).toBe(sentence !== '');
});

test('relabeling says what the target and the module are, and which targets are dropped', () => {
  const { monitors } = job({
    static_configs: [
      {
        targets: ['host.example.com:9100', 'other.example.com:9100'],
        labels: { probe: 'tcp_connect', site: 'A' },
      },
      { targets: ['gone.example.com:9100'], labels: { probe: 'icmp' } },
    ],
    relabel_configs: [
      { source_labels: ['probe', 'site'], separator: '-', regex: 'icmp-.*', action: 'drop' },
      { source_labels: ['probe'], target_label: '__param_module' },
      {
        source_labels: ['__address__'],
        regex: '([^:]*)(:.*)?',
        replacement: '${1}:22',
        target_label: '__param_target',
      },
      { source_labels: ['site'], target_label: 'instance', action: 'lowercase' },
      {
        source_labels: ['__address__'],
        regex: '(',
        target_label: '__param_target',
        replacement: 'never',
      },
    ],
  });
  expect(
    monitors.map(({ url, port, tags, friendly_name }) => [url, port, tags, friendly_name]),
  ).toEqual([
    ['host.example.com', 22, ['probe:tcp_connect', 'site:A'], 'a'],
    ['other.example.com', 22, ['probe:tcp_connect', 'site:A'], 'a'],
  ]);
});

test('relabeling that doubles a label ends', () => {
  const label = { source_labels: ['__address__'], target_label: 'instance' };
  const double = {
    source_labels: ['instance'],
    target_label: 'instance',
    replacement: '$1$1',
  };
  const { monitors } = job({
    ...of('tcp_connect', 'example.com:22'),
    relabel_configs: [label, ...THROUGH, ...Array.from({ length: 90 }, () => double)],
  });
  expect(monitors).toMatchObject([{ url: 'example.com', port: 22 }]);
  expect(monitors[0]!['friendly_name']).toMatch(/^example\.com:22example\.com:22/);
});

test('Probes of the operator, lists of jobs and files of targets are read, too', () => {
  const { document, report } = read(`
kind: Probe
metadata: { name: site }
spec: { module: http_2xx, interval: 2m, targets: { staticConfig: { static: [https://example.com], labels: { team: web } } } }
---
- job_name: ping
  params: { module: [icmp] }
  file_sd_configs: [{ files: [a.yml] }]
- job_name: discovered
  params: { module: [icmp] }
  consul_sd_configs: [{ server: c }]
- { job_name: node, static_configs: [{ targets: [a:9100] }] }
---
- { targets: [router.example.com], labels: { site: office } }`);
  expect(document.monitors).toMatchObject([
    { monitor_type: 'ping', url: 'router.example.com', tags: ['site:office'], group_id: 'ping' },
    { monitor_type: 'http', check_interval: 2, tags: ['team:web'], group_id: 'site' },
  ]);
  expect(
    report.filter(({ outcome }) => outcome === 'left_out').map(({ notes }) => notes[0]),
  ).toEqual([
    'Its targets of consul_sd_configs are not in the file: add their files, or write them into static_configs.',
    'It collects metrics, and probes nothing.',
  ]);
});

test.each([
  ['modules: {}', 'prometheus.yml has no scrape_configs with jobs.'],
  ['scrape_configs: 3', 'prometheus.yml has no scrape_configs with jobs.'],
  ['', 'prometheus.yml is empty.'],
])('refuses %j', (text, message) => {
  expect(() => read(text)).toThrow(message);
});
