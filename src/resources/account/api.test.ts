import { describe, expect, test } from 'vitest';
import { NO_MAIL, openApi, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import {
  giveSession,
  giveToken,
  type TestPerson,
  type TestSession,
} from '../../../test/support/people.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { teamStore } from '../../store/people/teams.ts';

const ACCOUNT = '/api/v1/account';
const withoutMail = { mailQueue: NO_MAIL };

const update = (api: TestApi, who: TestPerson | string, body: object) =>
  api.call(who, 'PUT', ACCOUNT, body);

const ask = (api: TestApi, who: TestPerson | string, { personId }: { personId: number }) =>
  api.call(who, 'POST', `/api/v1/users/${personId}/reset-link`);

eachDatabase((_name, open) => {
  test('a person in the dashboard sees their role in the team, and why they have none [55.9]', async () => {
    const api = await openApi(await open());
    const who = async (caller: TestPerson | TestSession) =>
      (await api.call(caller, 'GET', '/api/v1')).body;
    const session = await giveSession(api.database, api.ed, { now: api.clock.now() });
    expect(await who(session)).toMatchObject({ role: 'editor', withheld: null });
    expect(await who(api.ed)).not.toHaveProperty('role');
    await updateRows(api.database, 'team', { mfa_required: 1 }, { id: api.ed.teamId });
    api.authenticator.forget({ personId: api.ed.personId });
    expect(await who(session)).toMatchObject({ team: null, role: null, withheld: 'mfa_required' });
  });

  describe('PUT /account', () => {
    test('changes what is present alone, at once [36.23]', async () => {
      const api = await openApi(await open());
      const { ed } = api;
      const before = { id: ed.personId, name: 'Ed', email: 'ed@example.com', timezone: 'UTC' };
      const who = async () => (await api.call(ed, 'GET', '/api/v1')).body['user'];
      expect(await who()).toEqual(before);
      const named = await update(api, ed, { name: 'Edward', email: 'other@example.com' });
      expect([named.status, named.body]).toEqual([200, { ...before, name: 'Edward' }]);
      const moved = await update(api, ed, { timezone: 'Europe/Berlin' });
      const after = { ...before, name: 'Edward', timezone: 'Europe/Berlin' };
      expect([moved.status, moved.body]).toEqual([200, after]);
      expect(await who()).toEqual(after);
      expect((await update(api, ed, {})).body).toEqual(after);
    });

    test('of two changes at once both are kept', async () => {
      const api = await openApi(await open());
      for (const name of ['One', 'Three', 'Fourth', 'Seventh']) {
        const timezone = `Etc/GMT+${name.length}`;
        await Promise.all([update(api, api.ed, { name }), update(api, api.ed, { timezone })]);
        const { body } = await api.call(api.ed, 'GET', '/api/v1');
        expect(body['user']).toMatchObject({ name, timezone });
      }
    });

    test('is noted for the audit log where something changed', async () => {
      const api = await openApi(await open());
      await update(api, api.ed, { name: 'Ed', timezone: 'Asia/Kathmandu' });
      await update(api, api.ed, { timezone: 'Asia/Kathmandu' });
      const entries = await api.database.read.selectFrom('audit_entry').selectAll().execute();
      expect(entries).toEqual([
        expect.objectContaining({
          action: 'person.updated',
          target_id: api.ed.personId,
          before: '{"timezone":"UTC"}',
          after: '{"timezone":"Asia/Kathmandu"}',
        }),
      ]);
    });
  });

  describe('POST /users/:id/reset-link', () => {
    test('is refused for somebody whose account is older than their membership', async () => {
      const api = await openApi(await open(), withoutMail);
      await api.database.transaction((tx) =>
        tx
          .updateTable('member')
          .set({ added_at: api.clock.now() + 3_600_000 })
          .where('person_id', 'in', [api.ed.personId, api.alice.personId])
          .execute(),
      );
      const { status, body } = await ask(api, api.alice, api.ed);
      expect([status, body['message']]).toEqual([
        403,
        expect.stringContaining('whose account was created in this team'),
      ]);
      expect((await ask(api, api.alice, api.alice)).status).toBe(200);
      expect((await ask(api, api.alice, api.vera)).status).toBe(200);
    });

    test('gives a link, once, whose token is kept as a hash [36.24]', async () => {
      const api = await openApi(await open(), withoutMail);
      const { status, body } = await ask(api, api.alice, api.ed);
      expect([status, body]).toEqual([
        200,
        {
          url: expect.stringMatching(
            /^https:\/\/up\.example\.com\/reset-password\?token=[\w-]{30,}$/,
          ),
          expires_at: '2030-01-01T01:00:00.000Z',
        },
      ]);
      const token = new URL(body['url'] as string).searchParams.get('token')!;
      const rows = await api.database.read.selectFrom('verification').selectAll().execute();
      expect(rows).toEqual([
        expect.objectContaining({
          value: `reset ${api.ed.personId}`,
          expires_at: api.clock.now() + 3_600_000,
        }),
      ]);
      const entries = await api.database.read.selectFrom('audit_entry').selectAll().execute();
      expect(entries).toEqual([
        expect.objectContaining({
          action: 'person.reset_link_created',
          target_id: api.ed.personId,
          actor: 'Alice <alice@example.com>',
        }),
      ]);
      expect(JSON.stringify([rows, entries])).not.toContain(token);
    });

    test('is refused for somebody who is in another team too [36.25]', async () => {
      const api = await openApi(await open(), withoutMail);
      const { personId } = api.ed;
      await api.database.transaction((tx) =>
        teamStore(tx).insertMember(api.mallory.teamId, personId, 'viewer', api.clock.now()),
      );
      for (const owner of [api.alice, api.mallory]) {
        const { status, body } = await ask(api, owner, { personId });
        expect([status, body]).toEqual([
          403,
          {
            message: expect.stringContaining('"npm run tocsin -- user reset-password"'),
            error: expect.any(String),
          },
        ]);
      }
      const { mallory } = api;
      expect((await ask(api, mallory, api.alice)).status).toBe(404);
    });

    test('needs all permissions of a token: the password gives them all', async () => {
      const api = await openApi(await open(), withoutMail);
      const now = api.clock.now();
      const permissions = ['read', 'create', 'update'] as const;
      const token = await giveToken(api.database, api.alice, { permissions, now });
      for (const other of [api.ed, api.alice]) {
        const { status, body } = await ask(api, token, other);
        expect([status, body['error']]).toEqual([403, expect.stringContaining('"delete"')]);
      }
      const session = await giveSession(api.database, api.alice, { now });
      const path = `/api/v1/users/${api.alice.personId}/reset-link`;
      expect((await api.call(session, 'POST', path)).status).toBe(200);
    });

    test('where mail is sent, the person asks for it themselves', async () => {
      const api = await openApi(await open());
      const { status, body } = await ask(api, api.alice, api.ed);
      expect([status, body]).toEqual([422, { message: expect.stringContaining('/sign-in') }]);
      expect(await api.database.read.selectFrom('verification').selectAll().execute()).toEqual([]);
    });
  });
});

const shared = sharedApi();

test.each<[string, object, string[]]>([
  ['nothing for a name', { name: '' }, ['name']],
  ['null for a name', { name: null }, ['name']],
  ['a long name', { name: 'x'.repeat(101) }, ['name']],
  ['no zone', { timezone: 'Mars/Phobos' }, ['timezone']],
  ['both', { name: 7, timezone: 7 }, ['name', 'timezone']],
])('PUT /account refuses %s', async (_what, body, fields) => {
  const api = await shared();
  const { status, body: answer } = await update(api, api.ed, body);
  expect([status, Object.keys(answer['errors'] as object)]).toEqual([422, fields]);
});
