import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { expectDocumentedWebhook } from '../support/openapi.ts';
import { startSmtpServer, type ReceivedMail } from '../support/smtp-server.ts';
import {
  createMonitor,
  incidents,
  PATIENTLY,
  untilAll,
  useServices,
  type Json,
  type Service,
} from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 120_000 });

const services = useServices();
const SECRET = `whsec_${Buffer.from('a secret of the process tests').toString('base64')}`;
const OWNER = 'ada@example.com';
/** From the incident to the request. */
const AT_ONCE_MS = 2_000;

interface Received {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The servers of a webhook endpoint and of a channel, at different paths. */
async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    received.push({ at: Date.now(), path, headers, body: await text(request) });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: (path: string) => received.filter((one) => one.path === path),
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** What came to the webhook, each with both signatures. */
function eventsOf(receiver: Receiver) {
  return receiver.at('/hook').map(({ at, headers, body }) => {
    expectDocumentedWebhook({ headers, body });
    const plain = createHmac('sha256', SECRET).update(body).digest('hex');
    expect(headers['x-webhook-signature']).toBe(`sha256=${plain}`);
    return {
      at,
      body: new Webhook(SECRET).verify(body, headers as Record<string, string>) as Json,
    };
  });
}

const titlesOf = (receiver: Receiver) =>
  receiver.at('/').map(({ body }) => String((JSON.parse(body) as Json)['title']));

async function create(service: Service, path: string, body: object): Promise<Json> {
  const made = await service.post(`/api/v1${path}`, body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

test('a failure reaches the webhook, the mailbox and the channel; its recovery does, too', async () => {
  const receiver = services.use(await startReceiver());
  const target = services.use(await startTarget());
  const smtp = await startSmtpServer();
  const service = await services.start({
    DATA_DIR: await services.folder(),
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    ALLOW_HTTP_WEBHOOKS: 'true',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Tocsin <tocsin@example.com>',
    ADMIN_EMAIL: OWNER,
  });
  await create(service, '/webhook-endpoints', {
    name: 'Receiver',
    url: `${receiver.origin}/hook`,
    signing_secret: SECRET,
    severities: ['critical', 'warning', 'info'],
  });
  await create(service, '/alert-channels', {
    type: 'ntfy',
    name: 'Bell',
    settings: { server_url: receiver.origin, topic: 'tocsin-tests' },
  });
  const id = await createMonitor(service, {
    url: target.url(),
    friendly_name: 'Shop',
    recovery_threshold: 1,
  });
  await untilAll(service, [id], 'online');

  await target.fail();
  await untilAll(service, [id], 'offline');
  await expect.poll(() => eventsOf(receiver).length, PATIENTLY).toBe(1);
  const [incident] = await incidents(service);
  const [down] = eventsOf(receiver);
  expect(down!.body).toMatchObject({
    event: 'monitor.down',
    monitor: { id },
    incident: { id: incident!.id },
    status: { current: 'offline', previous: 'online' },
  });
  expect(down!.at - Date.parse(String(down!.body['timestamp']))).toBeLessThan(AT_ONCE_MS);

  await expect.poll(() => smtp.received.length, PATIENTLY).toBe(1);
  const alarm = smtp.received[0]!;
  expect(alarm.to).toEqual([OWNER]);
  expect(alarm.headers['subject']).toMatch(/^Down: Shop since /);
  for (const part of [alarm.text, alarm.html]) {
    expect(part).toContain('HTTP 503');
    expect(part).toContain('Acknowledge');
  }
  await acknowledgeBy(service, alarm);
  expect((await incidents(service))[0]).toMatchObject({
    acknowledged_at: expect.any(String),
    status: 'open',
  });

  await target.heal();
  await untilAll(service, [id], 'online');
  const names = () => eventsOf(receiver).map(({ body }) => body['event']);
  await expect.poll(names, PATIENTLY).toEqual(['monitor.down', 'monitor.up']);
  await expect.poll(() => smtp.received.length, PATIENTLY).toBe(2);
  const subjects = smtp.received.map(({ headers }) => headers['subject']);
  expect(subjects[1]).toMatch(/^Back up: Shop, down /);
  await expect.poll(() => titlesOf(receiver), PATIENTLY).toEqual(subjects);
  await service.stop();
});

/** As a person does it: opens the link of the mail, and presses the button. */
async function acknowledgeBy(service: Service, mail: ReceivedMail): Promise<void> {
  const link = /https?:\S+\/alert\?token=\S+acknowledge=1/.exec(mail.text)?.[0];
  expect(mail.html).toContain(link?.replaceAll('&', '&amp;'));
  const { pathname, search, searchParams } = new URL(link!);
  const page = await fetch(service.url + pathname + search);
  expect(page.status).toBe(200);
  expect(await page.text()).not.toContain(searchParams.get('token'));
  const answer = await fetch(`${service.url}/api/v1/alert-links/acknowledge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: searchParams.get('token') }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}
