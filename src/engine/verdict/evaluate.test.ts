import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundOf, settingsOf, stateOf } from '../../../test/support/rounds.ts';
import type { Round, RoundSettings } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import { statusOf } from '../record/confirmations.ts';
import { coveredUntil, evaluateRound, type EvaluatedRound } from './evaluate.ts';

const MINUTE = 60_000;

/** Evaluates rounds that start at the given seconds, one after another: `'0 uuuu'`, `'30 dddd'`. */
function evaluate(
  rounds: string[],
  settings: Partial<RoundSettings> = {},
  from: MonitorState = stateOf(),
): { decisions: EvaluatedRound[]; state: MonitorState } {
  let state = from;
  const decisions = rounds.map((text) => {
    const decision = evaluateRound(state, roundAt(text, settings));
    state = decision.state;
    return decision;
  });
  return { decisions, state };
}

function roundAt(
  text: string,
  settings: Partial<RoundSettings> = {},
  overrides: Partial<Round> = {},
): Round {
  const [seconds, votes, responseTimeMs] = text.split(' ');
  return roundOf(votes!, {
    startedAt: Number(seconds) * 1000,
    settings: settingsOf(settings),
    ...(responseTimeMs ? { responseTimeMs: Number(responseTimeMs) } : {}),
    ...overrides,
  });
}

const summaryOf = (decisions: EvaluatedRound[]) =>
  decisions.flatMap((one) =>
    one.incidents.map((change) => `${change.kind} ${change.type} ${change.at / 1000}`),
  );
const spans = (decisions: EvaluatedRound[]) =>
  decisions.flatMap((one) => one.spans.map((span) => `${span.status} ${span.at / 1000}`));

describe('status', () => {
  test.each([
    [['0 uuuu'], 'online'],
    [['0 ????'], 'pending'],
    [['0 dddd'], 'pending'],
    [['0 duuu'], 'pending'],
    [['0 dddd', '10 dddd'], 'offline'],
    [['0 dddd', '10 uuuu'], 'online'],
    [['0 uuuu', '30 dddd'], 'online'],
    [['0 uuuu', '30 dddd', '40 dddd'], 'offline'],
    [['0 uuuu', '30 duuu', '40 duuu'], 'degraded'],
    [['0 uuuu', '30 duuu', '40 dddd'], 'offline'],
    [['0 uuuu', '30 dddd', '40 dddd', '60 ????'], 'offline'],
    [['0 uuuu', '30 dddd', '40 dddd', '60 uuuu'], 'online'],
    // Three of four regions are dead: the last one alone can't declare an outage.
    [['0 uuuu', '30 d???', '40 d???'], 'degraded'],
  ])('after %j is %s [19.3]', (rounds, expected) => {
    expect(evaluate(rounds).state.status).toBe(expected);
  });

  test('is the worst of several conditions [19.2]', () => {
    const slow = { slowResponseThresholdMs: 500 };
    const rounds = ['0 uuuu 900', '30 uuuu 900', '60 dddd', '70 dddd'];
    const { state, decisions } = evaluate(rounds, slow);
    expect(summaryOf(decisions)).toEqual(['open slow_response 0', 'open uptime 60']);
    expect(state.status).toBe('offline');
    const after = evaluate(['90 uuuu 900'], slow, state);
    expect(after.state.status).toBe('degraded');
    expect(evaluate(['120 uuuu 100'], slow, after.state).state.status).toBe('online');
  });
});

test('an outage that ends in a slow round ends when it ended, and not when it was slow first', () => {
  const slow = { slowResponseThresholdMs: 500, recoveryThreshold: 2 };
  const rounds = ['0 uuuu', '30 dddd', '40 dddd', '60 uuuu 900', '70 uuuu 900'];
  const { decisions } = evaluate(rounds, slow);
  expect(summaryOf(decisions)).toEqual([
    'open uptime 30',
    'resolve uptime 60',
    'open slow_response 60',
  ]);
  expect(spans(decisions)).toEqual(['online 0', 'offline 30', 'degraded 60']);
});

