import { expect, test } from 'vitest';
import { createPathTable } from './path-table.ts';

function tableOf(...routes: [method: string, pattern: string][]) {
  const table = createPathTable();
  for (const [method, pattern] of routes) table.add(method, pattern);
  return table;
}

const table = tableOf(
  ['GET', '/users'],
  ['PUT', '/users/:id'],
  ['DELETE', '/users/:id'],
  ['GET', '/users/invitations'],
  ['POST', '/users/invitations'],
  ['PUT', '/users/invitations/:id'],
  ['POST', '/users/:id/reset-link'],
);

test.each([
  ['/users', ['GET']],
  ['/users/', ['GET']],
  ['/users/7', ['PUT', 'DELETE']],
  ['/users/x/', ['PUT', 'DELETE']],
  ['/users/invitations', ['GET', 'POST']],
  ['/users/invitations/', ['GET', 'POST']],
  ['/users/invitations/7', ['PUT']],
  // A word counts from the left.
  ['/users/invitations/reset-link', ['PUT']],
  ['/users/7/reset-link', ['POST']],
  ['/users/7/other', []],
  ['/other', []],
])('the methods of %s are %j', (path, methods) => {
  expect(table.methodsOf(path)).toEqual(methods);
});

test('a path belongs to the pattern with precedence, not to the one the router matched', () => {
  expect(table.belongsToOther('/users/:id', '/users/invitations')).toBe(true);
  expect(table.belongsToOther('/users/:id', '/users/7')).toBe(false);
  expect(table.belongsToOther('/users/invitations', '/users/invitations')).toBe(false);
  expect(table.belongsToOther('/users/:id/reset-link', '/users/invitations/reset-link')).toBe(true);
  expect(table.belongsToOther('/users/:id/reset-link', '/users/7/reset-link')).toBe(false);
});

test('patterns added later are considered', () => {
  const growing = tableOf(['PUT', '/things/:id']);
  expect(growing.belongsToOther('/things/:id', '/things/new')).toBe(false);
  growing.add(['GET', 'HEAD'], '/things/new');
  expect(growing.belongsToOther('/things/:id', '/things/new')).toBe(true);
  expect(growing.methodsOf('/things/new')).toEqual(['GET', 'HEAD']);
});
