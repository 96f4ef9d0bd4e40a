import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextPath } from './next-path.js';
import {
  agentName,
  confirmationOf,
  fieldMessage,
  relativeTime,
  secretOf,
  signInFailure,
} from './format.js';

test.each([
  ['/', '/'],
  ['/account#tokens', '/account#tokens'],
  ['/invitation?token=abc_-1', '/invitation?token=abc_-1'],
  ['/a/../b', '/b'],
  [null, '/account'],
  ['', '/account'],
  ['account', '/account'],
  ['https://evil.example', '/account'],
  ['//evil.example', '/account'],
  ['/\\evil.example', '/account'],
  ['\\/evil.example', '/account'],
  ['/\t/evil.example', '/account'],
  ['\n//evil.example', '/account'],
  ['/a\\b', '/account'],
  ['/..//evil.example', '/evil.example'],
  ['/.//evil.example', '/evil.example'],
  ['javascript:alert(1)', '/account'],
  [' //evil.example', '/account'],
])('after signing in at ?next=%j one is led to %s', (wanted, path) => {
  expect(nextPath(wanted, '/account')).toBe(path);
});

test('any ?next= leads to this site only', () => {
  const parts = fc.constantFrom(
    '/',
    '\\',
    '.',
    ':',
    '@',
    '\t',
    '\n',
    '%2f',
    'https',
    'evil.example',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
      const led = nextPath(pieces.join(''), '/account');
      expect(new URL(led, 'https://up.example.com').origin).toBe('https://up.example.com');
      // What is one path here stays one when it is put into another one.
      expect(led).toMatch(/^\/(?!\/)/);
    }),
  );
});

const MINUTE = 60_000;
test.each([
  [0, 'just now'],
  [-59_000, 'just now'],
  [30_000, 'in less than a minute'],
  [-MINUTE, '1 minute ago'],
  [-90 * MINUTE, '1 hour ago'],
  [-25 * 60 * MINUTE, 'yesterday'],
  [90 * 24 * 60 * MINUTE, 'in 90 days'],
  [366 * 24 * 60 * MINUTE, 'next year'],
])('%i ms from now is "%s"', (distance, words) => {
  expect(relativeTime(1_900_000_000_000 + distance, 1_900_000_000_000)).toBe(words);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'Unknown program'],
  [null, 'Unknown program'],
])('%j is told as %s', (header, name) => {
  expect(agentName(header)).toBe(name);
});

test('formats the secret of an authenticator in groups of four', () => {
  expect(secretOf('otpauth://totp/Tocsin:a%40b?secret=JBSWY3DPEHPK3PX&issuer=Tocsin')).toBe(
    'JBSW Y3DP EHPK 3PX',
  );
  expect(secretOf('no address')).toBe('');
});

test.each([
  ['timezone must be a text.', 'Time zone must be a text.'],
  ['timezones differ.', 'timezones differ.'],
  ['Nobody lives there.', 'Nobody lives there.'],
])('what the API says of a field, "%s", is shown as "%s"', (message, shown) => {
  expect(fieldMessage(message, 'timezone', 'Time zone')).toBe(shown);
});

test('failures of a provider have our own messages, never the text of the URL', () => {
  expect(signInFailure('access_denied')).toContain('canceled');
  expect(signInFailure('NOT_INVITED')).toContain('invitation');
  const forged = 'Call +1 555 0100 to unlock your account';
  expect(signInFailure(forged)).not.toContain('555');
  expect(signInFailure('constructor')).toBe(signInFailure(forged));
});

test.each([
  [{ email: 'ä?>~@example.com' }, 'address'],
  [{ updateTo: 'b@example.com', requestType: 'change-email-confirmation' }, 'agreement'],
  [{ updateTo: 'b@example.com', requestType: 'change-email-verification' }, 'new address'],
])('a link whose token says %j confirms: %s', (payload, kind) => {
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  const coded = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  expect(confirmationOf(`e30.${coded}.c2lnbmVk`)).toBe(kind);
});

test.each(['', 'x', 'e30.%%%.x', `e30.${btoa('null')}.x`])(
  'a link with the token %j counts as confirming an address, which the server then refuses',
  (token) => {
    expect(confirmationOf(token)).toBe('address');
  },
);
