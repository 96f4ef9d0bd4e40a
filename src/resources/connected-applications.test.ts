import { sessionStore } from '../store/people/sessions.ts';
import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { connectApplication } from '../../test/support/applications.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { callerOf, registerClient } from '../../test/support/oauth.ts';
import { giveSession, giveToken, type TestPerson } from '../../test/support/people.ts';
import { updateRows } from '../../test/support/rows.ts';
import { aliceSignedIn, freezeDates } from '../../test/support/sign-in.ts';
import { PERMISSIONS } from '../identity/caller.ts';
import { teamStore } from '../store/people/teams.ts';

// better-auth reads the system time.
freezeDates();

const APPLICATIONS = '/api/v1/connected-applications';

const iso = (at: number) => new Date(at).toISOString();

const connect = (
  api: TestApi,
  who: { personId: number; teamId: number },
  options: Omit<Parameters<typeof connectApplication>[2], 'now'> = {},
) => connectApplication(api.database, who, { ...options, now: api.clock.now() });

const list = async (api: TestApi, who: TestPerson | string) =>
  (await api.call(who, 'GET', APPLICATIONS)).body as unknown as {
    total: number;
    data: Record<string, unknown>[];
  };

const disconnect = (api: TestApi, who: TestPerson | string, id: number) =>
  api.call(who, 'DELETE', `${APPLICATIONS}/${id}`);

