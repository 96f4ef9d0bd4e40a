import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { browser } from '../support/chromium.ts';
import { freePorts } from '../support/free-ports.ts';
import { createMonitor, PATIENTLY, untilAll, useServices } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';
import { visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000 });

const open = browser();
const services = useServices();
const as = { email: 'ada@northwind.example', password: 'correct-horse-battery-9' };

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A program that gets messages and answers all of them. */
async function startReceiver() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      received.push({ path: url, headers, body: Buffer.concat(chunks).toString() });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A service with a monitor, whose owner is signed in. */
async function begin() {
  const [port] = (await freePorts(1)) as [number];
  const url = `http://localhost:${port}`;
  const service = await services.start({
    DATA_DIR: await services.folder(),
    PORT: String(port),
    BASE_URL: url,
    ADMIN_EMAIL: as.email,
    ADMIN_PASSWORD: as.password,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    ALLOW_HTTP_WEBHOOKS: 'true',
  });
  const receiver = services.use(await startReceiver());
  const visited = await visit(await open(), { url, as });
  return { service, receiver, ...visited };
}

test('a webhook is made, tested, and gets an event again; its signatures hold', async () => {
  const w = en.webhooks;
  const { service, receiver, page, open: go, complaints, context } = await begin();
  const target = services.use(await startTarget());
  const id = await createMonitor(service, { url: target.url(), friendly_name: 'Shop' });
  await untilAll(service, [id], 'online');

  await go('/webhooks');
  await page.getByRole('button', { name: w.new, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(en.labels.name, { exact: true }).fill('Bot');
  await dialog.getByLabel(en.labels.address, { exact: true }).fill(`${receiver.url}/events`);
  await dialog.getByRole('button', { name: w.create, exact: true }).click();
  const shown = await dialog.getByLabel(w.secretTitle, { exact: true }).inputValue();
  await dialog.getByRole('button', { name: en.terms.haveCopied, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: w.untried('Bot') }).waitFor();

  await page.getByRole('button', { name: en.channels.test, exact: true }).click();
  await expect.poll(() => receiver.received.length, PATIENTLY).toBe(1);
  await target.fail();
  await untilAll(service, [id], 'offline');
  await expect.poll(() => receiver.received.length, PATIENTLY).toBe(2);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: w.works('Bot') }).waitFor();
  await page.getByRole('button', { name: 'monitor.down', exact: true }).click();
  await page.getByText('"name": "Shop"').waitFor();
  await page.getByRole('button', { name: w.redeliver, exact: true }).click();
  await expect.poll(() => receiver.received.length, PATIENTLY).toBe(3);

  const verified = receiver.received.map(({ headers, body }) =>
    new Webhook(shown).verify(body, headers as Record<string, string>),
  );
  expect(verified).toMatchObject([
    { event: 'webhook.test' },
    { event: 'monitor.down', monitor: { id, name: 'Shop' } },
    { event: 'monitor.down', monitor: { id, name: 'Shop' } },
  ]);
  const [, first, again] = receiver.received;
  expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(complaints).toEqual([]);
  await context.close();
  await service.stop();
});

test('a channel is set up, its test arrives, and a route to it is begun', async () => {
  const w = en.channels;
  const { service, receiver, page, open: go, complaints, context } = await begin();
  await go('/channels/new');
  await page.getByRole('button', { name: 'Gotify' }).click();
  const focused = () => page.evaluate('document.activeElement.textContent');
  await expect.poll(focused).toBe(`${w.new}: Gotify`);
  await page.getByRole('button', { name: w.create, exact: true }).click();
  // Fields have the names that people see, above the form and at the field.
  const needed = page.getByText(new RegExp(`^${w.settings.server_url[0]!} `));
  await expect.poll(() => needed.count()).toBe(2);
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')]);
  await page.getByLabel(w.settings.server_url[0]!, { exact: true }).fill(receiver.url);
  await page.getByLabel(w.settings.token[0]!, { exact: true }).fill('AKsjdf83hfVbx2P');
  await page.getByLabel(en.labels.name).fill('Phones');
  await page.getByRole('button', { name: w.create, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: w.untried('Phones') }).waitFor();

  await page.getByRole('button', { name: w.test, exact: true }).click();
  await page.getByText(w.testDone, { exact: true }).waitFor(PATIENTLY);
  expect(receiver.received).toMatchObject([
    { path: '/message', headers: { 'x-gotify-key': 'AKsjdf83hfVbx2P' } },
  ]);

  await page.getByRole('link', { name: w.routeToIt, exact: true }).click();
  const route = page.getByRole('dialog');
  await route.waitFor();
  await route.getByRole('button', { name: en.labels.removeNamed('Phones'), exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
  await service.stop();
});
