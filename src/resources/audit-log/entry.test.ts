import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { callerOf, settlePeople } from '../../../test/support/people.ts';
import { auditTarget } from '../../model/audit.ts';
import { recordChange, recordChanges } from '../common/change.ts';
import { differenceOf } from './entry.ts';
import { MASK } from '../../lib/secret-box.ts';

describe('what an entry keeps', () => {
  test.each([
    ['only what differs', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 2 }, { b: 3 }],
    ['of something new what is set', undefined, { a: 1, b: null, c: undefined }, null, { a: 1 }],
    ['of something gone what was set', { a: 1, b: null }, undefined, { a: 1 }, null],
    ['what was unset and is set', { a: null }, { a: 0 }, { a: null }, { a: 0 }],
    [
      'a nested object as a whole',
      { a: { b: 1, c: 1 } },
      { a: { b: 2, c: 1 } },
      { a: { b: 1, c: 1 } },
      { a: { b: 2, c: 1 } },
    ],
    ['lists as a whole', { a: [1, 2] }, { a: [2, 1] }, { a: [1, 2] }, { a: [2, 1] }],
    ['no times of the row itself', { updated_at: 1 }, { updated_at: 2 }, {}, {}],
    [
      'a changed secret as changed',
      { request_body: 'a' },
      { request_body: 'b' },
      { request_body: MASK },
      { request_body: MASK },
    ],
    [
      'a new secret as one that was not there',
      { auth_password: null },
      { auth_password: 'b' },
      { auth_password: null },
      { auth_password: MASK },
    ],
    [
      'nothing of a secret that stayed',
      { request_headers: { a: 'b' } },
      { request_headers: { a: 'b' } },
      {},
      {},
    ],
    [
      'a secret that no key opens any more',
      { auth_username: undefined },
      undefined,
      { auth_username: MASK },
      null,
    ],
    [
      'a secret put in the place of one that no key opens',
      { auth_username: undefined },
      { auth_username: 'u' },
      { auth_username: MASK },
      { auth_username: MASK },
    ],
  ])('%s', (_what, before, after, wantedBefore, wantedAfter) => {
    expect(differenceOf(before, after)).toEqual({ before: wantedBefore, after: wantedAfter });
  });

  const SECRETS = [
    'auth_username',
    'auth_password',
    'request_headers',
    'request_body',
    'ping_url',
    'token',
    'password',
    'secret',
  ];

  test('never a secret, whatever else changes [35.3]', () => {
    const secret = fc.constantFrom('s3cret-one', 's3cret-two', null);
    const value = fc.oneof(
      secret,
      secret.map((one) => ({ 'x-key': one })),
    );
    const fields = fc.dictionary(fc.constantFrom(...SECRETS), value);
    const all = fc
      .tuple(fields, fc.object())
      .map(([secrets, others]) => ({ ...others, ...secrets }));
    const side = fc.option(all, { nil: undefined });
    fc.assert(
      fc.property(side, side, (before, after) => {
        expect(JSON.stringify(differenceOf(before, after))).not.toContain('s3cret');
      }),
    );
  });
});

eachDatabase((_name, open) => {
  const target = { type: 'group', id: 7, name: 'Production' } as const;

  test('an entry tells who, by what, from where, and to what', async () => {
    const database = await open();
    const caller = { ...callerOf({ personId: 3, teamId: 5 }), address: '192.0.2.7' };
    const session = {
      ...caller,
      credential: { kind: 'session', id: 9, name: 'password' } as const,
    };
    const noTeam = { ...session, team: null, role: null, address: null };
    await database.transaction(async (tx) => {
      await recordChange(
        tx,
        caller,
        { verb: 'created', target, after: { name: 'Production' } },
        1_000,
      );
      await recordChange(tx, session, { verb: 'deleted', target, teamId: 6 }, 2_000);
      await recordChange(tx, noTeam, { verb: 'deleted', target }, 3_000);
    });
    const common = {
      id: expect.any(Number),
      person_id: 3,
      actor: 'Alice <alice@example.com>',
      target_type: 'group',
      target_id: 7,
      target_name: 'Production',
    };
    const entries = await database.read
      .selectFrom('audit_entry')
      .selectAll()
      .orderBy('id')
      .execute();
    const deleted = {
      ...common,
      via: 'session',
      credential_name: null,
      action: 'group.deleted',
      before: null,
      after: null,
    };
    expect(entries).toEqual([
      {
        ...common,
        team_id: 5,
        via: 'token',
        credential_name: 'test',
        ip_address: '192.0.2.7',
        action: 'group.created',
        before: null,
        after: '{"name":"Production"}',
        created_at: 1_000,
      },
      { ...deleted, team_id: 6, ip_address: '192.0.2.7', created_at: 2_000 },
      { ...deleted, team_id: null, ip_address: null, created_at: 3_000 },
    ]);
  });

  test('an update that changed nothing leaves no entry, and neither does a change that failed [35.2]', async () => {
    const database = await open();
    const caller = callerOf({ personId: 3, teamId: 5 });
    const same = { before: { name: 'Same' }, after: { name: 'Same' } };
    await database.transaction((tx) =>
      recordChange(tx, caller, { verb: 'updated', target, ...same }, 1),
    );
    const failing = database.transaction(async (tx) => {
      await recordChange(tx, caller, { verb: 'deleted', target }, 2);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await database.read.selectFrom('audit_entry').selectAll().execute()).toEqual([]);
  });
});

const change = (verb: string, after: object) => ({
  verb,
  target: auditTarget('monitor', { id: 1, name: 'x' }),
  after,
});

describe('what takes much room [36.37]', () => {
  test('is recorded by its beginning, its length and a digest', () => {
    const [former, next] = ['a'.repeat(32_000), `${'a'.repeat(31_999)}b`];
    const { before, after } = differenceOf({ css: former }, { css: next });
    const shown = /^"a{380,}… \[32002 characters, sha256 [0-9a-f]{16}\]$/;
    expect([before!['css'], after!['css']]).toEqual([
      expect.stringMatching(shown),
      expect.stringMatching(shown),
    ]);
    expect(before).not.toEqual(after);
    expect(differenceOf({ tags: ['x'.repeat(900)] }, { tags: [] }).before).toEqual({
      tags: ['x'.repeat(900)],
    });
  });

  test('has a budget of the team, beyond which the names of the fields are recorded', async () => {
    const database = await openInMemory();
    const caller = callerOf(await settlePeople(database, 0).then(({ alice }) => alice));
    const names = Array.from({ length: 60 }, (_, index) => `field_${index}`);
    const big = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
    const many = Array.from({ length: 900 }, () => change('created', big('x'.repeat(990))));
    await database.transaction((tx) => recordChanges(tx, caller, many, 0));
    await database.transaction((tx) =>
      recordChange(tx, caller, change('renamed', { name: 'y' }), 1),
    );
    const rows = await database.read
      .selectFrom('audit_entry')
      .select(['action', 'after'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(JSON.parse(rows[0]!.after!)).toEqual({ name: 'y' });
    expect(JSON.parse(rows[1]!.after!)['field_0']).toMatch(/^not recorded/);
    await database.close();
  });
});
