import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveSession, type TestPerson, type TestSession } from '../../test/support/people.ts';

const SESSIONS = '/api/v1/sessions';
const DAY = 24 * 3_600_000;

const signIn = (api: TestApi, who: TestPerson, expiresAt = api.clock.now() + DAY) =>
  giveSession(api.database, who, { now: api.clock.now(), method: 'passkey', expiresAt });

const idsOf = async (api: TestApi, who: TestSession | TestPerson) =>
  ((await api.call(who, 'GET', SESSIONS)).body['data'] as { id: number }[]).map(({ id }) => id);

const works = async (api: TestApi, session: TestSession) =>
  (await api.call(session, 'GET', '/api/v1')).status === 200;

const revoke = (api: TestApi, who: TestSession | TestPerson, id?: number) =>
  api.call(who, 'DELETE', id === undefined ? SESSIONS : `${SESSIONS}/${id}`);

eachDatabase((_name, open) => {
  describe('sessions', () => {
    test('one sees the own ones that are not over, the newest first, and which of them asks [36.9]', async () => {
      const api = await openApi(await open());
      const first = await signIn(api, api.ed);
      await signIn(api, api.ed, api.clock.now() + 1);
      await signIn(api, api.vera);
      await api.clock.advance(1_000);
      const second = await signIn(api, api.ed);
      expect(await idsOf(api, first)).toEqual([second.sessionId, first.sessionId]);
      await api.authenticator.close();
      const { body } = await api.call(first, 'GET', SESSIONS);
      const now = new Date(api.clock.now()).toISOString();
      expect(body).toEqual({
        data: [
          expect.objectContaining({ is_current: false, last_used_at: null }),
          {
            id: first.sessionId,
            method: 'passkey',
            ip_address: null,
            user_agent: null,
            is_current: true,
            last_used_at: now,
            expires_at: new Date(api.clock.now() - 1_000 + DAY).toISOString(),
            created_at: new Date(api.clock.now() - 1_000).toISOString(),
          },
        ],
      });
      const asToken = (await api.call(api.ed, 'GET', SESSIONS)).body['data'];
      expect(asToken).toEqual([
        expect.objectContaining({ is_current: false }),
        expect.objectContaining({ is_current: false }),
      ]);
    });

    test('a revoked one is signed out at once, and then is gone [36.10]', async () => {
      const api = await openApi(await open());
      const [one, other] = [await signIn(api, api.ed), await signIn(api, api.ed)];
      expect(await works(api, other)).toBe(true);
      expect((await revoke(api, one, other.sessionId)).status).toBe(204);
      expect([await works(api, one), await works(api, other)]).toEqual([true, false]);
      const again = await revoke(api, one, other.sessionId);
      expect([again.status, again.body]).toEqual([
        404,
        { message: 'There is no such session of yours.' },
      ]);
    });

    test('one may end itself', async () => {
      const api = await openApi(await open());
      const session = await signIn(api, api.ed);
      expect((await revoke(api, session, session.sessionId)).status).toBe(204);
      expect(await works(api, session)).toBe(false);
    });

    test('all but the one that asks are revoked together, those of others stay [36.11]', async () => {
      const api = await openApi(await open());
      const [one, two, three] = [
        await signIn(api, api.ed),
        await signIn(api, api.ed),
        await signIn(api, api.ed),
      ];
      const veras = await signIn(api, api.vera);
      for (const session of [one, two, three]) expect(await works(api, session)).toBe(true);
      expect((await revoke(api, two)).status).toBe(204);
      const working = await Promise.all([one, two, three, veras].map((each) => works(api, each)));
      expect(working).toEqual([false, true, false, true]);
      expect((await revoke(api, api.ed)).status).toBe(204);
      expect(await works(api, two)).toBe(false);
    });

    test('those of others are not there', async () => {
      const api = await openApi(await open());
      const session = await signIn(api, api.ed);
      for (const who of [api.alice, api.mallory])
        expect((await revoke(api, who, session.sessionId)).status).toBe(404);
      expect(await works(api, session)).toBe(true);
    });

    test('what is revoked is noted for the audit log, and nothing where nothing was', async () => {
      const api = await openApi(await open());
      const [one, other] = [await signIn(api, api.ed), await signIn(api, api.ed)];
      await revoke(api, one, other.sessionId);
      await revoke(api, one);
      await signIn(api, api.ed);
      await revoke(api, one);
      const entries = await api.database.read
        .selectFrom('audit_entry')
        .select(['action', 'target_id', 'via', 'actor', 'before'])
        .where('target_type', '=', 'session')
        .orderBy('id')
        .execute();
      const common = { action: 'session.deleted', via: 'session', actor: 'Ed <ed@example.com>' };
      expect(entries).toEqual([
        { ...common, target_id: other.sessionId, before: null },
        { ...common, target_id: null, before: '{"sessions":1}' },
      ]);
    });
  });
});
