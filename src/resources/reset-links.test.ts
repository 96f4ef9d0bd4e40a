import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROLES, type Role } from '../identity/caller.ts';
import { mayResetPassword, type TeamRole } from './reset-links.ts';

type Roles = Partial<Record<1 | 2, Role>>;

const [ACTOR, OTHER] = [1, 2];

/** By team. */
function rolesOf(roles: Roles, isActive = true): TeamRole[] {
  return Object.entries(roles).map(([team, role]) => ({ teamId: Number(team), role, isActive }));
}

function may(actor: Roles, other: Roles): boolean {
  return mayResetPassword(
    { personId: ACTOR, roles: rolesOf(actor) },
    { personId: OTHER, roles: rolesOf(other) },
  );
}

test.each<[Role, Role[]]>([
  ['owner', ['admin', 'editor', 'viewer']],
  ['admin', ['editor', 'viewer']],
  ['editor', []],
  ['viewer', []],
])('in one team, %s resets those below', (role, below) => {
  expect(ROLES.filter((other) => may({ 1: role }, { 1: other }))).toEqual(below);
});

test.each<[Roles, Roles, boolean]>([
  [{ 1: 'owner' }, { 1: 'viewer', 2: 'viewer' }, false],
  [{ 1: 'owner', 2: 'viewer' }, { 1: 'viewer', 2: 'viewer' }, false],
  [{ 1: 'owner', 2: 'editor' }, { 1: 'viewer', 2: 'viewer' }, false],
  [{ 1: 'owner', 2: 'admin' }, { 1: 'admin', 2: 'viewer' }, true],
  [{ 1: 'owner', 2: 'admin' }, { 1: 'admin', 2: 'admin' }, false],
  [{ 1: 'owner', 2: 'admin' }, { 1: 'viewer', 2: 'owner' }, false],
  [{ 1: 'admin', 2: 'viewer' }, { 1: 'viewer' }, true],
])('%o over %o: %s', (actor, other, expected) => {
  expect(may(actor, other)).toBe(expected);
});

test('who is disabled in one of the teams resets nobody who is in it', () => {
  const disabled = { personId: ACTOR, roles: rolesOf({ 1: 'owner' }, false) };
  expect(mayResetPassword(disabled, { personId: OTHER, roles: rolesOf({ 1: 'viewer' }) })).toBe(
    false,
  );
});

test('where somebody is disabled counts too: they may be enabled again', () => {
  const other = [...rolesOf({ 1: 'viewer' }), ...rolesOf({ 2: 'owner' }, false)];
  const actor = { personId: ACTOR, roles: rolesOf({ 1: 'owner' }) };
  expect(mayResetPassword(actor, { personId: OTHER, roles: other })).toBe(false);
});

test('everybody resets their own', () => {
  for (const role of ROLES) {
    const self = { personId: ACTOR, roles: rolesOf({ 1: role }) };
    expect(mayResetPassword(self, self)).toBe(true);
  }
});

test('nobody gets into a team that they do not administer, nor above themselves [36.25]', () => {
  const role = fc.constantFrom(...ROLES);
  const roles = fc.record({ 1: role, 2: role }, { requiredKeys: [] });
  fc.assert(
    fc.property(roles, roles, (actor, other) => {
      if (!may(actor, other)) return;
      for (const team of [1, 2] as const) {
        if (other[team] === undefined) continue;
        expect(['owner', 'admin']).toContain(actor[team]);
        expect(ROLES.indexOf(actor[team]!)).toBeLessThan(ROLES.indexOf(other[team]));
      }
    }),
  );
});
