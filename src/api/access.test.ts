import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { injectOnce } from '../../test/support/event-streams.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { API, bodyFor, pathOf, ROUTES, withId, withPermission } from '../../test/support/owned.ts';
import {
  giveSession,
  giveToken,
  type TestPerson,
  type TestSession,
} from '../../test/support/people.ts';
import { PERMISSIONS, ROLES, type Permission, type Role } from '../identity/caller.ts';
import { hashToken } from '../identity/token.ts';
import { peopleStore } from '../store/people/people.ts';
import { teamStore } from '../store/people/teams.ts';

const MONITORS = `${API}/monitors`;
const ID_ROUTES = ROUTES.filter(({ path }) => path.includes('/:id'));
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path) => ({ path }));
const CLOSED = ROUTES.filter(({ needs }) => needs !== 'nobody');

/** The only ids whose owner matters less than who asks: no member is forbidden, not unknown (contract 1.9). */
const FORBIDS_STRANGERS = new Set(['switchTeam']);

/** The route that gets every odd id and origin: one reader serves all routes. */
const ODD_FOR = 'deleteMonitor';

/** Statuses of authorized calls, including refusals of an empty body or a state. */
const LET_IN = [200, 201, 202, 204, 404, 409, 422];

/** From the least to the greatest, written apart from identity/caller.ts. */
const RANK: Record<Role, number> = { viewer: 1, editor: 2, admin: 3, owner: 4 };

eachDatabase((_name, open) => {
  test('accepts valid tokens only, and answers everything else 401 [2.2]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const expired = await giveToken(api.database, api.alice, { now, expiresAt: now });
    const soon = await giveToken(api.database, api.alice, { now, expiresAt: now + 1 });
    expect((await api.call(soon, 'GET', '/api/v1')).status).toBe(200);
    const revoked = await giveToken(api.database, api.alice, { now });
    await api.database.transaction((tx) =>
      tx.deleteFrom('token').where('hash', '=', hashToken(revoked)).execute(),
    );
    for (const token of [
      null,
      '',
      'x',
      expired,
      revoked,
      `${api.alice.token}x`,
      'a'.repeat(5000),
    ]) {
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

  test('accepts valid sessions only', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const good = await giveSession(api.database, api.ed, { now });
    const expired = await giveSession(api.database, api.ed, { now, expiresAt: now });
    const unsigned = { cookie: good.cookie.replace(/\.[^.]*$/, '.c2lnbmVk'), sessionId: 0 };
    const unsealed = { cookie: good.cookie.replace('__Host-', ''), sessionId: 0 };
    const malformed = { cookie: '__Host-tocsin.session_token=%', sessionId: 0 };
    expect((await api.call(good, 'GET', '/api/v1')).body).toMatchObject({ user: { name: 'Ed' } });
    for (const session of [expired, unsigned, unsealed, malformed])
      expect((await api.call(session, 'GET', '/api/v1')).status).toBe(401);
    // A header that is no token is not made good by a cookie.
    const both = await api.app.inject({
      url: '/api/v1',
      headers: { authorization: 'Bearer x', cookie: good.cookie },
    });
    expect(both.statusCode).toBe(401);
  });
});

/** For the calls that are refused, and change nothing. */
const shared = sharedApi();

describe('a token that may only read', () => {
  test('changes nothing on any route, except that it revokes itself [3.9]', async () => {
    const api = await openApi(await openInMemory());
    const paths = new Map<string, string>();
    for (const route of CLOSED) paths.set(route.name, await pathOf(api, route));
    const reader = await readerOf(api);
    const before = await contentsOf(api);
    for (const route of CLOSED) {
      for (const body of [{}, SOMETHING]) {
        const path = paths.get(route.name)!;
        const { status } = await api.call(reader, route.method, path, bodyFor(route, body));
        if (route.method === 'GET') expect(LET_IN).toContain(status);
        else expect([route.name, status]).toEqual([route.name, 403]);
      }
    }
    expect(await contentsOf(api)).toEqual(before);
    expect(api.checks).toEqual([]);
    const itself = await ownTokenPath(api, reader);
    expect((await api.call(reader, 'DELETE', itself)).status).toBe(204);
    expect((await api.call(reader, 'GET', API)).status).toBe(401);
  });

  test('gets no channel of its own, so no link with which an alert is acknowledged [3.9]', async () => {
    const api = await openApi(await openInMemory());
    const channels = `${API}/notification-channels`;
    const ntfy = { settings: { topic: 'a-topic-to-read-along' } };
    const reader = await readerOf(api);
    const changer = await tokenOf(api, api.alice, ['read', 'update']);
    const attempts = (token: string, word: string) => [
      api.call(token, 'POST', channels, { type: word, ...ntfy }),
      api.call(token, 'PUT', `${channels}/${word}`, ntfy),
    ];
    // A PUT sets up a channel too, which is to create it.
    for (const token of [reader, changer]) {
      for (const attempt of attempts(token, 'ntfy')) expect((await attempt).status).toBe(403);
    }
    expect((await api.call(api.alice, 'PUT', `${channels}/ntfy`, ntfy)).status).toBe(200);
    const { status } = await api.call(changer, 'PUT', `${channels}/ntfy`, { enabled: false });
    expect(status).toBe(200);
    // Nor does it learn where the messages of an existing channel go.
    for (const path of [channels, `${channels}/ntfy`])
      expect((await api.call(reader, 'GET', path)).text).not.toContain(ntfy.settings.topic);
  });

  test('accepts no invitation of its person [3.9]', async () => {
    const api = await openApi(await openInMemory());
    const reader = await readerOf(api);
    const accept = { token: 'of a link' };
    const answer = await api.call(reader, 'POST', `${API}/invitations/accept`, accept);
    expect([answer.status, answer.body['message']]).toEqual([
      403,
      expect.stringContaining('"create" permission'),
    ]);
    const creator = await tokenOf(api, api.alice, ['create']);
    expect((await api.call(creator, 'POST', `${API}/invitations/accept`, accept)).status).toBe(404);
  });
});

/** A token that acts for the owner, whose role caps nothing. */
const readerOf = (api: TestApi) => tokenOf(api, api.alice, ['read']);

/** Valid values of fields that many resources have. */
const SOMETHING = {
  name: 'Changed',
  type: 'ntfy',
  settings: { topic: 'a-topic-to-read-along' },
  permissions: ['read'],
  timezone: 'Europe/Berlin',
  enabled: true,
  status: 'resolved',
};

/** All rows of the database, without the time at which a token was last used. */
async function contentsOf({ database }: TestApi): Promise<Record<string, object[]>> {
  const tables = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' order by name`.execute(database.read);
  const contents: Record<string, object[]> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(database.read);
    contents[name] = rows.map((row) => ({ ...row, last_used_at: null }));
  }
  return contents;
}

