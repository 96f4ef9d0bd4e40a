import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRdapServer, readBootstrap } from './rdap-bootstrap.ts';

const REGISTRY = {
  version: '1.0',
  publication: '2026-02-13T23:00:01Z',
  services: [
    [
      ['COM', 'net.'],
      ['http://rdap.example/com', 'https://rdap.example/com'],
    ],
    [['uk'], ['https://rdap.example/uk/']],
    [['co.uk'], ['https://rdap.example/couk/']],
    [['kg'], ['http://rdap.example/kg/']],
    [['a b', '', 7, 'xn--p1ai'], ['https://rdap.example/p1ai/']],
    [['no'], ['ftp://rdap.example/', 'https://user@rdap.example/', 'https://rdap.example/?q=', 7]],
    [['zz']],
    'nonsense',
  ],
};

function serversOf(registry: unknown) {
  const read = readBootstrap(JSON.stringify(registry));
  if (!read.ok) throw new Error(read.message);
  return read.servers;
}

test('prefers https, ends URLs in a slash and skips unusable entries', () => {
  expect(Object.fromEntries(serversOf(REGISTRY))).toEqual({
    com: 'https://rdap.example/com/',
    net: 'https://rdap.example/com/',
    uk: 'https://rdap.example/uk/',
    'co.uk': 'https://rdap.example/couk/',
    kg: 'http://rdap.example/kg/',
    'xn--p1ai': 'https://rdap.example/p1ai/',
  });
});

test.each([
  ['example.com', 'https://rdap.example/com/'],
  ['EXAMPLE.Net', 'https://rdap.example/com/'],
  ['example.co.uk', 'https://rdap.example/couk/'],
  ['example.org.uk', 'https://rdap.example/uk/'],
  ['notuk', null],
  ['example.zz', null],
])('the server of %s is %s', (domain, baseUrl) => {
  expect(findRdapServer(serversOf(REGISTRY), domain)).toBe(baseUrl);
});

describe('invalid registries', () => {
  test.each([
    ['', 'is not JSON'],
    ['null', 'has no list "services"'],
    ['{"services": {}}', 'has no list "services"'],
    ['{"services": [[["com"], []]]}', 'names no RDAP server'],
  ])('%s', (text, message) => {
    expect(readBootstrap(text)).toEqual({ ok: false, message });
  });

  test('never throws for any JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (services) => {
        expect(typeof readBootstrap(JSON.stringify({ services })).ok).toBe('boolean');
      }),
    );
  });
});
