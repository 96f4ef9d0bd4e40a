import { describe, expect, test } from 'vitest';
import { NO_MAIL, openApi, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { LEAST } from '../../../test/support/monitor-bodies.ts';
import { giveSession, giveToken, type TestPerson } from '../../../test/support/people.ts';
import { auditOf, sessionTeam } from '../../../test/support/teams.ts';
import { createTeam, teamStore } from '../../store/people/teams.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';

const TEAMS = '/api/v1/teams';

/** Alice becomes a member of Mallory's team, too. */
const invite = (api: TestApi, role: string) =>
  api.database.transaction((tx) =>
    teamStore(tx).insertMember(api.mallory.teamId, api.alice.personId, role, api.clock.now()),
  );

const switchTo = (api: TestApi, id: unknown, who: TestApi['alice'] | string = api.alice) =>
  api.call(who, 'POST', `${TEAMS}/${String(id)}/switch`);

const currentTeam = async (api: TestApi, who: TestApi['alice'] | string = api.alice) =>
  (await api.call(who, 'GET', '/api/v1')).body['team'];

eachDatabase((_name, open) => {
  describe('teams', () => {
    test('one sees the teams where one is an active member, and which of them is current [37.1]', async () => {
      const api = await openApi(await open());
      const ours = {
        id: api.alice.teamId,
        name: 'Team ours',
        slug: 'ours',
        role: 'owner',
        personal_team: true,
        is_current: true,
      };
      expect((await api.call(api.alice, 'GET', TEAMS)).body).toEqual({ data: [ours] });
      await invite(api, 'editor');
      const theirs = {
        ...ours,
        id: api.mallory.teamId,
        name: 'Team theirs',
        slug: 'theirs',
        role: 'editor',
        is_current: false,
      };
      expect((await api.call(api.alice, 'GET', TEAMS)).body).toEqual({ data: [ours, theirs] });
      expect((await api.call(api.vera, 'GET', TEAMS)).body).toEqual({
        data: [{ ...ours, role: 'viewer' }],
      });
      await updateRows(
        api.database,
        'member',
        { status: 'disabled' },
        { team_id: api.mallory.teamId, person_id: api.alice.personId },
      );
      expect((await api.call(api.alice, 'GET', TEAMS)).body).toEqual({ data: [ours] });
    });

    test('a switch holds from the next call on, for this token only [37.2]', async () => {
      const api = await openApi(await open());
      const other = await giveToken(api.database, api.alice, { now: api.clock.now() });
      await invite(api, 'viewer');
      const ourMonitor = await api.create();
      const theirMonitor = await api.create({}, api.mallory);
      const { status, body } = await switchTo(api, api.mallory.teamId);
      expect([status, body]).toEqual([
        200,
        {
          id: api.mallory.teamId,
          name: 'Team theirs',
          slug: 'theirs',
          role: 'viewer',
          personal_team: true,
          is_current: true,
        },
      ]);
      // The role there caps the token.
      expect((await api.call(api.alice, 'POST', '/api/v1/monitors', LEAST.http)).status).toBe(403);
      expect(await currentTeam(api)).toMatchObject({ id: api.mallory.teamId });
      expect(await currentTeam(api, other)).toMatchObject({ id: api.alice.teamId });
      expect((await api.call(api.alice, 'GET', TEAMS)).body['data']).toMatchObject([
        { slug: 'ours', is_current: false },
        { slug: 'theirs', is_current: true },
      ]);
      const seen = async (id: number) =>
        (await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`)).status;
      expect([await seen(ourMonitor.id), await seen(theirMonitor.id)]).toEqual([404, 200]);
      await api.clock.advance(60_000);
      expect(await currentTeam(api)).toMatchObject({ id: api.mallory.teamId });
    });

    test('a switch is idempotent, and there is a way back', async () => {
      const api = await openApi(await open());
      await invite(api, 'admin');
      for (const id of [
        api.alice.teamId,
        api.mallory.teamId,
        api.mallory.teamId,
        api.alice.teamId,
      ]) {
        const { status, body } = await switchTo(api, id);
        expect([status, body]).toEqual([200, expect.objectContaining({ id, is_current: true })]);
        expect(await currentTeam(api)).toMatchObject({ id });
      }
    });

    test('where one is no active member is forbidden, whether or not there is such a team [1.9]', async () => {
      const api = await openApi(await open());
      const refused = async (id: number) => {
        const { status, body } = await switchTo(api, id);
        expect([status, body]).toEqual([
          403,
          {
            message: expect.stringMatching(/^You are no member of that team\./),
            error: body['message'],
          },
        ]);
      };
      await refused(api.mallory.teamId);
      await refused(999_999);
      await refused(Number.MAX_SAFE_INTEGER);
      await invite(api, 'owner');
      await updateRows(
        api.database,
        'member',
        { status: 'disabled' },
        { team_id: api.mallory.teamId },
      );
      await refused(api.mallory.teamId);
      expect(await currentTeam(api)).toMatchObject({ id: api.alice.teamId });
    });
  });
});

const team = (api: TestApi, who: TestPerson, method: string, end = '', body?: unknown) =>
  api.call(who, method, `${TEAMS}/${api.alice.teamId}${end}`, body);

const rolesOf = async (api: TestApi, teamId: number) => {
  const rows = await api.database.read
    .selectFrom('member')
    .select(['person_id', 'role'])
    .where('team_id', '=', teamId)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.person_id, row.role]));
};

eachDatabase((_name, open) => {
  describe('a team', () => {
    test('whoever makes one owns it, and its slug is of it alone [37.3]', async () => {
      const api = await openApi(await open());
      const made = await api.call(api.vera, 'POST', TEAMS, { name: 'Ünited Ops' });
      expect([made.status, made.body]).toEqual([
        201,
        {
          id: made.body.id,
          name: 'Ünited Ops',
          slug: 'united-ops',
          role: 'owner',
          personal_team: false,
          is_current: false,
        },
      ]);
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => api.call(api.ed, 'POST', TEAMS, { name: 'united ops' })),
      );
      expect(answers.map(({ body }) => body['slug']).toSorted()).toEqual([
        'united-ops-2',
        'united-ops-3',
        'united-ops-4',
        'united-ops-5',
      ]);
      expect(await rolesOf(api, made.body.id)).toEqual({ [api.vera.personId]: 'owner' });
      expect((await switchTo(api, made.body.id, api.ed)).status).toBe(403);
      expect(await auditOf(api)).toContainEqual(
        expect.objectContaining({
          action: 'team.created',
          team_id: made.body.id,
          person_id: api.vera.personId,
          after: '{"name":"Ünited Ops","slug":"united-ops"}',
        }),
      );
    });

    test('its name changes and its slug stays', async () => {
      const api = await openApi(await open());
      const whole = {
        id: api.alice.teamId,
        name: 'Team ours',
        slug: 'ours',
        role: 'owner',
        personal_team: true,
        is_current: true,
        plan: 'Self-hosted',
        mfa_required: false,
        created_at: '2030-01-01T00:00:00.000Z',
      };
      expect((await team(api, api.alice, 'GET')).body).toEqual(whole);
      const { status, body } = await team(api, api.alice, 'PUT', '', { name: 'Ops' });
      expect([status, body]).toEqual([200, { ...whole, name: 'Ops' }]);
      expect((await team(api, api.vera, 'GET')).body).toEqual({ ...body, role: 'viewer' });
      expect(await currentTeam(api, api.vera)).toMatchObject({ name: 'Ops', slug: 'ours' });
      expect((await team(api, api.alice, 'PUT', '', {})).body).toEqual(body);
      expect((await auditOf(api)).map(({ action, after }) => [action, after])).toEqual([
        ['team.updated', '{"name":"Ops"}'],
      ]);
    });

    test('only who has two-factor authentication can require it', async () => {
      const api = await openApi(await open());
      const { status, body } = await team(api, api.alice, 'PUT', '', { mfa_required: true });
      expect([status, body['message']]).toEqual([
        422,
        'mfa_required must stay false until you have two-factor authentication yourself: you would lock yourself out.',
      ]);
      await updateRows(api.database, 'person', { mfa_enabled: 1 }, { id: api.alice.personId });
      const required = await team(api, api.alice, 'PUT', '', { mfa_required: true });
      expect(required.body).toMatchObject({ name: 'Team ours', mfa_required: true });
      const free = await team(api, api.alice, 'PUT', '', { mfa_required: false });
      expect(free.body['mfa_required']).toBe(false);
    });

    test('a passkey is a second factor, too', async () => {
      const api = await openApi(await open());
      await insertRows(api.database, 'passkey', {
        person_id: api.alice.personId,
        public_key: 'x',
        credential_id: 'x',
        counter: 0,
        device_type: 'singleDevice',
        backed_up: 0,
        created_at: 0,
      });
      expect((await team(api, api.alice, 'PUT', '', { mfa_required: true })).status).toBe(200);
    });

    test('nobody owns more than 100, also when the last ones come at once', async () => {
      const api = await openApi(await open());
      const another = { name: 'One', personalTeam: false, ownerId: api.vera.personId };
      await api.database.transaction(async (tx) => {
        for (let index = 0; index < 99; index += 1) await createTeam(tx, another, 0);
      });
      const make = () => api.call(api.vera, 'POST', TEAMS, { name: 'More' });
      const answers = await Promise.all(Array.from({ length: 6 }, make));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, 422, 422, 422, 422, 422]);
      expect((await make()).body['message']).toBe(
        'name is of one team too many: you own 100, which is the maximum.',
      );
    });

    test('where it is required, a token from elsewhere comes in only with it', async () => {
      const api = await openApi(await open());
      const { teamId } = api.alice;
      const set = (mfaRequired: 0 | 1, mfaEnabled: 0 | 1) =>
        api.database.transaction(async (tx) => {
          await tx
            .updateTable('team')
            .set({ mfa_required: mfaRequired })
            .where('id', '=', teamId)
            .execute();
          await tx.updateTable('person').set({ mfa_enabled: mfaEnabled }).execute();
        });
      await api.database.transaction((tx) =>
        teamStore(tx).insertMember(teamId, api.mallory.personId, 'editor', api.clock.now()),
      );
      await set(1, 0);
      const into = () => api.call(api.mallory, 'POST', `/api/v1/teams/${teamId}/switch`);
      const refused = await into();
      expect([refused.status, refused.body['message']]).toEqual([
        403,
        'This team requires two-factor authentication: turn it on in your account, then switch again.',
      ]);
      await set(1, 1);
      expect((await into()).status).toBe(200);
    });

    test('once it is required no more, those without it are let in at once', async () => {
      const api = await openApi(await open());
      await updateRows(api.database, 'team', { mfa_required: 1 });
      await updateRows(api.database, 'person', { mfa_enabled: 1 }, { id: api.alice.personId });
      const session = await giveSession(api.database, api.ed, { now: api.clock.now() });
      const status = async () => (await api.call(session, 'GET', '/api/v1/users')).status;
      expect(await status()).toBe(403);
      await team(api, api.alice, 'PUT', '', { mfa_required: false });
      expect(await status()).toBe(200);
    });

    test('whoever leaves is out at once, and so are their tokens', async () => {
      const api = await openApi(await open());
      await invite(api, 'editor');
      const session = await giveSession(
        api.database,
        { ...api.alice, teamId: api.mallory.teamId },
        { now: api.clock.now() },
      );
      const there = { ...api.alice, teamId: api.mallory.teamId };
      const token = await giveToken(api.database, there, { now: api.clock.now() });
      expect((await api.call(token, 'GET', '/api/v1')).status).toBe(200);
      const path = `${TEAMS}/${api.mallory.teamId}/leave`;
      const { status, body } = await api.call(api.alice, 'POST', path);
      expect([status, body]).toEqual([
        200,
        {
          success: true,
          message:
            'You have left the team "Team theirs". Your tokens that acted on it are revoked.',
        },
      ]);
      expect((await api.call(token, 'GET', '/api/v1')).status).toBe(401);
      expect(await sessionTeam(api, session)).toMatchObject({ team_id: api.alice.teamId });
      const again = await api.call(api.alice, 'POST', path);
      expect([again.status, again.body['message']]).toEqual([
        404,
        'There is no such team among yours. GET /api/v1/teams lists them.',
      ]);
      expect(await auditOf(api)).toMatchObject([
        { action: 'member.left', team_id: api.mallory.teamId, person_id: api.alice.personId },
      ]);
      expect((await team(api, api.vera, 'POST', '/leave')).status).toBe(200);
      expect((await api.call(api.vera, 'GET', '/api/v1')).status).toBe(401);
    });

    test('the owner can not leave [37.5]', async () => {
      const api = await openApi(await open());
      const { status, body } = await team(api, api.alice, 'POST', '/leave');
      expect([status, body['message']]).toEqual([
        422,
        'id is of a team that you own: transfer it with POST /api/v1/teams/{id}/transfer first, or delete it.',
      ]);
    });

    test('another owner takes over, and the former is an admin who can leave [37.5]', async () => {
      const api = await openApi(await open());
      const heir = { user_id: api.vera.personId };
      const { status, body } = await team(api, api.alice, 'POST', '/transfer', heir);
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ id: api.alice.teamId, role: 'admin', is_current: true }),
      ]);
      const roles = {
        [api.alice.personId]: 'admin',
        [api.ed.personId]: 'editor',
        [api.vera.personId]: 'owner',
      };
      expect(await rolesOf(api, api.alice.teamId)).toEqual(roles);
      expect((await team(api, api.alice, 'POST', '/transfer', heir)).status).toBe(403);
      expect((await team(api, api.alice, 'POST', '/leave')).status).toBe(200);
      expect((await auditOf(api)).map(({ action, after }) => [action, after])).toEqual([
        ['team.transferred', `{"owner":"Vera","owner_id":${api.vera.personId}}`],
        ['member.left', null],
      ]);
    });

    test('of two transfers at once one is done: a team has one owner', async () => {
      const api = await openApi(await open());
      const answers = await Promise.all(
        [api.ed, api.vera].map(({ personId }) =>
          team(api, api.alice, 'POST', '/transfer', { user_id: personId }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
      const roles = Object.values(await rolesOf(api, api.alice.teamId));
      expect(roles.filter((role) => role === 'owner')).toHaveLength(1);
    });

    test('a transfer and the removal of the heir at once leave an owner', async () => {
      const api = await openApi(await open());
      const answers = await Promise.all([
        team(api, api.alice, 'POST', '/transfer', { user_id: api.ed.personId }),
        api.call(api.alice, 'DELETE', `/api/v1/users/${api.ed.personId}`),
        team(api, api.ed, 'POST', '/leave'),
      ]);
      const done = answers.filter(({ status }) => status < 300);
      expect(done).toHaveLength(1);
      expect(Object.values(await rolesOf(api, api.alice.teamId))).toContain('owner');
    });

    test('a deleted one is gone at once for all of its people, tokens and sessions [37.6]', async () => {
      const api = await openApi(await open(), { mailQueue: NO_MAIL });
      await invite(api, 'editor');
      const session = await giveSession(api.database, api.alice, { now: api.clock.now() });
      const lonely = await giveSession(api.database, api.ed, { now: api.clock.now() });
      const monitor = await api.create();
      const invitation = await api.call(api.alice, 'POST', '/api/v1/users/invitations', {
        email: 'zoe@example.com',
        role: 'viewer',
      });
      for (const name of ['', '?name=', '?name=team%20ours', '?name=Team%20ours%20']) {
        const { status, body } = await team(api, api.alice, 'DELETE', name);
        expect([status, body['message']]).toEqual([
          422,
          'name must be the name of the team, exactly as it is: add ?name=Team%20ours. Its monitors and their history go with it.',
        ]);
      }
      expect((await team(api, api.ed, 'DELETE', '?name=Team%20ours')).status).toBe(403);
      const { status, text } = await team(api, api.alice, 'DELETE', '?name=Team%20ours');
      expect([status, text]).toEqual([204, '']);
      for (const who of [api.alice, api.ed, api.vera])
        expect((await api.call(who, 'GET', '/api/v1')).status).toBe(401);
      expect(await sessionTeam(api, session)).toEqual({ team_id: api.mallory.teamId, next: null });
      expect(await sessionTeam(api, lonely)).toEqual({ team_id: null, next: null });
      const token = new URL(String(invitation.body['url'])).searchParams.get('token');
      expect(
        (await api.call(null, 'GET', `/api/v1/invitations/preview?token=${token}`)).status,
      ).toBe(404);
      expect(await rolesOf(api, api.alice.teamId)).toEqual({});
      expect((await api.call(api.mallory, 'GET', `/api/v1/monitors/${monitor.id}`)).status).toBe(
        404,
      );
      expect((await auditOf(api)).at(-1)).toMatchObject({
        action: 'team.deleted',
        team_id: api.alice.teamId,
        person_id: api.alice.personId,
      });
      const anew = await api.call(api.mallory, 'POST', TEAMS, { name: 'Ours' });
      expect(anew.body['slug']).toBe('ours');
    });
  });
});

describe('what is wrong with a team is told', () => {
  const shared = sharedApi();
  const NAME = 'name must be text of 1 to 100 characters.';
  const USER = 'user_id must be the id of another active member: GET /api/v1/users lists them.';

  test.each<[method: string, end: string, body: unknown, errors: Record<string, string[]>]>([
    ['POST', '', {}, { name: [NAME] }],
    ['POST', '', { name: 'n'.repeat(101) }, { name: [NAME] }],
    ['POST', '', { name: '' }, { name: [NAME] }],
    ['PUT', '', { name: null }, { name: [NAME] }],
    [
      'PUT',
      '',
      { name: 7, mfa_required: 'yes' },
      { name: [NAME], mfa_required: ['mfa_required must be true or false.'] },
    ],
    ['POST', '/transfer', {}, { user_id: [USER] }],
    ['POST', '/transfer', { user_id: '2' }, { user_id: [USER] }],
    ['POST', '/transfer', { user_id: 1 }, { user_id: [USER] }],
    ['POST', '/transfer', { user_id: 4 }, { user_id: [USER] }],
    ['POST', '/transfer', { user_id: 999_999 }, { user_id: [USER] }],
  ])('%s /teams…%s %j', async (method, end, body, errors) => {
    const api = await shared();
    const path = method === 'POST' && end === '' ? TEAMS : `${TEAMS}/${api.alice.teamId}${end}`;
    const answer = await api.call(api.alice, method, path, body);
    expect([answer.status, answer.body['errors']]).toEqual([422, errors]);
  });

  test('a disabled member can not own it', async () => {
    const api = await shared();
    const { personId } = api.ed;
    await api.call(api.alice, 'PUT', `/api/v1/users/${personId}`, { status: 'disabled' });
    const answer = await team(api, api.alice, 'POST', '/transfer', { user_id: personId });
    expect([answer.status, answer.body['errors']]).toEqual([422, { user_id: [USER] }]);
  });

  test('another of my teams is not the one that a token acts on', async () => {
    const api = await shared();
    const other = await api.call(api.alice, 'POST', TEAMS, { name: 'Other' });
    for (const [method, end, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'Mine' }],
      ['DELETE', '?name=Other', undefined],
      ['POST', '/transfer', { user_id: 1 }],
    ] as const) {
      const answer = await api.call(api.alice, method, `${TEAMS}/${other.body.id}${end}`, body);
      expect([answer.status, answer.body]).toEqual([404, { message: 'There is no such team.' }]);
    }
  });
});