eachDatabase((_name, open) => {
  describe('connected applications', () => {
    test('lists the own ones of all teams, the newest first [49.1]', async () => {
      const api = await openApi(await open());
      const connectedAt = api.clock.now();
      const first = await connect(api, api.ed, {
        name: 'Cursor',
        redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
        permissions: ['read', 'create'],
      });
      await connect(api, api.vera);
      await api.clock.advance(1_000);
      await api.database.transaction((tx) =>
        teamStore(tx).insertMember(api.mallory.teamId, api.ed.personId, 'viewer', connectedAt),
      );
      const elsewhere = { personId: api.ed.personId, teamId: api.mallory.teamId };
      const second = await connect(api, elsewhere, { redirectUri: 'http://127.0.0.1:33418/back' });
      await api.database.transaction((tx) =>
        sessionStore(tx).recordLastUse('oauth_grant', first, api.clock.now()),
      );
      expect(await list(api, api.ed)).toEqual({
        total: 2,
        data: [
          {
            id: second,
            name: 'Claude',
            host: '127.0.0.1:33418',
            team: { id: api.mallory.teamId, name: 'Team theirs' },
            permissions: ['read'],
            role_now: 'viewer',
            connected_at: iso(connectedAt + 1_000),
            last_used_at: null,
          },
          {
            id: first,
            name: 'Cursor',
            host: 'cursor:',
            team: { id: api.ed.teamId, name: 'Team ours' },
            permissions: ['read', 'create'],
            role_now: 'editor',
            connected_at: iso(connectedAt),
            last_used_at: iso(connectedAt + 1_000),
          },
        ],
      });
      // Not even the owner of the team sees them, nor a team's other members.
      expect(await list(api, api.alice)).toEqual({ total: 0, data: [] });
      expect((await list(api, api.vera)).total).toBe(1);
    });

    test('shows the role of now, and null while the membership is not active [49.2]', async () => {
      const api = await openApi(await open());
      const { personId } = api.ed;
      await connect(api, api.ed, { permissions: [...PERMISSIONS] });
      const session = await giveSession(api.database, api.ed, { now: api.clock.now() });
      const shown = async () => {
        const { body } = await api.call(session, 'GET', APPLICATIONS);
        return (body['data'] as object[])[0];
      };
      await updateRows(api.database, 'member', { role: 'viewer' }, { person_id: personId });
      expect(await shown()).toMatchObject({ role_now: 'viewer', permissions: [...PERMISSIONS] });
      await updateRows(api.database, 'member', { status: 'disabled' }, { person_id: personId });
      expect(await shown()).toMatchObject({ role_now: null });
      await api.call(api.alice, 'DELETE', `/api/v1/users/${personId}`);
      expect(await shown()).toBeUndefined();
    });

    test('a disconnected one is gone with its tokens, and others stay [49.3]', async () => {
      const api = await openApi(await open());
      const id = await connect(api, api.ed);
      const kept = await connect(api, api.ed, { name: 'Cursor' });
      expect((await disconnect(api, api.ed, id)).status).toBe(204);
      expect((await list(api, api.ed)).data).toEqual([expect.objectContaining({ id: kept })]);
      for (const table of ['oauth_access_token', 'oauth_refresh_token'] as const) {
        const rows = await api.database.read.selectFrom(table).select('grant_id').execute();
        expect([table, rows]).toEqual([table, [{ grant_id: kept }]]);
      }
      const again = await disconnect(api, api.ed, id);
      expect([again.status, again.body]).toEqual([
        404,
        { message: 'There is no such connected application of yours.' },
      ]);
    });

    test('its tokens end at once, also where the application was just let in [49.3]', async () => {
      const api = await openApi(await open());
      const browser = await aliceSignedIn(api);
      const client = await registerClient(api);
      const code = await client.code(browser, { team_id: api.alice.teamId });
      const { access_token: access, refresh_token: refresh } = (await client.exchange(code)).body;
      expect(await callerOf(api, access)).toMatchObject({ person: { name: 'Alice' } });
      const [application] = (await list(api, api.alice)).data;
      await disconnect(api, api.alice, application!['id'] as number);
      expect(await callerOf(api, access)).toBeNull();
      expect((await client.refresh(refresh)).status).toBe(400);
    });

    test('those of others are not there, not even for the owner of the team [49.4]', async () => {
      const api = await openApi(await open());
      const id = await connect(api, api.ed);
      for (const who of [api.alice, api.vera, api.mallory])
        expect((await disconnect(api, who, id)).status).toBe(404);
      expect((await list(api, api.ed)).total).toBe(1);
    });

    test('disconnected several times at once it is disconnected once', async () => {
      const api = await openApi(await open());
      const id = await connect(api, api.ed);
      const answers = await Promise.all([1, 2, 3].map(() => disconnect(api, api.ed, id)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
      expect(await entries(api)).toHaveLength(1);
    });

    test('the audit log of its team says who disconnected what [49.5]', async () => {
      const api = await openApi(await open());
      await api.database.transaction((tx) =>
        teamStore(tx).insertMember(api.mallory.teamId, api.ed.personId, 'editor', api.clock.now()),
      );
      const elsewhere = { personId: api.ed.personId, teamId: api.mallory.teamId };
      const id = await connect(api, elsewhere, { permissions: ['read', 'update'] });
      await disconnect(api, api.ed, id);
      expect(await entries(api)).toEqual([
        {
          action: 'application.disconnected',
          person_id: api.ed.personId,
          team_id: api.mallory.teamId,
          target_id: id,
          target_name: 'Claude',
          before: JSON.stringify({ host: 'claude.ai', permissions: ['read', 'update'] }),
          after: null,
        },
      ]);
    });
  });
});

const entries = (api: TestApi) =>
  api.database.read
    .selectFrom('audit_entry')
    .select(['action', 'person_id', 'team_id', 'target_id', 'target_name', 'before', 'after'])
    .where('target_type', '=', 'application')
    .execute();

test('disconnecting needs the permission to delete, in any role; listing needs none [49.6]', async () => {
  const api = await openApi(await openInMemory());
  const now = api.clock.now();
  const id = await connect(api, api.vera);
  const others = PERMISSIONS.filter((permission) => permission !== 'delete');
  const reader = await giveToken(api.database, api.vera, { permissions: others, now });
  const { status, body } = await disconnect(api, reader, id);
  expect([status, body['error']]).toEqual([403, expect.stringContaining('"delete" permission')]);
  const bare = await giveToken(api.database, api.vera, { permissions: [], now });
  expect((await list(api, bare)).total).toBe(1);
  const deleter = await giveToken(api.database, api.vera, { permissions: ['delete'], now });
  expect((await disconnect(api, deleter, id)).status).toBe(204);
});

test('an application without a name is called by its host', async () => {
  const api = await openApi(await openInMemory());
  await connect(api, api.ed);
  await updateRows(api.database, 'oauth_client', { name: null }, {});
  expect((await list(api, api.ed)).data).toEqual([
    expect.objectContaining({ name: 'claude.ai', host: 'claude.ai' }),
  ]);
});
