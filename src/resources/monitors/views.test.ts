import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { giveToken, type TestPerson } from '../../../test/support/people.ts';
import { updateRows } from '../../../test/support/rows.ts';

/** What the list shows must be what each single answer shows, which is read anew each time. */
async function expectFresh(api: TestApi, who: TestPerson | string = api.alice): Promise<Json[]> {
  const list = await api.call(who, 'GET', '/api/v1/monitors?sort=created_at');
  const shown = list.body['data'] as Json[];
  for (const monitor of shown) {
    const { body } = await api.call(who, 'GET', `/api/v1/monitors/${monitor.id}`);
    const { incidents: _, response_times: __, ...single } = body;
    expect(monitor).toEqual(single);
  }
  return shown;
}

eachDatabase((_engine, open) => {
  test('a list shows each change at once, whoever made it', async () => {
    const api = await openApi(await open());
    const { clock, database, alice } = api;
    const group = (await api.call(alice, 'POST', '/api/v1/groups', { name: 'Web' })).body.id;
    const plain = await api.create({ group_id: group });
    const secret = await api.create({
      auth_type: 'bearer',
      auth_username: 'token',
      auth_password: 'unused',
      request_headers: { 'X-Key': 'key' },
    });
    const job = await api.create({
      monitor_type: 'heartbeat',
      friendly_name: 'Job',
      heartbeat_interval: 60,
    });
    const ids = [plain.id, secret.id, job.id];
    const state = (id: number, change: object) =>
      updateRows(database, 'monitor_state', change, { monitor_id: id });
    const put = (id: number, body: object) =>
      api.call(alice, 'PUT', `/api/v1/monitors/${id}`, body);
    const changes: (() => Promise<unknown>)[] = [
      () => state(plain.id, { status: 'offline', last_slot: 1, last_checked_at: 1, run_at: null }),
      // The next slot of the grid passes, and nothing else.
      async () => clock.advance(61_000),
      () => state(plain.id, { run_at: clock.now() + 5_000 }),
      () => state(job.id, { last_heartbeat_at: clock.now() }),
      () => state(job.id, { heartbeat_expected_at: clock.now() + 60_000, status: 'online' }),
      () => put(plain.id, { friendly_name: 'Named', tags: ['a'] }),
      () => put(secret.id, { request_headers: { 'X-Key': 'other' } }),
      () => put(secret.id, { auth_type: null, request_headers: null }),
      () => put(secret.id, { request_body: 'sent', http_method: 'POST' }),
      () => api.call(alice, 'POST', `/api/v1/monitors/${job.id}/pause`),
      () => api.call(alice, 'POST', `/api/v1/monitors/${job.id}/resume`),
      () => api.call(alice, 'DELETE', `/api/v1/groups/${group}`),
      () => api.call(alice, 'DELETE', `/api/v1/monitors/${job.id}`),
    ];
    expect((await expectFresh(api)).map(({ id }) => id)).toEqual(ids);
    for (const change of changes) {
      const before = await expectFresh(api);
      await change();
      const after = await expectFresh(api);
      expect(after).not.toEqual(before);
    }
  });
});

eachDatabase((_engine, open) => {
  test('what one caller may see is not kept for another', async () => {
    const api = await openApi(await open());
    const { database, alice, vera, mallory } = api;
    await api.create({ request_headers: { 'X-Key': 'key' } });
    await api.create();
    const reader = await giveToken(database, alice, { permissions: ['read'], now: 0 });
    for (const who of [alice, vera, reader, alice]) {
      const [monitor] = await expectFresh(api, who);
      expect(monitor!['request_headers']).toEqual(who === alice ? { 'X-Key': 'key' } : null);
    }
    expect(await expectFresh(api, mallory)).toEqual([]);
  });
});
