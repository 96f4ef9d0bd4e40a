import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAlive } from '../../src/engine/heartbeat/alive.ts';
import { createIngest, type IncomingPing } from '../../src/engine/heartbeat/ingest.ts';
import { createSweep } from '../../src/engine/heartbeat/sweep.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openApi, type Json } from '../support/api.ts';
import { pingOf, settling } from '../support/jobs.ts';
import { openInMemory } from '../support/memory-database.ts';
import { quarantineAllRegions } from '../support/region-quarantine.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The clock's midnight at which each of these begins. */
const START = Date.UTC(2030, 0, 1);
/** From a deadline until it is judged, at most. */
const JUDGED = 5 * SECOND;

/** The API and all that listens and looks, as one process runs it, over SQLite in memory. */
async function openService() {
  const database = await openInMemory();
  const api = await openApi(database);
  const { clock, alice } = api;
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
  const alive = createAlive({ database, clock, log });
  const ingest = createIngest({
    database,
    clock,
    limit: 120,
    onRefused: (receivedAt) => alive.reportFailure(receivedAt),
  });
  const sweep = createSweep({
    database,
    clock,
    log,
    isCertain: () => alive.isCertain(),
    oldestWaitingAt: () => ingest.oldestWaitingAt(),
  });
  const starting = alive.start();
  await clock.settle();
  await starting;
  sweep.start();
  // What follows is certain from its first second on.
  await clock.advance(10 * SECOND);

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await api.call(alice, method, `/api/v1${path}`, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  return {
    database,
    clock,
    call,
    events: () =>
      database.read.selectFrom('event').select(['type', 'payload']).orderBy('id').execute(),
    /** A job of a minute with ten seconds of grace unless told otherwise. */
    create: (body: object = {}) =>
      call('POST', '/monitors', {
        monitor_type: 'heartbeat',
        friendly_name: 'Backup',
        heartbeat_interval: 60,
        heartbeat_grace: 10,
        ...body,
      }),
    monitor: (id: number) => call('GET', `/monitors/${id}`),
    async incidents(id: number) {
      const page = await call('GET', `/monitors/${id}/incidents?sort=started_at`);
      return page['data'] as Json[];
    },
    /** Calls the ping URL that the API has shown. */
    async ping(monitor: Json, told: Partial<IncomingPing> = {}): Promise<string> {
      const token = String(monitor['ping_url']).split('/').at(-1)!;
      const taking = ingest.take(pingOf(token, told));
      await clock.settle();
      return (await taking).kind;
    },
    async close() {
      await settling(clock, Promise.all([sweep.stop(), ingest.close()]));
      await settling(clock, alive.stop());
      await database.close();
      expect([errors, api.faults]).toEqual([[], []]);
    },
  };
}

let service: Awaited<ReturnType<typeof openService>>;
beforeEach(async () => void (service = await openService()));
afterEach(() => service.close());

const iso = (at: number) => new Date(at).toISOString();

describe('a job', () => {
  test('is missed and recovers as usual while all regions are quarantined [25.18]', async () => {
    const { clock, create, ping, incidents, database } = service;
    const job = await create();
    await ping(job);
    await quarantineAllRegions(database, clock.now());
    await clock.advance(70 * SECOND + JUDGED);
    expect(await incidents(job.id)).toMatchObject([{ type: 'heartbeat', status: 'open' }]);
    await ping(job);
    expect(await incidents(job.id)).toMatchObject([{ type: 'heartbeat', status: 'resolved' }]);
  });

  test('that calls, falls silent and calls again', async () => {
    const { clock, create, ping, monitor, incidents, events, call } = service;
    const job = await create();
    const created = clock.now();
    expect(job).toMatchObject({
      status: 'pending',
      last_heartbeat_at: null,
      heartbeat_expected_at: iso(created + MINUTE),
    });

    await clock.advance(50 * SECOND);
    const called = clock.now();
    expect(await ping(job)).toBe('recorded');
    const online = {
      status: 'online',
      last_heartbeat_at: iso(called),
      heartbeat_expected_at: iso(called + MINUTE),
    };
    expect(await monitor(job.id)).toMatchObject({ ...online, incidents: [] });
    const list = await call('GET', '/monitors');
    expect(list['data']).toMatchObject([online]);

    await clock.advance(70 * SECOND);
    expect((await monitor(job.id))['status']).toBe('online');
    await clock.advance(JUDGED);
    // The time at which it was expected stays.
    expect(await monitor(job.id)).toMatchObject({ ...online, status: 'offline' });
    const [missed] = await incidents(job.id);
    expect(missed).toMatchObject({
      type: 'heartbeat',
      severity: 'critical',
      status: 'open',
      started_at: iso(called + 70 * SECOND),
      root_cause: `No ping came at 2030-01-01 00:02:00 UTC, when it was expected, nor in the 10 seconds after`,
    });

    await clock.advance(45 * SECOND);
    const back = clock.now();
    await ping(job);
    expect(await monitor(job.id)).toMatchObject({
      status: 'online',
      last_heartbeat_at: iso(back),
      heartbeat_expected_at: iso(back + MINUTE),
    });
    expect(await incidents(job.id)).toMatchObject([
      { id: missed!.id, status: 'resolved', ended_at: iso(back) },
    ]);
    const single = await call('GET', `/incidents/${missed!.id}`);
    expect((single['activities'] as Json[]).map((one) => one['type']).toSorted()).toEqual([
      'opened',
      'resolved',
    ]);
    expect((await events()).map(({ type }) => type)).toEqual([
      'monitor.heartbeat_missed',
      'monitor.heartbeat_recovered',
    ]);
  });

  test('whose events carry no url, and nowhere its secret', async () => {
    const { clock, create, ping, events, database } = service;
    const job = await create();
    const token = String(job['ping_url']).split('/').at(-1)!;
    await ping(job, { kind: 'failure', exitCode: 7 });
    const at = clock.now();
    await clock.advance(SECOND);
    await ping(job);
    const told = await events();
    expect(JSON.parse(told[0]!.payload)).toEqual({
      event: 'monitor.heartbeat_missed',
      timestamp: iso(at),
      monitor: { id: job.id, name: 'Backup', url: null },
      status: {
        current: 'offline',
        previous: 'pending',
        root_cause: 'The job ended with exit code 7',
        region: null,
        is_regional_issue: false,
      },
      incident: { id: 1, started_at: iso(at) },
    });
    expect(JSON.parse(told[1]!.payload)).toMatchObject({
      event: 'monitor.heartbeat_recovered',
      monitor: { url: null },
      status: { current: 'online', previous: 'offline' },
    });
    expect(token.length).toBeGreaterThan(20);
    for (const table of [
      'event',
      'activity',
      'incident',
      'ping',
      'monitor',
      'monitor_state',
    ] as const) {
      const rows = await database.read.selectFrom(table).selectAll().execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(token);
    }
  });

  test('that never calls is missed, too, and the cause says so', async () => {
    const { clock, create, monitor, incidents } = service;
    const job = await create();
    const created = clock.now();
    await clock.advance(70 * SECOND + JUDGED);
    expect((await monitor(job.id))['status']).toBe('offline');
    expect(await incidents(job.id)).toMatchObject([
      {
        started_at: iso(created + 70 * SECOND),
        root_cause: 'No ping ever came; one was expected at 2030-01-01 00:01:10 UTC',
      },
    ]);
  });

  test('that need not call before its first ping', async () => {
    const { clock, create, monitor, incidents, ping } = service;
    const job = await create({ heartbeat_wait_for_first_ping: true });
    await clock.advance(10 * MINUTE);
    expect([(await monitor(job.id))['status'], await incidents(job.id)]).toEqual(['pending', []]);
    await ping(job, { kind: 'start' });
    await clock.advance(70 * SECOND + JUDGED);
    expect((await monitor(job.id))['status']).toBe('offline');
  });

  test('that no longer need not call first is expected from that edit on [11.12]', async () => {
    const { clock, create, monitor, incidents, call } = service;
    const job = await create({ heartbeat_wait_for_first_ping: true });
    await clock.advance(10 * MINUTE);
    await call('PUT', `/monitors/${job.id}`, { heartbeat_wait_for_first_ping: false });
    const edited = clock.now();
    expect((await monitor(job.id))['heartbeat_expected_at']).toBe(iso(edited + MINUTE));
    await clock.advance(MINUTE);
    expect(await incidents(job.id)).toEqual([]);
    await clock.advance(10 * SECOND + 2 * JUDGED);
    expect(await incidents(job.id)).toMatchObject([{ started_at: iso(edited + 70 * SECOND) }]);
  });

  test('that has called is not expected anew by that edit', async () => {
    const { clock, create, monitor, ping, call } = service;
    const job = await create({ heartbeat_wait_for_first_ping: true });
    await ping(job);
    const called = clock.now();
    await clock.advance(20 * SECOND);
    await call('PUT', `/monitors/${job.id}`, { heartbeat_wait_for_first_ping: false });
    expect((await monitor(job.id))['heartbeat_expected_at']).toBe(iso(called + MINUTE));
  });

  test('that fails is told of at once, and again in the log', async () => {
    const { clock, create, ping, monitor, incidents, call } = service;
    const job = await create();
    await ping(job, { kind: 'failure', exitCode: 1 });
    await clock.advance(30 * SECOND);
    await ping(job, { kind: 'failure', exitCode: 2 });
    expect((await monitor(job.id))['status']).toBe('offline');
    const [failed, ...others] = await incidents(job.id);
    expect(others).toEqual([]);
    const { activities } = await call('GET', `/incidents/${failed!.id}`);
    expect((activities as Json[]).map(({ type, description }) => [type, description])).toEqual(
      expect.arrayContaining([
        ['opened', 'The job ended with exit code 1.'],
        ['failed_again', 'The job ended with exit code 2.'],
      ]),
    );
    await ping(job);
    expect((await monitor(job.id))['status']).toBe('online');
  });

  test('whose run does not end', async () => {
    const { clock, create, ping, incidents } = service;
    const job = await create({ heartbeat_interval: 3_600, heartbeat_max_runtime: 60 });
    await ping(job, { kind: 'start' });
    const started = clock.now();
    await clock.advance(MINUTE + JUDGED);
    expect(await incidents(job.id)).toMatchObject([
      { status: 'open', started_at: iso(started + MINUTE) },
    ]);
  });

  test('of cron is expected at its times', async () => {
    const { clock, create, ping, monitor, incidents } = service;
    const cron = { monitor_type: 'cron', heartbeat_cron_expression: '*/5 * * * *' };
    const job = await create(cron);
    expect(job['heartbeat_expected_at']).toBe(iso(START + 5 * MINUTE));
    await clock.advance(5 * MINUTE - 15 * SECOND);
    // Five seconds early: for the coming one.
    await ping(job);
    expect((await monitor(job.id))['heartbeat_expected_at']).toBe(iso(START + 10 * MINUTE));
    await clock.advance(5 * MINUTE + 15 * SECOND + JUDGED);
    expect(await incidents(job.id)).toMatchObject([
      { started_at: iso(START + 10 * MINUTE + 10 * SECOND) },
    ]);
  });
});

describe('what people do', () => {
  test('a pause ignores what is called, and it is expected anew when it is resumed', async () => {
    const { clock, create, ping, monitor, incidents, call } = service;
    const job = await create();
    await ping(job);
    const paused = await call('POST', `/monitors/${job.id}/pause`);
    expect(paused['success']).toBe(true);
    await clock.advance(10 * MINUTE);
    expect(await ping(job)).toBe('ignored');
    expect(await incidents(job.id)).toEqual([]);
    await call('POST', `/monitors/${job.id}/resume`);
    const resumed = clock.now();
    expect((await monitor(job.id))['heartbeat_expected_at']).toBe(iso(resumed + MINUTE));
    await clock.advance(70 * SECOND + JUDGED);
    expect(await incidents(job.id)).toMatchObject([{ started_at: iso(resumed + 70 * SECOND) }]);
  });

  test('an edit of the interval expects it anew from now', async () => {
    const { clock, create, ping, monitor, incidents, call } = service;
    const job = await create();
    await ping(job);
    await clock.advance(30 * SECOND);
    await call('PUT', `/monitors/${job.id}`, { heartbeat_interval: 120 });
    const edited = clock.now();
    expect((await monitor(job.id))['heartbeat_expected_at']).toBe(iso(edited + 2 * MINUTE));
    await clock.advance(130 * SECOND);
    expect(await incidents(job.id)).toEqual([]);
    await clock.advance(JUDGED);
    expect(await incidents(job.id)).toMatchObject([{ started_at: iso(edited + 130 * SECOND) }]);
    await call('PUT', `/monitors/${job.id}`, { heartbeat_interval: 60 });
    expect((await monitor(job.id))['heartbeat_expected_at']).toBe(iso(clock.now() + MINUTE));
  });

  test('an edit of the cron expression or the timezone does so, too', async () => {
    const { create, call } = service;
    const job = await create({ monitor_type: 'cron', heartbeat_cron_expression: '0 3 * * *' });
    const edited = async (body: object) =>
      (await call('PUT', `/monitors/${job.id}`, body))['heartbeat_expected_at'];
    expect(await edited({ heartbeat_timezone: 'Europe/Berlin' })).toBe(iso(START + 2 * HOUR));
    expect(await edited({ heartbeat_cron_expression: '0 4 * * *' })).toBe(iso(START + 3 * HOUR));
  });

  test.each([
    ['longer', 60, 110],
    ['shorter', 0, 60],
  ])('a grace that is made %s holds for the ping that is expected', async (_, grace, seconds) => {
    const { clock, create, ping, monitor, incidents, call } = service;
    const job = await create({ heartbeat_grace: 30 });
    await ping(job);
    const called = clock.now();
    await clock.advance(10 * SECOND);
    await call('PUT', `/monitors/${job.id}`, { heartbeat_grace: grace });
    expect((await monitor(job.id))['heartbeat_expected_at']).toBe(iso(called + MINUTE));
    await clock.advance((seconds - 20) * SECOND);
    expect(await incidents(job.id)).toEqual([]);
    await clock.advance(20 * SECOND + JUDGED);
    expect(await incidents(job.id)).toMatchObject([
      { started_at: iso(called + (60 + grace) * SECOND) },
    ]);
  });

  test.each(['resolved', 'deleted'])(
    'an incident that is %s while the job is silent opens anew after one more interval',
    async (deed) => {
      const { clock, create, monitor, incidents, call, events } = service;
      const job = await create();
      await clock.advance(70 * SECOND + JUDGED);
      const [first] = await incidents(job.id);
      if (deed === 'resolved') await call('POST', `/incidents/${first!.id}/resolve`);
      else await call('DELETE', `/incidents/${first!.id}`);
      const closed = clock.now();
      await clock.advance(MINUTE);
      // The job is as silent as before.
      expect((await monitor(job.id))['status']).toBe('offline');
      const open = async () => (await incidents(job.id)).filter(({ status }) => status === 'open');
      expect(await open()).toEqual([]);
      await clock.advance(10 * SECOND + 2 * JUDGED);
      const [again] = await open();
      expect(again!.id).not.toBe(first!.id);
      expect(Date.parse(String(again!['started_at'])) - closed).toBeGreaterThanOrEqual(70 * SECOND);
      expect((await events()).map(({ type }) => type)).toEqual([
        'monitor.heartbeat_missed',
        'monitor.heartbeat_missed',
      ]);
    },
  );

  test.each([
    ['a success ends it', 'success', 'resolved', 'monitor.heartbeat_recovered'],
    ['a failure goes on with it', 'failure', 'open', 'monitor.heartbeat_missed'],
  ] as const)(
    'an incident that is opened again after the recovery: %s [13.18]',
    async (_, kind, status, event) => {
      const { create, monitor, ping, incidents, call, events } = service;
      const job = await create();
      await ping(job, { kind: 'failure' });
      await ping(job);
      const [incident] = await incidents(job.id);
      await call('PUT', `/incidents/${incident!.id}`, { status: 'open' });
      expect((await monitor(job.id))['status']).toBe('online');
      await ping(job, { kind: 'start' });
      expect(await incidents(job.id)).toMatchObject([{ status: 'open' }]);

      await ping(job, { kind });
      expect(await incidents(job.id)).toMatchObject([{ id: incident!.id, status }]);
      expect((await events()).at(-1)!.type).toBe(event);
      // One that a person closes once more is nobody's any longer.
      await call('PUT', `/incidents/${incident!.id}`, { status: 'resolved' });
      await ping(job);
      expect(await incidents(job.id)).toMatchObject([{ id: incident!.id, status: 'resolved' }]);
    },
  );

  test('a monitor that is deleted is not missed', async () => {
    const { clock, create, ping, events, call } = service;
    const job = await create();
    await call('DELETE', `/monitors/${job.id}`);
    expect(await ping(job)).toBe('unknown');
    await clock.advance(5 * MINUTE);
    expect(await events()).toEqual([]);
  });
});

describe('uptime', () => {
  test('is the time between calls and misses; before the first and in a pause nothing is known', async () => {
    const { clock, create, ping, call } = service;
    const job = await create();
    await clock.advance(20 * SECOND);
    await ping(job);
    const first = clock.now();
    await clock.advance(100 * SECOND);
    // Silent since the second 70.
    await ping(job);
    await clock.advance(40 * SECOND);
    await call('POST', `/monitors/${job.id}/pause`);
    await clock.advance(60 * SECOND);
    const [from, to] = [first - 20 * SECOND, clock.now()].map(iso);
    const uptime = await call('GET', `/monitors/${job.id}/uptime?from=${from}&to=${to}`);
    expect(uptime).toMatchObject({
      up_seconds: 110,
      down_seconds: 30,
      unobserved_seconds: 80,
      incidents: 1,
    });
  });

  test('leaves out the time in which we did not listen, and no job is blamed for it', async () => {
    const { clock, create, ping, call, incidents, monitor } = service;
    const job = await create({ heartbeat_interval: 300 });
    await ping(job);
    const first = clock.now();
    await clock.advance(4 * MINUTE);
    clock.freeze(3 * MINUTE);
    await clock.advance(30 * SECOND);
    expect(await incidents(job.id)).toEqual([]);
    const { heartbeat_expected_at: expected } = await monitor(job.id);
    // From recovery: we were back after seven minutes.
    expect(Date.parse(String(expected)) - first).toBeGreaterThanOrEqual(12 * MINUTE);
    expect(Date.parse(String(expected)) - first).toBeLessThan(12 * MINUTE + JUDGED);
    const [from, to] = [first, clock.now()].map(iso);
    const uptime = await call('GET', `/monitors/${job.id}/uptime?from=${from}&to=${to}`);
    expect(uptime['down_seconds']).toBe(0);
    expect(uptime['unobserved_seconds']).toBeGreaterThanOrEqual(180);
    expect(uptime['unobserved_seconds']).toBeLessThan(190);
    expect(await ping(job)).toBe('recorded');
  });
});
