import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { monitorOf, PATIENTLY, useServices, type Service } from '../support/service.ts';

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

const openFile = async (directory: string) =>
  services.use(await openDatabase({ engine: 'sqlite', directory }));

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
