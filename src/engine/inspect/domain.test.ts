import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DomainFacts, Finding } from '../../model/inspection.ts';
import { domainFinding } from './finding.ts';

const DAY_MS = 86_400_000;
const EXPIRES_AT = Date.UTC(2026, 10, 30, 12);

function judge(more: Partial<DomainFacts>, now: number, days = 30): Finding {
  const facts: DomainFacts = {
    expiresAt: EXPIRES_AT,
    registrar: null,
    statuses: [],
    source: 'rdap',
    server: 'rdap.example',
    ...more,
  };
  return domainFinding('example.com', facts, { domain_expiry_threshold: days }, now);
}

const EXPIRED = { says: 'bad', condition: 'domain_expired', code: 'domain_expired' };
const EXPIRING = { says: 'bad', condition: 'domain_expiring', code: 'domain_expiring' };

describe('by its date', () => {
  test.each([
    ['31 days before', -31 * DAY_MS, { says: 'good' }],
    ['at the threshold', -30 * DAY_MS, { says: 'good' }],
    ['a millisecond below it', -30 * DAY_MS + 1, 'expires in 29 days, on 2026-11-30'],
    ['12 days and some hours before', -12.7 * DAY_MS, 'expires in 12 days, on 2026-11-30'],
    ['a day before', -DAY_MS, 'expires in 1 day, on 2026-11-30'],
    ['an hour before', -3_600_000, 'expires in less than a day, on 2026-11-30'],
  ])('%s', (_when, sinceMs, expected) => {
    expect(judge({}, EXPIRES_AT + sinceMs)).toEqual(
      typeof expected === 'string'
        ? { ...EXPIRING, text: `Domain example.com ${expected}` }
        : expected,
    );
  });

  test.each([0, 1, 90 * DAY_MS])('%d ms after', (sinceMs) => {
    const text = 'Domain example.com expired on 2026-11-30';
    expect(judge({}, EXPIRES_AT + sinceMs)).toEqual({ ...EXPIRED, text });
  });
});

describe('by its status, whatever the date [23.20]', () => {
  test.each([
    [['client hold', 'redemption period'], 'is in its redemption period'],
    [['pending delete'], 'is about to be deleted'],
    [['pending delete', 'redemption period'], 'is in its redemption period'],
  ])('%s', (statuses, text) => {
    for (const expiresAt of [EXPIRES_AT, null]) {
      const finding = judge({ statuses, expiresAt }, EXPIRES_AT - 300 * DAY_MS);
      expect(finding).toEqual({ ...EXPIRED, text: `Domain example.com ${text}` });
    }
  });

  test('others mean nothing', () => {
    const statuses = ['client hold', 'auto renew period', 'inactive'];
    expect(judge({ statuses }, EXPIRES_AT - 300 * DAY_MS)).toEqual({ says: 'good' });
  });
});

test('without a date it is good: it is registered, and more is not told [23.22]', () => {
  expect(judge({ expiresAt: null }, EXPIRES_AT)).toEqual({ says: 'good' });
});

function rank(finding: Finding): number {
  if (finding.says !== 'bad') return 0;
  return finding.condition === 'domain_expired' ? 2 : 1;
}

test('as time passes it only gets worse', () => {
  const instants = fc.integer({ min: EXPIRES_AT - 400 * DAY_MS, max: EXPIRES_AT + 400 * DAY_MS });
  fc.assert(
    fc.property(instants, instants, fc.integer({ min: 1, max: 365 }), (one, other, threshold) => {
      const earlier = rank(judge({}, Math.min(one, other), threshold));
      expect(rank(judge({}, Math.max(one, other), threshold))).toBeGreaterThanOrEqual(earlier);
    }),
  );
});

test('a longer threshold never makes it better', () => {
  const thresholds = fc.integer({ min: 1, max: 365 });
  const instants = fc.integer({ min: EXPIRES_AT - 400 * DAY_MS, max: EXPIRES_AT + DAY_MS });
  fc.assert(
    fc.property(instants, thresholds, thresholds, (now, one, other) => {
      if (judge({}, now, Math.max(one, other)).says === 'good') {
        expect(judge({}, now, Math.min(one, other)).says).toBe('good');
      }
    }),
  );
});
