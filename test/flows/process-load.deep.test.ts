import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { updateRows } from '../support/rows.ts';
import { createMonitors, incidents, PATIENTLY, untilAll, useServices } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 300_000 });

const services = useServices();

const BUSY_LOOPS = 8;
const JOBS = 20;
const HEALTHY = 30;
/** Measured: 5 s beside these loops on two cores. */
const FOUND_WITHIN_MS = 20_000;

/** Takes a whole core, if it gets one. */
function startBusyLoop() {
  const worker = new Worker('for (;;);', { eval: true });
  return { close: async () => void (await worker.terminate()) };
}

test('beside busy loops every silent job is found soon after its deadline, and no healthy target is called down [18.10]', async () => {
  const target = services.use(await startTarget());
  await target.heal(200);
  const DATA_DIR = await services.folder();
  const service = await services.start({ DATA_DIR, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
  const database = services.use(await openDatabase({ engine: 'sqlite', directory: DATA_DIR }));
  const healthy = await createMonitors(service, HEALTHY, (index) => ({
    url: target.url(`/${index}`),
    request_timeout: 5,
    failure_threshold: 1,
  }));
  const jobs = await createMonitors(service, JOBS, (index) => ({
    monitor_type: 'heartbeat',
    friendly_name: `Job ${index}`,
    heartbeat_interval: 30,
    heartbeat_grace: 0,
  }));
  await untilAll(service, healthy, 'online');
  for (let count = 0; count < BUSY_LOOPS; count += 1) services.use(startBusyLoop());

  const deadline = Date.now() + 5_000;
  for (const id of jobs)
    await updateRows(
      database,
      'monitor_state',
      { heartbeat_expected_at: deadline, due_at: deadline },
      { monitor_id: id },
    );
  const raised = async () => (await incidents(service)).map(({ monitor_id: id }) => id);
  await expect.poll(async () => (await raised()).length, PATIENTLY).toBeGreaterThanOrEqual(JOBS);
  const noticed = await database.read
    .selectFrom('incident')
    .select(['monitor_id', 'created_at'])
    .execute();
  const late = noticed.map(({ created_at: at }) => at - deadline);
  expect(Math.max(...late)).toBeLessThan(FOUND_WITHIN_MS);
  // Two more rounds of the healthy ones.
  const asked = target.requests().length;
  await expect
    .poll(() => target.requests().length, PATIENTLY)
    .toBeGreaterThanOrEqual(asked + 2 * HEALTHY);
  expect((await raised()).toSorted((a, b) => a - b)).toEqual(jobs);
  await service.stop();
});
