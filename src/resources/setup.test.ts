import { verifyPassword } from 'better-auth/crypto';
import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase, type OpenFresh } from '../../test/support/databases.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { ensureOwner, type OwnerSettings } from '../identity/bootstrap.ts';
import { PASSWORD_PROVIDER, passwordStore } from '../store/people/credentials.ts';
import { rowOf } from '../../test/support/rows.ts';

const SETUP = '/api/v1/setup';
const PASSWORD = 'a long sentence that only I know';
const UNSET: OwnerSettings = {
  adminEmail: null,
  adminPassword: null,
  teamName: null,
  adminToken: null,
};

interface Fresh extends TestApi {
  personId: number;
  setupToken: string;
  firstToken: string;
}

/** An installation after its first start; the people of the tests are in it too. */
async function fresh(open: OpenFresh, settings: Partial<OwnerSettings> = {}): Promise<Fresh> {
  const database = await open();
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const owner = await ensureOwner({ database, clock }, { ...UNSET, ...settings });
  const api = await openApi(database);
  const { personId, token, setupToken } = owner;
  return { ...api, personId, setupToken: setupToken!, firstToken: token! };
}

const stateOf = (api: TestApi, token: string) =>
  api.call(null, 'GET', `${SETUP}/state?token=${encodeURIComponent(token)}`);

const setUp = (api: Fresh, body: object = {}) =>
  api.call(null, 'POST', SETUP, {
    token: api.setupToken,
    email: 'Owner@Example.com',
    password: PASSWORD,
    ...body,
  });

const fieldsOf = ({ body }: { body: object }) => Object.keys((body as { errors: object }).errors);

eachDatabase((_name, open) => {
  describe('the set-up link', () => {
    test('gives the owner an address, a password and names [39.10]', async () => {
      const api = await fresh(open);
      expect((await stateOf(api, api.setupToken)).body).toEqual({
        email: null,
        team_name: 'My team',
      });
      const { status, body } = await setUp(api, {
        name: 'Olga',
        team_name: 'Operations',
        timezone: 'Europe/Berlin',
      });
      const user = {
        id: api.personId,
        name: 'Olga',
        email: 'owner@example.com',
        timezone: 'Europe/Berlin',
      };
      const team = {
        id: expect.any(Number),
        name: 'Operations',
        slug: 'my-team',
        personal_team: true,
      };
      expect([status, body]).toEqual([201, { user, team }]);
      expect((await api.call(api.firstToken, 'GET', '/api/v1')).body).toMatchObject({ user, team });
      const credential = await rowOf(api.database, 'credential');
      expect(credential).toMatchObject({
        person_id: api.personId,
        provider_id: PASSWORD_PROVIDER,
        account_id: String(api.personId),
      });
      expect(await verifyPassword({ hash: credential.password!, password: PASSWORD })).toBe(true);
    });

    test('works once, and says so then [39.11]', async () => {
      const api = await fresh(open);
      const answers = await Promise.all([setUp(api), setUp(api, { email: 'b@example.com' })]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404]);
      const used = { message: expect.stringMatching(/used already: sign in/) };
      for (const { status, body } of [
        await setUp(api),
        await setUp(api, { password: '' }),
        await stateOf(api, api.setupToken),
      ])
        expect([status, body]).toEqual([404, used]);
    });

    test('is nothing to guess', async () => {
      const api = await fresh(open);
      for (const token of ['x', `${api.setupToken}x`, api.setupToken.slice(1), api.firstToken]) {
        const unknown = [404, { message: expect.stringMatching(/is not valid/) }];
        const [state, done] = [await stateOf(api, token), await setUp(api, { token })];
        expect([state.status, state.body]).toEqual(unknown);
        expect([done.status, done.body]).toEqual(unknown);
      }
      const settings = await api.database.read.selectFrom('setting').selectAll().execute();
      expect(JSON.stringify(settings)).not.toContain(api.setupToken);
      expect((await stateOf(api, '')).status).toBe(404);
    });

    test('keeps what ADMIN_EMAIL and TEAM_NAME say', async () => {
      const api = await fresh(open, { adminEmail: 'Root@example.com', teamName: 'Crew' });
      expect((await stateOf(api, api.setupToken)).body).toEqual({
        email: 'root@example.com',
        team_name: 'Crew',
      });
      const { status, body } = await setUp(api, { email: undefined });
      expect([status, body]).toMatchObject([
        201,
        { user: { name: 'Root', email: 'root@example.com' }, team: { name: 'Crew' } },
      ]);
    });

    test('takes no address of another person, and can be used again then', async () => {
      const api = await fresh(open);
      const taken = await setUp(api, { email: 'ALICE@example.com' });
      expect([taken.status, fieldsOf(taken)]).toEqual([422, ['email']]);
      expect((await setUp(api)).status).toBe(201);
    });

    test('opens nothing once the operator has set a password', async () => {
      const api = await fresh(open);
      await api.database.transaction((tx) => passwordStore(tx).set(api.personId, 'hash', 0));
      expect((await setUp(api)).status).toBe(404);
    });

    test('is noted for the audit log, without the password', async () => {
      const api = await fresh(open);
      await setUp(api);
      const entries = await api.database.read
        .selectFrom('audit_entry')
        .selectAll()
        .orderBy('id')
        .execute();
      expect(entries.at(-1)).toMatchObject({
        action: 'person.set_up',
        via: 'link',
        person_id: api.personId,
        actor: 'owner <owner@example.com>',
      });
      expect(JSON.stringify(entries)).not.toContain(PASSWORD);
    });

    test('all that is wrong is told at once', async () => {
      const api = await fresh(open);
      const wrong: [object, string[]][] = [
        [{ email: undefined }, ['email']],
        [{ email: 'nobody' }, ['email']],
        [{ email: 'a@b, c@d' }, ['email']],
        [{ password: undefined }, ['password']],
        [{ password: 'short' }, ['password']],
        [{ password: 'x'.repeat(129) }, ['password']],
        [{ password: 'Owner@example.com' }, ['password']],
        [{ token: undefined }, ['token']],
        [{ token: 7, password: 7, email: 7, name: 7, team_name: 7 }, everything],
      ];
      for (const [body, fields] of wrong) {
        const answer = await setUp(api, body);
        expect([body, answer.status, fieldsOf(answer)]).toEqual([body, 422, fields]);
      }
      expect((await stateOf(api, api.setupToken)).status).toBe(200);
    });
  });
});

const everything = ['token', 'name', 'email', 'password', 'team_name'];

test('without a first start no link is good', async () => {
  const api = await openApi(await openInMemory());
  for (const token of ['', 'used ', 'x']) expect((await stateOf(api, token)).status).toBe(404);
});
