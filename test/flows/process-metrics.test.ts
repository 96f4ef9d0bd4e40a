import { spawnSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { METRICS, MONITOR_METRICS } from '../../src/lib/metric-table.ts';
import { parseExposition } from '../support/exposition.ts';
import { PATIENTLY, useServices, type Service } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 90_000 });

const services = useServices();

/** Metrics of probes that are reached over NATS, which a process without NATS_URL does not have. */
const OF_NATS = /^tocsin_(nats_|region_(probes|checks|slots))/;
const withoutNats = Object.keys(METRICS).filter((name) => !OF_NATS.test(name));

const HAS_PROMTOOL = spawnSync('promtool', ['--version']).status === 0;

/** What promtool says of a text. Its parser is the one of Prometheus; ours judges where it is not installed. */
function promtool(text: string) {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text });
  return { status, problems: String(stderr) };
}

const TOKEN = 'a-token-of-prometheus-0123456789-abcdef';

async function scrape(service: Service, path: string) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(service.url + path, { headers });
  expect(response.status).toBe(200);
  const text = await response.text();
  if (HAS_PROMTOOL) expect(promtool(text)).toEqual({ status: 0, problems: '' });
  return parseExposition(text);
}

const linesOf = ({ stdout }: Service) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a server logs what happened, and its metrics are those that are documented [39.37, 39.58]', async () => {
  const target = services.use(await startTarget());
  const service = await services.start({
    DATA_DIR: await services.folder(),
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    METRICS_TOKEN: TOKEN,
    LOG_LEVEL: 'debug',
  });
  expect((await fetch(`${service.url}/metrics`)).status).toBe(401);
  const job = { monitor_type: 'heartbeat', friendly_name: 'Backup', heartbeat_interval: 600 };
  const { body: made } = await service.post<{ id: number; ping_url: string }>(
    '/api/v1/monitors',
    job,
  );
  const web = { monitor_type: 'port', url: '127.0.0.1', port: target.port, check_interval: 0.5 };
  const { body: port } = await service.post<{ id: number }>('/api/v1/monitors', web);
  await fetch(`${made.ping_url}/fail`);
  await fetch(made.ping_url);
  const checked = async () => (await scrape(service, '/metrics/monitors')).get('probe_success')!;
  await expect.poll(async () => (await checked()).samples.length, PATIENTLY).toBe(4);

  const families = await scrape(service, '/metrics');
  const own = [...families].filter(([name]) => !/^(process|nodejs)_/.test(name));
  expect(own.map(([name]) => name).toSorted()).toEqual(withoutNats.toSorted());
  for (const [name, { type, help, samples }] of own) {
    const { labels, ...documented } = METRICS[name as keyof typeof METRICS];
    expect({ type, help }, name).toEqual(documented);
    for (const sample of samples) {
      const given = Object.keys(sample.labels).filter((label) => label !== 'le');
      expect(given.toSorted(), name).toEqual([...labels].toSorted());
    }
  }
  const monitors = await scrape(service, '/metrics/monitors');
  expect([...monitors.keys()]).toEqual(Object.keys(MONITOR_METRICS));
  expect(monitors.get('tocsin_monitor_up')!.samples).toMatchObject([
    { labels: { monitor_id: String(made.id), host: '' }, value: 1 },
    { labels: { monitor_id: String(port.id), host: '127.0.0.1' }, value: 1 },
  ]);

  await service.stop();
  const lines = linesOf(service);
  const said = (msg: string) => lines.filter((line) => line['msg'] === msg);
  const incident = { monitor_id: made.id, type: 'heartbeat', severity: 'critical' };
  expect(said('An incident was opened.')).toMatchObject([incident]);
  expect(said('An incident ended.')).toMatchObject([{ ...incident, reason: 'recovered' }]);
  expect(said('Tocsin started.')).toMatchObject([
    { database: 'sqlite', monitors: 0, monitor_metrics: true, migrations: expect.any(Array) },
  ]);
  expect(said('Tocsin has stopped.')).toMatchObject([
    { incidents_opened: 1, incidents_ended: 1, pings: 2, checks: expect.any(Number) },
  ]);
  expect(said('A request was answered.')).toContainEqual(
    expect.objectContaining({ method: 'POST', route: '/api/v1/monitors', status: 201 }),
  );
  const secret = new URL(made.ping_url).pathname.split('/').at(-1)!;
  for (const text of [secret, TOKEN]) expect(service.stdout).not.toContain(text);
});
