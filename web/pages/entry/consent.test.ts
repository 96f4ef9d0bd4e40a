import { expect, test } from 'vitest';
import { GRANT_PERMISSIONS, ROLES, roleMay } from '../../../src/identity/caller.ts';
import type { Permission } from '../../lib/applications.ts';
import { choicesOf, firstTeam, noteOf, refusalIn, type ConsentTeam } from './consent.ts';

const ALL = ['offline_access', ...GRANT_PERMISSIONS];

const teamOf = (changes: Partial<ConsentTeam> = {}): ConsentTeam => ({
  id: 1,
  name: 'Ours',
  role: 'owner',
  is_current: false,
  granted: null,
  needs_mfa: false,
  ...changes,
});

test.each([
  ['host=evil.example&error=invalid_scope', { host: 'evil.example', code: 'invalid_scope' }],
  ['host=evil.example:8443&error=invalid_scope&error_description=x', 'evil.example:8443'],
  ['host=Your account is suspended. Call 555&error=invalid_scope', null],
  ['host=evil.example&error=Pay now at evil.example', null],
  ['host=evil.example/pay&error=invalid_scope', null],
  ['host=evil.example', null],
  ['error=invalid_scope&error_description=Pay now', null],
])('the page shows no free text of a link: %s', (query, shown) => {
  const refusal = refusalIn(new URLSearchParams(query));
  expect(typeof shown === 'string' ? refusal?.host : refusal).toEqual(shown);
});

test.each(ROLES)(
  'the role %s is offered what it may do, and neither deleting nor checking any address is chosen',
  (role) => {
    const choices = choicesOf(ALL, teamOf({ role }));
    expect(choices.map(({ permission }) => permission)).toEqual([...GRANT_PERMISSIONS]);
    for (const { permission, isChosen, isFixed } of choices) {
      const mayRole = permission === 'check_url' || roleMay(role, permission);
      const isLeft = permission !== 'read' && mayRole;
      expect([permission, isFixed]).toEqual([permission, !isLeft]);
      const isExpected = mayRole && permission !== 'delete' && permission !== 'check_url';
      expect([permission, isChosen]).toEqual([permission, isExpected]);
    }
  },
);

test.each([
  [[], ['read']],
  [['offline_access'], ['read']],
  [
    ['read', 'delete'],
    ['read', 'delete'],
  ],
  [
    ['update', 'create'],
    ['read', 'create', 'update'],
  ],
  [['read', 'admin', '__proto__'], ['read']],
])('an application that asks for %j is offered %j', (scopes, offered) => {
  expect(choicesOf(scopes, teamOf()).map(({ permission }) => permission)).toEqual(offered);
});

test.each([
  ['owner', [], ['read']],
  ['owner', ['read'], ['read']],
  ['editor', ['read', 'delete'], ['read', 'delete']],
  ['editor', ['read', 'create', 'unknown'], ['read', 'create']],
  ['viewer', ['read', 'create'], ['read']],
])('as %s an application that may %j already keeps %j', (role, granted, chosen) => {
  const choices = choicesOf(ALL, teamOf({ role, granted }));
  expect(choices.filter((one) => one.isChosen).map((one) => one.permission)).toEqual(chosen);
});

test('the person changes what is left to them alone', () => {
  const changes = new Map<Permission, boolean>([
    ['read', false],
    ['create', false],
    ['delete', true],
  ]);
  const chosen = (role: string) =>
    choicesOf(ALL, teamOf({ role }), changes)
      .filter(({ isChosen }) => isChosen)
      .map(({ permission }) => permission);
  expect(chosen('editor')).toEqual(['read', 'update', 'delete']);
  expect(chosen('viewer')).toEqual(['read']);
});

test.each([
  [ALL, {}, null],
  [ALL, { role: 'editor' }, null],
  [['read'], { role: 'viewer' }, null],
  [ALL, { role: 'viewer', granted: ['read'] }, 'onlyReads'],
  [ALL, { granted: ['read'] }, 'replaces'],
  [ALL, { role: 'viewer', granted: ['read'], needs_mfa: true }, 'needsFactor'],
])('with %j in %j the person is told: %s', (scopes, team, note) => {
  expect(noteOf(scopes, teamOf(team))).toBe(note);
});

test.each([
  ['that of the session', [{ id: 1 }, { id: 2, is_current: true }], 2],
  [
    'another one where that asks for a factor',
    [{ id: 1, is_current: true, needs_mfa: true }, { id: 2 }],
    2,
  ],
  [
    'the first where none is usable',
    [
      { id: 1, needs_mfa: true },
      { id: 2, needs_mfa: true },
    ],
    1,
  ],
])('the team that is chosen at first is %s', (_which, teams, id) => {
  expect(firstTeam(teams.map(teamOf))?.id).toBe(id);
});
