import type { InspectionSettings } from '../../monitor-types/fields.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../model/failure.ts';
import type { CertificateFacts, ChainLink, Finding, SslFacts } from '../../model/inspection.ts';
import { daysLeft, describeCertificateChange, sslFinding } from './finding.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 12);

const SETTINGS: InspectionSettings = {
  ssl_expiry_threshold: 14,
  domain_expiry_threshold: 30,
  verify_ssl: true,
};
const UNVERIFIED: InspectionSettings = { ...SETTINGS, verify_ssl: false };

const CERTIFICATE: CertificateFacts = {
  fingerprint: 'a1'.repeat(32),
  serialNumber: '4A11',
  subject: 'shop.example',
  issuer: 'R10',
  names: ['shop.example'],
  validFrom: NOW - 30 * DAY_MS,
  validTo: NOW + 60 * DAY_MS,
  keyType: 'ec',
  keyBits: 256,
};

interface Differences {
  certificate?: Partial<CertificateFacts>;
  chain?: ChainLink[];
  fault?: Failure;
  ocsp?: 'good' | 'revoked' | 'unknown' | 'unreadable';
}

function factsWith({ certificate, chain, fault, ocsp }: Differences = {}): SslFacts {
  return {
    address: '192.0.2.1',
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    certificate: { ...CERTIFICATE, ...certificate },
    chain: chain ?? [],
    fault: fault ?? null,
    ocsp: ocsp === undefined ? null : { status: ocsp, producedAt: null, nextUpdate: null },
  };
}

const linkUntil = (validTo: number, more: Partial<ChainLink> = {}): ChainLink => ({
  subject: 'R10',
  issuer: 'Root X1',
  validTo,
  ...more,
});

const invalid = (code: string, text: string): unknown => ({
  says: 'bad',
  condition: 'ssl_invalid',
  code,
  text,
});
const expiring = (text: string): unknown => ({
  says: 'bad',
  condition: 'ssl_expiring',
  code: 'tls_expiring',
  text,
});
const GOOD = { says: 'good' };
const WRONG_HOST: Failure = {
  code: 'tls_wrong_host',
  text: 'TLS certificate is for other.example, not shop.example',
};
const UNTRUSTED: Failure = { code: 'tls_untrusted', text: 'TLS certificate is not trusted: …' };

const until = (ms: number): Differences => ({ certificate: { validTo: NOW + ms } });
const validIn = (ms: number): Differences => ({ certificate: { validFrom: NOW + ms } });
const expired = (date: string) => invalid('tls_expired', `TLS certificate expired on ${date}`);
const notBefore = (date: string) =>
  invalid('tls_not_yet_valid', `TLS certificate is not valid before ${date}`);
const chainOf = (...chain: ChainLink[]): Differences => ({ chain });
const named = (text: string) => `The authority's TLS certificate R10 ${text}`;
const REVOKED = invalid('tls_revoked', 'TLS certificate is revoked');
const NINE_DAYS = expiring('TLS certificate expires in 9 days, on 2026-11-30');
const faulty = ({ code, text }: Failure) => invalid(code, text);

describe('what a certificate means [23.3]', () => {
  test.each<[string, Differences, unknown, InspectionSettings?]>([
    ['nothing is wrong', {}, GOOD],
    ['expired', until(-HOUR_MS), expired('2026-11-21')],
    ['expired this very moment', until(0), expired('2026-11-21')],
    [
      'expired, unverified',
      { ...until(-20 * DAY_MS), fault: WRONG_HOST },
      expired('2026-11-01'),
      UNVERIFIED,
    ],
    ['not yet valid', validIn(1), notBefore('2026-11-21')],
    ['valid from this moment on', validIn(0), GOOD],
    ['not yet valid, unverified', validIn(DAY_MS), notBefore('2026-11-22'), UNVERIFIED],
    ['revoked', { ocsp: 'revoked', fault: WRONG_HOST }, REVOKED],
    ['revoked, unverified', { ocsp: 'revoked' }, REVOKED, UNVERIFIED],
    ['revoked and expired', { ocsp: 'revoked', ...until(-DAY_MS) }, expired('2026-11-20')],
    ['a staple that says good', { ocsp: 'good' }, GOOD],
    ['a staple that says unknown', { ocsp: 'unknown' }, GOOD],
    ["a staple that can't be read", { ocsp: 'unreadable' }, GOOD],
    ['a good staple clears no fault', { ocsp: 'good', fault: UNTRUSTED }, faulty(UNTRUSTED)],
    ['a fault before a near end', { fault: WRONG_HOST, ...until(DAY_MS) }, faulty(WRONG_HOST)],
    ['a fault, unverified', { fault: WRONG_HOST }, GOOD, UNVERIFIED],
    ['and a near end', { fault: WRONG_HOST, ...until(9 * DAY_MS) }, NINE_DAYS, UNVERIFIED],
  ])('%s [23.3]', (_name, differences, expected, settings = SETTINGS) => {
    expect(sslFinding(factsWith(differences), settings, NOW)).toEqual(expected);
  });
});

