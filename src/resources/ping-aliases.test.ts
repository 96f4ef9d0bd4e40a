import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { deleteJob, pingOf, startIngest } from '../../test/support/jobs.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { LEAST } from '../../test/support/monitor-bodies.ts';
import type { Database } from '../store/database/contract.ts';
import { purgeMonitor } from '../store/engine/expiry.ts';

const HOUR = 3_600_000;
const PATH = '/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278';
const OTHER = '/api/push/dX9bq4Yc2LmN8sTzW0aRkP3uVhJ6eGfQ';

const pathOf = (id: number) => `/api/v1/monitors/${id}/ping-aliases`;

const add = (api: TestApi, id: number, path: unknown) =>
  api.call(api.alice, 'POST', pathOf(id), { path });

async function listed(api: TestApi, id: number) {
  const { body } = await api.call(api.alice, 'GET', pathOf(id));
  return body['data'] as { id: number; service: string; last_used_at: string | null }[];
}

async function createJob(api: TestApi): Promise<number> {
  const { id } = await api.create(LEAST.heartbeat);
  return id;
}

/** Two jobs; the first one has called the address, which is its own. */
async function twoJobs(open: () => Promise<Database>) {
  const database = await open();
  const api = await openApi(database);
  const [first, second] = [await createJob(api), await createJob(api)];
  await add(api, first, PATH);
  const ingest = startIngest(database, api.clock);
  expect(await ingest.send(pingOf(PATH))).toEqual(['recorded']);
  return { database, api, first, second, ingest };
}

eachDatabase((_name, open) => {
  test('an address works at once, and ends in every process that knows it [12.42, 12.48]', async () => {
    const database = await open();
    const api = await openApi(database);
    const id = await createJob(api);
    const one = startIngest(database, api.clock);
    const two = startIngest(database, api.clock);
    const ping = pingOf(PATH);
    expect(await one.send(ping)).toEqual(['unknown']);
    const created = await add(api, id, `https://hc-ping.com${PATH.slice('/ping'.length)}/fail`);
    expect([created.status, created.body]).toEqual([
      201,
      { id: 1, service: 'healthchecks', created_at: expect.any(String), last_used_at: null },
    ]);
    expect([await one.send(ping), await two.send(ping)]).toEqual([['recorded'], ['recorded']]);
    const gone = await api.call(api.alice, 'DELETE', `${pathOf(id)}/1`);
    expect(gone.status).toBe(204);
    for (const ingest of [one, two, startIngest(database, api.clock)])
      expect(await ingest.send(ping)).toEqual(['unknown']);
    expect(await listed(api, id)).toEqual([]);
  });

  test('an address that moves to another monitor loses no ping [12.48]', async () => {
    const { database, api, first, second, ingest } = await twoJobs(open);
    await api.call(api.alice, 'DELETE', `${pathOf(first)}/1`);
    expect((await add(api, second, PATH)).status).toBe(201);
    expect(await ingest.send(pingOf(PATH))).toEqual(['recorded']);
    const counts = await database.read.selectFrom('ping').select('monitor_id').execute();
    expect(counts.map((row) => row.monitor_id).toSorted()).toEqual([first, second]);
  });

  test('the address of a deleted monitor is unknown, and another monitor may have it [12.48]', async () => {
    const { database, api, first, second, ingest } = await twoJobs(open);
    await deleteJob(database, first, api.clock.now());
    expect(await ingest.send(pingOf(PATH))).toEqual(['unknown']);
    expect((await add(api, second, PATH)).status).toBe(201);
    expect(await ingest.send(pingOf(PATH))).toEqual(['recorded']);
  });

  test('so is that of a monitor that is purged already [12.48]', async () => {
    const { database, api, first, second, ingest } = await twoJobs(open);
    await deleteJob(database, first, api.clock.now());
    await purgeMonitor(database, first);
    expect((await add(api, second, PATH)).status).toBe(201);
    expect(await ingest.send(pingOf(PATH))).toEqual(['recorded']);
  });

  test('it is known to the hour when an address was called last [12.48]', async () => {
    const database = await open();
    const api = await openApi(database);
    const id = await createJob(api);
    await add(api, id, PATH);
    const start = api.clock.now();
    const ingest = startIngest(database, api.clock);
    const lastUsed = async () =>
      (Date.parse((await listed(api, id))[0]!.last_used_at!) - start) / HOUR;
    await ingest.send(pingOf(PATH));
    expect(await lastUsed()).toBe(0);
    await api.clock.advance(HOUR - 1);
    await ingest.send(pingOf(PATH));
    expect(await lastUsed()).toBe(0);
    await api.clock.advance(1);
    await ingest.send(pingOf(PATH));
    expect(await lastUsed()).toBe(1);
  });

  test('one of another monitor is refused, and its own changes nothing [12.47]', async () => {
    const database = await open();
    const api = await openApi(database);
    const [first, second] = [await createJob(api), await createJob(api)];
    const created = await add(api, first, PATH);
    const again = await add(api, first, PATH.toUpperCase().replace('/PING', '/ping'));
    expect([again.status, again.body]).toEqual([201, created.body]);
    const refused = await add(api, second, PATH);
    expect([refused.status, refused.body['errors']]).toEqual([
      422,
      { path: ['path is an address of another monitor: remove it there first.'] },
    ]);
    expect(await listed(api, second)).toEqual([]);
    const { body } = await api.call(
      api.alice,
      'GET',
      '/api/v1/audit-log?action=monitor.ping_alias_added',
    );
    expect(body['total']).toBe(1);
  });
});

