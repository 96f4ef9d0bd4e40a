import { describe, expect, test } from 'vitest';
import { NO_MAIL, openApi, type Answer, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveSession } from '../../../test/support/people.ts';
import { auditOf, collectMail, sessionTeam } from '../../../test/support/teams.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { hashToken } from '../../identity/token.ts';
import type { OpenDatabase } from '../../store/database/database.ts';
import { invitationStore } from '../../store/people/invitations.ts';
import { updateRows } from '../../../test/support/rows.ts';

const INVITATIONS = '/api/v1/users/invitations';
const ACCEPT = '/api/v1/invitations/accept';
const DAY = 24 * 3_600_000;
const PASSWORD = 'correct horse battery';

const invite = (api: TestApi, email = 'zoe@example.com', role = 'editor', who = api.alice) =>
  api.call(who, 'POST', INVITATIONS, { email, role });

/** A house without mail, in which links are shown, or with the mails that it sends. */
const openShown = async (database: OpenDatabase) => openApi(database, { mailQueue: NO_MAIL });

const tokenOf = ({ body }: Answer) => new URL(String(body['url'])).searchParams.get('token')!;

const accept = (
  api: TestApi,
  body: Record<string, unknown>,
  who: Parameters<TestApi['call']>[0] = null,
) => api.call(who, 'POST', ACCEPT, body);

const personOf = (api: TestApi, email: string) =>
  api.database.read
    .selectFrom('person')
    .leftJoin('credential', 'credential.person_id', 'person.id')
    .select(['person.id', 'person.name', 'timezone', 'email_verified', 'password'])
    .where('email', '=', email)
    .executeTakeFirst();

