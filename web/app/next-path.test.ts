import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextPath } from './next-path.ts';

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
