import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveSession, giveToken, type TestPerson } from '../../test/support/people.ts';
import { PERMISSIONS, type Permission } from '../identity/caller.ts';
import { isTokenForm } from '../identity/token.ts';
import { MAX_TOKENS } from './tokens.ts';
import { openInMemory } from '../../test/support/memory-database.ts';

const TOKENS = '/api/v1/tokens';
const DAY = 24 * 3_600_000;

interface Made {
  id: number;
  token: string;
  expires_at: string | null;
}

const iso = (at: number) => new Date(at).toISOString();

const ask = (api: TestApi, who: TestPerson | string, body: object = {}) =>
  api.call(who, 'POST', TOKENS, { name: 'Made', permissions: ['read'], ...body });

async function make(api: TestApi, who: TestPerson | string, body: object = {}): Promise<Made> {
  const { status, body: made, text } = await ask(api, who, body);
  if (status !== 201) throw new Error(`Not made: ${text}`);
  return made as unknown as Made;
}

const idsOf = async (api: TestApi, who: TestPerson | string = api.alice) =>
  ((await api.call(who, 'GET', TOKENS)).body['data'] as { id: number }[]).map(({ id }) => id);

const works = async (api: TestApi, token: string) =>
  (await api.call(token, 'GET', '/api/v1')).status === 200;

const auditOf = (api: TestApi) =>
  api.database.read
    .selectFrom('audit_entry')
    .select(['action', 'target_id', 'target_name', 'team_id', 'before', 'after'])
    .where('target_type', '=', 'token')
    .orderBy('id')
    .execute();

