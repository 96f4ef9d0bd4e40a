import { describe, expect, it } from 'vitest';
import { at, client, ISO_TIME, MINUTE, REQUIRED } from '../support/client.ts';

const { open, get, post, put, monitor, incident } = client();

describe('conventions', () => {
  it('the paths of the API carry the prefix /api/v1 [1.1]', async () => {
    const { app, alice } = await open();
    const headers = { authorization: `Bearer ${alice.token}` };
    expect((await app.inject({ url: '/api/v1/monitors', headers })).statusCode).toBe(200);
    expect((await app.inject({ url: '/api/v2/monitors', headers })).statusCode).toBe(404);
  });

  it('/api without v1 is the same API as /api/v1 [1.1]', async () => {
    const api = await open();
    const created = await api.call(api.alice, 'POST', '/api/monitors', REQUIRED.http);
    expect(created.status).toBe(201);
    for (const path of ['', '/test', '/monitors', `/monitors/${created.body.id}`, '/incidents']) {
      const short = await api.call(api.alice, 'GET', `/api${path}`);
      const long = await api.call(api.alice, 'GET', `/api/v1${path}`);
      expect([short.status, short.body], path).toEqual([200, long.body]);
    }
    const one = `/api/monitors/${created.body.id}`;
    expect((await api.call(api.alice, 'PUT', one, { tags: ['x'] })).body['tags']).toEqual(['x']);
    expect((await api.call(api.alice, 'POST', `${one}/pause`)).status).toBe(200);
    expect((await api.call(api.alice, 'DELETE', one)).status).toBe(204);
    for (const path of ['/nothing', '/monitors/0', '/monitors/x']) {
      expect((await api.call(api.alice, 'GET', `/api${path}`)).status, path).toBe(404);
    }
  });

  it('bodies are JSON in UTF-8 [1.2]', async () => {
    const name = 'Zürich 東京 🛎';
    const { app, alice } = await open();
    const { id } = await monitor('http', { friendly_name: name });
    const answer = await app.inject({
      url: `/api/v1/monitors/${id}`,
      headers: { authorization: `Bearer ${alice.token}` },
    });
    expect(answer.headers['content-type']).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
    expect(JSON.parse(new TextDecoder().decode(answer.rawPayload))).toMatchObject({
      friendly_name: name,
    });
  });

  it('ids are JSON integers [1.3]', async () => {
    const group = await post('/groups', { name: 'Ids' });
    const made = await monitor('http', { group_id: group.body.id });
    const trouble = await incident(made.id);
    const me = (await get('')).body as unknown as { user: object; team: object };
    const users = (await get('/users')).body['data'] as object[];
    const embedded = trouble['monitor'] as object;
    for (const one of [group.body, made, trouble, embedded, me.user, me.team, ...users])
      expect(one).toEqual(expect.objectContaining({ id: expect.any(Number) }));
    for (const id of [made.id, made['group_id'], trouble['monitor_id']])
      expect(Number.isSafeInteger(id)).toBe(true);
  });

  it('times are ISO 8601 in UTC with milliseconds and Z [1.4]', async () => {
    const { id } = await monitor('heartbeat');
    await incident(id, { started_at: '2029-12-31T12:00:00+02:00', status: 'resolved' });
    const shown = (await get(`/monitors/${id}`)).body;
    const [trouble] = shown['incidents'] as Record<string, unknown>[];
    const [user] = (await get('/users')).body['data'] as Record<string, unknown>[];
    for (const time of [
      shown['created_at'],
      shown['updated_at'],
      shown['heartbeat_expected_at'],
      trouble!['started_at'],
      trouble!['ended_at'],
      user!['created_at'],
      user!['added_at'],
    ])
      expect(time).toMatch(ISO_TIME);
    expect(trouble!['started_at']).toBe('2029-12-31T10:00:00.000Z');
  });

  it('single resources and the answers of create and update are bare objects [1.5]', async () => {
    const made = await post('/monitors', REQUIRED.http);
    const trouble = await post('/incidents', {
      monitor_id: made.body.id,
      started_at: at(-MINUTE),
      status: 'open',
    });
    const group = await post('/groups', { name: 'Bare' });
    const answers = [
      made,
      await get(`/monitors/${made.body.id}`),
      await put(`/monitors/${made.body.id}`, { friendly_name: 'x' }),
      trouble,
      await get(`/incidents/${trouble.body.id}`),
      await put(`/incidents/${trouble.body.id}`, { root_cause: 'x' }),
      await post(`/incidents/${trouble.body.id}/resolve`),
      group,
      await get(`/groups/${group.body.id}`),
      await put(`/groups/${group.body.id}`, { name: 'Barer' }),
    ];
    for (const { body, text } of answers) {
      expect(body, text).toHaveProperty('id');
      expect(body).not.toHaveProperty('data');
    }
  });

  it('GET, DELETE and POST without a body arrive with or without Content-Type, also with an empty JSON body [1.7]', async () => {
    const { app, alice } = await open();
    for (const type of [
      undefined,
      'application/json',
      'application/json; charset=utf-8',
      'application/x-www-form-urlencoded',
      'text/plain',
    ]) {
      for (const payload of [undefined, '']) {
        const { id } = await monitor();
        const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string) =>
          app.inject({
            method,
            url: `/api/v1/monitors/${id}${path}`,
            headers: {
              authorization: `Bearer ${alice.token}`,
              accept: 'application/json',
              ...(type !== undefined && { 'content-type': type }),
              ...(payload !== undefined && { 'content-length': '0' }),
            },
            ...(payload !== undefined && { payload }),
          });
        const statuses = [
          await ask('GET', ''),
          await ask('POST', '/pause'),
          await ask('POST', '/resume'),
          await ask('POST', '/unpause'),
          await ask('POST', '/check'),
          await ask('DELETE', ''),
        ].map(({ statusCode }) => statusCode);
        expect(statuses, `${type} ${payload}`).toEqual([200, 200, 200, 200, 200, 204]);
      }
    }
  });

  it('a request carries its token as Authorization: Bearer [3.1]', async () => {
    const { app, alice } = await open();
    const ask = async (headers: Record<string, string>, query = '') =>
      (await app.inject({ url: `/api/v1/monitors${query}`, headers })).statusCode;
    expect(await ask({ authorization: `Bearer ${alice.token}` })).toBe(200);
    expect(await ask({ authorization: `Basic ${alice.token}` })).toBe(401);
    expect(await ask({ authorization: alice.token })).toBe(401);
    expect(await ask({}, `?token=${alice.token}`)).toBe(401);
  });

  it('every request may also send Accept and Content-Type: application/json [3.2]', async () => {
    const { app, alice } = await open();
    const headers = {
      authorization: `Bearer ${alice.token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    };
    for (const path of ['', '/test', '/monitors', '/incidents', '/users', '/groups', '/teams'])
      expect((await app.inject({ url: `/api/v1${path}`, headers })).statusCode, path).toBe(200);
  });
});
