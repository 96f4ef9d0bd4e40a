import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkResult,
  REGIONS,
  roundOf,
  settingsOf,
  stateOf,
} from '../../../test/support/rounds.ts';
import type { FamilyOutcomes, RegionResult } from '../../model/check.ts';
import type { Round, RoundSettings } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import { evaluateRound, type EvaluatedRound } from './evaluate.ts';
import { classOf, verdictOf } from './round.ts';

const MISSING = { code: 'keyword_missing', text: 'Keyword "Welcome" is missing' } as const;
const FOUND = { code: 'keyword_found', text: 'Keyword "Fatal" was found' } as const;
const ASSERTION = { code: 'json_assertion', text: 'JSON a is 1, expected 2' } as const;
const TIMED_OUT = {
  code: 'connection_timeout',
  text: 'Connection to 2001:db8::1 timed out',
} as const;
const STATUS = { code: 'http_status', text: 'HTTP 503 Service Unavailable' } as const;
const FAMILIES: Record<string, FamilyOutcomes> = {
  b: { ipv4: null, ipv6: null },
  '6': { ipv4: null, ipv6: TIMED_OUT },
  '4': { ipv4: TIMED_OUT, ipv6: null },
};

/**
 * One letter a region: `u` up, `d` unreachable, `k` a keyword is missing, `f` one was found, `j` an assertion failed,
 * `?` unknown; `b` up by both families, `6` up with IPv6 broken, `4` up with IPv4 broken, `1` up with one family
 * only.
 */
function round(letters: string, overrides: Partial<Round> = {}): Round {
  const startedAt = overrides.startedAt ?? 1_000_000;
  const results = [...letters].map((letter, index): RegionResult => {
    const place = { region: REGIONS[index]!, checkedAt: startedAt + index };
    const failure = { k: MISSING, f: FOUND, j: ASSERTION }[letter];
    if (failure) {
      return { ...checkResult('down', { failure, statusCode: 200, responseTimeMs: 20 }), ...place };
    }
    if (letter === '1') return { ...checkResult('up', { hasOneFamily: true }), ...place };
    const families = FAMILIES[letter];
    if (families) return { ...checkResult('up', { families }), ...place };
    return {
      ...checkResult(letter === 'u' ? 'up' : letter === 'd' ? 'down' : 'unknown'),
      ...place,
    };
  });
  const plain = roundOf('u'.repeat(letters.length), { startedAt, ...overrides });
  return { ...plain, results };
}

/** All regions fail by the status, with IPv6 broken. */
function roundOfErrors(startedAt: number): Round {
  const { results, ...rest } = round('6666', { settings: BOTH, startedAt, slot: startedAt });
  return { ...rest, results: results.map((one) => ({ ...one, vote: 'down', failure: STATUS })) };
}

const KEYWORD = settingsOf({ content: 'keyword' });
const BOTH = settingsOf({ checkBothFamilies: true });

