import { verifyPassword } from 'better-auth/crypto';
import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { createMonitor } from '../../test/support/monitor-rows.ts';
import { operatorContext, runCommand } from '../../test/support/operator.ts';
import { settlePeople } from '../../test/support/people.ts';
import { createAuthenticator } from '../identity/authenticate.ts';
import { FULL_PLAN } from '../identity/plans.ts';
import { resetIdentifier } from '../identity/setup-token.ts';
import { silentLog } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { insertRows } from '../../test/support/rows.ts';

const DONE = { end: 'done' };
const refused = (message: string) => ({
  end: 'refused',
  message: expect.stringContaining(message) as string,
});

async function settle(open: () => Promise<Database>) {
  const database = await open();
  const context = operatorContext(database);
  const people = await settlePeople(database, context.clock.now());
  const run = (...args: string[]) => runCommand(context, args);
  const audited = () => database.read.selectFrom('audit_entry').selectAll().orderBy('id').execute();
  return { database, context, people, run, audited };
}

/** One signed-in browser. */
async function openSession(database: Database, personId: number, now: number): Promise<void> {
  await insertRows(database, 'session', {
    person_id: personId,
    hash: `hash of a session of ${personId}`,
    method: 'password',
    expires_at: now + 60_000,
    created_at: now,
    updated_at: now,
  });
}

const sessions = (database: Database) =>
  database.read.selectFrom('session').select('person_id').execute();

const passwordOf = async (database: Database, email: string) => {
  const row = await database.read
    .selectFrom('credential')
    .innerJoin('person', 'person.id', 'credential.person_id')
    .where('person.email', '=', email)
    .select('credential.password')
    .executeTakeFirst();
  return row?.password ?? null;
};

