import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkResult, REGIONS } from '../../test/support/rounds.ts';
import type { RegionResult } from '../model/check.ts';
import type { FailureCode } from '../model/failure.ts';
import {
  ALONE,
  EVERYWHERE,
  evidenceOfCut,
  isNetworkFailure,
  isWell,
  sightingOf,
  stepQuarantine,
  type FailingTarget,
  type Quarantine,
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
    ['uuuu', '', 'ash pdx nbg sin', 'reached'],
    ['duuu', 'ash', 'pdx nbg sin', 'reached'],
    // An answer, whatever it says, came through the network.
    ['huuu', '', 'ash pdx nbg sin', 'reached'],
    ['dduu', 'ash pdx', 'nbg sin', 'reached'],
    ['dddu', '', 'ash pdx nbg sin', 'reached'],
    ['du', 'ash', 'pdx', 'reached'],
    ['du?h', '', 'ash pdx sin', 'reached'],
    ['du??', 'ash', 'pdx', 'reached'],
    ['d???', '', '', 'cut_off'],
    ['u', '', '', 'reached'],
    ['dddd', '', 'ash pdx nbg sin', 'cut_off'],
    ['ddd?', '', 'ash pdx nbg', 'cut_off'],
    ['dddh', '', 'ash pdx nbg sin', 'reached'],
    ['????', '', '', null],
  ])('%s: %s alone, %s sound, %s', (votes, alone, sound, target) => {
    const sighting = sightingOf(resultsOf(votes));
    expect(sighting.alone.join(' ')).toBe(alone);
    expect(sighting.sound.join(' ')).toBe(sound);
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
  ])('%s (%s) is of the network: %s', (code, text, expected) => {
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

/** Other hosts that were seen to work then. */
const reached = (count: number, at: number) =>
  new Map(Array.from({ length: count }, (_, index) => [1_000 + index, at]));

const key = (most: number) => fc.integer({ min: 0, max: most });

describe('the evidence for a broken network', () => {
  test.each<[string, FailingTarget[], Map<number, number>, typeof ALONE, boolean]>([
    ['five fail and nothing else is seen', failing(5), reached(0, NOW), ALONE, true],
    ['four fail', failing(4), reached(0, NOW), ALONE, false],
    ['five fail, five work since', failing(5), reached(5, NOW), ALONE, true],
    ['five fail, six work since', failing(5), reached(6, NOW), ALONE, false],
    ['five fail, ninety worked before', failing(5), reached(90, NOW - 30_000), ALONE, true],
    ['of one host', failing(30, { host: 7 }), reached(0, NOW), ALONE, false],
    ['of one network', failing(30, { network: 7 }), reached(0, NOW), ALONE, false],
    ['by the names of one domain', failing(30, { domain: 7 }), reached(0, NOW), ALONE, false],
    ['that fail for long', failing(9, { since: NOW - 400_000 }), reached(0, NOW), ALONE, false],
    ['last seen long ago', failing(9, { at: NOW - 130_000 }), reached(0, NOW), ALONE, false],
    ['ten fail everywhere', failing(10), reached(2, NOW), EVERYWHERE, true],
    ['ten fail everywhere, three work', failing(10), reached(3, NOW), EVERYWHERE, false],
    ['nine fail everywhere', failing(9), reached(0, NOW), EVERYWHERE, false],
  ])('%s', (_name, targets, works, rule, expected) => {
    expect(evidenceOfCut(targets, works, rule, NOW) !== null).toBe(expected);
  });

  test('a break is noticed though most targets were not looked at since', () => {
    const targets = failing(6, { since: NOW - 3_000 });
    expect(evidenceOfCut(targets, reached(500, NOW - 4_000), ALONE, NOW)).toEqual({
      failing: 6,
      targets: 6,
    });
  });

  const targetOf = (hosts: number, networks: number) =>
    fc.record({
      host: key(hosts),
      network: key(networks),
      domain: key(50),
      since: fc.integer({ min: NOW - 600_000, max: NOW }),
      at: fc.integer({ min: NOW - 300_000, max: NOW }),
    });

  test.each([
    ['four sites', 3, 99],
    ['one host', 0, 99],
    ['one network', 99, 0],
  ])('an outage of %s is never one of ours', (_name, hosts, networks) => {
    fc.assert(
      fc.property(fc.array(targetOf(hosts, networks), { maxLength: 200 }), (targets) => {
        for (const rule of [ALONE, EVERYWHERE])
          expect(evidenceOfCut(targets, new Map(), rule, NOW)).toBeNull();
      }),
    );
  });

  test('more targets that work never make it likelier, and what it says is within the rule', () => {
    const works = fc.array(fc.tuple(key(500), fc.integer({ min: NOW - 300_000, max: NOW })));
    fc.assert(
      fc.property(fc.array(targetOf(99, 99)), works, works, (targets, some, more) => {
        const few = new Map(some.map(([host, at]) => [1_000 + host, at]));
        const many = new Map([...few, ...more.map(([host, at]) => [9_000 + host, at] as const)]);
        const evidence = evidenceOfCut(targets, few, ALONE, NOW);
        if (evidence === null) expect(evidenceOfCut(targets, many, ALONE, NOW)).toBeNull();
        else {
          expect(evidence.failing).toBeGreaterThanOrEqual(ALONE.least);
          expect(evidence.failing / evidence.targets).toBeGreaterThanOrEqual(ALONE.share);
        }
      }),
    );
  });
});

const quarantine = (changes: Partial<Quarantine> = {}): Quarantine => ({
  since: NOW,
  cause: 'alone',
  reason: 'Why',
  wellSince: null,
  ...changes,
});

/** When it ends, looked at each second; null when it does not within five minutes. */
function endOf(start: Quarantine, standingAt: (second: number) => Standing): number | null {
  let current: Quarantine | null = start;
  for (let second = 0; second <= 300; second += 1) {
    current = stepQuarantine(current, standingAt(second), NOW + second * 1_000);
    if (current === null) return second;
  }
  return null;
}

describe('the end of a quarantine', () => {
  test.each<[Standing, boolean]>([
    [{ alone: 0, cutOff: 0, reached: 1 }, true],
    [{ alone: 0, cutOff: 0, reached: 0 }, false],
    // One target may have a trouble of its own.
    [{ alone: 1, cutOff: 0, reached: 5 }, true],
    [{ alone: 2, cutOff: 0, reached: 18 }, false],
    [{ alone: 2, cutOff: 0, reached: 19 }, true],
    [{ alone: 0, cutOff: 10, reached: 10 }, true],
    [{ alone: 0, cutOff: 11, reached: 10 }, false],
  ])('%j is well: %s', (standing, expected) => {
    expect(isWell(standing)).toBe(expected);
  });

  const WELL = { alone: 0, cutOff: 0, reached: 9 };
  const BAD = { alone: 9, cutOff: 0, reached: 1 };
  test.each<[string, Quarantine, (second: number) => Standing, number | null]>([
    ['well at once', quarantine(), () => WELL, 60],
    ['well after 30 s', quarantine(), (second) => (second < 30 ? BAD : WELL), 90],
    ['bad in between', quarantine(), (second) => (second === 59 ? BAD : WELL), 120],
    ['bad for ever', quarantine(), () => BAD, null],
    ['nothing seen', quarantine(), () => ({ alone: 0, cutOff: 0, reached: 0 }), null],
    ['everywhere, well at once', quarantine({ cause: 'everywhere' }), () => WELL, 60],
    [
      'everywhere, well after 90 s',
      quarantine({ cause: 'everywhere' }),
      (second) => (second < 90 ? { alone: 0, cutOff: 20, reached: 3 } : WELL),
      90,
    ],
    ['before a restart', quarantine({ cause: 'earlier', since: 0 }), () => WELL, 60],
    ['by its self-check', quarantine({ cause: 'self_check' }), () => WELL, null],
  ])('%s', (_name, start, standingAt, end) => {
    expect(endOf(start, standingAt)).toBe(end);
  });
});