describe('an end that is near', () => {
  test.each([
    [14 * DAY_MS, null],
    [14 * DAY_MS - 1, 'TLS certificate expires in 13 days, on 2026-12-05'],
    [2 * DAY_MS, 'TLS certificate expires in 2 days, on 2026-11-23'],
    [2 * DAY_MS - 1, 'TLS certificate expires in 1 day, on 2026-11-23'],
    [DAY_MS - 1, 'TLS certificate expires in less than a day, on 2026-11-22'],
    [1, 'TLS certificate expires in less than a day, on 2026-11-21'],
  ])('%i ms away, with a threshold of 14 days', (ms, text) => {
    const facts = factsWith({ certificate: { validTo: NOW + ms } });
    expect(sslFinding(facts, SETTINGS, NOW)).toEqual(text === null ? GOOD : expiring(text));
  });

  test('each monitor has its own threshold [22.2]', () => {
    const facts = factsWith({ certificate: { validTo: NOW + 20 * DAY_MS } });
    const says = (days: number): string =>
      sslFinding(facts, { ...SETTINGS, ssl_expiry_threshold: days }, NOW).says;
    expect([1, 20, 21, 365].map(says)).toEqual(['good', 'good', 'bad', 'bad']);
  });
});

describe("an authority's certificate [23.8]", () => {
  const soon = linkUntil(NOW + 5 * DAY_MS);
  const SPARE = { isSpare: true } as const;
  const nameless = linkUntil(NOW + 6 * DAY_MS, { subject: null });
  const ofSix = expiring("The authority's TLS certificate expires in 6 days, on 2026-11-27");
  test.each<[string, Differences, unknown, InspectionSettings?]>([
    ['ends later', chainOf(linkUntil(NOW + 900 * DAY_MS)), GOOD],
    ['ends earlier', chainOf(soon), expiring(named('expires in 5 days, on 2026-11-26'))],
    [
      'ends first of several',
      { ...until(8 * DAY_MS), ...chainOf(linkUntil(NOW + 7 * DAY_MS), nameless) },
      ofSix,
    ],
    [
      'ends together with the other',
      { certificate: { validTo: soon.validTo }, chain: [soon] },
      expiring('TLS certificate expires in 5 days, on 2026-11-26'),
    ],
    [
      'has ended since somebody looked',
      chainOf(linkUntil(NOW)),
      invalid('tls_expired', named('expired on 2026-11-21')),
    ],
    ['ends, unverified', chainOf(soon), GOOD, UNVERIFIED],
    ['has ended, unverified', chainOf(linkUntil(NOW - 1)), GOOD, UNVERIFIED],
    ['is spare', chainOf({ ...soon, ...SPARE }, linkUntil(NOW - DAY_MS, SPARE)), GOOD],
  ])('%s', (_name, differences, expected, settings = SETTINGS) => {
    expect(sslFinding(factsWith(differences), settings, NOW)).toEqual(expected);
  });
});

