import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeAuthority, makeCertificate } from '../support/certificate-maker.ts';
import {
  createMonitor,
  lookAt,
  monitorOf,
  PATIENTLY,
  untilAll,
  untilCounted,
  useServices,
  type Json,
  type Service,
  type ShownIncident,
} from '../support/service.ts';
import { startSite } from '../support/site.ts';

vi.setConfig({ testTimeout: 180_000 });

const services = useServices();

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** No answer of the API, no evidence and no line of the log may hold one of these. */
const SECRETS = {
  key: 'key-of-the-shop-4711',
  cookie: 'session-of-the-shop-0815',
  user: 'watchman-of-the-shop',
  password: 'sesame-of-the-shop',
};

const start = async (environment = {}): Promise<Service> =>
  services.start({
    DATA_DIR: await services.folder(),
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,::1/128',
    LOG_LEVEL: 'debug',
    ...environment,
  });

interface ShownWhole extends ShownIncident {
  evidence: Json[];
  activities: { type: string; description: string }[];
}

/** The only incident of a monitor, whole. */
async function incidentOf(service: Service, id: number): Promise<ShownWhole> {
  const { incidents } = await monitorOf(service, id);
  expect(incidents).toHaveLength(1);
  const { body } = await service.get<ShownWhole>(`/api/v1/incidents/${incidents[0]!.id}`);
  return body;
}

function expectNoSecrets(text: string): void {
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
}

/** Everything that is listed under the monitor. */
async function listed(service: Service, id: number, noun: string): Promise<Json[]> {
  const { status, body } = await service.get<{ data: Json[] }>(`/api/v1/monitors/${id}/${noun}`);
  expect(status).toBe(200);
  return body.data;
}

const CONTENTS = [
  {
    name: 'a phrase',
    type: 'keyword',
    fields: { keyword_settings: { keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] } },
    outcome: 'keyword',
    good: '<p>Welcome back</p>',
    // A page for debugging, that shows what it was sent.
    bad: '<p>Out of order</p> {x-api-key} {cookie}',
    cause: 'Keyword "Welcome" is missing',
  },
  {
    name: 'a JSON value',
    type: 'json_assertion',
    fields: {
      json_assertion_settings: {
        assertions: [
          { path: 'jobs.0.state', operator: 'equals', value: 'done' },
          { path: 'jobs.0.took', operator: 'lt', value: 10 },
        ],
      },
    },
    outcome: 'json',
    good: '{"jobs": [{"state": "done", "took": "7.5"}]}',
    bad: '{"jobs": [{"state": "failed", "took": 12}], "sent": ["{x-api-key}", "{cookie}"]}',
    cause: 'JSON jobs.0.state is "failed", expected "done" (and 1 more)',
  },
];

test.each(CONTENTS)(
  '$name that is not as it should be is told, without secrets [19.7]',
  async (each) => {
    const { type, fields, good, bad, cause } = each;
    const site = services.use(await startSite());
    const service = await start();
    const begunAt = Date.now();
    site.show('/page', good);
    const id = await createMonitor(service, {
      url: site.url('/page'),
      request_headers: { 'X-Api-Key': SECRETS.key, Cookie: `sid=${SECRETS.cookie}` },
      ...fields,
    });
    await untilAll(service, [id], 'online');
    const before = await lookAt(service, id);
    expect(before.body[each.outcome]).toMatchObject({ passed: true, failures: [] });

    site.show('/page', bad);
    await untilAll(service, [id], 'offline');
    const incident = await incidentOf(service, id);
    expect(incident).toMatchObject({
      type,
      severity: 'critical',
      status: 'open',
      root_cause: cause,
    });
    expect(Date.parse(incident.started_at)).toBeGreaterThanOrEqual(begunAt);
    expect(incident.evidence).toHaveLength(4);
    for (const evidence of incident.evidence) {
      expect(evidence).toMatchObject({ status_code: 200, status_line: 'HTTP/1.1 200 OK' });
      expect(evidence['body']).toContain(bad.slice(0, 12));
      expect(evidence['body']).toContain('[removed]');
    }
    expectNoSecrets(JSON.stringify(incident));
    const now = await lookAt(service, id);
    expect(now.body).toMatchObject({ uptime: { is_up: true }, [each.outcome]: { passed: false } });

    site.show('/page', good);
    await untilAll(service, [id], 'online');
    expect(await incidentOf(service, id)).toMatchObject({ id: incident.id, status: 'resolved' });
    await service.stop();
    expectNoSecrets(service.stdout + service.stderr);
  },
);

