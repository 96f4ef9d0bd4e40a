import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService, withFolder } from './process.ts';
import { percentile, report } from './report.ts';
import { startTarget } from './target.ts';

const MONITORS = 50;
const INTERVAL_MS = 30_000;
const RECHECK_MS = 10_000;
/** A check of a local target and the batching of rounds take milliseconds; two checks are allowed one second. */
const CHECKS_MS = 1_000;

/** From the incident to its webhook. */
const WEBHOOK_MS = 1_000;

/**
 * Time from the failure of a target until its incident is readable and its webhook received, for fifty monitors with
 * one target and one endpoint.
 */
export async function run(): Promise<void> {
  await withFolder(async (folder) => {
    const target = await startTarget();
    const service = await startService(folder, {
      RATE_LIMITS: 'off',
      ALLOW_HTTP_WEBHOOKS: 'true',
    });
    const hook = await startHook();
    await mustCreate(service, '/api/v1/webhook-endpoints', { name: 'Hook', url: hook.url });
    for (let count = 0; count < MONITORS; count++) {
      await mustCreate(service, '/api/v1/monitors', {
        url: `http://127.0.0.1:${target.port}/`,
        check_interval: 0.5,
      });
    }
    await pause(INTERVAL_MS + 5_000);
    await target.setBroken(true);
    const brokeAt = Date.now();
    const foundAt = new Map<number, number>();
    while (foundAt.size < MONITORS && Date.now() - brokeAt < 120_000) {
      const answer = await service.get('/api/v1/incidents?status=open&per_page=100');
      const { data } = (await answer.json()) as {
        data: { monitor_id: number; started_at: string }[];
      };
      for (const incident of data) {
        if (!foundAt.has(incident.monitor_id))
          foundAt.set(incident.monitor_id, Date.now() - brokeAt);
      }
      await pause(50);
    }
    await pause(2_000);
    const delays = await delaysOf(service, hook.receivedAt);
    await service.stop();
    hook.stop();
    target.stop();
    const times = [...foundAt.values()];
    const bound = INTERVAL_MS + RECHECK_MS + CHECKS_MS;
    report('detect, interval 30 s', [
      {
        name: 'incidents',
        value: times.length,
        target: String(MONITORS),
        reached: times.length === MONITORS,
      },
      { name: 'median', value: percentile(times, 0.5) / 1000, unit: 's' },
      {
        name: 'slowest',
        value: Math.max(...times) / 1000,
        unit: 's',
        target: `≤ ${bound / 1000} (interval + 10 s + two checks)`,
        reached: Math.max(...times) <= bound,
      },
      {
        name: 'webhooks',
        value: delays.length,
        target: String(MONITORS),
        reached: delays.length === MONITORS,
      },
      { name: 'incident to webhook, median', value: percentile(delays, 0.5) / 1000, unit: 's' },
      {
        name: 'incident to webhook, slowest',
        value: Math.max(...delays) / 1000,
        unit: 's',
        target: `≤ ${WEBHOOK_MS / 1000}`,
        reached: Math.max(...delays) <= WEBHOOK_MS,
      },
    ]);
  });
}

type Service = Awaited<ReturnType<typeof startService>>;

async function mustCreate(service: Service, path: string, body: object): Promise<void> {
  const created = await service.post(path, body);
  if (created.status !== 201) throw new Error(await created.text());
}

/** Records when the event of each incident arrived. */
async function startHook() {
  const receivedAt = new Map<number, number>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { event, incident } = JSON.parse(text) as {
        event: string;
        incident: { id: number } | null;
      };
      if (event === 'monitor.down' && incident) receivedAt.set(incident.id, Date.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, receivedAt, stop: () => server.close() };
}

/** Milliseconds from storing each incident to the arrival of its webhook. */
async function delaysOf(service: Service, receivedAt: ReadonlyMap<number, number>) {
  const answer = await service.get('/api/v1/incidents?per_page=100');
  const { data } = (await answer.json()) as { data: { id: number; created_at: string }[] };
  return data.flatMap(({ id, created_at: storedAt }) => {
    const at = receivedAt.get(id);
    return at === undefined ? [] : [at - Date.parse(storedAt)];
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