eachDatabase((_name, open) => {
  describe('POST /tokens', () => {
    test('shows the token this once, and keeps only its hash [36.29]', async () => {
      const api = await openApi(await open());
      const expiresAt = iso(api.clock.now() + DAY);
      const { status, body } = await api.call(api.alice, 'POST', TOKENS, {
        name: 'Deployment',
        permissions: ['update', 'read'],
        expires_at: expiresAt,
      });
      const { token, ...rest } = body as unknown as Made & Record<string, unknown>;
      expect([status, rest]).toEqual([
        201,
        {
          id: expect.any(Number),
          name: 'Deployment',
          permissions: ['update', 'read'],
          expires_at: expiresAt,
          created_at: iso(api.clock.now()),
        },
      ]);
      expect(isTokenForm(token)).toBe(true);
      expect((await api.call(token, 'GET', '/api/v1')).body).toMatchObject({
        user: { name: 'Alice' },
        team: { id: api.alice.teamId },
        token: { name: 'Deployment', permissions: ['update', 'read'] },
      });
      const rows = await api.database.read.selectFrom('token').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(token);
      expect(JSON.stringify((await api.call(api.alice, 'GET', TOKENS)).body)).not.toContain(token);
    });

    test('counts for the team that the caller acts on [36.30]', async () => {
      const api = await openApi(await open());
      const now = api.clock.now();
      const session = await giveSession(api.database, api.mallory, { now });
      const { body } = await api.call(session, 'POST', TOKENS, {
        name: 'x',
        permissions: ['read'],
      });
      const token = body['token'] as string;
      expect((await api.call(token, 'GET', '/api/v1')).body).toMatchObject({
        user: { name: 'Mallory' },
        team: { id: api.mallory.teamId },
      });
    });

    test('revoked several times at once it is revoked once', async () => {
      const api = await openApi(await open());
      const { id } = await make(api, api.alice);
      const revoke = () => api.call(api.alice, 'DELETE', `${TOKENS}/${id}`);
      const answers = await Promise.all([revoke(), revoke(), revoke()]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
      const noted = await api.database.read
        .selectFrom('audit_entry')
        .selectAll()
        .where('action', '=', 'token.deleted')
        .execute();
      expect(noted).toHaveLength(1);
    });

    test('what a token made ends with it [36.30]', async () => {
      const api = await openApi(await open());
      const now = api.clock.now();
      const parent = await make(api, api.alice, {
        permissions: [...PERMISSIONS],
        expires_at: iso(now + DAY),
      });
      const unlimited = await make(api, parent.token);
      const longer = await make(api, parent.token, { expires_at: iso(now + 2 * DAY) });
      const shorter = await make(api, parent.token, { expires_at: iso(now + DAY / 2) });
      const ends = [unlimited, longer, shorter].map((made) => made.expires_at);
      expect(ends).toEqual([iso(now + DAY), iso(now + DAY), iso(now + DAY / 2)]);
      const grandchild = await make(api, parent.token, { permissions: [...PERMISSIONS] });
      const last = await make(api, grandchild.token);
      const family = [parent, unlimited, longer, shorter, grandchild, last];
      for (const { token } of family) expect(await works(api, token)).toBe(true);

      expect((await api.call(api.alice, 'DELETE', `${TOKENS}/${parent.id}`)).status).toBe(204);
      for (const { token } of family) expect(await works(api, token)).toBe(false);
      expect(await idsOf(api)).toHaveLength(1);
    });

    test('a token that was revoked a moment ago makes none', async () => {
      const api = await openApi(await open());
      const parent = await make(api, api.alice, { permissions: [...PERMISSIONS] });
      // Known to this node still.
      expect(await works(api, parent.token)).toBe(true);
      await api.database.transaction((tx) =>
        tx.deleteFrom('token').where('id', '=', parent.id).execute(),
      );
      expect((await ask(api, parent.token)).status).toBe(401);
    });

    test('at most 100 for one person, also when two come at once [36.34]', async () => {
      const api = await openApi(await open());
      const now = api.clock.now();
      for (let count = 1; count < MAX_TOKENS - 1; count += 1)
        await giveToken(api.database, api.ed, { now });
      const answers = await Promise.all([ask(api, api.ed), ask(api, api.ed), ask(api, api.ed)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
      expect((await ask(api, api.ed)).body).toMatchObject({
        errors: { tokens: [expect.stringMatching(/^tokens must not be more than 100 /)] },
      });
      const [id] = await idsOf(api, api.ed);
      await api.call(api.ed, 'DELETE', `${TOKENS}/${id}`);
      expect((await ask(api, api.ed)).status).toBe(201);
    });
  });

  describe('GET and DELETE /tokens', () => {
    test('lists the own ones alone, the newest first [36.32]', async () => {
      const api = await openApi(await open());
      await make(api, api.alice, { name: 'Older' });
      await api.clock.advance(1_000);
      const { id } = await make(api, api.alice, { name: 'Newer', permissions: ['delete'] });
      await make(api, api.mallory);
      const { status, body } = await api.call(api.alice, 'GET', TOKENS);
      const data = body['data'] as Record<string, unknown>[];
      expect([status, Object.keys(body), data.map(({ name }) => name)]).toEqual([
        200,
        ['data'],
        ['Newer', 'Older', 'test'],
      ]);
      expect(data[0]).toEqual({
        id,
        name: 'Newer',
        permissions: ['delete'],
        last_used_at: null,
        expires_at: null,
        created_at: iso(api.clock.now()),
      });
    });

    test('a revoked one opens nothing from then on, and is gone [36.33]', async () => {
      const api = await openApi(await open());
      const { id, token } = await make(api, api.alice);
      expect(await works(api, token)).toBe(true);
      const revoke = () => api.call(api.alice, 'DELETE', `${TOKENS}/${id}`);
      expect((await revoke()).status).toBe(204);
      expect(await works(api, token)).toBe(false);
      expect((await revoke()).body).toEqual({ message: 'There is no such token of yours.' });
      expect((await revoke()).status).toBe(404);
    });

    test('those of others are not there', async () => {
      const api = await openApi(await open());
      const { id, token } = await make(api, api.ed);
      // Not even for the owner of the team.
      for (const who of [api.alice, api.mallory])
        expect((await api.call(who, 'DELETE', `${TOKENS}/${id}`)).status).toBe(404);
      expect(await works(api, token)).toBe(true);
    });

    test('both are noted for the audit log, the token itself is not', async () => {
      const api = await openApi(await open());
      const { id, token } = await make(api, api.alice, { name: 'Noted' });
      await api.call(api.alice, 'DELETE', `${TOKENS}/${id}`);
      const shown = JSON.stringify({ name: 'Noted', permissions: ['read'] });
      const entries = await auditOf(api);
      const common = { target_id: id, target_name: 'Noted', team_id: api.alice.teamId };
      expect(entries).toEqual([
        { ...common, action: 'token.created', before: null, after: shown },
        { ...common, action: 'token.deleted', before: shown, after: null },
      ]);
      expect(JSON.stringify(entries)).not.toContain(token);
    });
  });
});

const refused = (permission: string) => ({
  message: expect.stringContaining(`"${permission}" permission`),
  error: expect.any(String),
});

describe('nobody gives what they do not have', () => {
  test.each(PERMISSIONS)(
    'a token with "create" and "%s" gives these alone [36.31]',
    async (own) => {
      const api = await sqlite();
      const token = await giveToken(api.database, api.alice, {
        permissions: [...new Set<Permission>(['create', own])],
        now: api.clock.now(),
      });
      for (const permission of PERMISSIONS) {
        const { status, body } = await ask(api, token, { permissions: [permission] });
        if (permission === own || permission === 'create') expect(status).toBe(201);
        else expect([status, body]).toEqual([403, refused(permission)]);
      }
    },
  );

  test('the role caps it, with a session too [36.31]', async () => {
    const api = await sqlite();
    const session = await giveSession(api.database, api.vera, { now: api.clock.now() });
    for (const who of [api.vera, session]) {
      const body = { name: 'x', permissions: ['read', 'create'] };
      const answer = await api.call(who, 'POST', TOKENS, body);
      expect([answer.status, answer.body]).toEqual([403, refused('create')]);
      const less = await api.call(who, 'POST', TOKENS, { ...body, permissions: ['read'] });
      expect(less.status).toBe(201);
    }
  });

  test('is told before what is wrong otherwise', async () => {
    const api = await sqlite();
    const { status } = await ask(api, api.vera, { name: 7, permissions: ['delete'] });
    expect(status).toBe(403);
  });
});

const unchanged = sharedApi();
const wrong: [string, object, string[]][] = [
  ['nothing', { name: undefined, permissions: undefined }, ['name', 'permissions']],
  ['empty texts', { name: '', permissions: '' }, ['name', 'permissions']],
  ['a long name', { name: 'x'.repeat(101) }, ['name']],
  ['the reserved name', { name: 'ADMIN_TOKEN' }, ['name']],
  ['no permissions', { permissions: [] }, ['permissions']],
  ['one twice', { permissions: ['read', 'read'] }, ['permissions']],
  ['an unknown one', { permissions: ['read', 'admin'] }, ['permissions.1']],
  ['text for a list', { permissions: 'read' }, ['permissions']],
  ['a past expiry', { expires_at: '2029-12-31T23:59:59Z' }, ['expires_at']],
  ['an expiry of now', { expires_at: '2030-01-01T00:00:00Z' }, ['expires_at']],
  ['no time', { expires_at: 'tomorrow' }, ['expires_at']],
  ['a number for a time', { expires_at: 1_900_000_000 }, ['expires_at']],
  [
    'all at once',
    { name: 1, permissions: [], expires_at: 0 },
    ['name', 'permissions', 'expires_at'],
  ],
];

test.each(wrong)('%s is refused [36.35]', async (_what, body, fields) => {
  const api = await unchanged();
  const { status, body: answer } = await ask(api, api.alice, body);
  expect([status, Object.keys(answer['errors'] as object)]).toEqual([422, fields]);
  expect(await idsOf(api)).toHaveLength(1);
});

test.each<[string, object]>([
  ['null', { expires_at: null }],
  ['an empty text', { expires_at: '' }],
  ['a name of 100 characters', { name: '🔑'.repeat(100) }],
])('%s is accepted', async (_what, body) => {
  const api = await sqlite();
  expect((await ask(api, api.alice, body)).status).toBe(201);
});

test('reading and revoking itself need no permission, the rest one of its kind, and creating a team [3.3, 3.4, 36.34]', async () => {
  const api = await sqlite();
  const now = api.clock.now();
  const { personId } = api.vera;
  const other = await make(api, api.vera);
  const tokenWith = (permissions: Permission[]) =>
    giveToken(api.database, api.vera, { permissions, now });
  const weak = await tokenWith([]);
  const [ownId] = await idsOf(api, weak);
  const reviser = await tokenWith(['read', 'create', 'update']);
  expect((await api.call(weak, 'GET', TOKENS)).status).toBe(200);
  for (const token of [weak, reviser]) {
    for (const id of [other.id, 999_999]) {
      const { status, body } = await api.call(token, 'DELETE', `${TOKENS}/${id}`);
      expect([status, body]).toEqual([403, refused('delete')]);
    }
  }
  expect((await ask(api, await tokenWith(['read', 'update', 'delete']))).body).toEqual(
    refused('create'),
  );
  expect((await api.call(weak, 'DELETE', `${TOKENS}/${ownId}`)).status).toBe(204);
  expect(await works(api, weak)).toBe(false);
  const deleter = await tokenWith(['delete']);
  expect((await api.call(deleter, 'DELETE', `${TOKENS}/${other.id}`)).status).toBe(204);
  const homeless = await giveSession(api.database, { personId, teamId: null }, { now });
  expect((await api.call(homeless, 'GET', TOKENS)).status).toBe(200);
  const { status } = await api.call(homeless, 'POST', TOKENS, { name: 'x', permissions: ['read'] });
  expect(status).toBe(403);
});

async function sqlite(): Promise<TestApi> {
  return openApi(await openInMemory());
}
