import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkResult, REGIONS } from '../../../test/support/rounds.ts';
import type { RegionResult } from '../../model/check.ts';
import type { FailureCode } from '../../model/failure.ts';
import { isNetworkFailure } from './network-fault.ts';
import {
  doubtfulMoment,
  FIRST_SAMPLE,
  FULL_SAMPLE,
  isTrustedAgain,
  NEVER_ASKED,
  sampleSize,
  observationOf,
  suspiciousMoments,
  type AnsweringTarget,
  type Asked,
  type FailingTarget,
  type Inquiry,
  type Moment,
  type Standing,
} from './region-health.ts';

const NOW = 10_000_000;

function resultsOf(votes: string, code: FailureCode = 'connection_timeout'): RegionResult[] {
  return [...votes].map((letter, index) => {
    const vote = letter === 'u' ? 'up' : letter === '?' ? 'unknown' : 'down';
    const down = { failure: { code: letter === 'h' ? 'http_status' : code, text: 'Why' } } as const;
    const result = checkResult(vote, vote === 'down' ? down : {});
    return { ...result, region: REGIONS[index]!, checkedAt: NOW };
  });
}

describe('what a round says of its regions', () => {
  test.each([
    ['uuuu', '', 'reached'],
    ['duuu', 'ash', 'reached'],
    // An answer, whatever it says, came through the network.
    ['huuu', '', 'reached'],
    ['dduu', 'ash pdx', 'reached'],
    ['dddu', '', 'reached'],
    ['du', 'ash', 'reached'],
    ['du?h', '', 'reached'],
    ['du??', 'ash', 'reached'],
    ['d???', '', 'cut_off'],
    ['u', '', 'reached'],
    ['dddd', '', 'cut_off'],
    ['ddd?', '', 'cut_off'],
    ['dddh', '', 'reached'],
    ['????', '', null],
  ])('%s: %s alone, %s', (votes, alone, target) => {
    const sighting = observationOf(resultsOf(votes));
    expect(sighting.alone.join(' ')).toBe(alone);
    expect(sighting.target).toBe(target);
  });

  test.each<[FailureCode, string, boolean]>([
    ['dns_timeout', 'Name look-up timed out', true],
    ['connection_refused', 'Refused', true],
    ['connection_timeout', 'Timed out', true],
    ['connection_reset', 'Reset', true],
    ['host_unreachable', 'Unreachable', true],
    ['no_response', 'No response within 30 s', true],
    ['no_echo', 'No echo', true],
    ['tls_handshake', 'TLS handshake not finished within 5 s', true],
    ['tls_handshake', 'TLS handshake failed: no shared cipher', false],
    ['tls_expired', 'Expired', false],
    ['http_status', 'HTTP 503', false],
    ['keyword_missing', 'Missing', false],
    ['error_text', 'Error text', false],
    ['target_not_allowed', 'Not allowed', false],
  ])('%s (%s) is of the network: %s [25.2]', (code, text, expected) => {
    expect(isNetworkFailure({ vote: 'down', failure: { code, text } })).toBe(expected);
    expect(isNetworkFailure({ vote: 'unknown', failure: { code, text } })).toBe(false);
  });
});

/** Targets that have nothing in common, one failing each second, and seen to fail just now. */
function failing(count: number, overrides: Partial<FailingTarget> = {}): FailingTarget[] {
  return Array.from({ length: count }, (_, index) => ({
    host: index,
    network: index,
    domain: index,
    since: NOW - 20_000 + index * 1_000,
    at: NOW,
    ...overrides,
  }));
}

/** Other targets that answered then. */
const answering = (count: number, at: number, overrides: Partial<AnsweringTarget> = {}) =>
  Array.from({ length: count }, (_, index) => ({
    host: 1_000 + index,
    network: 1_000 + index,
    at,
    ...overrides,
  }));

