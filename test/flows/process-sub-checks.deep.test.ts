import { expect, test, vi } from 'vitest';
import {
  createMonitor,
  lookAt,
  monitorOf,
  untilAll,
  useServices,
  type Json,
  type Service,
  type ShownIncident,
} from '../support/service.ts';
import { startSite } from '../support/site.ts';

vi.setConfig({ testTimeout: 180_000 });

const services = useServices();

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
