import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveToken, type TestPerson } from '../../test/support/people.ts';
import { PERMISSIONS, type Permission, type Role } from '../identity/caller.ts';
import { insertPerson } from '../store/people.ts';
import type { Services } from '../service/services.ts';
import { insertMember } from '../store/teams.ts';
import { apiRoutes, type Route } from './routes.ts';

const API = '/api/v1';
const MONITORS = `${API}/monitors`;

/** The names, paths and permissions of all routes; they can't be called. */
const nothing: object = new Proxy({}, { get: () => nothing });
const ROUTES = apiRoutes(nothing as Services);
const ID_ROUTES = ROUTES.filter(({ path }) => path.includes('/:id'));
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path) => ({ path }));

/** The only ids whose owner matters less than who asks: no member is forbidden, not unknown (completions, section 1). */
const FORBIDS_STRANGERS = new Set(['switchTeam']);

/** By the first part of a path: makes one of Alice's, and answers its id. A new noun needs a line. */
const OWNED: Record<string, (api: TestApi) => Promise<number>> = {
  monitors: async (api) => (await api.create()).id,
  async incidents(api) {
    const { id: monitorId } = await api.create();
    const startedAt = new Date(api.clock.now()).toISOString();
    return make(api, 'incidents', { monitor_id: monitorId, started_at: startedAt, status: 'open' });
  },
  groups: (api) => make(api, 'groups', { name: `Group ${(groups += 1)}` }),
  teams: async (api) => api.alice.teamId,
};
let groups = 0;

async function make(api: TestApi, noun: string, body: object): Promise<number> {
  const { status, body: made, text } = await api.call(api.alice, 'POST', `${API}/${noun}`, body);
  if (status !== 201) throw new Error(`Not created: ${text}`);
  return made.id;
}

const nounOf = ({ path }: Pick<Route, 'path'>) => path.split('/')[1] ?? '';

/** The path of a route with one of Alice's ids in it. */
async function pathOf(api: TestApi, route: Route): Promise<string> {
  if (!route.path.includes(':')) return API + route.path;
  const owned = OWNED[nounOf(route)];
  if (owned === undefined) throw new Error(`OWNED says not how to make one of ${route.path}.`);
  return withId(route, await owned(api));
}

const withId = ({ path }: Pick<Route, 'path'>, id: unknown) =>
  API + path.replace(':id', String(id)).replaceAll(/:\w+/g, '1');

/** Nothing, malformed JSON or an object: as much of a body as the method can have. */
const bodyFor = ({ method }: Pick<Route, 'method'>, body: unknown) =>
  method === 'GET' || method === 'DELETE' ? undefined : body;

const permitted = [200, 201, 204, 409, 422];

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
});

const tokenWith = async (api: TestApi, permissions: readonly Permission[]) =>
  giveToken(api.database, api.alice, { permissions, now: api.clock.now() });

describe.each(ROUTES)('$name ($method $path)', (route) => {
  const { method } = route;
  const shared = sharedApi();

  test('nobody gets in without a token, whatever they send', async () => {
    const api = await shared();
    const path = await pathOf(api, route);
    for (const token of [null, 'tocsin_unknown']) {
      for (const address of [path, path.replace(API, '/api'), withId(route, 'x')]) {
        const { status, body } = await api.call(token, method, address, bodyFor(route, '{'));
        expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
      }
      if (method === 'GET') expect((await api.call(token, 'HEAD', path)).status).toBe(401);
    }
  });
});

describe.each(ROUTES.filter(({ needs }) => needs === 'token'))('$name ($method $path)', (route) => {
  const shared = sharedApi();

  test('any token will do, in any role', async () => {
    const api = await shared();
    for (const token of [await tokenWith(api, []), api.vera]) {
      const { status } = await api.call(token, route.method, await pathOf(api, route));
      expect(permitted).toContain(status);
    }
  });
});

