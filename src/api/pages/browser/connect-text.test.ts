import { expect, test } from 'vitest';
import { PERMISSIONS, ROLES, roleMay } from '../../../identity/caller.ts';
import { accessText, choicesOf, destinationOf, isOpenable, noteOf } from './connect-text.js';

const ALL = ['offline_access', ...PERMISSIONS];

const teamOf = (changes: object = {}) => ({
  role: 'owner',
  granted: null as string[] | null,
  needs_mfa: false,
  ...changes,
});

test.each(ROLES)('the role %s is offered what it may do, and deleting is never chosen', (role) => {
  const choices = choicesOf(ALL, teamOf({ role }));
  expect(choices.map(({ permission }) => permission)).toEqual([...PERMISSIONS]);
  for (const { permission, isChosen, isFixed } of choices) {
    const isLeft = permission !== 'read' && roleMay(role, permission);
    expect([permission, isFixed]).toEqual([permission, !isLeft]);
    const isExpected = roleMay(role, permission) && permission !== 'delete';
    expect([permission, isChosen]).toEqual([permission, isExpected]);
  }
});

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

test.each([
  [ALL, {}, ''],
  [ALL, { role: 'editor' }, ''],
  [['read'], { role: 'viewer' }, ''],
  [
    ALL,
    { role: 'viewer', granted: ['read'] },
    'Your role in this team, viewer, only allows reading, so the application can only read.',
  ],
  [ALL, { granted: ['read'] }, 'It is connected already. This replaces what it may do.'],
  [
    ALL,
    { role: 'viewer', granted: ['read'], needs_mfa: true },
    'This team requires two-factor authentication: turn it on in your account, then sign in again and connect the application.',
  ],
])('with %j in %j: "%s"', (scopes, team, note) => {
  expect(noteOf(scopes, teamOf(team))).toBe(note);
});

test.each([
  [[], 'owner', 'may do nothing'],
  [['read'], 'owner', 'may only read'],
  [['read'], 'viewer', 'may only read'],
  [['delete', 'read'], 'admin', 'may read and delete'],
  [['update', 'create', 'read'], 'editor', 'may read, create and change'],
  [[...PERMISSIONS], 'editor', 'may read, create, change and delete'],
  [[...PERMISSIONS], 'viewer', 'may only read, as your role is viewer'],
  [['read'], null, 'no access: your membership in this team is not active'],
])('with %j and the role %s: %s', (permissions, role, words) => {
  expect(accessText(permissions, role)).toBe(words);
});

test.each([
  ['claude.ai', 'claude.ai'],
  ['localhost.evil.example', 'localhost.evil.example'],
  ['127.0.0.1.evil.example:80', '127.0.0.1.evil.example:80'],
  ['tools.example:8443', 'tools.example:8443'],
  ['localhost', 'an application on this computer (localhost)'],
  ['127.0.0.1:33418', 'an application on this computer (127.0.0.1:33418)'],
  ['[::1]:33418', 'an application on this computer ([::1]:33418)'],
  ['cursor:', 'an application on this device (cursor:)'],
  ['com.example.app://callback', 'an application on this device (com.example.app:)'],
])('the redirect host %s is shown as "%s"', (host, words) => {
  expect(destinationOf(host)).toBe(words);
});

test.each([
  ['https://claude.ai/api/mcp/auth_callback?code=x', true],
  ['http://127.0.0.1:33418/callback?code=x', true],
  ['cursor://anysphere.cursor-mcp/oauth/callback?code=x', true],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  [' \tjava\nscript:alert(1)', false],
  ['data:text/html,x', false],
  ['file:///etc/passwd', false],
  ['blob:https://up.example.com/x', false],
  ['/connect', false],
  ['', false],
])('the address %j may be opened: %s', (address, isAllowed) => {
  expect(isOpenable(address)).toBe(isAllowed);
});
