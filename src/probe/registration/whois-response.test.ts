import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWhoisAnswer } from './whois-response.ts';
import { WHOIS_SERVERS } from './whois-servers.ts';
/** Boilerplate that many registries add. */
const TERMS =
  'NOTICE: access is limited to a number of queries; whoever exceeds it is blocked. Try again later.';

interface Sample {
  domain: string;
  expiresAt: string | null;
  registrar?: string;
  statuses?: string[];
}

/** Invented data in the formats of these registries: what is expected of each, as JSON, and then its answer. */
const SAMPLES = readFileSync(new URL('whois-samples.txt', import.meta.url), 'utf8')
  .split(/^==== /m)
  .slice(1)
  .map((sample): Sample & { text: string } => {
    const end = sample.indexOf('\n');
    return { ...JSON.parse(sample.slice(0, end)), text: sample.slice(end + 1, -1) };
  });

function isDayFirst(domain: string): boolean {
  const registry = WHOIS_SERVERS.get(domain.slice(domain.lastIndexOf('.') + 1));
  return registry?.isDayFirst ?? false;
}

test.each(SAMPLES.map((sample) => [sample.domain, sample] as const))('%s', (domain, sample) => {
  const read = readWhoisAnswer(sample.text, domain, isDayFirst(domain));
  if (read.state === 'unknown') throw new Error(read.reason);
  const { expiresAt, registrar, statuses } = read;
  expect(expiresAt === null ? null : new Date(expiresAt).toISOString()).toBe(sample.expiresAt);
  expect(registrar).toBe(sample.registrar ?? null);
  expect(statuses).toEqual(sample.statuses ?? []);
});

describe('unknown domains', () => {
  test.each([
    ['Verisign', `No match for "EXAMPLE.ZZ".\n>>> Last update <<<\n${TERMS}`],
    ['Identity Digital', 'Domain not found.\n>>> Last update of WHOIS database'],
    ['DENIC', 'Domain: example.zz\nStatus: free'],
    ['EURid', 'Domain: example.zz\nScript: LATIN\n\nStatus: AVAILABLE'],
    ['nic.at', '% nothing found'],
    ['SIDN', 'example.zz is free'],
    ['IIS', `# Copyright\ndomain "example.zz" not found.`],
    ['Nominet', '    No match for "example.zz".\n\n    This domain name has not been registered.'],
    ['CZ.NIC', '%ERROR:101: no entries found\n%\n% No entries found.'],
    ['CNNIC', 'No matching record.'],
    ['CIRA', 'Not found: example.zz'],
    ['CoCCA', 'Domain Name: example.zz\nDomain Status: No Object Found'],
    ['TCI', '% TCI Whois Service\n\nNo entries found for the selected source(s).'],
    ['Registro.br', '% No match for example.zz'],
    ['a registry of CentralNic', 'The queried object does not exist: DOMAIN NOT FOUND'],
  ])('%s', (_registry, text) => {
    expect(readWhoisAnswer(text, 'example.zz', false)).toEqual({
      state: 'unknown',
      reason: 'does not know example.zz',
    });
  });
});

describe('invalid responses', () => {
  test.each([
    'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS',
    'Your connection limit exceeded. Please slow down and try again later.',
    '% Quota exceeded',
    'Too many requests from 192.0.2.1',
    'Requests of this client are not permitted. Please use https://www.nic.example/whois/ for queries.',
  ])('%s', (text) => {
    expect(readWhoisAnswer(text, 'example.zz', false)).toMatchObject({
      state: 'unknown',
      isLimit: true,
    });
  });

  test.each([
    ['nothing', ''],
    ['another domain', 'Domain Name: notexample.zz\nRegistry Expiry Date: 2027-03-09T05:00:00Z'],
    ['a longer domain', 'Domain Name: example.zz.org\nRegistry Expiry Date: 2027-03-09'],
    ['a web page', '<html><body>Welcome to example.zz</body></html>'],
  ])('%s', (_what, text) => {
    expect(readWhoisAnswer(text, 'example.zz', false)).toEqual({
      state: 'unknown',
      reason: 'sent no readable answer about example.zz',
    });
  });

  test('an ambiguous date is not guessed [23.23]', () => {
    const text = 'Domain name: example.zz\nRecord will expire on: 03/02/2027';
    expect(readWhoisAnswer(text, 'example.zz', false)).toEqual({
      state: 'unknown',
      reason: 'returned an ambiguous expiry date, "03/02/2027"',
    });
    expect(readWhoisAnswer(text, 'example.zz', true)).toMatchObject({
      expiresAt: Date.UTC(2027, 1, 3, 23, 59, 59),
    });
  });
});

test('never throws for any text', () => {
  const words = fc.constantFrom(
    'Domain: example.zz',
    'expires:',
    '[',
    ']',
    ':',
    '\n',
    '2027-',
    ' ',
    '.',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, fc.boolean(), (text, isFirst) => {
      expect(['known', 'unknown']).toContain(readWhoisAnswer(text, 'example.zz', isFirst).state);
    }),
  );
});

test.each(['example.zz ', ' : ', '[a] ', '% ', '. ', 'domain: example.zz\n', 'not  ', '\n', ' '])(
  'as much as a server may send of %j is read before the test gives up',
  (piece) => {
    const many = piece.repeat((64 * 1024) / piece.length);
    const text = `expires: ${many}x\nstatus: ${many}x\ndomain: example.zz`;
    expect(readWhoisAnswer(text, 'example.zz', false).state).toBe('known');
  },
);
