import { expect, test } from 'vitest';
import { serverProblem } from './server-problem.ts';

test.each([
  ['14.11', 140_011, 'UTF8', 'The target is Postgres 14.11. Tocsin needs Postgres 15 or newer.'],
  ['9.6.24', 90_624, 'UTF8', 'The target is Postgres 9.6.24. Tocsin needs Postgres 15 or newer.'],
  ['15.0', 150_000, 'UTF8', null],
  ['18.1', 180_001, 'UTF8', null],
  [
    '16.2',
    160_002,
    'SQL_ASCII',
    'The target has the encoding SQL_ASCII. Create its database with the encoding UTF8.',
  ],
])('Postgres %s (%i) with %s', (version, number, encoding, problem) => {
  expect(serverProblem({ version, number, encoding })).toBe(problem);
});
