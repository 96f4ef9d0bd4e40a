import { describe, expect, test } from 'vitest';
import {
  basic,
  headersOf,
  hostTarget,
  httpTarget,
  nameOf,
  roundsLasting,
  secret,
  statusCodesOf,
  tagsOf,
  timeFor,
} from './common.ts';
import { Notes } from './notes.ts';
import { numberOf } from './values.ts';

/** What a function makes of its input, and what it says of it. */
function said<Result>(act: (notes: Notes) => Result) {
  const notes = new Notes();
  const result = act(notes);
  return [result, notes.isChanged, notes.sentences.join(' ')] as const;
}

test.each([
  ['Web\u0000\nsite ', 'Web site', ''],
  ['', 'Monitor', ''],
  [{ not: 'text' }, 'Monitor', ''],
  ['x'.repeat(256), 'x'.repeat(255), 'Its name is cut to 255 characters.'],
  ['😀'.repeat(255), '😀'.repeat(255), ''],
])('the name %j', (given, name, sentence) => {
  expect(said((notes) => nameOf(given, 255, 'Monitor', notes))).toEqual([name, false, sentence]);
});

test('tags are cut, unique, and 20 at most', () => {
  const tags = [...Array.from({ length: 25 }, (_, index) => `t${index}`), 't1', '', ' '];
  const [result, isChanged, sentence] = said((notes) => tagsOf(tags, notes));
  expect(result).toEqual(tags.slice(0, 20));
  expect([isChanged, sentence]).toEqual([false, 'Only its first 20 tags are imported.']);
  expect(said((notes) => tagsOf([], notes))[0]).toBeUndefined();
});

test.each([
  ['check_interval', 60, 1, ''],
  ['check_interval', 100, 1.6667, ''],
  ['check_interval', 20, 0.5, 'Its check_interval is 30 s instead of 20 s: that is the limit.'],
  ['check_interval', 86_400, 60, 'Its check_interval is 1 h instead of 1 day: that is the limit.'],
  ['request_timeout', 48.4, 48, ''],
  [
    'heartbeat_interval',
    5_184_000,
    2_592_000,
    'Its heartbeat_interval is 30 days instead of 60 days: that is the limit.',
  ],
  ['request_timeout', undefined, undefined, ''],
  ['request_timeout', Number.NaN, undefined, ''],
] as const)('%s of %s s', (field, seconds, value, sentence) => {
  expect(said((notes) => timeFor(field, seconds, notes))).toEqual([
    value,
    sentence !== '',
    sentence,
  ]);
});

test('a time becomes the nearest number of rounds', () => {
  const rounds = [1, 10, 20, 21, 40, 41, 180].map(
    (seconds) => said((notes) => roundsLasting(seconds, 'wait', notes))[0],
  );
  expect(rounds).toEqual([2, 2, 2, 3, 3, 4, 10]);
});

const CREDENTIALS = {
  auth_type: 'basic',
  auth_username: { from: 'import', value: 'ann' },
  auth_password: { from: 'import', value: 'a b' },
};

test.each([
  ['https://example.com/?q=1#x', 'https://example.com/?q=1#x', undefined, false],
  ['example.com/health', 'https://example.com/health', undefined, true],
  ['http://ann:a%20b@example.com/', 'http://example.com/', CREDENTIALS, false],
  ['http://ann@example.com/', 'http://example.com/', undefined, true],
])('the http target %s', (given, url, credentials, isChanged) => {
  expect(said((notes) => httpTarget(given, notes)).slice(0, 2)).toEqual([
    { url, credentials },
    isChanged,
  ]);
});

test.each([
  '',
  'ftp://example.com',
  'https://',
  'http://a..b/',
  `http://${'x'.repeat(64)}.de`,
  null,
])('no http target: %s', (given) => {
  expect(said((notes) => httpTarget(given, notes))[0]).toBeUndefined();
});

test.each([
  ['example.com', 'example.com'],
  ['https://example.com:8443/x', 'example.com'],
  ['[2001:db8::1]:53', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  [' 192.0.2.1 ', '192.0.2.1'],
  ['two words', undefined],
  ['', undefined],
])('the host target %s', (given, host) => {
  expect(hostTarget(given)).toBe(host);
});

describe('headers', () => {
  test('are kept, those with secrets as such', () => {
    const given = [
      ['Accept', 'text/html'],
      ['X-Api-Key', 'k'],
    ] as const;
    expect(said((notes) => headersOf(given, notes))).toEqual([
      { Accept: 'text/html', 'X-Api-Key': { from: 'import', value: 'k' } },
      false,
      '',
    ]);
  });

  test.each([
    ['Connection', 'close', 'is set by the check itself'],
    ['Bad Name', 'x', 'is no header name'],
    ['X-Text', 'one\ntwo', 'must hold only Latin-1'],
    ['accept', 'again', 'must not hold a name twice'],
  ])('that the API refuses are left out: %s', (name, value, reason) => {
    const [headers, isChanged, sentence] = said((notes) =>
      headersOf(
        [
          ['Accept', '*/*'],
          [name, value],
        ],
        notes,
      ),
    );
    expect([headers, isChanged]).toEqual([{ Accept: '*/*' }, true]);
    expect(sentence).toContain(reason);
  });
});

test('status codes that there are not are left out', () => {
  expect(said((notes) => statusCodesOf(['200-299', 301, '600', 'x'], notes))).toEqual([
    ['200-299', '301'],
    true,
    'The status code "600" is no longer accepted: there is none. The status code "x" is no longer accepted: there is none.',
  ]);
});

test.each([
  [1.5, 1.5],
  ['42', 42],
  ['1e3', undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [[1], undefined],
])('the number %j', (given, number) => {
  expect(numberOf(given)).toBe(number);
});

test('a mask and an empty text are no secrets', () => {
  expect([secret('••••••••'), secret(''), secret(null)]).toEqual([undefined, undefined, undefined]);
});

test('basic authentication needs a name without a colon and a password', () => {
  expect(said((notes) => basic('ann', 'a b', notes)).slice(0, 2)).toEqual([CREDENTIALS, false]);
  expect(said((notes) => basic('a:b', 'x', notes)).slice(0, 2)).toEqual([undefined, true]);
  expect(said((notes) => basic('', null, notes)).slice(0, 2)).toEqual([undefined, false]);
});