describe('incidents', () => {
  test('begin with the first failing result and end with the first good one [21.29, 21.30]', () => {
    const { decisions } = evaluate(
      ['0 uuuu', '30 uudd', '40 dddd', '60 dddd', '90 uuuu', '100 uuuu'],
      { recoveryThreshold: 2 },
    );
    // In the first bad round the third region failed first: its check began 2 ms after the round.
    expect(summaryOf(decisions)).toEqual(['open uptime 30.002', 'resolve uptime 90']);
    expect(spans(decisions)).toEqual(['online 0', 'offline 30.002', 'online 90']);
  });

  test('carry the cause that most regions saw, and what each saw [20.8]', () => {
    const round = roundAt('30 dddd', { failureThreshold: 1 });
    round.results[0]!.failure = { code: 'dns_timeout', text: 'DNS timed out' };
    const [opened] = evaluateRound(stateOf({ status: 'online' }), round).incidents;
    expect(opened).toMatchObject({
      kind: 'open',
      severity: 'critical',
      failureCode: 'connection_refused',
      rootCause: 'Connection refused by 10.0.0.1 port 80',
      regions: null,
      status: { previous: 'online', current: 'offline' },
    });
    expect(opened).toHaveProperty('evidence.length', 4);
  });

  test('of some regions name them [14.21]', () => {
    const { decisions } = evaluate(['0 uduu', '10 uduu']);
    expect(decisions[1]!.incidents[0]).toMatchObject({
      type: 'regional',
      severity: 'warning',
      regions: ['pdx'],
      rootCause: 'Connection refused by 10.0.0.1 port 80 (from pdx only)',
    });
  });

  test('of slowness say how slow [20.13]', () => {
    const { decisions } = evaluate(['0 uuuu 1234', '30 uuuu 2345'], {
      slowResponseThresholdMs: 1000,
    });
    expect(decisions[1]!.incidents[0]).toMatchObject({
      rootCause: 'Response time of 2,345 ms is over the threshold of 1,000 ms',
      failureCode: null,
      evidence: [],
    });
  });

  test('escalate by resolving the lesser into the greater [19.11]', () => {
    const { decisions } = evaluate(['0 uuuu', '30 duuu', '40 duuu', '60 dddd', '70 dddd']);
    expect(summaryOf(decisions)).toEqual([
      'open regional 30',
      'resolve regional 60',
      'open uptime 60',
    ]);
    expect(decisions.at(-1)!.incidents).toMatchObject([
      { reason: 'changed_over', into: 'uptime' },
      { from: 'regional' },
    ]);
  });

  test('of slowness end when the threshold is taken away', () => {
    const slow = evaluate(['0 uuuu 900', '30 uuuu 900'], { slowResponseThresholdMs: 500 }).state;
    const edited = { ...slow, revision: 2 };
    const decision = evaluateRound(edited, { ...roundAt('40 uuuu 900'), revision: 2 });
    expect(decision.incidents).toMatchObject([
      { kind: 'resolve', reason: 'switched_off', at: 40_000 },
    ]);
    expect(decision.state.status).toBe('online');
  });

  test('and not in a round that saw nothing [19.13]', () => {
    const slow = evaluate(['0 uuuu 900', '30 uuuu 900'], { slowResponseThresholdMs: 500 }).state;
    const edited = { ...slow, revision: 2 };
    const blind = evaluateRound(edited, { ...roundAt('40 ????'), revision: 2 });
    expect([blind.state.status, blind.incidents]).toEqual(['degraded', []]);
    const seen = evaluateRound(blind.state, { ...roundAt('60 uuuu'), revision: 2 });
    expect(seen.incidents).toMatchObject([{ kind: 'resolve', reason: 'switched_off' }]);
    expect(spans([seen])).toEqual(['online 60']);
  });
});

describe('when to look again', () => {
  test.each([
    [['0 uuuu'], MINUTE, null],
    [['0 uuuu', '30 dddd'], MINUTE, 30_100 + 10_000],
    [['0 uuuu', '30 dddd', '40.1 ????'], MINUTE, 40_200 + 20_000],
    // While critical at least every minute, but no faster than the interval.
    [['0 uuuu', '30 dddd', '40.1 dddd'], 30_000, null],
    [['0 uuuu', '30 dddd', '40.1 dddd'], MINUTE, null],
    [['0 uuuu', '30 dddd', '40.1 dddd'], 5 * MINUTE, 40_100 + MINUTE],
    [['0 uuuu', '30 dddd', '40.1 dddd', '100.1 ????'], 5 * MINUTE, 100_100 + MINUTE],
    // A warning keeps the ordinary pace.
    [['0 uuuu', '30 duuu', '40.1 duuu'], 5 * MINUTE, null],
  ])('after %j at an interval of %d ms: %s [14.12, 18.19]', (rounds, intervalMs, expected) => {
    expect(evaluate(rounds, { intervalMs }).state.runAt).toBe(expected);
  });
});

test.each([[['0 uuuu']], [['0 uuuu', '20 dddd']], [['0 uuuu', '15 dddd', '25.1 dddd']]])(
  'after %j, a round that its process cut short is due again at once [39.18]',
  (rounds) => {
    const before = evaluate(rounds).state;
    const cutShort = { ...roundAt('40 ????'), isCutShort: true };
    const { state, class: kind } = evaluateRound(before, cutShort);
    expect([kind, state.runAt, state.status]).toEqual(['unknown', 40_100, before.status]);
  },
);

describe('a look that somebody asked for', () => {
  const online = evaluate(['0 uuuu']).state;

  test.each([
    // [run_at as stored, what the round says, run_at afterwards]; the round began at 30 s and ended 0.1 s later.
    [30_000, 'uuuu', null],
    [30_050, 'uuuu', 30_050],
    // A confirmation keeps its times.
    [31_000, 'dddd', 40_100],
    [30_000, 'dddd', 40_100],
    // Asked for before the clock was set back.
    [3_600_000, 'uuuu', null],
    [60_000, 'uuuu', null],
  ])('at %d stays to come after a round that said %s', (runAt, votes, expected) => {
    expect(evaluateRound({ ...online, runAt }, roundAt(`30 ${votes}`)).state.runAt).toBe(expected);
  });
});

