import { describe, expect, test } from 'vitest';
import { openApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';

const INCIDENTS = '/api/v1/incidents';
/** What the clock of the tests shows. */
const NOW = '2030-01-01T00:00:00.000Z';

async function report(api: TestApi, body: object, who = api.alice): Promise<Json> {
  const answer = await api.call(who, 'POST', INCIDENTS, {
    started_at: NOW,
    status: 'open',
    ...body,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function get(api: TestApi, id: number): Promise<Json> {
  return (await api.call(api.alice, 'GET', `${INCIDENTS}/${id}`)).body;
}

type Line = { type: string; description: string; user: { name: string } | null };

async function log(api: TestApi, id: number): Promise<string[]> {
  const lines = (await get(api, id))['activities'] as Line[];
  return lines.map(({ type, description, user }) => `${user?.name} | ${type} | ${description}`);
}

eachDatabase((_name, open) => {
  describe('an incident that a person records', () => {
    test('has every field of the shape, and changes nothing of its monitor [1.6, 21.7, 21.19, 21.22, 21.23, 21.24, 21.25, 21.26]', async () => {
      const api = await openApi(await open());
      const monitor = await api.create({ friendly_name: 'Shop' });
      const created = await report(api, { monitor_id: monitor.id });
      expect(created).toEqual({
        id: expect.any(Number),
        monitor_id: monitor.id,
        type: 'manual',
        severity: 'critical',
        status: 'open',
        root_cause: null,
        started_at: NOW,
        ended_at: null,
        duration: null,
        duration_seconds: null,
        acknowledged_at: null,
        acknowledged_by: null,
        is_regional: false,
        region: null,
        counted_as: null,
        monitor: { id: monitor.id, url: 'https://example.com', friendly_name: 'Shop' },
        created_at: NOW,
        updated_at: NOW,
      });
      const { activities, evidence, unobserved_seconds, ...rest } = await get(api, created.id);
      expect([rest, evidence, unobserved_seconds]).toEqual([created, [], null]);
      expect(activities).toEqual([
        {
          id: expect.any(Number),
          type: 'opened',
          description: 'Alice opened the incident.',
          user: { id: api.alice.personId, name: 'Alice' },
          created_at: NOW,
        },
      ]);
      const listed = await api.call(api.alice, 'GET', `/api/v1/monitors/${monitor.id}/incidents`);
      expect(listed.body['data']).toEqual([created]);
      const after = await api.call(api.alice, 'GET', `/api/v1/monitors/${monitor.id}`);
      expect(after.body).toMatchObject({ status: 'pending', incidents: [created] });
      const events = api.database.read.selectFrom('event').selectAll();
      expect(await events.execute()).toEqual([]);
    });

    test('may be one of several that are open, and each ends by itself [21.8, 21.13]', async () => {
      const api = await openApi(await open());
      const { id: monitor_id } = await api.create();
      const [one, two] = [await report(api, { monitor_id }), await report(api, { monitor_id })];
      expect((await api.call(api.ed, 'POST', `${INCIDENTS}/${one.id}/resolve`)).body).toMatchObject(
        { status: 'resolved' },
      );
      expect(await get(api, two.id)).toMatchObject({ status: 'open' });
      const ended = await api.call(api.ed, 'PUT', `${INCIDENTS}/${two.id}`, { status: 'resolved' });
      expect(ended.body).toMatchObject({ status: 'resolved', ended_at: NOW, root_cause: null });
      const again = await api.call(api.ed, 'PUT', `${INCIDENTS}/${one.id}`, { status: 'open' });
      expect([again.status, again.body['status']]).toEqual([200, 'open']);
    });
  });

  test('the way of one: acknowledged, its cause told, resolved, reopened, deleted [1.6, 21.13, 21.14, 21.16, 21.17, 21.18, 21.20, 21.21, 21.23, 21.25]', async () => {
    const api = await openApi(await open());
    const { id: monitor_id } = await api.create();
    const created = await report(api, { monitor_id, root_cause: 'Slow disks' });
    const { id } = created;
    const path = `${INCIDENTS}/${id}`;
    await api.clock.advance(60_000);

    const acknowledged = await api.call(api.ed, 'POST', `${path}/acknowledge`);
    expect(acknowledged.status).toBe(200);
    expect(acknowledged.body).toMatchObject({
      success: true,
      message: 'The incident is acknowledged.',
      incident: {
        id,
        acknowledged_at: '2030-01-01T00:01:00.000Z',
        acknowledged_by: api.ed.personId,
        updated_at: '2030-01-01T00:01:00.000Z',
      },
    });
    await api.clock.advance(60_000);
    const twice = await api.call(api.alice, 'POST', `${path}/acknowledge`);
    expect(twice.body).toEqual({
      ...acknowledged.body,
      message: 'The incident is acknowledged already.',
    });

    const updated = await api.call(api.alice, 'PUT', path, { root_cause: 'A full disk' });
    expect(updated.body).toMatchObject({
      root_cause: 'A full disk',
      status: 'open',
      updated_at: '2030-01-01T00:02:00.000Z',
    });
    await api.clock.advance(13 * 60_000);
    const resolved = await api.call(api.alice, 'POST', `${path}/resolve`);
    expect(resolved.status).toBe(200);
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      ended_at: '2030-01-01T00:15:00.000Z',
      duration: 15,
      duration_seconds: 900,
      updated_at: '2030-01-01T00:15:00.000Z',
    });
    await api.clock.advance(60_000);
    expect((await api.call(api.ed, 'POST', `${path}/resolve`)).body).toEqual(resolved.body);

    const reopened = await api.call(api.ed, 'PUT', path, { status: 'open', root_cause: '' });
    expect(reopened.body).toMatchObject({
      status: 'open',
      root_cause: null,
      ended_at: null,
      duration: null,
      duration_seconds: null,
      updated_at: '2030-01-01T00:16:00.000Z',
    });
    const shown = acknowledged.body['incident'] as Json;
    for (const shape of [shown, updated.body, resolved.body, reopened.body])
      expect(Object.keys(shape)).toEqual(Object.keys(created));
    expect(await log(api, id)).toEqual([
      'Alice | opened | Alice opened the incident: Slow disks.',
      'Ed | acknowledged | Ed acknowledged the incident.',
      'Alice | root_cause_changed | Alice changed the root cause: A full disk.',
      'Alice | resolved | Alice resolved the incident.',
      'Ed | root_cause_changed | Ed removed the root cause.',
      'Ed | reopened | Ed reopened the incident.',
    ]);

    const deleted = await api.call(api.ed, 'DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await api.call(api.alice, method, path)).status).toBe(404);
    }
    const left = await api.database.read.selectFrom('activity').selectAll().execute();
    expect(left).toEqual([]);
  });

  test('with open sign-up a team reports sixty an hour: each is an event for all its endpoints [21.45]', async () => {
    const api = await openApi(await open(), { openSignup: true });
    const { id } = await api.create();
    for (let made = 0; made < 60; made += 1)
      await report(api, {
        monitor_id: id,
        incident_type: 'manual',
        ended_at: NOW,
        status: 'resolved',
      });
    const body = { monitor_id: id, incident_type: 'manual', started_at: NOW, status: 'open' };
    const refused = await api.call(api.ed, 'POST', INCIDENTS, body);
    expect([refused.status, refused.body['message']]).toEqual([
      429,
      'No incident was created: the limit is 60 incidents that people create an hour for one team. Try again in 60 minutes.',
    ]);
    expect((await api.call(api.alice, 'GET', INCIDENTS)).body['total']).toBe(60);
  });

  test('what changes nothing writes nothing [21.17]', async () => {
    const api = await openApi(await open());
    const { id: monitor_id } = await api.create();
    const body = { monitor_id, root_cause: 'A cable', status: 'resolved' };
    const created = await report(api, body);
    await api.clock.advance(60_000);
    const path = `${INCIDENTS}/${created.id}`;
    for (const same of [{}, { status: 'resolved' }, { root_cause: 'A cable', foo: 1 }, undefined]) {
      expect((await api.call(api.alice, 'PUT', path, same)).body).toEqual(created);
    }
    expect((await api.call(api.alice, 'POST', `${path}/resolve`)).body).toEqual(created);
    expect(await log(api, created.id)).toHaveLength(2);
  });

  test('a resolved one can be acknowledged, and one that begins in a moment ends when it began [21.37]', async () => {
    const api = await openApi(await open());
    const { id: monitor_id } = await api.create();
    const started_at = '2030-01-01T00:05:00.000Z';
    const soon = await report(api, { monitor_id, started_at });
    const resolved = await api.call(api.alice, 'POST', `${INCIDENTS}/${soon.id}/resolve`);
    expect(resolved.body).toMatchObject({ ended_at: started_at, duration: 1, duration_seconds: 0 });
    const seen = await api.call(api.alice, 'POST', `${INCIDENTS}/${soon.id}/acknowledge`);
    expect(seen.body['incident']).toMatchObject({ acknowledged_at: NOW, status: 'resolved' });
  });

  test('reopening beside another open one of its type is a conflict [21.15]', async () => {
    const api = await openApi(await open());
    const { id: monitor_id } = await api.create();
    const insert = (endedAt: number | null) =>
      api.database.transaction((tx) =>
        tx
          .insertInto('incident')
          .values({
            team_id: api.alice.teamId,
            monitor_id,
            type: 'uptime',
            severity: 'critical',
            root_cause: 'HTTP 503 Service Unavailable',
            failure_code: 'http_status',
            is_regional: 0,
            started_at: 0,
            ended_at: endedAt,
            created_at: 0,
            updated_at: 0,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      );
    const [{ id: ended }, { id: running }] = [await insert(1_000), await insert(null)];
    const reopen = () => api.call(api.alice, 'PUT', `${INCIDENTS}/${ended}`, { status: 'open' });
    const refused = await reopen();
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message:
          'Another incident of this type is open for this monitor. Resolve that one first, or leave this one resolved.',
      },
    ]);
    expect((await get(api, ended))['activities']).toEqual([]);
    await api.call(api.alice, 'POST', `${INCIDENTS}/${running}/resolve`);
    expect((await reopen()).body).toMatchObject({ id: ended, status: 'open', ended_at: null });
    const monitor = await api.call(api.alice, 'GET', `/api/v1/monitors/${monitor_id}`);
    expect(monitor.body['status']).toBe('pending');
  });

  test('those of a deleted monitor do not exist', async () => {
    const api = await openApi(await open());
    const monitor = await api.create();
    const path = `${INCIDENTS}/${(await report(api, { monitor_id: monitor.id })).id}`;
    await api.call(api.alice, 'DELETE', `/api/v1/monitors/${monitor.id}`);
    for (const [method, action] of [
      ['GET', ''],
      ['PUT', ''],
      ['POST', '/resolve'],
      ['POST', '/acknowledge'],
      ['DELETE', ''],
    ] as const) {
      const answer = await api.call(api.alice, method, path + action);
      const none = { message: 'There is no such incident in your team.' };
      expect([answer.status, answer.body]).toEqual([404, none]);
    }
  });
});
