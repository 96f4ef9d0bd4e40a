import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { findRdapServer } from '../../lib/rdap-bootstrap.ts';
import { readRetryAfter, readRdapDomain, RDAP_SERVERS, loadRdapServers } from './rdap.ts';

const NOW = Date.UTC(2026, 10, 21);

test.each([
  ['120', 120_000],
  ['0', 60_000],
  ['Sat, 21 Nov 2026 00:10:00 GMT', 600_000],
  ['Fri, 20 Nov 2026 00:00:00 GMT', 60_000],
  ['Fri, 20 Nov 2037 00:00:00 GMT', 86_400_000],
  ['soon', 3_600_000],
  ['-5', 60_000],
  [null, 3_600_000],
])('Retry-After: %s', (value, expected) => {
  expect(readRetryAfter(value, NOW)).toBe(expected);
});

describe('the table', () => {
  test.each([
    ['example.com', 'https://rdap.verisign.com/com/v1/'],
    ['example.org', 'https://rdap.publicinterestregistry.org/rdap/'],
    ['example.co.uk', 'https://rdap.nominet.uk/uk/'],
    ['example.xyz', 'https://rdap.centralnic.com/xyz/'],
    ['example.app', 'https://pubapi.registry.google/rdap/'],
    ['example.fr', 'https://rdap.nic.fr/'],
    ['example.com.br', 'https://rdap.registro.br/'],
    ['example.de', 'https://rdap.denic.de/'],
    ['example.io', 'https://rdap.identitydigital.services/rdap/'],
    ['example.invalid', null],
  ])('%s', (domain, baseUrl) => {
    expect(findRdapServer(RDAP_SERVERS, domain)).toBe(baseUrl);
  });

  test('has base URLs only', () => {
    for (const [suffix, baseUrl] of RDAP_SERVERS) {
      expect(suffix).toMatch(/^[a-z0-9-]{2,}$/);
      expect(baseUrl).toMatch(/^https?:\/\/[a-z0-9.-]+(:\d+)?\/([\w.-]+\/)*$/i);
    }
    expect(RDAP_SERVERS.size).toBeGreaterThan(1_000);
  });

  test('is used without a file, and if the file is invalid', () => {
    const lines: string[] = [];
    const log = { ...silentLog, error: (_fields: object, line: string) => void lines.push(line) };
    expect(loadRdapServers(null, log)).toBe(RDAP_SERVERS);
    expect(lines).toEqual([]);
    expect(loadRdapServers('/nowhere/at/all', log)).toBe(RDAP_SERVERS);
    expect(loadRdapServers(new URL(import.meta.url).pathname, log)).toBe(RDAP_SERVERS);
    expect(lines).toEqual([
      "RDAP_BOOTSTRAP_FILE can't be read.",
      "RDAP_BOOTSTRAP_FILE can't be used.",
    ]);
  });
});

test('never throws for any JSON', () => {
  const answers = fc.record(
    {
      objectClassName: fc.constant('domain'),
      events: fc.jsonValue(),
      status: fc.jsonValue(),
      entities: fc.oneof(
        fc.jsonValue(),
        fc.array(fc.record({ roles: fc.constant(['registrar']), vcardArray: fc.jsonValue() })),
      ),
    },
    { requiredKeys: ['objectClassName'] },
  );
  fc.assert(
    fc.property(fc.oneof(answers, fc.jsonValue()), (answer) => {
      const read = readRdapDomain(JSON.stringify(answer), 'example.zz');
      if (read.ok) expect(read.expiresAt === null || Number.isFinite(read.expiresAt)).toBe(true);
      else expect(read.reason).not.toBe('');
    }),
  );
});

function answerOf(...dates: string[]): string {
  const events = dates.map((eventDate) => ({ eventAction: 'expiration', eventDate }));
  return JSON.stringify({ objectClassName: 'domain', events });
}

test('the latest of several dates counts, except placeholders', () => {
  const read = readRdapDomain(answerOf('2026-12-01', '2027-12-01T00:00:00Z', 'x'), 'example.zz');
  expect(read).toMatchObject({ expiresAt: Date.UTC(2027, 11, 1) });
  expect(readRdapDomain(answerOf('0001-01-01T00:00:00Z'), 'example.zz')).toMatchObject({
    ok: true,
    expiresAt: null,
  });
});
