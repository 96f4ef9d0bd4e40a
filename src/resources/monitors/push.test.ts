import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { LEAST, PULL } from '../../../test/support/monitor-bodies.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { hashToken } from '../../identity/token.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import { updateRows } from '../../../test/support/rows.ts';

const MONITORS = '/api/v1/monitors';
const PING_URL = /^https:\/\/up\.example\.com\/ping\/([0-9A-Za-z]{22,})$/;

async function stored({ database }: TestApi, id: number) {
  const monitor = database.read.selectFrom('monitor').selectAll().where('id', '=', id);
  const state = database.read.selectFrom('monitor_state').selectAll().where('monitor_id', '=', id);
  return {
    monitor: await monitor.executeTakeFirstOrThrow(),
    state: await state.executeTakeFirstOrThrow(),
  };
}

const WAITING = { ...LEAST.heartbeat, heartbeat_wait_for_first_ping: true };

eachDatabase((_name, open) => {
  describe('a push monitor', () => {
    test('is created with the defaults of its type, and the same shape as all others [6.5, 6.6, 6.7, 6.15, 6.16, 7.2, 7.11, 11.1, 11.2, 11.4, 11.7]', async () => {
      const api = await openApi(await open());
      const http = await api.create();
      const heartbeat = await api.create(LEAST.heartbeat);
      expect(Object.keys(heartbeat)).toEqual(Object.keys(http));
      expect(heartbeat).toEqual({
        ...http,
        id: heartbeat.id,
        monitor_type: 'heartbeat',
        url: expect.stringMatching(PING_URL),
        ping_url: heartbeat['url'],
        friendly_name: 'Backup',
        check_interval: null,
        next_check_at: null,
        heartbeat_interval: 300,
        heartbeat_timezone: 'UTC',
        heartbeat_grace: 60,
        heartbeat_wait_for_first_ping: false,
        heartbeat_expected_at: '2030-01-01T00:05:00.000Z',
        http_method: null,
      });
      const cron = await api.create({
        ...LEAST.cron,
        heartbeat_timezone: 'Europe/Berlin',
        url: 'https://example.com',
        check_interval: 5,
      });
      expect(cron).toMatchObject({
        monitor_type: 'cron',
        url: expect.stringMatching(PING_URL),
        check_interval: null,
        heartbeat_interval: null,
        heartbeat_grace: 60,
        heartbeat_wait_for_first_ping: false,
        heartbeat_max_runtime: null,
        heartbeat_cron_expression: '0 3 * * *',
        heartbeat_timezone: 'Europe/Berlin',
        heartbeat_expected_at: '2030-01-01T02:00:00.000Z',
      });
      expect(cron['ping_url']).not.toBe(heartbeat['ping_url']);
      const listed = await api.call(api.alice, 'GET', `${MONITORS}?sort=created_at`);
      expect(listed.body['data']).toEqual([http, heartbeat, cron]);
      expect((await api.call(api.vera, 'GET', `/api/monitors/${cron.id}`)).body).toEqual({
        ...cron,
        incidents: [],
        response_times: [],
      });
      for (const type of PULL)
        expect(Object.keys(await api.create(LEAST[type]))).toEqual(Object.keys(http));
    });

    test('is never due for a check, and its secret lies hashed and sealed [11.2, 11.21]', async () => {
      const api = await openApi(await open());
      const { id, ping_url } = await api.create(LEAST.heartbeat);
      const token = PING_URL.exec(ping_url as string)![1]!;
      const { monitor, state } = await stored(api, id);
      expect(state).toMatchObject({ run_at: null, status: 'pending', last_heartbeat_at: null });
      expect(monitor).toMatchObject({ url: '', ping_token_hash: hashToken(token) });
      const secrets = createSecretBox(['a key for tests']).of('monitor', monitor.team_id);
      expect(secrets.open(monitor.ping_token!, 'ping_token')).toBe(token);
      expect(JSON.stringify([monitor, state])).not.toContain(token);
    });

    test.each([
      [LEAST.heartbeat, { heartbeat_interval: 30 }, '2030-01-01T01:00:30.000Z'],
      [LEAST.heartbeat, { heartbeat_timezone: 'Europe/Berlin' }, '2030-01-01T01:05:00.000Z'],
      [LEAST.cron, { heartbeat_cron_expression: '30 * * * *' }, '2030-01-01T01:30:00.000Z'],
      [LEAST.cron, { heartbeat_timezone: 'Europe/Berlin' }, '2030-01-01T02:00:00.000Z'],
      [LEAST.cron, { heartbeat_cron_expression: '0 2 * * *' }, '2030-01-01T02:00:00.000Z'],
      [LEAST.cron, { heartbeat_timezone: null }, null],
      [LEAST.heartbeat, { heartbeat_interval: 300 }, null],
      [LEAST.heartbeat, { heartbeat_grace: 5, heartbeat_max_runtime: 9 }, null],
      [LEAST.heartbeat, { heartbeat_wait_for_first_ping: true }, null],
      [WAITING, { heartbeat_wait_for_first_ping: false }, '2030-01-01T01:05:00.000Z'],
      [LEAST.cron, { friendly_name: 'other', tags: ['x'], failure_threshold: 3 }, null],
      [LEAST.cron, { url: 'https://example.com', check_interval: 5 }, null],
    ])(
      '%j changed by %j an hour later is expected at %s [6.7, 11.10, 11.11, 11.12]',
      async (body, change, expected) => {
        const api = await openApi(await open());
        const created = await api.create(body);
        await api.clock.advance(3_600_000);
        const put = await api.call(api.alice, 'PUT', `${MONITORS}/${created.id}`, change);
        expect(put.status).toBe(200);
        expect(put.body).toMatchObject({
          heartbeat_expected_at: expected ?? created['heartbeat_expected_at'],
          ping_url: created['ping_url'],
          url: created['url'],
          check_interval: null,
          next_check_at: null,
        });
        expect((await stored(api, created.id)).state.run_at).toBe(null);
      },
    );

    test('an edit of what it is starts a new revision, a new label does not', async () => {
      const api = await openApi(await open());
      const { id } = await api.create(LEAST.heartbeat);
      const put = (body: object) => api.call(api.alice, 'PUT', `${MONITORS}/${id}`, body);
      await put({ friendly_name: 'other', tags: ['t'] });
      expect((await stored(api, id)).monitor).toMatchObject({ version: 2, revision: 1 });
      await put({ heartbeat_grace: 1 });
      const { monitor, state } = await stored(api, id);
      expect([monitor.version, monitor.revision, state.revision]).toEqual([3, 3, 3]);
      await put({ heartbeat_grace: 1 });
      expect((await stored(api, id)).monitor.version).toBe(3);
    });

    test.each(['heartbeat', 'cron'] as const)(
      'a manual check of a %s monitor is refused, and nothing is asked [2.12]',
      async (type) => {
        const api = await openApi(await open());
        const { id } = await api.create(LEAST[type]);
        const { status, body } = await api.call(api.alice, 'POST', `${MONITORS}/${id}/check`);
        expect([status, body]).toEqual([
          422,
          {
            message: `A ${type} monitor can't be checked from here: its job reports to the ping_url itself.`,
          },
        ]);
        expect(api.checks).toEqual([]);
      },
    );

    test('whose key is lost is shown without its ping URL', async () => {
      const database = await open();
      const api = await openApi(database);
      const { id } = await api.create(LEAST.heartbeat);
      const sealed = createSecretBox(['another key'])
        .of('monitor', 1)
        .seal('x'.repeat(30), 'ping_token');
      await updateRows(database, 'monitor', { ping_token: sealed }, { id });
      const { status, body } = await api.call(api.alice, 'GET', `${MONITORS}/${id}`);
      expect([status, body['url'], body['ping_url']]).toEqual([200, '', null]);
    });
  });
});

test('ping URLs follow the public address of the installation', async () => {
  const database = await openInMemory();
  let base = 'http://localhost:3000';
  const api = await openApi(database, { baseUrl: () => base });
  const created = await api.create(LEAST.heartbeat);
  expect(created['ping_url']).toMatch(/^http:\/\/localhost:3000\/ping\/\w+$/);
  base = 'https://status.example.com/tocsin';
  const { body } = await api.call(api.alice, 'GET', `${MONITORS}/${created.id}`);
  expect(body['ping_url']).toBe(
    (created['ping_url'] as string).replace('http://localhost:3000', base),
  );
});
