import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findingOf,
  GIVE_UP_MS,
  GRACE_MS,
  proofOf,
  stateAfter,
  type DomainState,
  type FoundRecords,
  type Outcome,
} from './domains.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2030, 0, 1);
const PROOF = proofOf('status.acme.example', 'abc', 'up.example.com');

test('a proof is a TXT or a CNAME record that holds the token of the page [41.17]', () => {
  expect(PROOF).toEqual({
    name: '_tocsin.status.acme.example',
    text: 'tocsin-verification=abc',
    alias: 'abc.up.example.com',
  });
});

test.each(['192.0.2.1', '[2001:db8::1]', 'localhost'])(
  'at %s, which is no host name, only a TXT record proves a domain',
  (host) => {
    expect(proofOf('status.acme.example', 'abc', host).alias).toBe(null);
  },
);

test.each<[string, FoundRecords, string]>([
  ['the text', { texts: ['v=spf1', PROOF.text], aliases: [] }, 'proven'],
  ['the text, while CNAME has no answer', { texts: [PROOF.text], aliases: null }, 'proven'],
  ['the alias, while TXT has no answer', { texts: null, aliases: [PROOF.alias!] }, 'proven'],
  ['the alias in other spelling', { texts: [], aliases: ['ABC.up.Example.com.'] }, 'proven'],
  ['nothing', { texts: [], aliases: [] }, 'missing'],
  ['the text of another page', { texts: ['tocsin-verification=abd'], aliases: [] }, 'missing'],
  ['more than the text', { texts: [`${PROOF.text}d`], aliases: [] }, 'missing'],
  ['an alias to the installation itself', { texts: [], aliases: ['up.example.com'] }, 'missing'],
  ['no answer', { texts: null, aliases: null }, 'unknown'],
  ['no answer to one question', { texts: [], aliases: null }, 'unknown'],
])('%s [41.17]', (_records, found, finding) => {
  expect(findingOf(found, PROOF)).toBe(finding);
});

/** Times before now. */
type Before = { verified?: number; failing?: number };

describe('after a verification [41.18]', () => {
  test.each<[string, Before, Outcome, Partial<DomainState>]>([
    ['new', { failing: 0 }, 'proven', { verifiedAt: NOW, failingSince: null, nextAt: NOW + DAY }],
    ['new', { failing: 0 }, 'missing', { verifiedAt: null, nextAt: NOW + MINUTE }],
    ['new', { failing: 0 }, 'unknown', { verifiedAt: null, nextAt: NOW + MINUTE }],
    ['new', { failing: 0 }, 'held', { verifiedAt: null, nextAt: NOW + MINUTE }],
    ['an hour old', { failing: HOUR }, 'missing', { nextAt: NOW + HOUR / 2 }],
    ['a day old', { failing: DAY }, 'missing', { nextAt: NOW + HOUR, failingSince: NOW - DAY }],
    ['a week old', { failing: GIVE_UP_MS }, 'missing', { nextAt: null }],
    ['a week old', { failing: GIVE_UP_MS }, 'unknown', { nextAt: null }],
    ['a week old', { failing: GIVE_UP_MS }, 'proven', { verifiedAt: NOW, nextAt: NOW + DAY }],
    ['verified', { verified: DAY }, 'proven', { verifiedAt: NOW - DAY, nextAt: NOW + DAY }],
    [
      'verified',
      { verified: DAY },
      'missing',
      { verifiedAt: NOW - DAY, failingSince: NOW, nextAt: NOW + HOUR },
    ],
    [
      'verified',
      { verified: DAY },
      'unknown',
      { verifiedAt: NOW - DAY, failingSince: null, nextAt: NOW + HOUR },
    ],
    [
      'verified, failing for 3 days',
      { verified: 9 * DAY, failing: GRACE_MS },
      'unknown',
      { verifiedAt: NOW - 9 * DAY, failingSince: NOW - GRACE_MS },
    ],
    [
      'verified, failing for less',
      { verified: 9 * DAY, failing: GRACE_MS - 1 },
      'missing',
      { verifiedAt: NOW - 9 * DAY, nextAt: NOW + HOUR },
    ],
    [
      'verified, failing for 3 days',
      { verified: 9 * DAY, failing: GRACE_MS },
      'missing',
      { verifiedAt: null, failingSince: NOW, nextAt: NOW + MINUTE },
    ],
    [
      'verified, failing for 3 days',
      { verified: 9 * DAY, failing: GRACE_MS },
      'proven',
      { verifiedAt: NOW - 9 * DAY, failingSince: null, error: null },
    ],
  ])('%s %j: %s', (_name, { verified, failing }, outcome, expected) => {
    const before = {
      verifiedAt: verified === undefined ? null : NOW - verified,
      failingSince: failing === undefined ? null : NOW - failing,
    };
    expect(stateAfter(before, outcome, PROOF, NOW)).toMatchObject(expected);
  });

  test('a domain without a record is looked up some 190 times in 7 days, and then no more', () => {
    let state: DomainState = { verifiedAt: null, failingSince: NOW, nextAt: NOW, error: null };
    let times = 0;
    for (; state.nextAt !== null; times++)
      state = stateAfter(state, 'missing', PROOF, state.nextAt);
    expect(times).toBeGreaterThan(150);
    expect(times).toBeLessThan(200);
    expect(state.error).toContain('ended after 7 days');
  });

  test('an error is told exactly while a domain is not proven', () => {
    const outcome = fc.constantFrom<Outcome>('proven', 'missing', 'unknown', 'held');
    const time = fc.option(fc.integer({ min: 0, max: 30 * DAY }).map((ago) => NOW - ago));
    const before = fc.record({ verifiedAt: time, failingSince: time });
    fc.assert(
      fc.property(before, outcome, (state, what) => {
        const after = stateAfter(state, what, PROOF, NOW);
        expect(after.error === null).toBe(what === 'proven');
        expect(after.nextAt === null || after.nextAt > NOW).toBe(true);
        if (after.verifiedAt !== null) expect(after.nextAt).not.toBe(null);
      }),
    );
  });
});