eachDatabase((_, open) => {
  describe('user create', () => {
    test('creates a person with a team of their own, and prints a link that can be redeemed', async () => {
      const { database, run, audited } = await settle(open);
      const { end, out } = await run('user', 'create', 'Nina@Example.com', '--name', 'Nina Ö');
      expect(end).toEqual(DONE);
      expect(out).toContain('Created nina@example.com (Nina Ö), owner of the team nina-o.');
      const token = /https:\/\/tocsin\.example\.com\/reset-password\?token=(\S+)\n/.exec(out)?.[1];
      const kept = await database.read.selectFrom('verification').selectAll().execute();
      expect(kept.map((row) => row.identifier)).toEqual([resetIdentifier(token!)]);
      const [entry] = await audited();
      expect(entry).toMatchObject({
        action: 'person.created',
        actor: 'operator',
        via: 'operator',
        person_id: null,
        target_name: 'nina@example.com',
      });
      expect(entry!.team_id).not.toBeNull();
    });

    test('accepts a password, a team and a role', async () => {
      const { database, context, run } = await settle(open);
      const args = ['user', 'create', 'nina@example.com', '--team', 'ours', '--role', 'editor'];
      const { end, out } = await runCommand(context, args, 'correct horse battery');
      expect(end).toEqual(DONE);
      expect(out).toBe('Created nina@example.com (nina), editor of the team ours.\n');
      const hash = await passwordOf(database, 'nina@example.com');
      expect(await verifyPassword({ hash: hash!, password: 'correct horse battery' })).toBe(true);
      const { out: listed } = await run('user', 'list');
      expect(listed).toMatch(/^nina@example\.com +nina +off +never +ours \(editor\)$/m);
    });

    test('refuses invalid people, and changes nothing', async () => {
      const { context, run, audited } = await settle(open);
      const refusals: [string[], string, string?][] = [
        [['ALICE@example.com'], 'alice@example.com exists already.'],
        [['alice'], '"alice" is not an e-mail address.'],
        [['n@example.com', '--team', 'nowhere'], 'There is no team nowhere.'],
        [['n@example.com', '--role', 'admin'], '--role needs --team'],
        [['n@example.com', '--team', 'ours', '--role', 'owner'], '--role must be one of admin,'],
        [['n@example.com', '--name', ' '], '--name must be one line'],
        [['n@example.com'], 'The password must have 8 to 128 characters.', 'short'],
      ];
      for (const [args, message, password] of refusals) {
        const { end } = await runCommand(context, ['user', 'create', ...args], password);
        expect(end, args.join(' ')).toEqual(refused(message));
      }
      expect(await audited()).toEqual([]);
      expect(JSON.parse((await run('user', 'list', '--json')).out)).toHaveLength(4);
    });
  });

  describe('user reset-password', () => {
    test('prints a link, and ends the sessions of that person alone [39.25]', async () => {
      const { database, context, people, run, audited } = await settle(open);
      await openSession(database, people.ed.personId, context.clock.now());
      await openSession(database, people.vera.personId, context.clock.now());
      const { end, out } = await run('user', 'reset-password', 'ed@example.com');
      expect(end).toEqual(DONE);
      expect(out).toContain('/reset-password?token=');
      expect(await sessions(database)).toEqual([{ person_id: people.vera.personId }]);
      expect(context.forgotten).toEqual([{ personId: people.ed.personId }]);
      expect(await audited()).toMatchObject([
        { action: 'person.password_reset_issued', target_name: 'ed@example.com', after: null },
      ]);
    });

    test('a link, or a new password, ends the former links of that person alone', async () => {
      const { database, context, run } = await settle(open);
      const links = async () => {
        const rows = await database.read.selectFrom('verification').select('identifier').execute();
        return rows.length;
      };
      await run('user', 'reset-password', 'vera@example.com');
      await run('user', 'reset-password', 'ed@example.com');
      await run('user', 'reset-password', 'ed@example.com');
      expect(await links()).toBe(2);
      const args = ['user', 'reset-password', 'ed@example.com'];
      expect((await runCommand(context, args, 'correct horse battery')).end).toEqual(DONE);
      expect(await links()).toBe(1);
    });

    test('sets a password and leaves no trace of it', async () => {
      const { database, context, audited } = await settle(open);
      const args = ['user', 'reset-password', 'ed@example.com'];
      const { end, out } = await runCommand(context, args, 'correct horse battery');
      expect(end).toEqual(DONE);
      const hash = await passwordOf(database, 'ed@example.com');
      expect(await verifyPassword({ hash: hash!, password: 'correct horse battery' })).toBe(true);
      expect(out + JSON.stringify(await audited())).not.toContain('correct horse');
      expect((await runCommand(context, ['user', 'reset-password', 'x@example.com'])).end).toEqual(
        refused('Nobody has the address x@example.com.'),
      );
    });
  });

  test('user disable-mfa removes the authenticator, and says that passkeys stay', async () => {
    const { database, context, people, run, audited } = await settle(open);
    const personId = people.ed.personId;
    expect((await run('user', 'disable-mfa', 'ed@example.com')).end).toEqual(
      refused('ed@example.com has no two-factor authentication'),
    );
    await database.transaction(async (tx) => {
      await tx.updateTable('person').set({ mfa_enabled: 1 }).where('id', '=', personId).execute();
      const factor = { secret: 's', backup_codes: 'c', verified: 1, failed_verification_count: 0 };
      await tx
        .insertInto('two_factor')
        .values({ ...factor, person_id: personId, locked_until: null })
        .execute();
      const passkey = { public_key: 'k', credential_id: 'c', counter: 0, device_type: 'd' };
      await tx
        .insertInto('passkey')
        .values({ ...passkey, ...PASSKEY_REST, person_id: personId })
        .execute();
    });
    await openSession(database, personId, context.clock.now());
    const { end, out } = await run('user', 'disable-mfa', 'ed@example.com');
    expect(end).toEqual(DONE);
    expect(out).toContain('Their passkeys (1) stay.');
    expect(await database.read.selectFrom('two_factor').selectAll().execute()).toEqual([]);
    expect(await sessions(database)).toEqual([]);
    expect(context.forgotten).toEqual([{ personId }]);
    expect(await audited()).toMatchObject([
      { action: 'person.mfa_disabled', before: '{"mfa_enabled":true}' },
    ]);
  });

  test('team list counts, and team plan sets a plan that the next call sees', async () => {
    const { database, people, audited } = await settle(open);
    const small = { ...FULL_PLAN, name: 'Small' };
    const plans = {
      of: (name: string | null) => (name === 'Small' ? small : FULL_PLAN),
      names: [FULL_PLAN.name, 'Small'],
    };
    const context = operatorContext(database, { plans });
    const run = (...args: string[]) => runCommand(context, args);
    await createMonitor(database, 1, { team_id: people.alice.teamId });
    await createMonitor(database, 1, { team_id: people.alice.teamId, deleted_at: 2 });
    expect((await run('team', 'plan', 'ours', 'Small')).out).toBe(
      'The team ours has the plan Small.\n',
    );
    expect(context.forgotten).toEqual([{ teamId: people.alice.teamId }]);
    const { out } = await run('team', 'list', '--json');
    expect(JSON.parse(out)).toMatchObject([
      { slug: 'ours', owner: 'alice@example.com', plan: 'Small', members: 3, monitors: 1 },
      { slug: 'theirs', owner: 'mallory@example.com', plan: 'Self-hosted', monitors: 0 },
    ]);
    expect((await run('team', 'list')).out).toMatch(/^ours +Team ours +alice@.+ Small +3 +1$/m);
    await run('team', 'plan', 'ours', '--default');
    expect(await audited()).toMatchObject([
      { action: 'team.updated', before: '{"plan":null}', after: '{"plan":"Small"}' },
      { action: 'team.updated', before: '{"plan":"Small"}', after: '{"plan":null}' },
    ]);
    expect((await run('team', 'plan', 'ours', 'Huge')).end).toEqual(
      refused('There is no plan "Huge". Use one of Self-hosted, Small, or add it to PLANS_FILE.'),
    );
    expect((await run('team', 'plan', 'nowhere', 'Small')).end).toEqual(refused('no team nowhere'));
    expect((await run('team', 'plan', 'ours')).end).toEqual(
      refused('Give either a plan or --default.'),
    );
  });

  describe('token create', () => {
    test('prints a token with the given permissions, on standard output alone [39.24]', async () => {
      const { database, context, people, run, audited } = await settle(open);
      const { end, out, notes } = await run(
        'token',
        'create',
        'vera@example.com',
        '--name=ci',
        '--permissions=delete, read',
        '--expires=2027-01-31T00:00Z',
      );
      expect(end).toEqual(DONE);
      expect(out).toMatch(/^tocsin_\w+\n$/);
      expect(notes).toEqual([
        expect.stringContaining('read, delete, until 2027-01-31T00:00:00.000Z.'),
        expect.stringContaining('Their role viewer does not allow delete'),
      ]);
      const authenticator = createAuthenticator({ ...context, log: silentLog });
      const principal = await authenticator.authenticate({ authorization: `Bearer ${out.trim()}` });
      await authenticator.close();
      expect(principal).toMatchObject({
        person: { id: people.vera.personId },
        team: { id: people.vera.teamId },
        permissions: ['read', 'delete'],
      });
      const entries = await audited();
      expect(entries).toMatchObject([{ action: 'token.created', team_id: people.vera.teamId }]);
      expect(JSON.stringify(entries)).not.toContain(out.trim());
      expect(await database.read.selectFrom('token').select('hash').execute()).not.toContainEqual({
        hash: out.trim(),
      });
    });

    test('refuses invalid tokens', async () => {
      const { database, people, run } = await settle(open);
      await insertRows(database, 'member', {
        team_id: people.mallory.teamId,
        person_id: people.ed.personId,
        role: 'viewer',
        status: 'active',
        added_at: 1,
      });
      const make = async (email: string, ...rest: string[]) =>
        (await run('token', 'create', email, '--name', 'ci', '--permissions', 'read', ...rest)).end;
      expect(await make('ed@example.com')).toEqual(
        refused('in several teams: choose one with --team (ours, theirs).'),
      );
      expect(await make('ed@example.com', '--team', 'theirs')).toEqual(DONE);
      expect(await make('vera@example.com', '--team', 'theirs')).toEqual(
        refused('not an active member of the team theirs. Use one of ours.'),
      );
      expect(await make('vera@example.com', '--permissions', 'read,fly')).toEqual(
        refused('--permissions must be a comma-separated list of read, create, update, delete.'),
      );
      expect(await make('vera@example.com', '--expires', '2020-01-01T00:00Z')).toEqual(
        refused('--expires must be a future time'),
      );
      expect(await make('vera@example.com', '--name', 'ADMIN_TOKEN')).toEqual(
        refused('ADMIN_TOKEN is reserved for the token of that setting.'),
      );
    });
  });

  test('migrate prints what ran', async () => {
    const database = await open();
    const migrated = operatorContext(database, { migrated: ['0001-baseline', '0002-more'] });
    expect((await runCommand(migrated, ['migrate'])).out).toContain(
      'Ran 0001-baseline, 0002-more.',
    );
    const newer = operatorContext(database, { newer: ['0099-next'] });
    const state = (await runCommand(newer, ['migrate'])).out;
    expect(state).toContain('Nothing to do: the database is newer than Tocsin');
    expect(state).toContain('0099-next');
    expect((await runCommand(operatorContext(database), ['migrate'])).out).toContain(
      'Nothing to do: the database is at Tocsin 1.2.3.',
    );
  });
});

const PASSKEY_REST = {
  name: null,
  backed_up: 0,
  transports: null,
  aaguid: null,
  created_at: 1,
};