const timesOf = (found: Moment[]) => found.map(({ since }) => since);
const key = (most: number) => fc.integer({ min: 0, max: most });
const targetOf = (hosts: number, networks: number) =>
  fc.record({
    host: key(hosts),
    network: key(networks),
    domain: key(50),
    since: fc.integer({ min: NOW - 600_000, max: NOW }),
    at: fc.integer({ min: NOW - 300_000, max: NOW }),
  });
const answerOf = fc.record({
  host: fc.integer({ min: 1_000, max: 1_500 }),
  network: fc.integer({ min: 1_000, max: 1_500 }),
  at: fc.integer({ min: NOW - 300_000, max: NOW }),
});

describe('the suspicion that a network is broken', () => {
  test.each<[string, FailingTarget[], AnsweringTarget[], number | null]>([
    ['one fails and nothing else is seen', failing(1), [], 1],
    ['one fails, one answers since', failing(1), answering(1, NOW), null],
    ['one fails, all answered before', failing(1), answering(99, NOW - 21_000), 1],
    ['forty-one fail, one answers', failing(41, { since: NOW - 9 }), answering(1, NOW), 41],
    ['thirty-nine fail, one answers', failing(39, { since: NOW - 9 }), answering(1, NOW), null],
    ['of one host', failing(30, { host: 7 }), [], 1],
    ['of one network', failing(30, { network: 7 }), [], 1],
    ['by the names of one domain', failing(30, { domain: 7 }), [], 1],
    [
      'answers of one network',
      failing(90, { since: NOW - 9 }),
      answering(60, NOW, { network: 7 }),
      90,
    ],
    ['that fail for long', failing(9, { since: NOW - 400_000 }), [], null],
    ['last seen long ago', failing(9, { at: NOW - 130_000 }), [], null],
  ])('%s', (_name, targets, answers, expected) => {
    const moments = suspiciousMoments(targets, answers, NOW);
    expect(moments.at(-1)?.failing ?? null).toBe(expected);
  });

  test('a break is noticed though most targets were not seen since', () => {
    const targets = failing(6, { since: NOW - 3_000 });
    expect(suspiciousMoments(targets, answering(500, NOW - 4_000), NOW)).toEqual([
      { since: NOW - 3_000, failing: 6, answering: 0 },
    ]);
  });

  test('more targets that answer never make it likelier', () => {
    const answers = fc.array(answerOf);
    fc.assert(
      fc.property(fc.array(targetOf(99, 99)), answers, answers, (targets, some, more) => {
        const few = timesOf(suspiciousMoments(targets, some, NOW));
        const many = timesOf(suspiciousMoments(targets, [...some, ...more], NOW));
        expect(few).toEqual(expect.arrayContaining(many));
      }),
    );
  });

  test('while a fifth of the unrelated targets answers, no moment is suspicious [25.1]', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 100 }),
        (down, extra) => {
          const up = Math.ceil(down / 4) + extra;
          const targets = failing(down, { since: NOW - 5_000 });
          expect(suspiciousMoments(targets, answering(up, NOW - 4_000), NOW)).toEqual([]);
        },
      ),
    );
  });
});