describe('a verdict tells content from reachability [18.8]', () => {
  test.each([
    // regions | whole | reachability | content | named as failing
    ['uuuu', 'up', 'up', 'good', ''],
    ['kkkk', 'down', 'up', 'bad', 'ash pdx nbg sin'],
    ['kkku', 'down', 'up', 'bad', 'ash pdx nbg'],
    ['kkkd', 'down', 'regional', 'bad', 'sin'],
    ['kkuu', 'regional', 'regional', 'good', 'ash pdx'],
    ['kuuu', 'regional', 'regional', 'good', 'ash'],
    ['kduu', 'regional', 'regional', 'good', 'ash pdx'],
    // All fail, half of them before there was anything to search: the worse is said.
    ['kkdd', 'down', 'down', 'unknown', 'ash pdx nbg sin'],
    ['dddd', 'down', 'down', 'unknown', 'ash pdx nbg sin'],
    ['dddu', 'down', 'down', 'unknown', 'ash pdx nbg'],
    ['duuu', 'regional', 'regional', 'good', 'ash'],
    ['d???', 'regional', 'regional', 'unknown', 'ash'],
    // Nobody saw the page as it should be.
    ['k???', 'regional', 'regional', 'unknown', 'ash'],
    ['kd??', 'regional', 'regional', 'unknown', 'ash pdx'],
    ['????', 'unknown', 'unknown', 'unknown', ''],
  ])('%s', (letters, whole, reachability, content, failing) => {
    expect(verdictOf(round(letters, { settings: KEYWORD }))).toMatchObject({
      class: whole,
      reachability,
      content,
      failing: failing.split(' ').filter(Boolean),
    });
  });

  test('without a content check nothing is said of content', () => {
    expect(verdictOf(round('uuuu')).content).toBe('off');
  });

  test('a round is down exactly when a majority fails, and then something critical is bad', () => {
    const anyLetters = fc.string({
      unit: fc.constantFrom('u', 'd', 'k', '?'),
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(anyLetters, (letters) => {
        const verdict = verdictOf(round(letters, { settings: KEYWORD }));
        const voting = [...letters].filter((letter) => letter !== '?');
        const down = voting.filter((letter) => letter !== 'u').length;
        expect(verdict.class).toBe(classOf(letters.length, voting.length, down));
        const isCritical = verdict.reachability === 'down' || verdict.content === 'bad';
        expect(isCritical).toBe(verdict.class === 'down');
        expect(verdict.reachability === 'down' && verdict.content === 'bad').toBe(false);
      }),
    );
  });
});

describe('a verdict on both families of addresses', () => {
  test.each([
    ['bbbb', 'good'],
    ['6666', 'bad'],
    ['666b', 'bad'],
    ['6bbb', 'unknown'],
    ['66bb', 'unknown'],
    // The name has one family only, or nothing was found out.
    ['1111', 'good'],
    ['1uuu', 'good'],
    ['6661', 'bad'],
    ['uuuu', 'unknown'],
    ['66uu', 'unknown'],
    ['666u', 'bad'],
    ['????', 'unknown'],
    ['4444', 'bad'],
  ])('%s is %s', (letters, verdict) => {
    expect(verdictOf(round(letters, { settings: BOTH })).dualStack).toBe(verdict);
    expect(verdictOf(round(letters)).dualStack).toBe(letters === '????' ? 'unknown' : 'off');
  });
});

/** Evaluates rounds 30 s apart. */
function evaluate(rounds: string[], settings: RoundSettings, from: MonitorState = stateOf()) {
  let state = from;
  const start = (from.lastSlot ?? 0) + 30_000;
  const decisions = rounds.map((letters, index) => {
    const decision: EvaluatedRound = evaluateRound(
      state,
      round(letters, { startedAt: start + index * 30_000, settings }),
    );
    state = decision.state;
    return decision;
  });
  return { decisions, state, incidents: decisions.flatMap((one) => one.incidents) };
}

const summaryOf = (incidents: EvaluatedRound['incidents']) =>
  incidents.map(({ kind, condition, at }) => `${kind} ${condition} ${at / 1000}`);

test('an answer that was not searched, since the certificate is bad, is not good for an open incident', () => {
  const certificateFault = { code: 'tls_expired', text: 'TLS certificate expired' } as const;
  const { state } = evaluate(['kkkk', 'kkkk'], KEYWORD);
  const unsearched = round('uuuu', { startedAt: 1_000_000, settings: KEYWORD });
  for (const result of unsearched.results) Object.assign(result, { certificateFault });
  expect(evaluateRound(state, unsearched).incidents).toEqual([]);
  const content = { kind: 'keyword', passed: true, outcomes: [] } as const;
  Object.assign(unsearched.results[0]!, { content });
  expect(evaluateRound(state, unsearched).incidents).toMatchObject([
    { kind: 'resolve', type: 'keyword' },
  ]);
});

describe('conditions of content [19.10]', () => {
  test('a phrase that is missing from most regions is critical, and its incident names it', () => {
    const { incidents, state } = evaluate(['uuuu', 'kkku', 'kkkk'], KEYWORD);
    expect(summaryOf(incidents)).toEqual(['open keyword 60']);
    expect(incidents[0]).toMatchObject({
      type: 'keyword',
      severity: 'critical',
      rootCause: MISSING.text,
      failureCode: 'keyword_missing',
      status: { previous: 'online', current: 'offline' },
    });
    expect(incidents[0]).toHaveProperty('evidence.length', 4);
    expect(incidents[0]).toHaveProperty('evidence.0.attempts', [60_000, 90_000]);
    expect(state.status).toBe('offline');
    expect(summaryOf(evaluate(['uuuu'], KEYWORD, state).incidents)).toEqual([
      'resolve keyword 120',
    ]);
  });

  test('an outage meanwhile is another problem: the phrase is still missing when it is over [19.9]', () => {
    const { incidents, state } = evaluate(
      ['kkkk', 'kkkk', 'dddd', 'dddd', 'kkkk', 'uuuu'],
      KEYWORD,
    );
    expect(summaryOf(incidents)).toEqual([
      'open keyword 30',
      'open uptime 90',
      'resolve uptime 150',
      'resolve keyword 180',
    ]);
    expect(state.status).toBe('online');
  });

  test('in some regions only it is a regional problem that says what is wrong [18.7]', () => {
    const { incidents } = evaluate(['kuuu', 'kuuu'], KEYWORD);
    expect(incidents[0]).toMatchObject({
      condition: 'regional',
      rootCause: `${MISSING.text} (from ash only)`,
      regions: ['ash'],
    });
    expect(incidents[0]).toMatchObject({
      evidence: [
        { region: 'ash', failure: MISSING },
        { region: 'pdx', failure: null, remoteAddress: '10.0.0.1' },
        { region: 'nbg', failure: null },
        { region: 'sin', failure: null },
      ],
    });
  });

  test('the cause is what failed by content, beside a region that is unreachable', () => {
    const { incidents } = evaluate(['dkkk', 'dkkk'], KEYWORD);
    expect(incidents.map(({ condition }) => condition).toSorted()).toEqual(['keyword', 'regional']);
    const regional = incidents.find(({ condition }) => condition === 'regional');
    expect(regional).toMatchObject({ regions: ['ash'] });
  });

  test('switched off while open it is resolved as that [19.12]', () => {
    const { state } = evaluate(['kkkk', 'kkkk'], KEYWORD);
    const off = evaluate(['uuuu'], settingsOf(), state);
    expect(off.incidents).toMatchObject([{ condition: 'keyword', reason: 'switched_off' }]);
    const other = evaluate(['jjjj', 'jjjj', 'jjjj'], settingsOf({ content: 'json' }), state);
    expect(other.incidents).toMatchObject([
      { condition: 'keyword', reason: 'switched_off' },
      { kind: 'open', condition: 'json_assertion', rootCause: ASSERTION.text },
    ]);
  });
});

describe('one family of addresses that is broken', () => {
  test('a family that is broken where everything fails by its status began when it was tried', () => {
    const first = evaluateRound(stateOf({ status: 'online' }), roundOfErrors(1_000_000));
    const { incidents } = evaluateRound(first.state, roundOfErrors(1_010_000));
    const opened = incidents.map(({ condition, at }) => [condition, at]);
    expect(opened).toEqual([
      ['uptime', 1_000_000],
      ['dual_stack', 1_000_000],
    ]);
  });

  test('degrades a monitor that asks for both, and is told as what it is', () => {
    const { incidents, state } = evaluate(['bbbb', '6666', '6666'], BOTH);
    expect(incidents).toMatchObject([
      {
        condition: 'dual_stack',
        severity: 'warning',
        failureCode: 'ipv6_broken',
        rootCause: `IPv6 is broken while IPv4 works: ${TIMED_OUT.text}`,
      },
    ]);
    expect(state.status).toBe('degraded');
    expect(summaryOf(evaluate(['bbbb'], BOTH, state).incidents)).toEqual([
      'resolve dual_stack 120',
    ]);
  });

  test('is nothing to others', () => {
    expect(evaluate(['6666', '6666', '6666'], settingsOf()).state.status).toBe('online');
  });
});

describe('what inspections found', () => {
  const open = { open: 'ssl_expiring' as const, badRun: 0, candidateRun: 0, candidate: null };
  const confirmation = { ...open, firstFailedAt: null, candidateSince: null };
  const ssl = { ...confirmation, goodRun: 0, firstGoodAt: null, rechecks: 0, revision: 1 };

  test('is left alone by rounds, and counts for the status', () => {
    const from = stateOf({ confirmations: { ssl }, status: 'degraded', evaluatedRevision: 1 });
    const { state } = evaluate(
      ['uuuu', 'dddd', 'uuuu'],
      settingsOf({ inspections: ['ssl'] }),
      from,
    );
    expect(state.confirmations.ssl).toEqual(ssl);
    expect(state.status).toBe('degraded');
  });

  test('ends when the inspection does not run any more, once a round saw something', () => {
    const from = stateOf({ confirmations: { ssl }, status: 'degraded', evaluatedRevision: 1 });
    expect(evaluate(['????'], settingsOf(), from).incidents).toEqual([]);
    const { incidents, state } = evaluate(['uuuu'], settingsOf(), from);
    expect(incidents).toMatchObject([
      { kind: 'resolve', type: 'ssl', condition: 'ssl_expiring', reason: 'switched_off' },
    ]);
    expect(state.status).toBe('online');
  });
});
