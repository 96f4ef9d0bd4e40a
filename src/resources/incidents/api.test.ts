import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveToken } from '../../../test/support/people.ts';

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
    test('has every field of the shape, and changes nothing of its monitor', async () => {
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
        monitor: { id: monitor.id, url: 'https://example.com', friendly_name: 'Shop' },
        created_at: NOW,
        updated_at: NOW,
      });
      const { activities, evidence, ...rest } = await get(api, created.id);
      expect([rest, evidence]).toEqual([created, []]);
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

    test('may be one of several that are open, and each ends by itself', async () => {
      const api = await openApi(await open());
      const { id: monitor_id } = await api.create();
      const [one, two] = [await report(api, { monitor_id }), await report(api, { monitor_id })];
      expect((await api.call(api.ed, 'POST', `${INCIDENTS}/${one.id}/resolve`)).body).toMatchObject(
        { status: 'resolved' },
      );
      expect(await get(api, two.id)).toMatchObject({ status: 'open' });
      const again = await api.call(api.ed, 'PUT', `${INCIDENTS}/${one.id}`, { status: 'open' });
      expect([again.status, again.body['status']]).toEqual([200, 'open']);
    });
  });

  test('the way of one: acknowledged, its cause told, resolved, reopened, deleted', async () => {
    const api = await openApi(await open());
    const { id: monitor_id } = await api.create();
    const { id } = await report(api, { monitor_id, root_cause: 'Slow disks' });
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
    expect(updated.body).toMatchObject({ root_cause: 'A full disk', status: 'open' });
    await api.clock.advance(13 * 60_000);
    const resolved = await api.call(api.alice, 'POST', `${path}/resolve`);
    expect(resolved.status).toBe(200);
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      ended_at: '2030-01-01T00:15:00.000Z',
      duration: 15,
      duration_seconds: 900,
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
    });
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

  test('what changes nothing writes nothing', async () => {
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

  test('reopening beside another open one of its type is a conflict', async () => {
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
            region: null,
            started_at: 0,
            ended_at: endedAt,
            acknowledged_at: null,
            acknowledged_by: null,
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

  test("another team's do not exist, and neither do those of a deleted monitor", async () => {
    const api = await openApi(await open());
    const monitor = await api.create();
    const { id } = await report(api, { monitor_id: monitor.id });
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PUT', '', { status: 'wrong' }],
      ['PUT', '', { status: 'resolved' }],
      ['POST', '/resolve'],
      ['POST', '/acknowledge'],
      ['DELETE', ''],
    ];
    const expectNone = async (who = api.mallory, known: unknown = id) => {
      for (const [method, action, body] of calls) {
        const answer = await api.call(who, method, `${INCIDENTS}/${known}${action}`, body);
        const none = { message: 'There is no such incident in your team.' };
        expect([answer.status, answer.body]).toEqual([404, none]);
      }
    };
    await expectNone();
    await expectNone(api.alice, 999_999);
    await expectNone(api.alice, 'x');
    expect(await log(api, id)).toHaveLength(1);
    await api.call(api.alice, 'DELETE', `/api/v1/monitors/${monitor.id}`);
    await expectNone(api.alice);
  });
});

test('each call needs its permission, of the token and of the role', async () => {
  const api = await shared();
  const { id: monitor_id } = await api.create();
  const { id } = await report(api, { monitor_id });
  const now = api.clock.now();
  const calls: [string, string, 'create' | 'update' | 'delete'][] = [
    ['POST', INCIDENTS, 'create'],
    ['PUT', `${INCIDENTS}/${id}`, 'update'],
    ['POST', `${INCIDENTS}/${id}/resolve`, 'update'],
    ['POST', `${INCIDENTS}/${id}/acknowledge`, 'update'],
    ['DELETE', `${INCIDENTS}/${id}`, 'delete'],
  ];
  for (const [method, path, needs] of calls) {
    const others = (['read', 'create', 'update', 'delete'] as const).filter((one) => one !== needs);
    const without = await giveToken(api.database, api.alice, { permissions: others, now });
    for (const who of [without, api.vera]) {
      const refused = await api.call(who, method, path, '{');
      expect(refused.status, `${method} ${path}`).toBe(403);
      expect(refused.body['message']).toContain(`"${needs}"`);
    }
    const only = await giveToken(api.database, api.ed, { permissions: [needs], now });
    expect((await api.call(only, method, path)).status).toBeOneOf([200, 204, 422]);
  }
});

const shared = sharedApi();
let monitorId: Promise<number> | null = null;

/** A monitor for all inputs of the tables. */
function sharedMonitor(): Promise<number> {
  return (monitorId ??= shared().then(async (api) => (await api.create()).id));
}

const A_TIME = 'must be a date and time such as 2030-01-31T12:00:00Z';
const AN_ID = 'must be a whole number, the id of a monitor of your team';
const A_STATUS = 'must be one of open, resolved';
const LATER = 'must not be more than 5 minutes in the future';

describe('bodies that are refused', () => {
  test.each<[object, Record<string, string>]>([
    [
      { monitor_id: undefined },
      { monitor_id: 'is required: give the id of a monitor of your team' },
    ],
    [{ monitor_id: null }, { monitor_id: 'is required: give the id of a monitor of your team' }],
    [{ monitor_id: '1' }, { monitor_id: AN_ID }],
    [{ monitor_id: 1.5 }, { monitor_id: AN_ID }],
    [{ monitor_id: 0 }, { monitor_id: AN_ID }],
    [{ monitor_id: 1e300 }, { monitor_id: AN_ID }],
    [{ monitor_id: 999_999 }, { monitor_id: 'must be the id of a monitor of your team' }],
    [
      { started_at: '' },
      { started_at: 'is required: give a date and time such as 2030-01-31T12:00:00Z' },
    ],
    [{ started_at: 1_893_456_000_000 }, { started_at: A_TIME }],
    [{ started_at: 'yesterday' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31' }, { started_at: A_TIME }],
    [{ started_at: '2029-02-29T12:00:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-11-31T12:00:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-00-10T12:00:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T24:00:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T23:60:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T23:59:60Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T23:59:00+24:00' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T23:59:00 UTC' }, { started_at: A_TIME }],
    [{ started_at: '1969-12-31T23:59:59.999Z' }, { started_at: 'must not be before 1970' }],
    [{ started_at: '1970-01-01T00:00:00+01:00' }, { started_at: 'must not be before 1970' }],
    [{ started_at: '2030-01-01T00:05:00.001Z' }, { started_at: LATER }],
    [{ started_at: '9999-12-31T00:00:00Z' }, { started_at: LATER }],
    [{ status: null }, { status: 'is required: give one of open, resolved' }],
    [{ status: 'closed' }, { status: A_STATUS }],
    [{ severity: 'high' }, { severity: 'must be one of critical, warning, info' }],
    [{ root_cause: 5 }, { root_cause: 'must be text of 1 to 2000 characters' }],
    [{ root_cause: 'x'.repeat(2_001) }, { root_cause: 'must be text of 1 to 2000 characters' }],
    [{ root_cause: 'a\0b' }, { root_cause: 'must not hold a NUL character or half a character' }],
    [{ ended_at: NOW }, { ended_at: 'is for resolved incidents only: leave it out, or send null' }],
    [{ status: 'resolved', ended_at: 'x' }, { ended_at: A_TIME }],
    [{ status: 'resolved', ended_at: '2030-01-01T00:05:00.001Z' }, { ended_at: LATER }],
    [
      { status: 'resolved', ended_at: '2029-12-31T23:59:59.999Z' },
      { ended_at: 'must not be before started_at' },
    ],
    [
      {
        monitor_id: 999_999,
        started_at: 'x',
        status: 'x',
        severity: 'x',
        root_cause: 1,
        ended_at: 1,
      },
      {
        monitor_id: 'must be the id of a monitor of your team',
        started_at: A_TIME,
        status: A_STATUS,
        severity: 'must be one of critical, warning, info',
        root_cause: 'must be text of 1 to 2000 characters',
        ended_at: A_TIME,
      },
    ],
  ])('POST %j', async (fields, errors) => {
    const api = await shared();
    const good = { monitor_id: await sharedMonitor(), started_at: NOW, status: 'open' };
    const { status, body } = await api.call(api.alice, 'POST', INCIDENTS, { ...good, ...fields });
    const sentences = Object.entries(errors).map(([field, text]) => [field, [`${field} ${text}.`]]);
    expect([status, body['errors']]).toEqual([422, Object.fromEntries(sentences)]);
  });

  test.each<[unknown, Record<string, string>]>([
    [{ status: null }, { status: A_STATUS }],
    [{ status: '' }, { status: A_STATUS }],
    [
      { status: 'closed', root_cause: [] },
      { status: A_STATUS, root_cause: 'must be text of 1 to 2000 characters' },
    ],
    ['[]', { body: 'must be a JSON object: names and values in braces' }],
  ])('PUT %j', async (sent, errors) => {
    const api = await shared();
    const { id } = await report(api, { monitor_id: await sharedMonitor() });
    const { status, body } = await api.call(api.alice, 'PUT', `${INCIDENTS}/${id}`, sent);
    const sentences = Object.entries(errors).map(([field, text]) => [field, [`${field} ${text}.`]]);
    expect([status, body['errors']]).toEqual([422, Object.fromEntries(sentences)]);
    expect((await get(api, id))['activities']).toHaveLength(1);
  });

  test("another team's monitor and a deleted one are no monitors", async () => {
    const api = await shared();
    const theirs = await api.create({}, api.mallory);
    const gone = await api.create();
    await api.call(api.alice, 'DELETE', `/api/v1/monitors/${gone.id}`);
    for (const { id } of [theirs, gone]) {
      const body = { monitor_id: id, started_at: NOW, status: 'open' };
      const answer = await api.call(api.alice, 'POST', INCIDENTS, body);
      expect([answer.status, answer.body['message']]).toEqual([
        422,
        'monitor_id must be the id of a monitor of your team.',
      ]);
    }
  });
});

describe('bodies that are accepted', () => {
  test.each<[object, object]>([
    [{ started_at: '2029-12-31T23:00:00Z' }, { started_at: '2029-12-31T23:00:00.000Z' }],
    [{ started_at: '2029-12-31T23:00:00' }, { started_at: '2029-12-31T23:00:00.000Z' }],
    [{ started_at: '2029-12-31 23:00' }, { started_at: '2029-12-31T23:00:00.000Z' }],
    [
      { started_at: '2029-12-31T23:00:00.123456+02:00' },
      { started_at: '2029-12-31T21:00:00.123Z' },
    ],
    [{ started_at: '2029-12-31T20:00:00.5-0330' }, { started_at: '2029-12-31T23:30:00.500Z' }],
    [{ started_at: '2028-02-29t12:00:00z' }, { started_at: '2028-02-29T12:00:00.000Z' }],
    [{ started_at: '1970-01-01T00:00:00Z' }, { started_at: '1970-01-01T00:00:00.000Z' }],
    [{ started_at: '2030-01-01T00:05:00Z' }, { started_at: '2030-01-01T00:05:00.000Z' }],
    [{ severity: 'info' }, { severity: 'info' }],
    [
      { severity: null, root_cause: '', ended_at: null, foo: 1 },
      { severity: 'critical', root_cause: null },
    ],
    [{ root_cause: 'é'.repeat(2_000) }, { root_cause: 'é'.repeat(2_000) }],
    [
      { status: 'resolved', started_at: '2029-12-31T23:45:00Z' },
      { status: 'resolved', ended_at: NOW, duration: 15, duration_seconds: 900 },
    ],
    [
      { status: 'resolved', started_at: '2030-01-01T00:05:00Z' },
      { ended_at: '2030-01-01T00:05:00.000Z', duration: 1 },
    ],
    [
      { status: 'resolved', started_at: NOW, ended_at: NOW },
      { ended_at: NOW, duration: 1, duration_seconds: 0 },
    ],
    [
      { status: 'resolved', ended_at: '2030-01-01T00:05:00Z' },
      { ended_at: '2030-01-01T00:05:00.000Z', duration: 5 },
    ],
  ])('POST %j', async (fields, expected) => {
    const api = await shared();
    expect(await report(api, { monitor_id: await sharedMonitor(), ...fields })).toMatchObject(
      expected,
    );
  });

  test('actions come with no body, with an empty one, and with any', async () => {
    const api = await shared();
    for (const action of ['resolve', 'acknowledge']) {
      for (const body of [undefined, '', {}, { foo: 1 }]) {
        const { id } = await report(api, { monitor_id: await sharedMonitor() });
        const answer = await api.call(api.alice, 'POST', `${INCIDENTS}/${id}/${action}`, body);
        expect(answer.status).toBe(200);
      }
    }
  });
});