eachDatabase((_name, open) => {
  test('somebody new is invited by mail, and joins with the link [37.16, 37.17, 37.19, 37.21, 37.23]', async () => {
    const { mails, mailQueue } = collectMail();
    const api = await openApi(await open(), { mailQueue });
    const sent = await invite(api, 'Zoe@Example.com');
    const id = Number(sent.body.id);
    const zoe = {
      id,
      email: 'zoe@example.com',
      role: 'editor',
      created_at: '2030-01-01T00:00:00.000Z',
      expires_at: '2030-01-08T00:00:00.000Z',
    };
    expect([sent.status, sent.body]).toEqual([201, zoe]);
    expect((await api.call(api.vera, 'GET', INVITATIONS)).body).toEqual({ total: 1, data: [zoe] });
    expect(mails).toMatchObject([{ kind: 'invitation', to: 'zoe@example.com' }]);
    const [, token = ''] =
      /https:\/\/up\.example\.com\/invitation\?token=(\w{31})/.exec(mails[0]!.text) ?? [];
    const rows = await api.database.read.selectFrom('invitation').selectAll().execute();
    expect(rows).toMatchObject([{ hash: hashToken(token), invited_by: api.alice.personId }]);
    expect(JSON.stringify(rows)).not.toContain(token);

    const preview = await api.call(null, 'GET', `/api/v1/invitations/preview?token=${token}`);
    expect(preview.body).toEqual({
      team: 'Team ours',
      inviter: 'Alice',
      email: 'zoe@example.com',
      role: 'editor',
      expires_at: zoe.expires_at,
      has_account: false,
    });

    const joined = await accept(api, { token, password: PASSWORD });
    const person = await personOf(api, 'zoe@example.com');
    expect(person).toMatchObject({ name: 'zoe', timezone: 'UTC', email_verified: 1 });
    expect(person!.password).toMatch(/^[0-9a-f]+:[0-9a-f]+$/);
    expect([joined.status, joined.body]).toEqual([
      201,
      {
        user: {
          id: person!.id,
          name: 'zoe',
          email: 'zoe@example.com',
          role: 'editor',
          status: 'active',
          mfa_enabled: false,
          created_at: '2030-01-01T00:00:00.000Z',
          added_at: '2030-01-01T00:00:00.000Z',
          last_login_at: null,
        },
        team: {
          id: api.alice.teamId,
          name: 'Team ours',
          slug: 'ours',
          role: 'editor',
          personal_team: true,
          is_current: false,
        },
      },
    ]);
    expect((await api.call(api.alice, 'GET', INVITATIONS)).body).toEqual({ total: 0, data: [] });
    expect((await api.call(api.alice, 'GET', '/api/v1/users')).body['total']).toBe(4);
    const again = await accept(api, { token, password: PASSWORD });
    expect([again.status, again.body['message']]).toEqual([
      422,
      'token is of an invitation that was used already: sign in.',
    ]);
    expect(await auditOf(api)).toMatchObject([
      { action: 'invitation.created', person_id: api.alice.personId, target_name: zoe.email },
      { action: 'person.created', via: 'link', person_id: person!.id, team_id: null },
      { action: 'member.joined', via: 'link', person_id: person!.id, team_id: api.alice.teamId },
    ]);
    expect(JSON.stringify(await auditOf(api))).not.toContain(PASSWORD);
  });

  test('without mail the link is shown, and does not show that the address is theirs [37.21, 37.24]', async () => {
    const api = await openShown(await open());
    const sent = await invite(api);
    expect(sent.body['url']).toMatch(/^https:\/\/up\.example\.com\/invitation\?token=\w{31}$/);
    expect((await api.call(api.alice, 'GET', INVITATIONS)).text).not.toContain('token');
    const body = { token: tokenOf(sent), name: 'Zoë', timezone: 'Asia/Tokyo', password: PASSWORD };
    expect((await accept(api, body)).body['user']).toMatchObject({ name: 'Zoë' });
    expect(await personOf(api, 'zoe@example.com')).toMatchObject({
      name: 'Zoë',
      timezone: 'Asia/Tokyo',
      email_verified: 0,
    });
  });

  test('a link that was shown adds nobody who has an account without them, confirmed or not [37.25]', async () => {
    const api = await openShown(await open());
    const { personId } = api.mallory;
    await api.database.transaction(async (tx) => {
      await tx.deleteFrom('member').where('person_id', '=', personId).execute();
      await tx
        .updateTable('person')
        .set({ email_verified: 1 })
        .where('id', '=', personId)
        .execute();
    });
    const now = api.clock.now();
    const session = await giveSession(api.database, { personId, teamId: null }, { now });
    const token = tokenOf(await invite(api, 'mallory@example.com', 'viewer'));
    expect((await accept(api, { token })).body['message']).toBe(
      'There is an account for mallory@example.com already: sign in with it first, then open the link again.',
    );
    expect(await sessionTeam(api, session)).toEqual({ team_id: null, next: null });
    expect((await api.call(session, 'GET', '/api/v1/teams')).body['data']).toEqual([]);
    expect((await accept(api, { token }, session)).status).toBe(201);
  });

  test('of two who accept at once, one comes in', async () => {
    const api = await openShown(await open());
    const token = tokenOf(await invite(api));
    const answers = await Promise.all([1, 2].map(() => accept(api, { token, password: PASSWORD })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect(api.faults).toEqual([]);
  });

  test('somebody new who accepts those of several teams at once is one person', async () => {
    const api = await openApi(await open());
    const teams = [api.alice, api.mallory].map(({ teamId }) => teamId);
    for (let round = 0; round < 5; round += 1) {
      const email = `zoe-${round}@example.com`;
      const tokens = teams.map((teamId) => `m${teamId}-${round}`);
      for (const [index, teamId] of teams.entries()) {
        const hash = hashToken(tokens[index]!);
        const link = { hash, invitedBy: 1, expiresAt: api.clock.now() + DAY };
        const invitation = { teamId, email, role: 'viewer', ...link };
        await api.database.transaction((tx) => invitationStore(tx).insert(invitation, 0));
      }
      const answers = await Promise.all(
        tokens.map((token) => accept(api, { token, password: PASSWORD })),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    }
  });

  test('of two invitations of one address at once, one is sent', async () => {
    const api = await openShown(await open());
    const answers = await Promise.all([invite(api), invite(api)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  });

  test('sent again, it has a new link for another 7 days, and the former is nothing [37.20]', async () => {
    const api = await openShown(await open());
    const first = await invite(api);
    await api.clock.advance(6 * DAY);
    const again = await api.call(api.alice, 'POST', `${INVITATIONS}/${first.body.id}/resend`);
    expect([again.status, again.body]).toEqual([
      200,
      { ...first.body, expires_at: '2030-01-14T00:00:00.000Z', url: expect.any(String) },
    ]);
    expect((await accept(api, { token: tokenOf(first), password: PASSWORD })).status).toBe(404);
    await api.clock.advance(7 * DAY - 1);
    expect((await accept(api, { token: tokenOf(again), password: PASSWORD })).status).toBe(201);
  });

  test('an expired one is told so, listed, and replaced by the next, a withdrawn one is nothing [37.17, 37.18, 37.23]', async () => {
    const api = await openShown(await open());
    const first = await invite(api);
    await api.clock.advance(7 * DAY);
    const late = await accept(api, { token: tokenOf(first), password: PASSWORD });
    expect([late.status, late.body['message']]).toEqual([
      422,
      'token has expired on 2030-01-08: ask Alice to send the invitation again.',
    ]);
    const { body } = await api.call(api.alice, 'GET', INVITATIONS);
    expect(body).toMatchObject({ total: 1, data: [{ id: first.body.id }] });
    const second = await invite(api);
    expect(second.status).toBe(201);
    const list = await api.call(api.alice, 'GET', INVITATIONS);
    expect(list.body).toMatchObject({ total: 1, data: [{ id: second.body.id }] });
    await api.call(api.alice, 'DELETE', `${INVITATIONS}/${second.body.id}`);
    expect((await accept(api, { token: tokenOf(second), password: PASSWORD })).status).toBe(404);
  });

  test('whoever has an account joins with it, and their sessions without a team act on this one [37.23, 37.25]', async () => {
    const api = await openShown(await open());
    const { personId } = api.mallory;
    const setVerified = (value: number) =>
      updateRows(api.database, 'person', { email_verified: value }, { id: personId });
    const token = tokenOf(await invite(api, 'mallory@example.com', 'viewer'));
    const session = await giveSession(
      api.database,
      { personId, teamId: null },
      { now: api.clock.now() },
    );
    await setVerified(0);
    const stranger = await accept(api, { token, password: PASSWORD });
    expect([stranger.status, stranger.body['message']]).toEqual([
      403,
      'There is an account for mallory@example.com already: sign in with it first, then open the link again.',
    ]);
    const preview = await api.call(null, 'GET', `/api/v1/invitations/preview?token=${token}`);
    expect(preview.body['has_account']).toBe(true);
    const foreign = await accept(api, { token }, api.ed);
    expect([foreign.status, foreign.body['message']]).toEqual([
      403,
      'This invitation is for mallory@example.com, and you are signed in as ed@example.com: sign out first, or ask for an invitation to your address.',
    ]);
    const joined = await accept(api, { token, name: 7, password: 7 }, api.mallory);
    expect([joined.status, joined.body['user'], joined.body['team']]).toEqual([
      201,
      expect.objectContaining({ id: personId, name: 'Mallory', role: 'viewer' }),
      expect.objectContaining({ id: api.alice.teamId, role: 'viewer', is_current: false }),
    ]);
    expect(await sessionTeam(api, session)).toEqual({
      team_id: api.alice.teamId,
      next: api.alice.teamId,
    });
    expect(await personOf(api, 'mallory@example.com')).toMatchObject({
      name: 'Mallory',
      password: null,
    });

    await setVerified(1);
    await api.call(api.mallory, 'POST', `/api/v1/teams/${api.alice.teamId}/leave`);
    const other = tokenOf(await invite(api, 'mallory@example.com', 'editor'));
    const back = await accept(api, { token: other }, api.mallory);
    expect(back.body['user']).toMatchObject({ role: 'editor' });
    await api.call(api.mallory, 'POST', `/api/v1/teams/${api.alice.teamId}/leave`);
    const signedIn = { personId, teamId: null };
    const nowhere = await giveSession(api.database, signedIn, { now: api.clock.now() });
    const third = tokenOf(await invite(api, 'mallory@example.com', 'editor'));
    expect((await accept(api, { token: third }, nowhere)).body['team']).toMatchObject({
      id: api.alice.teamId,
      is_current: true,
    });
    expect((await api.call(nowhere, 'GET', '/api/v1')).body['team']).toMatchObject({
      id: api.alice.teamId,
    });
  });
});

describe('what is wrong is told', () => {
  let opened: Promise<TestApi> | null = null;
  const shared = () => (opened ??= openInMemory().then(openShown));

  const EMAIL = 'email must be an e-mail address, such as ed@example.com.';
  const NO_ROLE = 'role is required: say what they may do in the team.';
  const ROLE = 'role must be one of admin, editor, viewer.';

  test.each<[body: unknown, errors: Record<string, string[]>]>([
    [
      {},
      {
        email: ['email is required: the invitation is for whoever has that address.'],
        role: [NO_ROLE],
      },
    ],
    [
      { email: 'x', role: 'king' },
      { email: [EMAIL], role: [ROLE] },
    ],
    [
      { email: 7, role: null },
      { email: [EMAIL], role: [NO_ROLE] },
    ],
    [{ email: 'a@b\r\nBcc: c@d', role: 'viewer' }, { email: [EMAIL] }],
    [{ email: 'a@b@c', role: 'viewer' }, { email: [EMAIL] }],
    [{ email: `${'a'.repeat(250)}@b.de`, role: 'viewer' }, { email: [EMAIL] }],
    [
      { email: 'x@example.com', role: 'owner' },
      {
        role: [
          'role must not be owner: a team has one, who can transfer it with POST /api/v1/teams/{id}/transfer.',
        ],
      },
    ],
    [
      { email: 'VERA@example.com', role: 'viewer' },
      { email: ['email must not be that of a member of the team.'] },
    ],
  ])('of an invitation: %j [37.22]', async (body, errors) => {
    const api = await shared();
    const answer = await api.call(api.alice, 'POST', INVITATIONS, body);
    expect([answer.status, answer.body['errors']]).toEqual([422, errors]);
  });

  test('a disabled member is a member', async () => {
    const api = await openShown(await openInMemory());
    const { personId } = api.ed;
    await api.call(api.alice, 'PUT', `/api/v1/users/${personId}`, { status: 'disabled' });
    expect((await invite(api, 'ed@example.com')).body['message']).toBe(
      `email must not be that of a member of the team: enable them with PUT /api/v1/users/${personId}.`,
    );
  });

  test('a pending invitation is named, and others of the team can change it [37.18]', async () => {
    const api = await shared();
    const { id } = (await invite(api, 'pia@example.com')).body;
    const twice = await invite(api, 'Pia@example.com', 'viewer');
    expect([twice.status, twice.body['message']]).toEqual([
      422,
      `email has a pending invitation, ${id}: send it again with POST /api/v1/users/invitations/${id}/resend, or delete it first.`,
    ]);
    const path = `${INVITATIONS}/${id}`;
    const changed = await api.call(api.alice, 'PUT', path, { role: 'admin' });
    expect([changed.status, changed.body]).toMatchObject([200, { id, role: 'admin' }]);
    expect(Object.keys(changed.body)).not.toContain('url');
    for (const body of [{}, { role: null }])
      expect((await api.call(api.alice, 'PUT', path, body)).body['errors']).toEqual({
        role: [NO_ROLE],
      });
    expect((await api.call(api.alice, 'PUT', path, { role: 'owner' })).status).toBe(422);
    for (const [method, end] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/resend'],
    ] as const) {
      const stranger = await api.call(api.mallory, method, path + end);
      expect([stranger.status, stranger.body]).toEqual([
        404,
        { message: 'There is no such invitation in your team.' },
      ]);
      expect((await api.call(api.ed, method, path + end)).status).toBe(403);
    }
    expect((await api.call(api.alice, 'DELETE', path)).status).toBe(204);
    expect((await api.call(api.alice, 'DELETE', path)).status).toBe(404);
    const actions = (await auditOf(api)).map(({ action }) => action);
    expect(actions.slice(-3)).toEqual([
      'invitation.created',
      'invitation.updated',
      'invitation.deleted',
    ]);
  });

  test.each<[body: Record<string, unknown>, errors: Record<string, string[]>]>([
    [{ password: null }, { password: ['password is required: you sign in with it.'] }],
    [{ password: 'short' }, { password: ['password must have 8 to 128 characters.'] }],
    [
      { password: 7, name: 7 },
      {
        name: ['name must be text of 1 to 100 characters.'],
        password: ['password must be text of 8 to 128 characters.'],
      },
    ],
    [
      { password: 'aaaaaaaaaa' },
      { password: ['password must have more than two different characters.'] },
    ],
  ])('of somebody new: %j', async (body, errors) => {
    const api = await shared();
    const token = `m${Math.random()}`;
    await api.database.transaction(async (tx) => {
      await tx.deleteFrom('invitation').execute();
      await invitationStore(tx).insert(
        {
          teamId: api.alice.teamId,
          email: 'new@example.com',
          role: 'viewer',
          hash: hashToken(token),
          invitedBy: api.alice.personId,
          expiresAt: api.clock.now() + DAY,
        },
        api.clock.now(),
      );
    });
    const answer = await accept(api, { token, ...body });
    expect([answer.status, answer.body['errors']]).toEqual([422, errors]);
    expect(await personOf(api, 'new@example.com')).toBeUndefined();
  });

  test('a link that nobody has leads nowhere', async () => {
    const api = await shared();
    for (const token of ['x', 'm'.repeat(5_000), '\0']) {
      const answer = await accept(api, { token, password: PASSWORD });
      expect([answer.status, answer.body['message']]).toEqual([
        404,
        expect.stringMatching(/^There is no such invitation: check that you have the whole link\./),
      ]);
    }
    const preview = await api.call(null, 'GET', '/api/v1/invitations/preview');
    expect(preview.status).toBe(404);
    for (const token of [undefined, null, '', 7])
      expect((await accept(api, { token })).body['errors']).toEqual({
        token: ['token must be the text behind ?token= in the link of the invitation.'],
      });
  });

  test('who became a member meanwhile is told to sign in', async () => {
    const api = await shared();
    const token = 'a link to Ed';
    await api.database.transaction((tx) =>
      invitationStore(tx).insert(
        {
          teamId: api.alice.teamId,
          email: 'ed@example.com',
          role: 'admin',
          hash: hashToken(token),
          invitedBy: api.alice.personId,
          expiresAt: api.clock.now() + DAY,
        },
        api.clock.now(),
      ),
    );
    const answer = await accept(api, { token }, api.ed);
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      'token is of an invitation to a team that you are a member of already: sign in.',
    ]);
  });

  test('methods that the list of invitations has not are those of no member', async () => {
    const api = await shared();
    for (const method of ['PUT', 'DELETE']) {
      const { status, headers } = await api.call(api.alice, method, INVITATIONS);
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
    }
  });
});

test('a team has 100 invitations at most', async () => {
  const api = await openShown(await openInMemory());
  const now = api.clock.now();
  await api.database.transaction(async (tx) => {
    for (let index = 0; index < 100; index += 1)
      await invitationStore(tx).insert(
        {
          teamId: api.alice.teamId,
          email: `guest${index}@example.com`,
          role: 'viewer',
          hash: String(index),
          invitedBy: api.alice.personId,
          expiresAt: now + DAY,
        },
        now,
      );
  });
  expect((await invite(api)).body['message']).toBe(
    'email is one too many: the team has 100 pending invitations. Delete some that are no longer needed.',
  );
});
