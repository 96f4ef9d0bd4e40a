import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { SHARD_COUNT } from '../../src/model/monitor.ts';
import { freshPostgres, postgres } from '../support/databases.ts';
import { untilOwned } from '../support/pair.ts';
import { openPatiently } from '../support/patient-postgres.ts';
import {
  createMonitors,
  monitorOf,
  PATIENTLY,
  useServices,
  type Json,
  type Service,
} from '../support/service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 420_000 });

const services = useServices();
/** For what comes only after a problem has lasted for a minute. */
const VERY_PATIENTLY = { timeout: 240_000, interval: 500 };

/** Allows sixteen checks at once. */
const OPEN_FILES = 200;
const HUNG = 100;

interface Ping {
  kind: string;
  body: string | null;
}

/** A monitor of another Tocsin that is pinged, with the pings that it got, the newest first. */
async function startHeartbeatService() {
  const service = await services.start({ DATA_DIR: await services.folder() });
  const { status, body } = await service.post('/api/v1/monitors', {
    monitor_type: 'heartbeat',
    friendly_name: 'The other Tocsin',
    heartbeat_interval: 60,
    heartbeat_grace: 60,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const id = body['id'] as number;
  return {
    url: String(body['ping_url']),
    async pings(): Promise<Ping[]> {
      const answer = await service.get<{ data: Ping[] }>(`/api/v1/monitors/${id}/pings`);
      return answer.body.data;
    },
    monitor: () => monitorOf(service, id),
    stop: () => service.stop(),
  };
}

const problemsOf = async (service: Service) =>
  ((await service.get('/readyz')).body['problems'] as Json[]).map(({ kind }) => kind);

test('another Tocsin is pinged while rounds start on time, and opens an incident when they do not [39.65]', async () => {
  const heartbeats = await startHeartbeatService();
  const hung = services.use(await startTarget());
  await hung.hang();
  const service = await services.startLimited(OPEN_FILES, {
    DATA_DIR: await services.folder(),
    WATCHDOG_PING_URL: heartbeats.url,
    WATCHDOG_PING_INTERVAL: '10',
  });
  await expect.poll(async () => (await heartbeats.pings()).length, PATIENTLY).toBeGreaterThan(1);
  const [first] = await heartbeats.pings();
  expect(first!.kind).toBe('success');
  expect(JSON.parse(first!.body!)).toMatchObject({ status: 'healthy', problems: [], processes: 1 });

  // A process that stands still says nothing; it goes on by itself.
  process.kill(service.pid, 'SIGSTOP');
  const before = (await heartbeats.pings()).length;
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  expect((await heartbeats.pings()).length - before).toBeLessThanOrEqual(1);
  process.kill(service.pid, 'SIGCONT');
  await expect
    .poll(async () => (await heartbeats.pings()).length, PATIENTLY)
    .toBeGreaterThan(before + 1);

  await createMonitors(service, HUNG, (index) => ({
    url: hung.url(`/${index}`),
    request_timeout: 5,
  }));
  const newest = async () => (await heartbeats.pings())[0]!.kind;
  await expect.poll(newest, VERY_PATIENTLY).toBe('failure');
  const [failing] = await heartbeats.pings();
  expect(JSON.parse(failing!.body!)).toMatchObject({
    status: 'failing',
    problems: [{ kind: 'rounds_late' }],
  });
  expect((await heartbeats.monitor()).incidents).toMatchObject([{ status: 'open' }]);
  expect(await problemsOf(service)).toEqual(['rounds_late']);
  expect(await service.metric('tocsin_installation_problem', 'rounds_late')).toBe(1);
  expect(service.stdout).toContain('A problem of the installation began.');
  expect(service.stdout).not.toContain(new URL(heartbeats.url).pathname);
  await service.stop();
  await heartbeats.stop();
});

/** What is sent to OPERATOR_WEBHOOK_URL. */
async function startReceiver() {
  const received: { id: string; body: Json }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Json;
    received.push({ id: String(request.headers['webhook-id']), body });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

describe.skipIf('missing' in postgres)('two processes on one Postgres', () => {
  test('notify the operators once that a problem began, and once that it ended [39.66, 39.67]', async () => {
    const { place, remove } = await freshPostgres();
    services.use({ close: remove });
    const database = services.use(await openPatiently(place));
    const receiver = services.use(await startReceiver());
    const mail = await startSmtpServer();
    const start = async () =>
      services.start({
        DATABASE_URL: place,
        SECRET_KEY: 'a key for the process tests',
        DATA_DIR: await services.folder(),
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        ADMIN_EMAIL: 'admin@example.com',
        OPERATOR_WEBHOOK_URL: receiver.url,
      });
    const [first, second] = await Promise.all([start(), start()]);
    await database.transaction((tx) =>
      tx.updateTable('person').set({ email_verified: 1 }).execute(),
    );
    await untilOwned(database, [SHARD_COUNT / 2, SHARD_COUNT / 2]);
    // An owner that nothing was ever heard of.
    const give = (owner: string | null, until: number) =>
      database.transaction((tx) =>
        tx
          .updateTable('shard')
          .set({ owner, lease_until: until })
          .where('shard', '<', 10)
          .execute(),
      );
    await give('ghost', (await database.now()) + 3_600_000);
    const shown = () => Promise.all([first, second].map(problemsOf));
    await expect.poll(shown, VERY_PATIENTLY).toEqual([['process_silent'], ['process_silent']]);
    await expect.poll(() => mail.received.length, PATIENTLY).toBe(1);
    await expect.poll(() => receiver.received.length, PATIENTLY).toBe(1);
    const [begun] = mail.received;
    expect(begun!.headers['subject']).toContain('Nothing was heard of the process ghost');

    await give(null, 0);
    await expect.poll(shown, VERY_PATIENTLY).toEqual([[], []]);
    await expect.poll(() => mail.received.length, PATIENTLY).toBe(2);
    await expect.poll(() => receiver.received.length, PATIENTLY).toBe(2);
    const ended = mail.received[1]!;
    expect(ended.headers['subject']).toContain('All processes that check monitors report again');
    expect(receiver.received.map(({ body }) => body['type'])).toEqual([
      'installation.problem_opened',
      'installation.problem_ended',
    ]);
    const evaluations = [first, second].map(
      ({ stdout }) => stdout.split('A problem of the installation began.').length - 1,
    );
    expect(evaluations.toSorted()).toEqual([0, 1]);
    await Promise.all([first.stop(), second.stop()]);
    expect(await database.read.selectFrom('process_report').selectAll().execute()).toEqual([]);
  });
});