describe('an address', () => {
  test('has a duration where the job measured it itself [12.44]', async () => {
    const database = await openInMemory();
    const api = await openApi(database);
    const id = await createJob(api);
    await add(api, id, OTHER);
    const ingest = startIngest(database, api.clock);
    const end = pingOf(OTHER, { reportedMs: 100_000_000_000 });
    await ingest.send(pingOf(OTHER, { kind: 'start' }), end, pingOf(OTHER));
    const rows = await database.read
      .selectFrom('ping')
      .select('duration_ms')
      .orderBy('number')
      .execute();
    expect(rows.map((row) => row.duration_ms)).toEqual([null, 100_000_000_000, null]);
  });

  test('outlives a rotation, and neither adding nor removing one changes the job [12.49]', async () => {
    const database = await openInMemory();
    const api = await openApi(database);
    const job = await api.create(LEAST.heartbeat);
    await api.clock.advance(60_000);
    await add(api, job.id, PATH);
    await add(api, job.id, OTHER);
    await api.call(api.alice, 'DELETE', `${pathOf(job.id)}/2`);
    const path = `/api/v1/monitors/${job.id}`;
    const { body } = await api.call(api.alice, 'GET', path);
    expect(body).toMatchObject({
      status: 'pending',
      heartbeat_expected_at: job['heartbeat_expected_at'],
      ping_url: job['ping_url'],
    });
    await api.call(api.alice, 'POST', `${path}/rotate-ping-url`, { keep_old_for: 0 });
    expect(await startIngest(database, api.clock).send(pingOf(PATH))).toEqual(['recorded']);
  });

  test('is one of at most twenty of a monitor [12.47]', async () => {
    const api = await openApi(await openInMemory());
    const id = await createJob(api);
    for (let count = 0; count < 20; count += 1)
      expect((await add(api, id, `${OTHER}${count}`)).status).toBe(201);
    const refused = await add(api, id, PATH);
    expect([refused.status, refused.body['errors']]).toEqual([
      422,
      { path: ['path must not be more than 20 of a monitor.'] },
    ]);
    expect(await listed(api, id)).toHaveLength(20);
  });

  const refusing = sharedApi();
  test.each([undefined, null, '', 7, 'x', '/ping/abc', 'https://example.com/', '/'.repeat(2_049)])(
    '%# is 422 on its field [12.47]',
    async (path) => {
      const api = await refusing();
      const answer = await add(api, await createJob(api), path);
      expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([
        422,
        ['path'],
      ]);
    },
  );

  test('of a pull monitor is 422 with a message [12.47]', async () => {
    const api = await refusing();
    const { id } = await api.create();
    const answer = await add(api, id, PATH);
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      expect.stringContaining('Only heartbeat and cron monitors receive pings'),
    ]);
  });

  test('is neither shown nor in the audit log, which names the service [12.46]', async () => {
    const database = await openInMemory();
    const api = await openApi(database);
    const id = await createJob(api);
    await add(api, id, PATH);
    const [row] = await database.read.selectFrom('ping_alias').selectAll().execute();
    expect(row!.token_hash).toBe(pingOf(PATH).tokenHash);
    const log = await api.call(api.alice, 'GET', '/api/v1/audit-log');
    const shown = JSON.stringify([row, await listed(api, id), log.body]);
    expect(shown).not.toContain(PATH.slice('/ping/'.length));
    const [entry] = log.body['data'] as object[];
    expect(entry).toMatchObject({
      action: 'monitor.ping_alias_added',
      target: { type: 'monitor', id },
      after: { service: 'healthchecks' },
    });
  });

  test('of another monitor or team is not found', async () => {
    const api = await openApi(await openInMemory());
    const [first, second] = [await createJob(api), await createJob(api)];
    await add(api, first, PATH);
    for (const [who, id] of [
      [api.alice, second],
      [api.mallory, first],
    ] as const)
      expect((await api.call(who, 'DELETE', `${pathOf(id)}/1`)).status).toBe(404);
    expect((await api.call(api.mallory, 'GET', pathOf(first))).status).toBe(404);
  });
});
