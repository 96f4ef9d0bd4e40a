import { expect, it } from 'vitest';
import {
  DatabaseUnavailable,
  isAway,
  isBusy,
  isConnectionLost,
  isForeignKeyViolation,
  isUnavailable,
  isUniqueViolation,
  translateError,
} from './errors.ts';

const error = (fields: object, message = 'text of the engine') =>
  Object.assign(new Error(message), fields);

it.each([
  ['SQLite: busy', error({ code: 'ERR_SQLITE_ERROR', errcode: 5 }), false],
  ['SQLite: busy by a snapshot', error({ errcode: 517 }), false],
  ['SQLite: no memory', error({ errcode: 7 }), false],
  ['SQLite: read-only folder', error({ errcode: 1544 }), false],
  ['SQLite: I/O error of a write', error({ errcode: 778 }), false],
  ['SQLite: full', error({ errcode: 13 }), false],
  ['SQLite: cannot open', error({ errcode: 14 }), false],
  ['refused', error({ code: 'ECONNREFUSED', syscall: 'connect' }), true],
  ['refused on each address', new AggregateError([], ''), false, 'ECONNREFUSED'],
  ['no socket file', error({ code: 'ENOENT', syscall: 'connect' }), true],
  ['reset', error({ code: 'ECONNRESET' }), true],
  ['name not found', error({ code: 'ENOTFOUND' }), true],
  ['cut off', error({}, 'Connection terminated unexpectedly'), true],
  ['pool exhausted', error({}, 'timeout exceeded when trying to connect'), true],
  ['frozen server', error({}, 'Query read timeout'), true],
  ['shut down', error({ code: '57P01' }), true],
  ['starting up', error({ code: '57P03' }), true],
  ['read-only', error({ code: '25006' }), true],
  ['commit that no standby has', error({ code: '40003' }), false],
  ['too many connections', error({ code: '53300' }), false],
  ['disk full', error({ code: '53100' }), false],
  ['statement time-out', error({ code: '57014' }), false],
  ['lock time-out', error({ code: '55P03' }), false],
  ['deadlock', error({ code: '40P01' }), false],
])('%s is unavailable', (_name, cause, lost, code?: string) => {
  if (code) Object.assign(cause, { code });
  const translated = translateError(cause);
  expect(translated).toBeInstanceOf(DatabaseUnavailable);
  expect((translated as Error).cause).toBe(cause);
  expect(translateError(translated)).toBe(translated);
  if (!code) expect([isConnectionLost(cause), isConnectionLost(translated)]).toEqual([lost, lost]);
});

it('tells a database that is busy with this work from one that is away', () => {
  for (const code of ['57014', '55P03', '40P01', '40001']) {
    const busy = translateError(error({ code }));
    expect([isBusy(busy), isAway(busy), isUnavailable(busy)]).toEqual([true, false, true]);
  }
  for (const code of ['57P01', '53300', 'ECONNREFUSED']) {
    const away = translateError(error({ code }));
    expect([isBusy(away), isAway(away), isUnavailable(away)]).toEqual([false, true, true]);
  }
});

it.each([
  error({ errcode: 2067 }),
  error({ errcode: 1 }, 'no such table: x'),
  error({ code: '23505' }),
  error({ code: '42P01' }),
  error({ code: '28P01' }, 'password authentication failed'),
  error({ code: 'ENOENT', syscall: 'open' }),
  new TypeError('a mistake of ours'),
  null,
  'text',
])('%o stays as it is', (value) => {
  expect(translateError(value)).toBe(value);
  expect(isConnectionLost(value)).toBe(false);
});

it('tells violations apart', () => {
  expect([{ errcode: 2067 }, { errcode: 1555 }, { code: '23505' }].map(isUniqueViolation)).toEqual([
    true,
    true,
    true,
  ]);
  expect([{ errcode: 787 }, { code: '23503' }].map(isForeignKeyViolation)).toEqual([true, true]);
  expect([{ errcode: 787 }, { code: '23503' }, null, 'x'].some(isUniqueViolation)).toBe(false);
  expect([{ errcode: 2067 }, { code: '23505' }, undefined].some(isForeignKeyViolation)).toBe(false);
});
