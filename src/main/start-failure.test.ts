import { expect, test } from 'vitest';
import { DatabaseBusy, DatabaseUnavailable } from '../store/database/errors.ts';
import { startFailure } from './start-failure.ts';

test.each([
  [new DatabaseUnavailable('connection refused'), 'connection refused'],
  [new DatabaseBusy('canceling statement due to lock timeout'), 'The database is busy'],
])('%s at the start is one clear message without a stack [39.16]', (error, words) => {
  const { fields, message } = startFailure(error);
  expect(fields).toEqual({});
  expect(message).toContain(`Tocsin could not start: `);
  expect(message).toContain(words);
});

test('an unexpected error at start keeps its stack', () => {
  const error = new TypeError('a mistake');
  expect(startFailure(error).fields).toEqual({ error });
});