describe.each(ROUTES.flatMap(withPermission))('$name ($method $path)', (route) => {
  const { method, needs } = route;
  const shared = sharedApi();

  test(`a token needs "${needs}" and nothing else`, async () => {
    const api = await shared();
    const without = await tokenWith(
      api,
      PERMISSIONS.filter((permission) => permission !== needs),
    );
    const message = `This token lacks the "${needs}" permission: use a token that has it.`;
    // Who may not is told so before the id or the body is looked at.
    for (const path of [await pathOf(api, route), withId(route, 'x')]) {
      const { status, body } = await api.call(without, method, path, bodyFor(route, '{'));
      expect([status, body]).toEqual([403, { message, error: message }]);
      if (method === 'GET') expect((await api.call(without, 'HEAD', path)).status).toBe(403);
    }
    const only = await tokenWith(api, [needs]);
    const path = await pathOf(api, route);
    expect(permitted).toContain((await api.call(only, method, path, bodyFor(route, {}))).status);
  });

  test('the role of the holder caps the token', async () => {
    const api = await shared();
    const people: [Role, TestPerson][] = [
      ['owner', api.alice],
      ['admin', await addAdmin(api)],
      ['editor', api.ed],
      ['viewer', api.vera],
    ];
    for (const [role, person] of people) {
      const path = await pathOf(api, route);
      const { status, body } = await api.call(person, method, path, bodyFor(route, {}));
      if (role !== 'viewer' || needs === 'read') expect(permitted).toContain(status);
      else {
        const message = `Your role in this team, viewer, does not include the "${needs}" permission: ask an owner or admin of the team.`;
        expect([status, body]).toEqual([403, { message, error: message }]);
      }
    }
  });
});

describe.each(ID_ROUTES)('$name ($method $path)', (route) => {
  const { method } = route;
  const shared = sharedApi();
  const isForbidden = FORBIDS_STRANGERS.has(route.name);
  const noSuch = { message: expect.stringMatching(/^There is no such /) };
  const refusal = isForbidden
    ? [403, { message: expect.any(String), error: expect.any(String) }]
    : [404, noSuch];

  test('what another team owns does not exist, and stays as it is', async () => {
    const api = await shared();
    const path = await pathOf(api, route);
    const look = () =>
      api.call(api.alice, 'GET', `${API}/${path.split('/').slice(3, 5).join('/')}`);
    const before = await look();
    for (const body of [{}, { name: 7, url: 7, status: 7 }]) {
      const answer = await api.call(api.mallory, method, path, bodyFor(route, body));
      expect([answer.status, answer.body]).toEqual(refusal);
    }
    expect((await look()).body).toEqual(before.body);
    expect(api.checks).toEqual([]);
  });

  test('an id that nothing has is refused', async () => {
    const api = await shared();
    for (const id of ['999999', String(Number.MAX_SAFE_INTEGER)]) {
      for (const body of [{}, { name: 7, url: 7, status: 7 }]) {
        const answer = await api.call(api.alice, method, withId(route, id), bodyFor(route, body));
        expect([id, answer.status, answer.body]).toEqual([id, ...refusal]);
      }
    }
  });

  test('an id that is no integer leads nowhere', async () => {
    const api = await shared();
    const ids = ['x', '1.5', '0', '-1', '01', '1e3', '0x1', '%20', '1%00', 'null', '9'.repeat(20)];
    for (const id of ids) {
      const answer = await api.call(api.alice, method, withId(route, id), bodyFor(route, {}));
      expect([id, answer.status, answer.body]).toEqual([id, 404, noSuch]);
    }
  });
});

describe('wrong methods', () => {
  const shared = sharedApi();

  test.each(PATHS)('of $path are told the right ones', async ({ path }) => {
    const api = await shared();
    const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => `${method}`);
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
      (method) => !allowed.includes(method),
    );
    for (const method of others) {
      for (const id of ['999999', 'x']) {
        const { status, headers, body } = await api.call(
          api.vera,
          method,
          withId({ path }, id),
          method === 'GET' ? undefined : '{',
        );
        expect([method, status, String(headers['allow']).split(', ').toSorted()]).toEqual([
          method,
          405,
          allowed.toSorted(),
        ]);
        expect(body).toEqual({ message: expect.stringMatching(`^${method} is not possible here`) });
      }
      expect((await api.call(null, method, withId({ path }, 'x'))).status).toBe(401);
    }
  });
});

function withPermission(route: Route): (Route & { needs: Permission })[] {
  const { needs } = route;
  return needs === 'token' ? [] : [{ ...route, needs }];
}

async function addAdmin(api: TestApi): Promise<TestPerson> {
  const now = api.clock.now();
  const { teamId } = api.alice;
  const personId = await api.database.transaction(async (tx) => {
    const email = `admin-${(admins += 1)}@example.com`;
    const id = await insertPerson(tx, { name: 'Adam', email, timezone: 'UTC' }, now);
    await insertMember(tx, teamId, id, 'admin', now);
    return id;
  });
  return { personId, teamId, token: await giveToken(api.database, { personId, teamId }, { now }) };
}
let admins = 0;
