import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveToken } from '../../test/support/people.ts';

const MONITORS = '/api/v1/monitors';

eachDatabase((_name, open) => {
  test('only valid tokens get in, and everything else is told to bring one', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const expired = await giveToken(api.database, api.alice, { now, expiresAt: now });
    const soon = await giveToken(api.database, api.alice, { now, expiresAt: now + 1 });
    expect((await api.call(soon, 'GET', '/api/v1')).status).toBe(200);
    for (const token of [null, '', 'x', expired, `${api.alice.token}x`, 'a'.repeat(5000)]) {
      for (const path of [
        '/api',
        '/api/v1/',
        MONITORS,
        `${MONITORS}/x`,
        '/api/v1/nothing',
        '/api/nothing',
      ]) {
        const { status, body, headers } = await api.call(token, 'GET', path);
        expect([status, body, headers['www-authenticate']]).toEqual([
          401,
          { message: 'Unauthenticated.' },
          'Bearer',
        ]);
        expect(headers['x-request-id']).toBeTruthy();
      }
    }
    const basic = await api.app.inject({
      url: '/api/v1',
      headers: { authorization: `Basic ${api.alice.token}` },
    });
    expect(basic.statusCode).toBe(401);
  });

  test('what another team owns does not exist', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    const answers = [
      await api.call(api.mallory, 'GET', `${MONITORS}/${id}`),
      await api.call(api.mallory, 'PUT', `${MONITORS}/${id}`, { check_interval: 'wrong' }),
      await api.call(api.mallory, 'PUT', `${MONITORS}/${id}`, { friendly_name: 'mine' }),
      await api.call(api.mallory, 'DELETE', `${MONITORS}/${id}`),
      await api.call(api.mallory, 'POST', `${MONITORS}/${id}/pause`),
      await api.call(api.mallory, 'POST', `${MONITORS}/${id}/resume`),
      await api.call(api.mallory, 'POST', `${MONITORS}/${id}/check`),
      await api.call(api.mallory, 'GET', `${MONITORS}/${id}/incidents?status=wrong`),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, { message: 'There is no such monitor in your team.' }]);
    }
    expect((await api.call(api.mallory, 'GET', MONITORS)).body['total']).toBe(0);
    expect(api.checks).toEqual([]);
  });

  test('each route needs its permission, of the token and of the role', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    const now = api.clock.now();
    const routes: [string, string, string][] = [
      ['GET', MONITORS, 'read'],
      ['GET', `${MONITORS}/${id}`, 'read'],
      ['GET', `${MONITORS}/${id}/incidents`, 'read'],
      ['GET', '/api/v1/incidents', 'read'],
      ['GET', '/api/v1/incidents/1', 'read'],
      ['POST', MONITORS, 'create'],
      ['PUT', `${MONITORS}/${id}`, 'update'],
      ['POST', `${MONITORS}/${id}/pause`, 'update'],
      ['POST', `${MONITORS}/${id}/resume`, 'update'],
      ['POST', `${MONITORS}/${id}/unpause`, 'update'],
      ['POST', `${MONITORS}/${id}/check`, 'update'],
      ['DELETE', `${MONITORS}/${id}`, 'delete'],
    ];
    const all = ['read', 'create', 'update', 'delete'] as const;
    for (const permission of all) {
      const others = all.filter((other) => other !== permission);
      const without = await giveToken(api.database, api.alice, { permissions: others, now });
      const only = await giveToken(api.database, api.alice, { permissions: [permission], now });
      for (const [method, path, needs] of routes.filter(([, , needed]) => needed === permission)) {
        // The body is malformed: who may not is told so first.
        const refused = await api.call(without, method, path, method === 'GET' ? undefined : '{');
        expect([refused.status, refused.body['message']]).toEqual([
          403,
          expect.stringContaining(`"${needs}"`),
        ]);
        expect(refused.body['error']).toBe(refused.body['message']);
        expect((await api.call(only, method, path)).status).not.toBe(403);
        const byRole = await api.call(api.vera, method, path);
        expect(byRole.status === 403).toBe(permission !== 'read');
      }
      expect((await api.call(without, 'GET', '/api/v1/test')).status).toBe(200);
    }
  });
});
