import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { SHARD_COUNT } from '../../src/model/monitor.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { freshPostgres, postgres } from '../support/databases.ts';
import { untilOwned } from '../support/pair.ts';
import { openPatiently } from '../support/patient-postgres.ts';
import {
  createMonitor,
  PATIENTLY,
  untilAll,
  useServices,
  type Json,
  type Service,
} from '../support/service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startTarget, type TargetServer } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 120_000 });

const services = useServices();
const SLOW = '/slow';
const ROUGH = '/rough';
/** Where ntfy is sent to. */
const BELL = '/';
const PLACES = [SLOW, ROUGH, BELL];
const SLOW_MS = 200;

interface Receipt {
  /** The `webhook-id`; of a notification, which has none, its title. */
  id: string;
  saying: string;
  body: string;
  isRefused: boolean;
}

const give = (response: ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');

/**
 * Two webhook endpoints and a channel at three paths: one is slow, one refuses its third event once, one is neither.
 * All of them can keep what they are asked waiting.
 */
async function startReceiver() {
  const received = new Map(PLACES.map((path): [string, Receipt[]] => [path, []]));
  const waiting = new Map<ServerResponse, string>();
  let isHolding = false;
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const sent = await text(request);
    const body = JSON.parse(sent) as Json;
    const receipts = received.get(path)!;
    const id = path === BELL ? String(body['title']) : String(headers['webhook-id']);
    const known = new Set(receipts.map((one) => one.id));
    const isRefused = path === ROUGH && !isHolding && known.size === 2 && !known.has(id);
    receipts.push({ id, saying: path === BELL ? id : sayingOf(body), body: sent, isRefused });
    if (isRefused) response.writeHead(503).end();
    else if (isHolding) waiting.set(response, path);
    else if (path === SLOW) setTimeout(give, SLOW_MS, response);
    else give(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: (path: string) => received.get(path)!,
    waiting: () => [...waiting.values()].toSorted(),
    hold: () => void (isHolding = true),
    goOn(): void {
      isHolding = false;
      for (const response of waiting.keys()) give(response);
      waiting.clear();
    },
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const sayingOf = (body: Json) => `${String(body['event'])} ${(body['monitor'] as Json)['id']}`;

async function create(service: Service, path: string, body: object): Promise<number> {
  const made = await service.post(`/api/v1${path}`, body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return Number(made.body['id']);
}

/** Two endpoints and a channel; answers where the log of each is read. */
async function createDestinations(service: Service, { origin }: Receiver): Promise<string[]> {
  const paths: string[] = [];
  for (const path of [SLOW, ROUGH]) {
    const endpoint = {
      name: path,
      url: origin + path,
      severities: ['critical', 'warning', 'info'],
    };
    paths.push(`/webhook-endpoints/${await create(service, '/webhook-endpoints', endpoint)}`);
  }
  const settings = { server_url: origin, topic: 'tocsin-tests' };
  const channel = { type: 'ntfy', name: 'Bell', settings };
  paths.push(`/alert-channels/${await create(service, '/alert-channels', channel)}`);
  return paths.map((path) => `/api/v1${path}/deliveries?per_page=100`);
}

/** Each by itself: what fails within half a minute of another would be grouped with it. */
async function breakDown(
  database: Database,
  service: Service,
  { ids, targets }: { ids: readonly number[]; targets: readonly TargetServer[] },
): Promise<void> {
  for (const [index, target] of targets.entries()) {
    await target.fail();
    await untilAll(service, [ids[index]!], 'offline');
    const untold = () =>
      database.read.selectFrom('alert').select('id').where('notified_at', 'is', null).execute();
    const alerts = () => database.read.selectFrom('alert').select('monitor_id').execute();
    await expect.poll(alerts, PATIENTLY).toContainEqual({ monitor_id: ids[index] });
    await expect.poll(untold, PATIENTLY).toEqual([]);
    await database.transaction(async (tx) => {
      await tx
        .updateTable('alert')
        .set((eb) => ({ opened_at: eb('opened_at', '-', 60_000) }))
        .execute();
      await tx.deleteFrom('grouping_window').execute();
    });
  }
}

/** Those that are being sent to, by all processes. */
const leased = (database: Database) =>
  database.read
    .selectFrom('destination')
    .select('id')
    .where('leased_until', 'is not', null)
    .execute();

/** Waits until each of the three holds a request, and nothing else is sent. Answers whose requests most of them are. */
async function busiest(database: Database, receiver: Receiver, living: readonly Service[]) {
  await expect.poll(receiver.waiting, PATIENTLY).toEqual(PLACES.toSorted());
  await expect.poll(async () => (await leased(database)).length, PATIENTLY).toBe(PLACES.length);
  const busy = await Promise.all(
    living.map(async (service) => ({
      service,
      requests: await service.metric('tocsin_destinations_in_progress'),
    })),
  );
  return busy.toSorted((a, b) => b.requests - a.requests)[0]!;
}

/** Those that came once more though they had not been refused. */
function repeats(receiver: Receiver): string[] {
  return PLACES.flatMap((path) => {
    const seen = new Set<string>();
    return receiver.at(path).flatMap(({ id, isRefused }) => {
      const isRepeat = seen.has(id);
      if (!isRefused) seen.add(id);
      return isRepeat ? [`${path} ${id}`] : [];
    });
  });
}

async function untilDelivered(service: Service, logs: readonly string[], count: number) {
  for (const log of logs) {
    const statuses = async () => {
      const { body } = await service.get<{ data: Json[] }>(log);
      return body.data.map(({ status }) => status);
    };
    await expect.poll(statuses, PATIENTLY).toEqual(Array(count).fill('delivered'));
  }
}

/** What the endpoints are sent, in the order in which it was enqueued. */
async function enqueued(database: Database): Promise<string[][]> {
  const rows = await database.read
    .selectFrom('delivery')
    .innerJoin('webhook_endpoint', 'webhook_endpoint.destination_id', 'delivery.destination_id')
    .select(['delivery.message_id', 'webhook_endpoint.name'])
    .orderBy('delivery.id')
    .execute();
  const ofName = Map.groupBy(rows, ({ name }) => name);
  return [SLOW, ROUGH].map((name) => ofName.get(name)!.map((row) => row.message_id));
}

const firstReceipts = (receipts: readonly Receipt[]) => [...new Set(receipts.map(({ id }) => id))];

/** Two processes on one Postgres, and a way to start another one. */
async function startAll(mailPort: number) {
  const { place, remove } = await freshPostgres();
  services.use({ close: remove });
  const database = services.use(await openPatiently(place));
  const start = async () =>
    services.start({
      DATABASE_URL: place,
      SECRET_KEY: 'a key for the process tests',
      DATA_DIR: await services.folder(),
      ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      ALLOW_HTTP_WEBHOOKS: 'true',
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      MAIL_FROM: 'Tocsin <tocsin@example.com>',
      ADMIN_EMAIL: 'ada@example.com',
    });
  const living = await Promise.all([start(), start()]);
  await untilOwned(database, [SHARD_COUNT / 2, SHARD_COUNT / 2]);
  return { database, living, start };
}

async function createShops(service: Service, count: number) {
  const targets: TargetServer[] = [];
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const target = services.use(await startTarget());
    targets.push(target);
    const fields = { friendly_name: `Shop ${index}`, recovery_threshold: 1 };
    ids.push(await createMonitor(service, { url: target.url(), ...fields }));
  }
  await untilAll(service, ids, 'online');
  return { targets, ids };
}

const SHOPS = 3;

describe.skipIf('missing' in postgres)('two processes that tell, on one Postgres', () => {
  test('one is killed while it sends, another told to end: all is told in order, and nothing again that was answered [29.30]', async () => {
    const receiver = services.use(await startReceiver());
    const smtp = await startSmtpServer();
    const untilMailed = (count: number) =>
      expect.poll(() => smtp.received.length, PATIENTLY).toBe(count);
    const { database, living, start } = await startAll(smtp.port);
    const logs = await createDestinations(living[0]!, receiver);
    const { targets, ids } = await createShops(living[1]!, SHOPS);
    const breakSome = (service: Service, from: number, to: number) =>
      breakDown(database, service, { ids: ids.slice(from, to), targets: targets.slice(from, to) });

    await breakSome(living[0]!, 0, 1);
    await untilDelivered(living[0]!, logs, 1);
    // That the second is down is on its way to everybody; that it is up again waits behind it.
    receiver.hold();
    await breakSome(living[0]!, 1, 2);
    await targets[1]!.heal();
    await untilAll(living[0]!, ids.slice(1), 'online');
    await untilMailed(3);
    const killed = await busiest(database, receiver, living);
    await killed.service.kill();
    receiver.goOn();
    const survivor = living.find((one) => one !== killed.service)!;
    const newcomer = await start();
    await untilDelivered(survivor, logs, 3);
    // What it was sending, and nothing else.
    expect(repeats(receiver)).toHaveLength(killed.requests);
    await targets[0]!.heal();
    await untilAll(newcomer, ids, 'online');
    await untilDelivered(newcomer, logs, 4);

    receiver.hold();
    await breakSome(survivor, 2, 3);
    await targets[2]!.heal();
    await untilAll(survivor, ids, 'online');
    await untilMailed(6);
    const told = await busiest(database, receiver, [survivor, newcomer]);
    const ended = told.service.stop();
    await expect.poll(() => told.service.stdout, PATIENTLY).toContain('Tocsin is stopping.');
    receiver.goOn();
    await ended;
    const last = told.service === survivor ? newcomer : survivor;
    await untilDelivered(last, logs, 2 * SHOPS);
    await untilMailed(2 * SHOPS);
    await last.stop();

    expect(repeats(receiver)).toHaveLength(killed.requests);
    expect([SLOW, ROUGH].map((path) => firstReceipts(receiver.at(path)))).toEqual(
      await enqueued(database),
    );
    for (const path of [SLOW, ROUGH]) {
      const sayings = Map.groupBy(receiver.at(path), ({ saying }) => saying);
      const expected = ids.flatMap((id) => [`monitor.down ${id}`, `monitor.up ${id}`]);
      expect([...sayings.keys()].toSorted()).toEqual(expected.toSorted());
      for (const [saying, receipts] of sayings) {
        expect(new Set(receipts.map(({ id }) => id)).size, saying).toBe(1);
        expect(new Set(receipts.map(({ body }) => body)).size, saying).toBe(1);
      }
    }
    const subjects = smtp.received.map(({ headers }) => String(headers['subject']));
    expect(firstReceipts(receiver.at(BELL))).toEqual(subjects);
    for (const [index] of ids.entries()) {
      const own = subjects.filter((subject) => subject.includes(`Shop ${index}`));
      expect(own).toEqual([expect.stringMatching(/^Down: /), expect.stringMatching(/^Back up: /)]);
    }
    const alerts = await database.read.selectFrom('alert').select(['kind', 'over_at']).execute();
    expect(alerts).toEqual(ids.map(() => ({ kind: 'single', over_at: expect.any(Number) })));
    const incidents = await database.read.selectFrom('incident').select('id').execute();
    expect(incidents).toHaveLength(SHOPS);
  });
});
