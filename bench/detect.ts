import { setTimeout as pause } from 'node:timers/promises';
import { withFolder, withService, type Service } from './process.ts';
import { atMost, exactly, percentile, report } from './report.ts';
import { startTarget, type TargetServer } from './target.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

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
  const target = await startTarget();
  const hook = await startWebhookReceiver(0);
  await withFolder(async (dataDir) => {
    const environment = { ALLOW_HTTP_WEBHOOKS: 'true' };
    await withService({ dataDir, environment }, (service) => measure(service, target, hook));
  });
  hook.stop();
  target.stop();
}

async function measure(service: Service, target: TargetServer, hook: WebhookReceiver) {
  await service.create('/api/v1/webhook-endpoints', { name: 'Hook', url: hook.url });
  const url = `http://127.0.0.1:${target.port}/`;
  for (let count = 0; count < MONITORS; count++)
    await service.create('/api/v1/monitors', { url, check_interval: 0.5 });
  await pause(INTERVAL_MS + 5_000);
  await target.setBroken(true);
  const brokeAt = Date.now();
  const foundAt = new Map<number, number>();
  while (foundAt.size < MONITORS && Date.now() - brokeAt < 120_000) {
    const answer = await service.get('/api/v1/incidents?status=open&per_page=100');
    const { data } = (await answer.json()) as {
      data: { monitor_id: number; started_at: string }[];
    };
    for (const { monitor_id: id } of data)
      if (!foundAt.has(id)) foundAt.set(id, Date.now() - brokeAt);
    await pause(50);
  }
  await pause(2_000);
  const delays = await delaysOf(service, await hook.arrivals());
  const times = [...foundAt.values()];
  const bound = (INTERVAL_MS + RECHECK_MS + CHECKS_MS) / 1000;
  report('detect, interval 30 s', [
    exactly('incidents', times.length, MONITORS),
    { name: 'median', value: percentile(times, 0.5) / 1000, unit: 's' },
    {
      ...atMost('slowest', Math.max(...times) / 1000, bound, 's'),
      target: `≤ ${bound} (interval + 10 s + two checks)`,
    },
    exactly('webhooks', delays.length, MONITORS),
    { name: 'incident to webhook, median', value: percentile(delays, 0.5) / 1000, unit: 's' },
    atMost('incident to webhook, slowest', Math.max(...delays) / 1000, WEBHOOK_MS / 1000, 's'),
  ]);
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