test('a page behind digest authentication is reached, and its password is shown nowhere [16.15]', async () => {
  const site = services.use(await startSite());
  const service = await start();
  const { user: username, password } = SECRETS;
  site.show('/safe', 'Inside. {authorization}', { only: { username, password } });
  const id = await createMonitor(service, {
    url: site.url('/safe'),
    auth_type: 'digest',
    auth_username: username,
    auth_password: password,
    keyword_settings: { keywords: [{ phrase: 'Inside', mode: 'must_contain' }] },
  });
  await untilAll(service, [id], 'online');
  const { body } = await lookAt(service, id);
  expect(body).toMatchObject({ uptime: { status_code: 200 }, keyword: { passed: true } });

  site.show('/safe', 'Outside. {authorization}', { only: { username, password: 'another one' } });
  await untilAll(service, [id], 'offline');
  const incident = await incidentOf(service, id);
  expect(incident).toMatchObject({ type: 'uptime', root_cause: 'HTTP 401 Unauthorized' });
  expect(incident.evidence[0]!['body']).toContain('Outside.');
  expectNoSecrets(JSON.stringify(incident));
  await service.stop();
  expectNoSecrets(service.stdout + service.stderr);
});

test('a certificate near its end is a warning beside a page that is up, until it is renewed [23.5]', async () => {
  const authority = makeAuthority('An authority of the test');
  const lasting = (milliseconds: number) =>
    makeCertificate({
      names: ['localhost'],
      issuer: authority,
      validTo: Date.now() + milliseconds,
    });
  const old = lasting(5 * DAY_MS + HOUR_MS);
  const site = services.use(await startSite(old));
  site.show('/', 'Welcome');
  const file = join(await services.folder(), 'authority.pem');
  await writeFile(file, authority.pem);
  const service = await start({ NODE_EXTRA_CA_CERTS: file });
  const id = await createMonitor(service, {
    url: site.url('/', 'localhost'),
    check_types: ['ssl', 'dns', 'domain'],
    keyword_settings: { keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] },
  });
  await untilAll(service, [id], 'online');
  // A minute for the recheck: nothing shortens it.
  const status = async () => (await service.get<Json>(`/api/v1/monitors/${id}`)).body['status'];
  await expect.poll(status, { ...PATIENTLY, timeout: 300_000 }).toBe('degraded');
  const ends = new Date(old.validTo).toISOString();
  const cause = `TLS certificate expires in 5 days, on ${ends.slice(0, 10)}`;
  const incident = await incidentOf(service, id);
  expect(incident).toMatchObject({ type: 'ssl', severity: 'warning', root_cause: cause });
  expect(incident.evidence).toMatchObject([{ region: null, tls: { valid_to: ends } }]);

  const look = await lookAt(service, id);
  expect(look.body).toMatchObject({
    uptime: { is_up: true, status_code: 200, error: null },
    ssl: { valid: true, expires_at: ends, days_until_expiry: 5, error: cause },
    keyword: { passed: true, failures: [] },
    dns: { ok: true, records: { A: ['127.0.0.1'] } },
    domain: null,
    not_run: { domain: expect.stringContaining('localhost') },
  });
  expect(await listed(service, id, 'certificates')).toMatchObject([
    { fingerprint: old.fingerprint, issuer: 'An authority of the test', error: null },
  ]);
  await expect
    .poll(() => listed(service, id, 'dns'), PATIENTLY)
    .toMatchObject([{ host: 'localhost' }]);

  const renewed = lasting(90 * DAY_MS);
  site.renew(renewed);
  await untilCounted(service, id, Date.now());
  await untilAll(service, [id], 'online');
  const ended = await incidentOf(service, id);
  expect(ended.activities.map((one) => one.type)).toEqual(['opened', 'target_changed', 'resolved']);
  const certificates = await listed(service, id, 'certificates');
  expect(certificates.map((one) => one['fingerprint'])).toEqual([
    renewed.fingerprint,
    old.fingerprint,
  ]);
  expect(await listed(service, id, 'activities')).toMatchObject([{ type: 'certificate_changed' }]);
  await service.stop();
});

test('check-url tells which regions reach an address, and stores nothing', async () => {
  const site = services.use(await startSite());
  site.show('/', 'Welcome');
  const service = await start();
  const ask = async (url: string) =>
    (await service.get(`/api/v1/check-url?timeout_seconds=5&url=${encodeURIComponent(url)}`)).body;
  const up = { verdict: 'up', reachable_regions: 4, total_regions: 4 };
  expect(await ask(site.url())).toMatchObject(up);
  expect(await ask(site.url('/nothing'))).toMatchObject({
    verdict: 'down',
    results: Array.from({ length: 4 }, () => ({ status: 'offline', status_code: 404 })),
  });
  const { port } = site;
  await site.close();
  const gone = await ask(`http://127.0.0.1:${port}/`);
  expect(gone).toMatchObject({ verdict: 'down', reachable_regions: 0 });
  expect(JSON.stringify(gone['results'])).toContain('Connection refused');
  const { body } = await service.get('/api/v1/monitors');
  expect(body).toMatchObject({ data: [], total: 0 });
  await service.stop();
});
