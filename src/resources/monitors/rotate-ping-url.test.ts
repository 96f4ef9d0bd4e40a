import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { deleteJob, pingOf, startIngest } from '../../../test/support/jobs.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { LEAST } from '../../../test/support/monitor-bodies.ts';
import { hashToken } from '../../identity/token.ts';
import { runRetentionSlice } from '../../engine/history/retention.ts';

const DAY = 86_400;

const tokenIn = (monitor: object) =>
  String((monitor as { ping_url: string }).ping_url)
    .split('/')
    .at(-1)!;

/** A job with its ping URL as the API shows it, and a way to replace it. */
async function createJob(api: TestApi) {
  const created = await api.create(LEAST.heartbeat);
  const path = `/api/v1/monitors/${created.id}/rotate-ping-url`;
  return {
    created,
    id: created.id,
    path,
    token: tokenIn(created),
    async rotate(body?: object) {
      const answer = await api.call(api.alice, 'POST', path, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return tokenIn(answer.body);
    },
  };
}

eachDatabase((_name, open) => {
  test('both URLs work until the old one ends, in every process and after a restart [12.39]', async () => {
    const database = await open();
    const api = await openApi(database);
    const job = await createJob(api);
    const { clock } = api;
    const one = startIngest(database, clock);
    const two = startIngest(database, clock);
    const old = pingOf(job.token);
    expect([await one.send(old), await two.send(old)]).toEqual([['recorded'], ['recorded']]);

    const fresh = pingOf(await job.rotate({ keep_old_for: 3600 }));
    expect(fresh.tokenHash).not.toBe(old.tokenHash);
    const restarted = startIngest(database, clock);
    for (const ingest of [one, two, restarted])
      expect(await ingest.send(old, fresh)).toEqual(['recorded', 'recorded']);

    await clock.advance(3_599_999);
    expect(await one.send(old)).toEqual(['recorded']);
    await clock.advance(1);
    for (const ingest of [one, two, restarted, startIngest(database, clock)])
      expect(await ingest.send(old, fresh)).toEqual(['unknown', 'recorded']);
  });

  test('a URL that has leaked ends at once, with all before it, in processes that know it too [12.40]', async () => {
    const database = await open();
    const api = await openApi(database);
    const job = await createJob(api);
    const { clock } = api;
    const ingest = startIngest(database, clock);
    const first = pingOf(job.token);
    const second = pingOf(await job.rotate());
    expect(await ingest.send(first, second)).toEqual(['recorded', 'recorded']);
    const third = pingOf(await job.rotate({ keep_old_for: 0 }));
    expect(await ingest.send(first, second, third)).toEqual(['unknown', 'unknown', 'recorded']);
  });

  test('a later rotation shortens the time of earlier URLs and never prolongs it [12.40]', async () => {
    const database = await open();
    const api = await openApi(database);
    const job = await createJob(api);
    await job.rotate({ keep_old_for: 600 });
    await job.rotate({ keep_old_for: 60 });
    await job.rotate({ keep_old_for: 3600 });
    const rows = await database.read
      .selectFrom('former_ping_token')
      .select('expires_at')
      .orderBy('expires_at')
      .execute();
    const start = api.clock.now();
    expect(rows.map((row) => (row.expires_at - start) / 1_000)).toEqual([60, 60, 3600]);
  });

  test('the new secret lies hashed and sealed, the old one hashed alone, and retention deletes it [11.21]', async () => {
    const database = await open();
    const api = await openApi(database);
    const job = await createJob(api);
    const token = await job.rotate();
    const monitor = await database.read.selectFrom('monitor').selectAll().executeTakeFirstOrThrow();
    const former = await database.read.selectFrom('former_ping_token').selectAll().execute();
    expect(monitor.ping_token_hash).toBe(hashToken(token));
    expect(former).toEqual([
      {
        token_hash: hashToken(job.token),
        monitor_id: job.id,
        expires_at: api.clock.now() + DAY * 1_000,
      },
    ]);
    await api.clock.advance(DAY * 1_000);
    const { clock } = api;
    const days = { rawRetentionDays: 3, rollupRetentionDays: 400, auditRetentionDays: 400 };
    while ((await runRetentionSlice({ database, clock, ...days })) === 'more');
    expect(await database.read.selectFrom('former_ping_token').selectAll().execute()).toEqual([]);
  });

  test('a deleted monitor has no URL, old or new [12.14]', async () => {
    const database = await open();
    const api = await openApi(database);
    const job = await createJob(api);
    const fresh = pingOf(await job.rotate());
    const { clock } = api;
    await deleteJob(database, job.id, clock.now());
    const ingest = startIngest(database, clock);
    expect(await ingest.send(pingOf(job.token), fresh)).toEqual(['unknown', 'unknown']);
  });
});

describe('replacing a ping URL', () => {
  test.each([[-1], [604_801], [1.5], ['60'], [true]])(
    'keep_old_for %j is 422 on its field [12.39]',
    async (keep_old_for) => {
      const api = await openApi(await openInMemory());
      const job = await createJob(api);
      const answer = await api.call(api.alice, 'POST', job.path, { keep_old_for });
      expect(answer.status).toBe(422);
      expect(answer.body['errors']).toEqual({
        keep_old_for: ['keep_old_for must be a whole number of seconds from 0 to 604800.'],
      });
      const { body } = await api.call(api.alice, 'GET', `/api/v1/monitors/${job.id}`);
      expect(body['ping_url']).toBe(job.created['ping_url']);
    },
  );

  test('a monitor without ping URL is 422 with a message [12.39]', async () => {
    const api = await openApi(await openInMemory());
    const { id } = await api.create();
    const answer = await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/rotate-ping-url`);
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain('Only heartbeat and cron monitors have a ping URL');
  });

  test('changes neither what is expected nor the history, and the log names no secret [11.11, 12.41]', async () => {
    const api = await openApi(await openInMemory());
    const job = await createJob(api);
    await api.clock.advance(60_000);
    const token = await job.rotate();
    const { body } = await api.call(api.alice, 'GET', `/api/v1/monitors/${job.id}`);
    expect(body).toMatchObject({
      url: body['ping_url'],
      heartbeat_expected_at: job.created['heartbeat_expected_at'],
      status: 'pending',
    });
    const log = await api.call(api.alice, 'GET', '/api/v1/audit-log');
    const [entry] = log.body['data'] as object[];
    expect(entry).toMatchObject({
      action: 'monitor.ping_url_rotated',
      target: { type: 'monitor', id: job.id },
    });
    expect(JSON.stringify(entry)).toContain('2030-01-02T00:01:00.000Z');
    expect(JSON.stringify(log.body)).not.toMatch(new RegExp(`${token}|${job.token}`));
  });

  test('an eleventh URL that still works is refused, and the way out ends them all [12.40]', async () => {
    const api = await openApi(await openInMemory());
    const job = await createJob(api);
    for (let count = 0; count < 10; count++) await job.rotate();
    const answer = await api.call(api.alice, 'POST', job.path);
    expect(answer.status).toBe(409);
    expect(answer.body['message']).toContain('"keep_old_for": 0');
    await job.rotate({ keep_old_for: 0 });
    await job.rotate();
  });
});