describe.each(CLOSED)('$name ($method $path)', (route) => {
  const { method } = route;

  test('rejects every request without a token [2.16]', async () => {
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
  const own = sharedApi();
  const isRevocation = route.name === 'revokeToken';

  test('any token suffices, in any role [3.3, 3.4]', async () => {
    const api = await own();
    for (const role of ROLES) {
      for (const kind of ['token', 'session'] as const) {
        // Anew, since the call may end what the other kind would show.
        const { without, session } = await standing(api, role, 'all');
        const who = kind === 'token' ? without : session;
        const path = isRevocation ? await ownTokenPath(api, who) : await pathOf(api, route);
        const { status } = await api.call(who, route.method, path, bodyFor(route, {}));
        expect(LET_IN).toContain(status);
      }
    }
  });
});

/** The path of the newest token of a person, which is the one that asks. */
async function ownTokenPath(api: TestApi, who: string | TestSession): Promise<string> {
  const { body } = await api.call(who, 'GET', `${API}/tokens`);
  const [newest] = body['data'] as { id: number }[];
  return `${API}/tokens/${newest!.id}`;
}

/** POST requests that create something, or test what would be created; all others are actions. */
const CREATING =
  /^\/announcements\/preview$|^\/[\w-]+(\/start|\/test|\/validate|\/invitations|\/bulk|\/:id\/(corrections|notes|ping-aliases|updates(\/preview)?|runs|subscribers(\/import)?))?$/;
const OF_ADMINS = ['users', 'webhook-endpoints', 'alert-channels', 'alert-routes', 'audit-log'];
const READ_BY_ALL = ['users', 'webhook-endpoints', 'attention', 'expirations', 'uptime-summary'];
const OF_EDITORS = ['monitors', 'incidents', 'groups', 'maintenance-windows', 'reports'];
/** What is a person's own: the role in a team does not matter. */
const PERSONAL = [
  'account',
  'tokens',
  'sessions',
  'connected-applications',
  'notification-channels',
];

test.each(ROUTES.flatMap(withPermission))(
  '$name ($method $path) needs what its method and its noun say [3.4, 3.5, 3.6, 3.7, 3.8, 3.12, 3.13, 3.14, 47.19]',
  ({ method, path, needs, role }) => {
    const action = CREATING.test(path) ? 'create' : 'update';
    expect(needs).toBe({ GET: 'read', PUT: 'update', DELETE: 'delete', POST: action }[method]);
    const noun = path.split('/')[1]!;
    // Without a role of its own, viewers may read and editors may do the rest.
    if (OF_EDITORS.includes(noun) || (READ_BY_ALL.includes(noun) && needs === 'read'))
      expect(role).toBeUndefined();
    else if (OF_ADMINS.includes(noun)) expect(role).toBe('admin');
    else if (PERSONAL.includes(noun)) expect(role).toBeNull();
  },
);

const reading = sharedApi();

describe.each(ROUTES.flatMap(withPermission))('$name ($method $path)', (route) => {
  const { method, needs } = route;
  // Reading changes nothing for others.
  const own = method === 'GET' ? reading : sharedApi();

  test(`a token needs only "${needs}" [2.3, 2.19, 3.9]`, async () => {
    const api = await own();
    const { without } = await standing(api, 'owner', needs);
    const message = `This token lacks the "${needs}" permission: use a token that has it.`;
    // Who may not is told so before the id or the body is looked at.
    for (const path of [await pathOf(api, route), withId(route, 'x')]) {
      const { status, body } = await api.call(without, method, path, bodyFor(route, '{'));
      expect([status, body]).toEqual([403, { message, error: message }]);
      if (method === 'GET') expect((await api.call(without, 'HEAD', path)).status).toBe(403);
    }
    const only = await tokenOf(api, api.alice, [needs]);
    const path = await pathOf(api, route);
    expect(LET_IN).toContain((await api.call(only, method, path, bodyFor(route, {}))).status);
  });

  test.each(edgesOf(route))('the role %s caps tokens and sessions [3.10, 3.11]', async (role) => {
    const api = await own();
    const isLetIn = rolesThatMay(route).includes(role);
    for (const kind of ['token', 'session'] as const) {
      // Anew, since the call may end what the other kind would show.
      const { all, session } = await standing(api, role, needs);
      const who = kind === 'token' ? all : session;
      const isOwnAction = who === session && route.name === 'switchTeam';
      const path = await pathOf(api, route);
      const { status, body } = await api.call(who, method, path, bodyFor(route, {}));
      if (isLetIn || isOwnAction) expect(LET_IN).toContain(status);
      else {
        const message = expect.stringMatching(
          new RegExp(
            `^Your role in this team, ${role}, does not include the "${needs}" permission`,
          ),
        );
        expect([status, body]).toEqual([403, { message, error: message }]);
      }
    }
  });

  test('a session without a team, or without a factor that its team requires, is refused', async () => {
    const api = await own();
    if (route.role === null) return;
    const now = api.clock.now();
    const nowhere = await giveSession(api.database, { ...api.mallory, teamId: null }, { now });
    const path = await pathOf(api, route);
    const { status, body } = await api.call(nowhere, method, path, bodyFor(route, {}));
    expect([status, body]).toMatchObject([
      403,
      { error: expect.stringMatching(/^You act on no team/) },
    ]);
  });

  test("a session cannot do anything from another site's page [36.5]", async () => {
    const api = await own();
    const { cookie } = await giveSession(api.database, api.alice, { now: api.clock.now() });
    const url = await pathOf(api, route);
    const from = async (headers: Record<string, string>) =>
      (await injectOnce(api.app, { method, url, headers: { cookie, ...headers }, payload: '' }))
        .statusCode;
    const others = [{}, { origin: 'https://evil.example.com' }, { 'sec-fetch-site': 'cross-site' }];
    const odd = [
      { origin: 'null' },
      { origin: 'https://up.example.com.evil.example' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of [...others, ...(route.name === ODD_FOR ? odd : [])]) {
      const status = await from(headers as never);
      // A browser that tells no site may have followed a link of the own one.
      const isRefused = method !== 'GET' || 'sec-fetch-site' in headers;
      if (isRefused) expect([headers, status]).toEqual([headers, 403]);
      else expect(LET_IN).toContain(status);
    }
    expect(LET_IN).toContain(await from({ 'sec-fetch-site': 'same-origin' }));
    if (method === 'GET') expect(LET_IN).toContain(await from({ 'sec-fetch-site': 'none' }));
  });
});

describe.each(ID_ROUTES.filter(({ needs }) => needs !== 'nobody'))(
  '$name ($method $path)',
  (route) => {
    const { method } = route;
    const isForbidden = FORBIDS_STRANGERS.has(route.name);
    const noSuch = { message: expect.stringMatching(/^There is no such /) };
    const refusal = isForbidden
      ? [403, { message: expect.any(String), error: expect.any(String) }]
      : [404, noSuch];

    test('resources of another team are not found and stay unchanged [1.8]', async () => {
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

    test('an unknown id is refused [2.4, 2.21]', async () => {
      const api = await shared();
      for (const id of ['999999', String(Number.MAX_SAFE_INTEGER)]) {
        for (const body of [{}, { name: 7, url: 7, status: 7 }]) {
          const answer = await api.call(api.alice, method, withId(route, id), bodyFor(route, body));
          expect([id, answer.status, answer.body]).toEqual([id, ...refusal]);
        }
      }
    });

    test('an id that is not an integer is not found [2.4]', async () => {
      const api = await shared();
      const ids = ['x', '0', '1.5'];
      const odd = [
        '-1',
        '01',
        '1e3',
        '1e0',
        '+1',
        '1x',
        '%31x',
        '0x1',
        '%20',
        '1%00',
        'null',
        '9'.repeat(20),
      ];
      for (const id of [...ids, ...(route.name === ODD_FOR ? odd : [])]) {
        const answer = await api.call(api.alice, method, withId(route, id), bodyFor(route, {}));
        expect([id, answer.status, answer.body]).toEqual([id, 404, noSuch]);
      }
    });
  },
);

describe('wrong methods', () => {
  test.each(PATHS)('of $path get the allowed ones [2.5]', async ({ path }) => {
    const api = await shared();
    const fits = (route: { path: string }) =>
      route.path === path || isPatternOf(route.path, path) || isPatternOf(path, route.path);
    const methods = ROUTES.filter(fits).map(({ method }) => `${method}`);
    const allowed = new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
    const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
      (method) => !allowed.has(method),
    );
    for (const method of others) {
      for (const id of ['999999', 'x']) {
        const { status, headers, body } = await api.call(
          api.vera,
          method,
          withId({ path }, id),
          method === 'GET' ? undefined : '{',
        );
        expect([method, status]).toEqual([method, 405]);
        for (const named of String(headers['allow']).split(', ')) expect(allowed).toContain(named);
        expect(body).toEqual({ message: expect.stringMatching(`^${method} is not possible here`) });
      }
      expect((await api.call(null, method, withId({ path }, 'x'))).status).toBe(401);
    }
  });
});

/** Whether a pattern such as `/users/:id` fits a path such as `/users/invitations`. */
function isPatternOf(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/:]+')}$`).test(path);
}

/** Roles that may call a route, derived from the table of routes alone. */
function rolesThatMay({ name, needs, role }: (typeof ROUTES)[number]): Role[] {
  // A token that switches is capped by its role, although that of a session does not matter (contract 3.10).
  const isOpenToAll = role === null && name !== 'switchTeam';
  const least = role ?? (needs === 'read' ? 'viewer' : 'editor');
  return ROLES.filter((one) => isOpenToAll || RANK[one] >= RANK[least]);
}

/** The least role that may call a route, and the greatest that may not. */
function edgesOf(route: (typeof ROUTES)[number]): Role[] {
  const may = new Set(rolesThatMay(route));
  const ranked = ROLES.toSorted((a, b) => RANK[a] - RANK[b]);
  const refused = ranked.findLast((one) => !may.has(one));
  return [...(refused ? [refused] : []), ranked.find((one) => may.has(one))!];
}

/** One member of Alice's team in that role, and what they can show: `without` lacks that permission, or all of them. */
async function standing(
  api: TestApi,
  role: Role,
  missing: Permission | 'all',
): Promise<{ all: string; without: string; session: TestSession }> {
  const person = await personIn(api, role);
  const others = PERMISSIONS.filter((one) => missing !== 'all' && one !== missing);
  return {
    all: await tokenOf(api, person, PERMISSIONS),
    without: await tokenOf(api, person, others),
    session: await giveSession(api.database, person, { now: api.clock.now() }),
  };
}

const tokenOf = (
  api: TestApi,
  person: Pick<TestPerson, 'personId' | 'teamId'>,
  permissions: readonly Permission[],
) => giveToken(api.database, person, { permissions, now: api.clock.now() });

/** The owner is Alice; the others are new, since a call may change what they are. */
async function personIn(
  api: TestApi,
  role: Role,
): Promise<Pick<TestPerson, 'personId' | 'teamId'>> {
  const { teamId } = api.alice;
  if (role === 'owner') return api.alice;
  const now = api.clock.now();
  const personId = await api.database.transaction(async (tx) => {
    const email = `${role}-${(people += 1)}@example.com`;
    const id = await peopleStore(tx).insert({ name: role, email, timezone: 'UTC' }, now);
    await teamStore(tx).insertMember(teamId, id, role, now);
    return id;
  });
  return { personId, teamId };
}
let people = 0;
