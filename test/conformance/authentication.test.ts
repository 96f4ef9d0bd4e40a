import { describe, expect, it } from 'vitest';
import { PERMISSIONS, type Permission } from '../../src/identity/caller.ts';
import { at, client, expectStatus, freshApi, MINUTE, REQUIRED, type Who } from './support.ts';

const { open, call, get, post, put, del, monitor, incident, token } = client();

/** A call that succeeds for whoever may make it. */
type Attempt = (who: Who) => Promise<{ status: number; text: string }>;

async function expectNeeds(permission: Permission, attempts: Attempt[]): Promise<void> {
  const only = await token([permission]);
  const others = await token(PERMISSIONS.filter((other) => other !== permission));
  for (const attempt of attempts) {
    const refused = await attempt(others);
    expect([refused.status, String(attempt)], refused.text).toEqual([403, String(attempt)]);
    const named = expect.stringContaining(permission);
    expect(JSON.parse(refused.text)).toEqual({ message: named, error: named });
    const admitted = await attempt(only);
    expect([200, 201, 202, 204], `${String(attempt)}: ${admitted.text}`).toContain(admitted.status);
  }
}

describe('authentication and permissions', () => {
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

  it('/, /test and /teams need only a valid token [3.3]', async () => {
    const bare = await token([]);
    for (const path of ['', '/', '/test', '/teams']) expectStatus(await get(path, bare), 200);
  });

  it('other GETs need the permission read [2.3, 3.5]', async () => {
    const { id } = await monitor();
    const trouble = await incident(id);
    const group = (await post('/groups', { name: 'Reading' })).body;
    await expectNeeds(
      'read',
      [
        '/monitors',
        `/monitors/${id}`,
        `/monitors/${id}/incidents`,
        `/monitors/${id}/results`,
        `/monitors/${id}/uptime`,
        '/incidents',
        `/incidents/${trouble.id}`,
        '/groups',
        `/groups/${group.id}`,
        '/users',
        '/cron-preview?expression=0+2+*+*+1',
      ].map((path) => (who) => get(path, who)),
    );
  });

  it('a POST that creates needs create [2.3, 3.6]', async () => {
    const { id } = await monitor();
    await expectNeeds('create', [
      (who) => post('/monitors', REQUIRED.http, who),
      (who) => post('/incidents', { monitor_id: id, started_at: at(-MINUTE), status: 'open' }, who),
      (who) => post('/groups', { name: 'Creating' }, who),
    ]);
  });

  it('PUT and actions need update [2.3, 3.7]', async () => {
    const { id } = await monitor();
    const trouble = await incident(id);
    const group = (await post('/groups', { name: 'Updating' })).body;
    const { alice } = await open();
    await expectNeeds('update', [
      (who) => put(`/monitors/${id}`, {}, who),
      (who) => post(`/monitors/${id}/pause`, undefined, who),
      (who) => post(`/monitors/${id}/resume`, undefined, who),
      (who) => post(`/monitors/${id}/unpause`, undefined, who),
      (who) => post(`/monitors/${id}/check`, undefined, who),
      (who) => put(`/incidents/${trouble.id}`, {}, who),
      (who) => post(`/incidents/${trouble.id}/acknowledge`, undefined, who),
      (who) => post(`/incidents/${trouble.id}/resolve`, undefined, who),
      (who) => put(`/groups/${group.id}`, { name: 'Updated' }, who),
      (who) => post(`/teams/${alice.teamId}/switch`, undefined, who),
    ]);
  });

  it('DELETE needs delete [2.3, 3.8]', async () => {
    const { id } = await monitor();
    const trouble = await incident(id);
    const group = (await post('/groups', { name: 'Deleting' })).body;
    await expectNeeds('delete', [
      (who) => del(`/incidents/${trouble.id}`, who),
      (who) => del(`/groups/${group.id}`, who),
      (who) => del(`/monitors/${id}`, who),
    ]);
  });

  it('a viewer reads, whatever the token permits [3.14]', async () => {
    const { id } = await monitor();
    const trouble = await incident(id);
    for (const path of ['/monitors', `/monitors/${id}`, '/incidents', '/groups', '/users'])
      expectStatus(await get(path, 'vera'), 200);
    for (const [method, path] of [
      ['POST', '/monitors'],
      ['PUT', `/monitors/${id}`],
      ['DELETE', `/monitors/${id}`],
      ['POST', `/monitors/${id}/pause`],
      ['POST', `/monitors/${id}/check`],
      ['POST', '/incidents'],
      ['PUT', `/incidents/${trouble.id}`],
      ['POST', `/incidents/${trouble.id}/resolve`],
      ['POST', `/incidents/${trouble.id}/acknowledge`],
      ['DELETE', `/incidents/${trouble.id}`],
      ['POST', '/groups'],
    ] as const) {
      expectStatus(await call('vera', method, path), 403);
    }
  });

  it('an editor manages monitors, incidents and groups [3.13]', async () => {
    const group = await post('/groups', { name: 'Of an editor' }, 'ed');
    const made = await post('/monitors', { ...REQUIRED.http, group_id: group.body.id }, 'ed');
    const trouble = await post(
      '/incidents',
      { monitor_id: made.body.id, started_at: at(-MINUTE), status: 'open' },
      'ed',
    );
    const statuses = [
      group,
      made,
      trouble,
      await put(`/monitors/${made.body.id}`, { tags: ['x'] }, 'ed'),
      await post(`/monitors/${made.body.id}/pause`, undefined, 'ed'),
      await post(`/incidents/${trouble.body.id}/resolve`, undefined, 'ed'),
      await put(`/groups/${group.body.id}`, { name: 'Of an editor still' }, 'ed'),
      await del(`/incidents/${trouble.body.id}`, 'ed'),
      await del(`/monitors/${made.body.id}`, 'ed'),
      await del(`/groups/${group.body.id}`, 'ed'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 201, 200, 200, 200, 200, 204, 204, 204]);
  });

  it('the role caps the token, and the token caps the role [2.3, 3.10]', async () => {
    const refused = await post('/monitors', REQUIRED.http, await token(['create'], 'vera'));
    const named = expect.stringContaining('create');
    expect([refused.status, refused.body]).toEqual([403, { message: named, error: named }]);
    expectStatus(await post('/monitors', REQUIRED.http, await token(['read'], 'alice')), 403);
  });

  it('an admin manages members and invitations, an editor does not [3.12]', async () => {
    const api = await freshApi();
    const { put: change, post: send } = client(async () => api);
    const guest = { email: 'zoe@example.com', role: 'viewer' };
    const give = () => change(`/users/${api.vera.personId}`, { role: 'viewer' }, 'ed');
    expectStatus(await give(), 403);
    expectStatus(await send('/users/invitations', guest, 'ed'), 403);
    await change(`/users/${api.ed.personId}`, { role: 'admin' });
    expectStatus(await give(), 200);
    expectStatus(await send('/users/invitations', guest, 'ed'), 201);
  });
});
