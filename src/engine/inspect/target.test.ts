import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INSPECTION_KINDS } from '../../model/inspection.ts';
import {
  assignedTargets,
  inspectionRequest,
  inspectionTargets,
  registrableDomain,
  runningInspections,
} from './target.ts';

const all = ['ssl', 'dns', 'domain', 'keyword'];
const http = (url: string, checkTypes = all) => ({ type: 'http', url, port: null, checkTypes });
const asTarget = (value: string | object) =>
  typeof value === 'string' ? { target: value } : value;
const NOT_HTTPS = { reason: 'The check ssl never runs: the url is not https.' };
const never = (kind: string, why: string) => ({ reason: `The check ${kind} never runs: ${why}.` });
const holdsAddress = (kind: string) => never(kind, 'the url holds an address, not a name');

test.each([
  ['https://www.Example.co.uk/a?b', 'www.example.co.uk:443', 'www.example.co.uk', 'example.co.uk'],
  ['https://example.com:8443', 'example.com:8443', 'example.com', 'example.com'],
  ['https://example.com./', 'example.com:443', 'example.com', 'example.com'],
  [
    'https://münchen.example.de',
    'xn--mnchen-3ya.example.de:443',
    'xn--mnchen-3ya.example.de',
    'example.de',
  ],
  ['https://me.github.io', 'me.github.io:443', 'me.github.io', 'github.io'],
  ['http://example.com:443', NOT_HTTPS, 'example.com', 'example.com'],
  ['https://192.0.2.1:8443/', '192.0.2.1:8443', holdsAddress('dns'), holdsAddress('domain')],
  ['https://[2001:db8::1]/', '2001:db8::1:443', holdsAddress('dns'), holdsAddress('domain')],
  ['https://127.1/', '127.0.0.1:443', holdsAddress('dns'), holdsAddress('domain')],
  [
    'https://localhost/',
    'localhost:443',
    'localhost',
    never('domain', 'localhost is below no domain that can be registered'),
  ],
  [
    'https://co.uk/',
    'co.uk:443',
    'co.uk',
    never('domain', 'co.uk is below no domain that can be registered'),
  ],
])('%s is inspected at %j, %j and %j', (url, ssl, dns, domain) => {
  expect(inspectionTargets(http(url))).toEqual({
    ssl: asTarget(ssl),
    dns: asTarget(dns),
    domain: asTarget(domain),
  });
});

test.each([
  ['ping', 'www.example.org'],
  ['port', 'tcp://www.example.org:99/'],
])('the host of a %s monitor', (type, url) => {
  const monitor = { type, url, port: 99, checkTypes: ['dns', 'domain'] };
  expect(assignedTargets(monitor)).toEqual([
    ['dns', 'www.example.org'],
    ['domain', 'example.org'],
  ]);
});

describe('those that run', () => {
  test('are the ones that are switched on and have a target', () => {
    expect(runningInspections(http('http://example.com'))).toEqual(['dns', 'domain']);
    expect(runningInspections(http('https://example.com', ['domain', 'ssl']))).toEqual([
      'ssl',
      'domain',
    ]);
    expect(runningInspections(http('https://example.com', []))).toEqual([]);
  });

  test('of a monitor without a url are none', () => {
    expect(inspectionTargets(http(''))).toMatchObject({ dns: { reason: expect.any(String) } });
  });
});

test('what is asked for is what the target names', () => {
  expect(inspectionRequest('ssl', '2001:db8::1:8443', 5)).toEqual({
    kind: 'ssl',
    host: '2001:db8::1',
    port: 8443,
    timeoutMs: 5,
  });
  expect(inspectionRequest('dns', 'example.com', 5)).toMatchObject({ host: 'example.com' });
  expect(inspectionRequest('domain', 'example.com', 5)).toMatchObject({ domain: 'example.com' });
});

test('any url has a target or a reason for each kind', () => {
  const anyUrl = fc.oneof(fc.webUrl(), fc.string(), fc.ipV6(), fc.domain());
  fc.assert(
    fc.property(anyUrl, (url) => {
      const targets = inspectionTargets(http(url));
      for (const kind of INSPECTION_KINDS) {
        expect(Object.keys(targets[kind]!)).toHaveLength(1);
      }
    }),
  );
});

test('a registrable domain is at most the host itself', () => {
  fc.assert(
    fc.property(fc.domain(), (host) => {
      const domain = registrableDomain(host);
      if (domain !== null) expect(host.toLowerCase().endsWith(domain)).toBe(true);
    }),
  );
});