describe('the doubt', () => {
  const asked: Inquiry = {
    askedAt: NOW,
    verdict: 'unknown',
    selfCheckAnsweredAt: -Infinity,
    minFailing: 10,
  };
  const moment = (count: number): Moment => ({ since: NOW - 5_000, failing: count, answering: 0 });
  test.each<[string, number, Partial<Inquiry>, boolean]>([
    ['ten fail', 10, {}, true],
    ['ten fail, but nobody was asked since', 10, { askedAt: NOW - 6_000 }, false],
    ['ten fail, though the machine knows of nothing', 10, { verdict: 'works' }, true],
    ['nine fail', 9, {}, false],
    ['nine fail, and the machine finds itself well', 9, { verdict: 'works' }, false],
    ['one fails, and the machine knows why', 1, { verdict: 'cut' }, true],
    [
      "ten fail, one of the operator's targets answered since",
      10,
      { selfCheckAnsweredAt: NOW },
      false,
    ],
    [
      'the machine knows why, but such a target answered',
      1,
      { verdict: 'cut', selfCheckAnsweredAt: NOW },
      false,
    ],
    ['such a target answered before', 10, { selfCheckAnsweredAt: NOW - 6_000 }, true],
  ])('%s', (_name, count, inquiry, expected) => {
    expect(doubtfulMoment([moment(count)], { ...asked, ...inquiry }) !== null).toBe(expected);
  });

  test.each([
    ['four sites', 3, 99],
    ['one host', 0, 99],
    ['one network', 99, 0],
  ])('is never raised by an outage of %s alone [25.7]', (_name, hosts, networks) => {
    fc.assert(
      fc.property(fc.array(targetOf(hosts, networks), { maxLength: 200 }), (targets) => {
        const moments = suspiciousMoments(targets, [], NOW);
        for (const minFailing of [5, 10])
          expect(doubtfulMoment(moments, { ...asked, minFailing })).toBeNull();
      }),
    );
  });
});

describe('the number of targets to ask', () => {
  const ago = (seconds: number): Moment => ({
    since: NOW - seconds * 1_000,
    failing: 1,
    answering: 0,
  });
  const at = (seconds: number, full = seconds): Asked => ({
    at: NOW - seconds * 1_000,
    completeAt: NOW - seconds * 1_000 + 10,
    fullAt: NOW - full * 1_000,
  });
  test.each<[string, Moment[], boolean, Asked, number]>([
    ['nothing is suspicious', [], false, NEVER_ASKED, 0],
    ['just began', [ago(0.5)], false, NEVER_ASKED, 0],
    ['for a second', [ago(1)], false, NEVER_ASKED, FIRST_SAMPLE],
    ['a new one, asked 3 s ago', [ago(1)], false, at(3), 0],
    ['a new one, asked 4 s ago', [ago(1)], false, at(4), FIRST_SAMPLE],
    ['the first ones are silent', [ago(5)], false, at(3, 60), FULL_SAMPLE],
    ['all are silent', [ago(6)], false, at(3), 0],
    ['all are silent for 5 s', [ago(6)], false, at(5), FULL_SAMPLE],
    ['all are silent for long', [ago(60)], false, at(29), 0],
    ['all are silent for longer', [ago(60)], false, at(30), FULL_SAMPLE],
    ['in doubt', [], true, at(9), 0],
    ['in doubt for 10 s', [], true, at(10), FULL_SAMPLE],
    ['the clock was set back', [ago(2)], false, { ...at(3600), at: NOW + 9e6 }, FIRST_SAMPLE],
  ])('%s', (_name, moments, isQuarantined, asked, expected) => {
    expect(sampleSize(moments, isQuarantined, asked, NOW)).toBe(expected);
  });
});

test.each<[string, Partial<Standing>, boolean, boolean]>([
  ['one of twenty answers', { failing: 19, answering: 1 }, false, true],
  ['one of thirty answers', { failing: 29, answering: 1 }, false, false],
  ['nothing was seen', {}, true, false],
  ['none answers', { failing: 20 }, false, false],
  ['few fail, and the machine is well again', { failing: 3, verdict: 'works' }, true, true],
  ['few fail, and the machine still knows why', { failing: 3, verdict: 'cut' }, true, false],
  ['few are seen of many that failed', { failing: 3, verdict: 'works' }, false, false],
  ['many fail, though the machine is well', { failing: 10, verdict: 'works' }, true, false],
])('a doubted network is trusted again: %s', (_name, seen, isByMachine, expected) => {
  const standing: Standing = {
    failing: 0,
    answering: 0,
    verdict: 'unknown',
    minFailing: 10,
    ...seen,
  };
  expect(isTrustedAgain(standing, isByMachine)).toBe(expected);
});