describe('rounds that do not count', () => {
  const online = evaluate(['0 uuuu']).state;

  test('of another revision, as after an edit during the round', () => {
    const decision = evaluateRound(
      { ...online, revision: 2 },
      roundAt('30 dddd', { failureThreshold: 1 }),
    );
    expect(decision).toMatchObject({ outcome: 'stale', incidents: [], spans: [] });
    expect(decision.state).toEqual({ ...online, revision: 2 });
  });

  test('of a paused monitor', () => {
    expect(evaluateRound({ ...online, isPaused: true }, roundAt('30 dddd')).outcome).toBe('stale');
  });

  test.each([0, -1, -30_000])('of a slot that was recorded already (%d ms)', (difference) => {
    const round = roundAt('30 dddd', {}, { slot: online.lastSlot! + difference });
    expect(evaluateRound(online, round)).toMatchObject({ outcome: 'duplicate', state: online });
  });

  test('with no vote change nothing but the slot [18.1]', () => {
    const { state, outcome } = evaluateRound(online, roundAt('30 ????'));
    expect(outcome).toBe('counted');
    expect(state).toEqual({ ...online, lastSlot: 30_000 });
  });
});

describe('time that nobody saw', () => {
  test('is told from a restart that was quick: the confirmation goes on', () => {
    const { decisions } = evaluate(['0 uuuu', '30 dddd', '64 dddd']);
    expect(summaryOf(decisions)).toEqual(['open uptime 30']);
    expect(spans(decisions)).toEqual(['online 0', 'offline 30']);
  });

  test('is unobserved from the end of what the last verdict covers, and runs begin anew [18.18]', () => {
    const { decisions } = evaluate(['0 uuuu', '30 dddd', '600 dddd', '610 dddd']);
    expect(spans(decisions)).toEqual(['online 0', 'unobserved 85', 'online 600', 'offline 600']);
    expect(summaryOf(decisions)).toEqual(['open uptime 600']);
  });

  test('keeps what was confirmed', () => {
    const { decisions, state } = evaluate(['0 uuuu', '30 dddd', '40 dddd', '600 dddd', '630 uuuu']);
    expect(summaryOf(decisions)).toEqual(['open uptime 30', 'resolve uptime 630']);
    expect(spans(decisions)).toEqual([
      'online 0',
      'offline 30',
      'unobserved 75',
      'offline 600',
      'online 630',
    ]);
    expect(state.status).toBe('online');
  });

  test('begins after the interval and a tenth of it, at least five seconds [24.12]', () => {
    expect(coveredUntil(roundAt('0 uuuu'), false)).toBe(35_000);
    expect(coveredUntil(roundAt('0 uuuu', { intervalMs: 10 * MINUTE }), false)).toBe(11 * MINUTE);
  });

  test('begins later while rechecks run, which are timed from the end of a round', () => {
    // No answer within 27 s, nine tenths of the interval: the recheck begins 37 s after the round did.
    const failed = evaluateRound(
      evaluate(['0 uuuu']).state,
      roundAt('30 dddd', {}, { finishedAt: 57_000 }),
    );
    expect(failed.state.runAt).toBe(67_000);
    const confirmed = evaluateRound(failed.state, roundAt('67 dddd', {}, { finishedAt: 94_000 }));
    expect(summaryOf([failed, confirmed])).toEqual(['open uptime 30']);
    expect(spans([failed, confirmed])).toEqual(['offline 30']);
  });
});

test('an edit clears a running confirmation [18.17]', () => {
  const failing = evaluate(['0 uuuu', '30 dddd']).state;
  const decision = evaluateRound(
    { ...failing, revision: 2 },
    { ...roundAt('40 dddd'), revision: 2 },
  );
  expect(decision.incidents).toEqual([]);
  expect(decision.state.confirmations.reachability).toMatchObject({
    badRun: 1,
    firstFailedAt: 40_000,
  });
});

test('whatever the rounds say, status follows the conditions and incidents open and close in turn', () => {
  const anyRounds = fc.array(
    fc.tuple(
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.constantFrom('u', 'd', '?'), { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 1000 }),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(anyRounds, fc.integer({ min: 1, max: 4 }), (rounds, failureThreshold) => {
      let [state, seconds] = [stateOf(), 0];
      const open = new Set<string>();
      for (const [wait, votes, responseTimeMs] of rounds) {
        seconds += wait;
        const text = `${seconds} ${votes.join('')} ${responseTimeMs}`;
        const decision = evaluateRound(
          state,
          roundAt(text, { failureThreshold, slowResponseThresholdMs: 500 }),
        );
        for (const change of decision.incidents) {
          expect(open.has(change.type)).toBe(change.kind === 'resolve');
          if (change.kind === 'open') open.add(change.type);
          else open.delete(change.type);
        }
        state = decision.state;
        expect([...open].includes('uptime')).toBe(state.status === 'offline');
        if (state.status !== 'pending') expect(state.status).toBe(statusOf(state.confirmations));
      }
    }),
  );
});
