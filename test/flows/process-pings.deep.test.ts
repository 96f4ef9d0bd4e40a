import { describe, expect, test, vi } from 'vitest';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { openDatabase, type OpenDatabase } from '../../src/store/database/database.ts';
import { onPostgres } from '../support/databases.ts';
import { postgresOnALine } from '../support/postgres-line.ts';
import { incidents, monitorOf, PATIENTLY, useServices, type Service } from '../support/service.ts';
import { updateRows } from '../support/rows.ts';

vi.setConfig({ testTimeout: 90_000 });

const services = useServices();

interface Job {
  id: number;
  /** Its ping URL without the address of the service, which changes with a restart. */
  path: string;
}

const INTERVAL_MS = 30_000;

/** A job that calls as often as a job can, and has no grace. */
async function createJob(service: Service): Promise<Job> {
  const { status, body } = await service.post<{ id: number; url: string }>('/api/v1/monitors', {
    monitor_type: 'heartbeat',
    friendly_name: 'Backup',
    heartbeat_interval: INTERVAL_MS / 1000,
    heartbeat_grace: 0,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return { id: body.id, path: new URL(body.url).pathname };
}

/** One that has called: from then on it can only go silent. */
async function createOnlineJob(service: Service): Promise<Job> {
  const job = await createJob(service);
  expect(await service.get(job.path)).toMatchObject({ status: 200, body: { success: true } });
  return job;
}

const openFile = async (directory: string) =>
  services.use(await openDatabase({ engine: 'sqlite', directory }));

/**
 * A job's call is expected then (epoch ms). Written beside the service, since no interval is shorter than half a minute:
 * the tests would take that long each.
 */
async function expectAt(database: OpenDatabase, { id }: Job, at: number): Promise<void> {
  const change = { heartbeat_expected_at: at, due_at: at };
  await updateRows(database, 'monitor_state', change, { monitor_id: id });
}

async function expectationOf(database: OpenDatabase, { id }: Job) {
  const found = await database.read
    .selectFrom('monitor_state')
    .select(['heartbeat_expected_at as at', 'due_at as lookAt'])
    .where('monitor_id', '=', id)
    .executeTakeFirstOrThrow();
  return { at: found.at!, lookAt: found.lookAt! };
}

/** The call that was expected `before` was judged, and is now expected a whole interval after the recovery. */
async function untilPutOff(
  database: OpenDatabase,
  job: Job,
  { before, recoveredAt }: { before: number; recoveredAt: number },
): Promise<void> {
  const expected = async () => (await expectationOf(database, job)).at;
  await expect.poll(expected, PATIENTLY).not.toBe(before);
  expect(await expected()).toBeGreaterThanOrEqual(recoveredAt + INTERVAL_MS);
}

async function expectSpared(service: Service, job: Job): Promise<void> {
  expect(await incidents(service)).toEqual([]);
  expect(await monitorOf(service, job.id)).toMatchObject({ status: 'online', incidents: [] });
}

describe('no job is blamed for the time in which the service was', () => {
  test('suspended so shortly that calls waited for it', async () => {
    const DATA_DIR = await services.folder();
    const service = await services.start({ DATA_DIR });
    const database = await openFile(DATA_DIR);
    // More than one, so that most need a connection that nobody has accepted yet.
    const jobs = await Promise.all(Array.from({ length: 10 }, () => createOnlineJob(service)));
    const before = Date.now() + 300;
    for (const job of jobs) await expectAt(database, job, before);

    service.signalAll('SIGSTOP');
    const answers = jobs.map((job) => service.get(job.path));
    // The deadline passes, and so does the time after which it is judged.
    await sleep(systemClock, 4_000);
    service.signalAll('SIGCONT');
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    /** The look at the old deadline has been made, and was put off until the next. */
    const isLookedAt = async (job: Job) => {
      const { at, lookAt } = await expectationOf(database, job);
      return at > before && lookAt === at;
    };
    const looks = () => Promise.all(jobs.map(isLookedAt));
    await expect.poll(looks, PATIENTLY).toEqual(jobs.map(() => true));
    for (const job of jobs) await expectSpared(service, job);
    await service.stop();
  });

  onPostgres(() => {
    test('without its database', async () => {
      const { line, settings, database } = await postgresOnALine(services);
      const service = await services.start(settings);
      const job = await createOnlineJob(service);
      const unheard = await createOnlineJob(service);
      const before = Date.now() + 1_500;
      await expectAt(database, job, before);
      await expectAt(database, unheard, before);

      await line.close();
      const refused = await service.post(job.path);
      expect(refused).toMatchObject({ status: 503, body: { message: /\S/ } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Date.now()).toBeLessThan(before);
      await sleep(systemClock, before + 500 - Date.now());
      expect((await service.get(job.path)).status).toBe(503);

      const recoveredAt = Date.now();
      await line.reopen();
      await untilPutOff(database, job, { before, recoveredAt });
      await untilPutOff(database, unheard, { before, recoveredAt });
      await expectSpared(service, job);
      await expectSpared(service, unheard);
      expect((await service.get(job.path)).status).toBe(200);
      await service.stop();
    });
  });
});

/** Of a whole answer; null when the connection was refused or broke off. */
async function statusOf(url: string, init: RequestInit): Promise<number | null> {
  try {
    const response = await fetch(url, init);
    await response.text();
    return response.status;
  } catch {
    return null;
  }
}

describe('killed under load, it has every ping that it acknowledged', () => {
  const CALLERS = 40;
  const JOBS = 10;
  const ENOUGH = 2_000;

  /**
   * Each caller pings again as soon as it is answered, until nobody answers. `acknowledged` are the runs whose pings were
   * recorded, `refused` all other answers.
   */
  function pingUntilGone(service: Service, jobs: Job[]) {
    const acknowledged: string[] = [];
    const refused: string[] = [];
    const calls = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let count = 0; ; count += 1) {
        const run = `${caller}.${count}`;
        const { path } = jobs[count % JOBS]!;
        const status = await statusOf(`${service.url}${path}?rid=${run}`, {
          ...(count % 2 === 0 && { method: 'POST', body: `Run ${run} went well.\n` }),
        });
        if (status === null) return;
        if (status === 200) acknowledged.push(run);
        else refused.push(`${run}: ${status}`);
      }
    });
    return { acknowledged, refused, gone: Promise.all(calls) };
  }

  test('on SQLite [40.1]', async () => {
    const DATA_DIR = await services.folder();
    const first = await services.start({ DATA_DIR });
    const jobs = await Promise.all(Array.from({ length: JOBS }, () => createJob(first)));
    const { acknowledged, refused, gone } = pingUntilGone(first, jobs);
    await expect.poll(() => acknowledged.length, PATIENTLY).toBeGreaterThan(ENOUGH);
    await first.kill();
    await gone;
    expect(refused).toEqual([]);

    const second = await services.start({ DATA_DIR });
    const database = await openFile(DATA_DIR);
    const found = await database.read.selectFrom('ping').select(['monitor_id', 'run_id']).execute();
    const kept = new Set(found.map((ping) => ping.run_id));
    expect(acknowledged.filter((run) => !kept.has(run))).toEqual([]);
    const counts = await database.read
      .selectFrom('monitor_state')
      .select(['monitor_id', 'ping_count'])
      .execute();
    for (const { monitor_id, ping_count } of counts) {
      expect(found.filter((ping) => ping.monitor_id === monitor_id).length).toBe(ping_count);
    }
    for (const { id } of jobs) expect((await monitorOf(second, id)).status).toBe('online');
    await second.stop();
  });
});
