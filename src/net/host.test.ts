import { expect, test } from 'vitest';
import { parseHost } from './host.ts';

test.each([
  ['1.2.3.4', 'address', '1.2.3.4'],
  ['1.2.3.4.', 'address', '1.2.3.4'],
  ['127.1', 'address', '127.0.0.1'],
  ['[::1]', 'address', '::1'],
  ['2001:DB8:0:0::1', 'address', '2001:db8::1'],
  ['fe80::1%eth0', 'address', 'fe80::1%eth0'],
  ['Example.COM.', 'name', 'example.com'],
  ['München.de', 'name', 'xn--mnchen-3ya.de'],
  ['_dmarc.example.com', 'name', '_dmarc.example.com'],
  ['db', 'name', 'db'],
])('%s is the %s %s', (text, kind, value) => {
  expect(parseHost(text)).toMatchObject({ kind, [kind]: value });
});

test.each([
  '',
  '.',
  'a..b',
  'foo bar',
  'a/b',
  'a?b',
  'a@b',
  'a:80',
  '[::1',
  `${'x'.repeat(64)}.de`,
  '1.2.3.4.5',
])('%j is not a host', (text) => {
  expect(parseHost(text)).toBeNull();
});
