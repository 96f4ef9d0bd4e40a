import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { contract } from '../support/openapi.ts';
import { createMonitors, PATIENTLY, untilAll, useServices, type Json } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 120_000 });

const services = useServices();
const SECRET = `whsec_${Buffer.from('a secret of the process tests').toString('base64')}`;

interface Received {
  id: string;
  event: string;
  monitor: number;
}

/** An endpoint that answers, or takes requests and keeps them waiting. */
async function startReceiver() {
  const received: Received[] = [];
  const faults: string[] = [];
  const waiting: ServerResponse[] = [];
  let isHolding = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {}).on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers } = request;
      const text = Buffer.concat(chunks).toString();
      faults.push(...contract().webhookFaults({ headers, body: text }));
      const body = new Webhook(SECRET).verify(text, headers as Record<string, string>) as Json;
      const monitor = (body['monitor'] as { id: number }).id;
      received.push({ id: String(headers['webhook-id']), event: String(body['event']), monitor });
      if (isHolding) waiting.push(response);
      else response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    faults,
    waiting,
    hold: () => void (isHolding = true),
    goOn: () => void (isHolding = false),
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

test('killed while it sends, it tells every event at least once, in order, each under one id [29.30]', async () => {
  const MONITORS = 6;
  const target = services.use(await startTarget());
  const receiver = services.use(await startReceiver());
  const environment = {
    DATA_DIR: await services.folder(),
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    ALLOW_HTTP_WEBHOOKS: 'true',
  };
  let service = await services.start(environment);
  const endpoint = { name: 'Receiver', url: receiver.url, signing_secret: SECRET };
  const { status, body } = await service.post('/api/v1/webhook-endpoints', {
    ...endpoint,
    severities: ['critical', 'warning', 'info'],
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const ids = await createMonitors(service, MONITORS, (index) => ({
    url: target.url(`/${index}`),
  }));
  await untilAll(service, ids, 'online');

  receiver.hold();
  await target.fail();
  // It dies while one is on its way, and once more before that one was answered.
  for (const death of ['first', 'last']) {
    await expect.poll(() => receiver.waiting.splice(0).length, PATIENTLY).toBeGreaterThan(0);
    await service.kill();
    if (death === 'last') receiver.goOn();
    service = await services.start(environment);
  }
  await untilAll(service, ids, 'offline');
  await target.heal();
  await untilAll(service, ids, 'online');

  const told = (event: string) => () =>
    ids.filter((id) => receiver.received.some((one) => one.monitor === id && one.event === event));
  await expect.poll(told('monitor.down'), PATIENTLY).toEqual(ids);
  await expect.poll(told('monitor.up'), PATIENTLY).toEqual(ids);
  const waits = async () => {
    const path = `/api/v1/webhook-endpoints/${String(body['id'])}/deliveries?status=pending`;
    return (await service.get<{ data: Json[] }>(path)).body.data;
  };
  await expect.poll(waits, PATIENTLY).toEqual([]);
  await service.stop();

  expect(receiver.faults).toEqual([]);
  const bySaying = new Map<string, Set<string>>();
  // A round that is out while the target changes may see both: that is a regional incident, and told beside the outage.
  const outages = receiver.received.filter(({ event }) => /^monitor\.(down|up)$/.test(event));
  for (const { monitor, event, id } of outages) {
    const saying = `${event} ${monitor}`;
    bySaying.set(saying, (bySaying.get(saying) ?? new Set()).add(id));
  }
  expect(bySaying.size).toBe(2 * MONITORS);
  for (const [saying, messageIds] of bySaying) expect(messageIds.size, saying).toBe(1);
  // What came again came before any later event of its monitor: what failed holds those behind it.
  const all = receiver.received.map((one) => one.id);
  expect(all.length).toBeGreaterThan(new Set(all).size);
  for (const own of Map.groupBy(receiver.received, ({ monitor }) => monitor).values()) {
    const order = own.map((one) => one.id);
    expect(order.filter((id, index) => id !== order[index - 1])).toEqual([...new Set(order)]);
  }
});