describe('dates are judged by now, not by when somebody looked', () => {
  const early = factsWith({
    certificate: { validFrom: NOW + HOUR_MS },
    fault: { code: 'tls_not_yet_valid', text: 'TLS certificate is not valid before 2026-11-21' },
  });

  test('what was too early and no longer is hid the rest: nothing is known until the next look', () => {
    expect(sslFinding(early, SETTINGS, NOW)).toMatchObject({
      says: 'bad',
      code: 'tls_not_yet_valid',
    });
    expect(sslFinding(early, SETTINGS, NOW + HOUR_MS)).toEqual({ says: 'unknown' });
    expect(sslFinding(early, UNVERIFIED, NOW + HOUR_MS)).toEqual(GOOD);
  });

  test('but its end is known', () => {
    expect(sslFinding(early, SETTINGS, CERTIFICATE.validTo - DAY_MS)).toEqual(
      expiring('TLS certificate expires in 1 day, on 2027-01-20'),
    );
  });

  test('an authority that was too early, or has ended, stands as it was found', () => {
    for (const fault of [
      {
        code: 'tls_not_yet_valid',
        text: "The authority's TLS certificate R10 is not valid before 2026-11-21",
      },
      { code: 'tls_expired', text: "The authority's TLS certificate R10 expired on 2026-11-20" },
    ] as const) {
      expect(sslFinding(factsWith({ fault }), SETTINGS, NOW + DAY_MS)).toEqual(
        invalid(fault.code, fault.text),
      );
    }
  });
});

function badness(finding: Finding): number {
  if (finding.says !== 'bad') return 0;
  return finding.condition === 'ssl_expiring' ? 1 : 2;
}

describe('for any certificate', () => {
  const time = fc.integer({ min: NOW - 400 * DAY_MS, max: NOW + 400 * DAY_MS });
  const link = fc.record({
    subject: fc.option(fc.string()),
    issuer: fc.option(fc.string()),
    validTo: time,
    isSpare: fc.constantFrom(true as const, undefined),
  });
  const settings = fc.record({
    ssl_expiry_threshold: fc.integer({ min: 1, max: 365 }),
    domain_expiry_threshold: fc.constant(30),
    verify_ssl: fc.boolean(),
  });
  const chains = fc
    .array(link, { maxLength: 4 })
    .map((links) => links.map(({ isSpare, ...rest }) => (isSpare ? { ...rest, isSpare } : rest)));

  test('time makes it worse: good, then expiring, then expired', () => {
    fc.assert(
      fc.property(time, chains, settings, fc.array(time), (validTo, chain, each, times) => {
        const facts = factsWith({ certificate: { validFrom: 0, validTo }, chain });
        const ranks = times
          .toSorted((a, b) => a - b)
          .map((now) => badness(sslFinding(facts, each, now)));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });

  test('it is expiring exactly from the threshold on [23.5]', () => {
    fc.assert(
      fc.property(time, settings, (validTo, each) => {
        const facts = factsWith({ certificate: { validFrom: 0, validTo } });
        const begins = validTo - each.ssl_expiry_threshold * DAY_MS;
        const says = (now: number): unknown => sslFinding(facts, each, now);
        expect(says(begins)).toEqual(GOOD);
        expect(says(begins + 1)).toMatchObject({ condition: 'ssl_expiring' });
        expect(says(validTo - 1)).toMatchObject({ condition: 'ssl_expiring' });
        expect(says(validTo)).toMatchObject({ condition: 'ssl_invalid' });
      }),
    );
  });
});

test.each([
  [14 * DAY_MS, 14],
  [14 * DAY_MS - 1, 13],
  [DAY_MS - 1, 0],
  [0, 0],
  [-1, -1],
  [-DAY_MS, -1],
])('%i ms are %i days left', (ms, days) => {
  expect(daysLeft(NOW + ms, NOW)).toBe(days);
});

describe('a change of the certificate [23.10]', () => {
  const before = factsWith({ certificate: { validTo: Date.UTC(2026, 11, 1) } });
  const renewed = (more: Partial<CertificateFacts> = {}): SslFacts =>
    factsWith({
      certificate: {
        fingerprint: 'b2'.repeat(32),
        issuer: 'R11',
        validTo: Date.UTC(2027, 0, 5),
        ...more,
      },
    });

  test('is told', () => {
    expect(describeCertificateChange(before, renewed())).toBe(
      'The TLS certificate was replaced: issued by R11, valid until 2027-01-05 (before: issued by R10, until 2026-12-01).',
    );
    expect(describeCertificateChange(renewed({ issuer: null }), before)).toBe(
      'The TLS certificate was replaced: issued by R10, valid until 2026-12-01 (before: issued by an authority without a name, until 2027-01-05).',
    );
  });

  test('is none when only the way to it changed', () => {
    const same = factsWith({
      certificate: { validTo: Date.UTC(2026, 11, 1) },
      chain: [linkUntil(NOW)],
      ocsp: 'good',
      fault: WRONG_HOST,
    });
    expect(describeCertificateChange(before, same)).toBeNull();
  });
});
