import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { giveToken, settlePeople } from '../../test/support/people.ts';
import { silentLog } from '../lib/log.ts';
import { insertMember } from '../store/teams.ts';
import { CALLER_CACHE_MS, createAuthenticator } from './authenticate.ts';
import { ADMIN_TOKEN_NAME, ensureOwner, slugOf } from './bootstrap.ts';
import { may, PERMISSIONS, ROLES, type Caller } from './caller.ts';
import { isTokenForm } from './token.ts';

eachDatabase((_name, open) => {
  async function house() {
    const database = await open();
    const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
    const people = await settlePeople(database, clock.now());
    const authenticator = createAuthenticator({ database, clock, log: silentLog });
    const who = (token: string) => authenticator.authenticate(`Bearer ${token}`);
    const lastUse = async (personId: number) => {
      await authenticator.close();
      const query = database.read
        .selectFrom('token')
        .select('last_used_at')
        .where('person_id', '=', personId);
      return (await query.executeTakeFirstOrThrow()).last_used_at;
    };
    return { database, clock, ...people, authenticator, who, lastUse };
  }

  describe('authenticate', () => {
    test('says who, on which team, in which role, with which token', async () => {
      const { ed, who } = await house();
      expect(await who(ed.token)).toEqual({
        person: { id: ed.personId, name: 'Ed', email: 'ed@example.com', timezone: 'UTC' },
        team: { id: ed.teamId, name: 'Team ours', slug: 'ours', personalTeam: true },
        role: 'editor',
        token: { id: expect.any(Number), name: 'test', permissions: [...PERMISSIONS] },
      });
    });

    test('a revoked token and a changed role hold on for the cache and no longer', async () => {
      const { ed, vera, who, database, clock } = await house();
      await who(ed.token);
      await who(vera.token);
      await database.transaction(async (tx) => {
        await tx.deleteFrom('token').where('person_id', '=', ed.personId).execute();
        await tx
          .updateTable('member')
          .set({ role: 'admin' })
          .where('person_id', '=', vera.personId)
          .execute();
      });
      await clock.advance(CALLER_CACHE_MS);
      expect(await who(ed.token)).toBe(null);
      expect(await who(vera.token)).toMatchObject({ role: 'admin' });
      expect(CALLER_CACHE_MS).toBeLessThanOrEqual(5_000);
    });

    test('expiry counts at once, in the cache too', async () => {
      const { alice, who, database, clock } = await house();
      const token = await giveToken(database, alice, {
        now: clock.now(),
        expiresAt: clock.now() + 1_000,
      });
      expect(await who(token)).not.toBe(null);
      await clock.advance(1_000);
      expect(await who(token)).toBe(null);
    });

    test('a disabled member and one who left do not get in', async () => {
      const { ed, vera, who, database } = await house();
      await database.transaction(async (tx) => {
        await tx
          .updateTable('member')
          .set({ status: 'disabled' })
          .where('person_id', '=', ed.personId)
          .execute();
        await tx.deleteFrom('member').where('person_id', '=', vera.personId).execute();
      });
      expect([await who(ed.token), await who(vera.token)]).toEqual([null, null]);
    });

    test('a token that was forgotten is read anew, also when it was just being read', async () => {
      const { ed, vera, mallory, who, database, authenticator } = await house();
      const tokenId = (await who(ed.token))!.token.id;
      await who(vera.token);
      authenticator.forget(tokenId);
      const underWay = who(ed.token);
      authenticator.forget(tokenId);
      expect(await underWay).toMatchObject({ team: { id: ed.teamId } });
      await database.transaction(async (tx) => {
        for (const { personId } of [ed, vera])
          await insertMember(tx, mallory.teamId, personId, 'viewer', 0);
        await tx.updateTable('token').set({ team_id: mallory.teamId }).execute();
      });
      expect(await who(ed.token)).toMatchObject({ team: { id: mallory.teamId } });
      expect(await who(vera.token)).toMatchObject({ team: { id: vera.teamId } });
    });

    test('a token made a moment ago works though it was tried before', async () => {
      const { alice, who, database, clock } = await house();
      expect(await who('tocsin_unknown')).toBe(null);
      expect(await who(await giveToken(database, alice, { now: clock.now() }))).not.toBe(null);
    });

    test('the last use is noted at most once a minute', async () => {
      const { ed, who, clock, lastUse } = await house();
      const first = clock.now();
      await who(ed.token);
      expect(await lastUse(ed.personId)).toBe(first);
      await clock.advance(59_999);
      await who(ed.token);
      expect(await lastUse(ed.personId)).toBe(first);
      await clock.advance(1);
      await who(ed.token);
      expect(await lastUse(ed.personId)).toBe(first + 60_000);
    });

    test('a use that can not be noted keeps nobody out', async () => {
      const { ed, who, database, authenticator } = await house();
      database.transaction = () => Promise.reject(new Error('The disk is full'));
      expect(await who(ed.token)).not.toBe(null);
      await authenticator.close();
    });
  });

  describe('first start', () => {
    const unset = { adminEmail: null, teamName: null, adminToken: null };

    async function fresh() {
      const database = await open();
      const clock = createFakeClock();
      const { authenticate } = createAuthenticator({ database, clock, log: silentLog });
      const start = (settings: Partial<typeof unset> | Record<string, string>) =>
        ensureOwner({ database, clock }, { ...unset, ...settings });
      const who = (token: string | null) => authenticate(`Bearer ${token}`);
      const count = async () =>
        (await database.read.selectFrom('person').select('id').execute()).length;
      return { database, clock, start, who, count };
    }

    test('makes an owner, a team and a token, this once', async () => {
      const { start, who, count } = await fresh();
      const { token } = await start({ adminEmail: 'Root@Example.com', teamName: 'Ünsere Crew' });
      expect(isTokenForm(token!)).toBe(true);
      expect(await who(token)).toMatchObject({
        person: { name: 'Root', email: 'root@example.com' },
        team: { name: 'Ünsere Crew', slug: 'unsere-crew', personalTeam: true },
        role: 'owner',
        token: { permissions: [...PERMISSIONS] },
      });
      expect(await start({ adminEmail: 'other@example.com' })).toMatchObject({ token: null });
      expect(await count()).toBe(1);
    });

    test('several processes at once make one owner', async () => {
      const { start, count } = await fresh();
      const answers = await Promise.all([start({}), start({}), start({})]);
      expect(answers.filter(({ token }) => token !== null)).toHaveLength(1);
      expect(new Set(answers.map(({ personId }) => personId)).size).toBe(1);
      expect(await count()).toBe(1);
    });

    test('ADMIN_TOKEN is the token as given, and a changed value replaces it', async () => {
      const { start, who, clock, database } = await fresh();
      const [one, two] = ['1'.repeat(32), '2'.repeat(40)];
      expect(await start({ adminToken: one })).toMatchObject({ token: null });
      expect(await who(one)).toMatchObject({
        token: { name: ADMIN_TOKEN_NAME, permissions: [...PERMISSIONS] },
      });
      await start({ adminToken: one });
      await start({ adminToken: two });
      await clock.advance(CALLER_CACHE_MS);
      expect(await who(one)).toBe(null);
      expect(await who(two)).not.toBe(null);
      expect(await database.read.selectFrom('token').select('name').execute()).toHaveLength(1);
      const stored = JSON.stringify(await database.read.selectFrom('token').selectAll().execute());
      expect(stored).not.toContain(two);
    });

    test('ADMIN_TOKEN may be set later', async () => {
      const { start, who } = await fresh();
      const { token } = await start({});
      await start({ adminToken: 'x'.repeat(32) });
      expect(await who('x'.repeat(32))).not.toBe(null);
      expect(await who(token)).not.toBe(null);
    });

    test.each(['x'.repeat(31), `${'x'.repeat(32)} y`])(
      'refuses ADMIN_TOKEN %j',
      async (adminToken) => {
        const { start, count } = await fresh();
        await expect(start({ adminToken })).rejects.toThrow(/32 characters/);
        expect(await count()).toBe(0);
      },
    );
  });
});

function callerWith(role: Caller['role'], permissions: Caller['token']['permissions']): Caller {
  return { role, token: { permissions } } as Caller;
}

test('a role caps the token', () => {
  for (const role of ROLES) {
    for (const permission of PERMISSIONS) {
      const isCapped = role === 'viewer' && permission !== 'read';
      expect(may(callerWith(role, [...PERMISSIONS]), permission)).toBe(!isCapped);
      expect(may(callerWith(role, []), permission)).toBe(false);
    }
  }
});

test.each([
  ['My team', 'my-team'],
  ['  Ünï -- cödé!  ', 'uni-code'],
  ['日本', 'team'],
])('slug of %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
