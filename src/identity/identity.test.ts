import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { giveToken, settlePeople } from '../../test/support/people.ts';
import { silentLog } from '../lib/log.ts';
import { peopleStore } from '../store/people/people.ts';
import { createTeam, teamStore } from '../store/people/teams.ts';
import { CALLER_CACHE_MS, createAuthenticator } from './authenticate.ts';
import { ADMIN_TOKEN_NAME, ensureOwner } from './bootstrap.ts';
import { peopleWithDefaultEmail } from '../store/resources/alert-channels.ts';
import { may, PERMISSIONS, ROLES, type Caller } from './caller.ts';
import { firstStartText, readFirstStartText } from './bootstrap.ts';
import { SCRYPT } from './password.ts';
import { isTokenForm } from './token.ts';
import { updateRows } from '../../test/support/rows.ts';

eachDatabase((_name, open) => {
  async function house() {
    const database = await open();
    const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
    const people = await settlePeople(database, clock.now());
    const authenticator = createAuthenticator({ database, clock, log: silentLog });
    const who = (token: string) => authenticator.authenticate({ authorization: `Bearer ${token}` });
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
    test('returns person, team, role and token [37.4]', async () => {
      const { ed, who } = await house();
      expect(await who(ed.token)).toEqual({
        person: { id: ed.personId, name: 'Ed', email: 'ed@example.com', timezone: 'UTC' },
        team: { id: ed.teamId, name: 'Team ours', slug: 'ours', personalTeam: true, plan: null },
        role: 'editor',
        withheld: null,
        permissions: [...PERMISSIONS],
        credential: { kind: 'token', id: expect.any(Number), name: 'test' },
        address: null,
      });
    });

    test('a revoked token and a changed role take effect when the cache expires [3.15]', async () => {
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

    test('expiry takes effect at once, also in the cache [36.27]', async () => {
      const { alice, who, database, clock } = await house();
      const token = await giveToken(database, alice, {
        now: clock.now(),
        expiresAt: clock.now() + 1_000,
      });
      expect(await who(token)).not.toBe(null);
      await clock.advance(1_000);
      expect(await who(token)).toBe(null);
    });

    test('forget drops a cached token, also one being read', async () => {
      const { ed, vera, mallory, who, database, authenticator } = await house();
      await who(ed.token);
      await who(vera.token);
      authenticator.forget({ personId: ed.personId });
      const underWay = who(ed.token);
      authenticator.forget({ personId: ed.personId });
      expect(await underWay).toMatchObject({ team: { id: ed.teamId } });
      await database.transaction(async (tx) => {
        for (const { personId } of [ed, vera])
          await teamStore(tx).insertMember(mallory.teamId, personId, 'viewer', 0);
        await tx.updateTable('token').set({ team_id: mallory.teamId }).execute();
      });
      expect(await who(ed.token)).toMatchObject({ team: { id: mallory.teamId } });
      expect(await who(vera.token)).toMatchObject({ team: { id: vera.teamId } });
    });

    test('a new token works even if it was tried before', async () => {
      const { alice, who, database, clock } = await house();
      expect(await who('tocsin_unknown')).toBe(null);
      expect(await who(await giveToken(database, alice, { now: clock.now() }))).not.toBe(null);
    });

    test('records the last use at most once a minute [36.28]', async () => {
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

    test('a failure to record the use does not reject the caller', async () => {
      const { ed, who, database, authenticator } = await house();
      database.transaction = () => Promise.reject(new Error('The disk is full'));
      expect(await who(ed.token)).not.toBe(null);
      await authenticator.close();
    });
  });

  describe('first start', () => {
    const unset = { adminEmail: null, adminPassword: null, teamName: null, adminToken: null };

    async function fresh() {
      const database = await open();
      const clock = createFakeClock();
      const { authenticate } = createAuthenticator({ database, clock, log: silentLog });
      const start = (settings: Partial<typeof unset> | Record<string, string>) =>
        ensureOwner({ database, clock }, { ...unset, ...settings });
      const who = (token: string | null) => authenticate({ authorization: `Bearer ${token}` });
      const count = async () =>
        (await database.read.selectFrom('person').select('id').execute()).length;
      return { database, clock, start, who, count };
    }

    test('creates an owner, a team and a token, once', async () => {
      const { start, who, count } = await fresh();
      const { token } = await start({ adminEmail: 'Root@Example.com', teamName: 'Ünsere Crew' });
      expect(isTokenForm(token!)).toBe(true);
      expect(await who(token)).toMatchObject({
        person: { name: 'Root', email: 'root@example.com' },
        team: { name: 'Ünsere Crew', slug: 'unsere-crew', personalTeam: true },
        role: 'owner',
        permissions: [...PERMISSIONS],
      });
      expect(await start({ adminEmail: 'other@example.com' })).toMatchObject({
        token: null,
        setupToken: null,
      });
      expect(await count()).toBe(1);
    });

    test('an owner without an address of theirs has none that is confirmed, and is mailed nothing [39.70]', async () => {
      for (const [settings, mailed] of [
        [{}, 0],
        [{ adminEmail: 'root@example.com' }, 1],
        [{ adminPassword: 'correct horse battery' }, 1],
      ] as const) {
        const { database, start } = await fresh();
        const { personId } = await start(settings);
        const { team_id: teamId } = await database.read
          .selectFrom('member')
          .select('team_id')
          .where('person_id', '=', personId)
          .executeTakeFirstOrThrow();
        expect(await peopleWithDefaultEmail(database.read, teamId)).toHaveLength(mailed);
      }
    });

    test('concurrent processes create one owner', async () => {
      const { start, count } = await fresh();
      const answers = await Promise.all([start({}), start({}), start({})]);
      expect(answers.filter(({ token }) => token !== null)).toHaveLength(1);
      expect(answers.filter(({ setupToken }) => setupToken !== null)).toHaveLength(1);
      expect(new Set(answers.map(({ personId }) => personId)).size).toBe(1);
      expect(await count()).toBe(1);
    });

    test('ADMIN_TOKEN is the token as given, and a changed value replaces it [39.12]', async () => {
      const { start, who, clock, database } = await fresh();
      const [one, two] = ['1'.repeat(32), '2'.repeat(40)];
      expect(await start({ adminToken: one })).toMatchObject({
        token: null,
        setupToken: expect.stringMatching(/^\w{30}$/),
      });
      expect(await who(one)).toMatchObject({
        permissions: [...PERMISSIONS],
        credential: { name: ADMIN_TOKEN_NAME },
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

    test('with ADMIN_PASSWORD the owner can sign in, and no token is shown [39.9, 39.13]', async () => {
      const { start, database } = await fresh();
      const settings = { adminEmail: 'root@example.com', adminPassword: 'correct horse battery' };
      const { personId, ...shown } = await start(settings);
      expect(shown).toEqual({ token: null, setupToken: null });
      const person = await database.read.selectFrom('person').selectAll().executeTakeFirstOrThrow();
      expect(person).toMatchObject({ id: personId, email_verified: 1 });
      const readPassword = () =>
        database.read.selectFrom('credential').select('password').executeTakeFirstOrThrow();
      const { password } = await readPassword();
      const [salt, key] = password!.split(':');
      const cost = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 };
      expect(scryptSync('correct horse battery', salt!, 64, cost).toString('hex')).toBe(key);
      const stored = { hash: password!, password: 'correct horse battery' };
      expect(await SCRYPT.verify(stored)).toBe(true);
      expect(await SCRYPT.verify({ ...stored, password: 'another horse battery' })).toBe(false);
      // It may have been changed since by the owner.
      await start({ ...settings, adminPassword: 'another horse battery' });
      expect(await readPassword()).toEqual({ password });
    });

    test.each([
      ['root@example.com', 'root@example.com', /own e-mail address/],
      [null, 'aaaaaaaaaaaa', /two different characters/],
    ])('refuses the ADMIN_PASSWORD of %s that is %j', async (adminEmail, adminPassword, reason) => {
      const { start, count } = await fresh();
      await expect(start({ ...(adminEmail && { adminEmail }), adminPassword })).rejects.toThrow(
        reason,
      );
      expect(await count()).toBe(0);
    });

    test('a person with that address, created before by the operator, becomes the owner', async () => {
      const { start, database, clock, count } = await fresh();
      const known = await database.transaction(async (tx) => {
        const person = { name: 'Rosa', email: 'root@example.com', timezone: 'UTC' };
        const id = await peopleStore(tx).insert(person, clock.now());
        const team = { name: 'Crew', personalTeam: true, ownerId: id };
        await createTeam(tx, team, clock.now());
        return id;
      });
      const { personId, token } = await start({ adminEmail: 'Root@example.com', teamName: 'Crew' });
      expect([personId, await count(), token === null]).toEqual([known, 1, false]);
      const slugs = await database.read.selectFrom('team').select('slug').orderBy('id').execute();
      expect(slugs).toEqual([{ slug: 'crew' }, { slug: 'crew-2' }]);
    });

    test('is recorded in the audit log, without the tokens', async () => {
      const { start, database } = await fresh();
      const { token, setupToken } = await start({});
      await start({ adminToken: 'x'.repeat(32) });
      await start({ adminToken: 'x'.repeat(32) });
      const query = database.read.selectFrom('audit_entry').selectAll().orderBy('id');
      const entries = await query.execute();
      expect(entries.map(({ action, via, target_name }) => [action, via, target_name])).toEqual([
        ['team.created', 'operator', 'My team'],
        ['token.created', 'operator', 'First start'],
        ['token.created', 'operator', ADMIN_TOKEN_NAME],
      ]);
      for (const secret of [token!, setupToken!, 'x'.repeat(32)])
        expect(JSON.stringify(entries)).not.toContain(secret);
    });

    test('ADMIN_TOKEN moves to another team when its own is deleted, and to a new one without any', async () => {
      const { start, who, database, clock } = await fresh();
      const adminToken = 'x'.repeat(32);
      const { personId } = await start({ adminToken });
      const teamOf = async () => {
        await clock.advance(CALLER_CACHE_MS);
        return (await who(adminToken))?.team;
      };
      const first = await teamOf();
      const other = await database.transaction(async (tx) => {
        const mate = { name: 'Mate', email: 'mate@example.com', timezone: 'UTC' };
        const ownerId = await peopleStore(tx).insert(mate, clock.now());
        const team = { name: 'Other', personalTeam: false, ownerId };
        const { id } = await createTeam(tx, team, clock.now());
        await teamStore(tx).insertMember(id, personId, 'viewer', clock.now());
        await tx.deleteFrom('member').where('team_id', '=', first!.id).execute();
        return id;
      });
      expect(await teamOf()).toBe(undefined);
      await start({ adminToken });
      expect(await teamOf()).toMatchObject({ id: other });
      await updateRows(database, 'member', { status: 'disabled' });
      await start({ adminToken });
      const last = await teamOf();
      expect(last).toMatchObject({ name: 'My team', personalTeam: true });
      expect([first!.id, other]).not.toContain(last!.id);
    });

    test('ADMIN_TOKEN may equal the token of the first start, but no token of somebody else', async () => {
      const { start, who, database, clock } = await fresh();
      const { token } = await start({});
      await start({ adminToken: token! });
      await clock.advance(CALLER_CACHE_MS);
      expect(await who(token)).toMatchObject({ credential: { name: ADMIN_TOKEN_NAME } });
      const { ed } = await settlePeople(database, clock.now());
      await expect(start({ adminToken: ed.token })).rejects.toThrow(
        /already somebody else's token/,
      );
      expect(await who(ed.token)).toMatchObject({ person: { name: 'Ed' } });
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

describe('text of the first start', () => {
  const url = 'https://up.example.com';
  const expiresAt = Date.UTC(2026, 10, 22, 12, 30);

  test.each([
    ['both', { setupToken: 'one', token: 'tocsin_two' }, [`${url}/setup?token=one`, 'tocsin_two']],
    ['the link alone', { setupToken: 'one', token: null }, [`${url}/setup?token=one`]],
  ])('%s, and the tokens can be read back', (_what, tokens, secrets) => {
    const text = firstStartText({ ...tokens, expiresAt }, url);
    expect(text).toContain('This is the first start.');
    expect(text).toContain('It works once, until 2026-11-22 12:30 UTC:');
    expect([...text.matchAll(/^  (\S+)$/gm)].map(([, secret]) => secret)).toEqual(secrets);
    expect(readFirstStartText(text)).toEqual(tokens);
  });

  test('a file that is no such text holds no tokens', () => {
    expect(readFirstStartText('')).toBe(null);
  });
});

function callerWith(role: Caller['role'], permissions: Caller['permissions']): Caller {
  return { role, permissions } as Caller;
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
