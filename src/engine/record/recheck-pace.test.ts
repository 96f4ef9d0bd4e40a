import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundOf, settingsOf, stateOf } from '../../../test/support/rounds.ts';
import type { Round, RoundSettings } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import { closeIncident } from './confirmations.ts';
import { evaluateRound } from '../verdict/evaluate.ts';
import { EARLY_MS, SPACING_TABLE, spacingOf } from './condition.ts';

const HOUR = 3_600_000;
const SLOW = 'slow';

/** A round at `at` seconds that takes `lasts` seconds; the wall clock is `skew` seconds ahead of the steady one. */
interface Played {
  at: number;
  votes: string;
  lasts?: number;
  skew?: number;
  process?: string;
}

function roundAt(
  { at, votes, lasts = 0.1, skew = 0, process = 'a' }: Played,
  settings: Partial<RoundSettings>,
  slot: number,
): Round {
  const startedAt = Math.round((at + skew) * 1_000);
  const durationMs = Math.round(lasts * 1_000);
  const steadyStart = Math.round(at * 1_000);
  return roundOf(votes === SLOW ? 'uuuu' : votes, {
    startedAt,
    finishedAt: startedAt + durationMs,
    slot,
    steady: { process, startedAt: steadyStart, finishedAt: steadyStart + durationMs },
    settings: settingsOf({ intervalMs: 120_000, ...settings }),
    ...(votes === SLOW ? { responseTimeMs: 900 } : {}),
  });
}

function play(rounds: Played[], settings: Partial<RoundSettings> = {}, from = stateOf()) {
  let state: MonitorState = from;
  const told = rounds.map((one, index) => {
    const round = roundAt(one, settings, index + 1);
    const decision = evaluateRound(state, round);
    state = decision.state;
    return {
      class: decision.class,
      outcome: decision.outcome,
      changes: decision.incidents.map((change) => `${change.kind} ${change.type}`).join(', '),
      /** Seconds from the beginning of the round by the steady clock. */
      runIn: state.runAt === null ? null : (state.runAt - round.startedAt) / 1_000,
    };
  });
  return { told, state };
}

const changesOf = (rounds: Played[], settings?: Partial<RoundSettings>) =>
  play(rounds, settings).told.map((one) => one.changes || '-');

const online = (at = 0): Played => ({ at, votes: 'uuuu' });
const bad = (at: number, more: Partial<Played> = {}): Played => ({ at, votes: 'dddd', ...more });
const good = (at: number, more: Partial<Played> = {}): Played => ({ at, votes: 'uuuu', ...more });

const regional = (at: number): Played => ({ at, votes: 'duuu' });
const slow = (at: number): Played => ({ at, votes: SLOW });

describe('a round that starts too early', () => {
  const OUTAGE = [bad(30), bad(40.1)];
  const THREE = { failureThreshold: 3 };
  const WATCHED = { slowResponseThresholdMs: 500 };
  const TWICE = { recoveryThreshold: 2 };
  // What happens after a round that was good, and what each round changes.
  test.each<[string, Played[], string, Partial<RoundSettings>?]>([
    ['0.3 s after the bad one', [bad(30), bad(30.4)], '-; -'],
    ['9 s after its start', [bad(30), bad(39)], '-; -'],
    ['after 10 s', [bad(30), bad(40.1)], '-; open uptime'],
    ['is no recheck', [bad(30), bad(31), bad(33), bad(40.1)], '-; -; -; open uptime'],
    ['the third needs 20 s', [...OUTAGE, bad(50.2), bad(60.2)], '-; -; -; open uptime', THREE],
    [
      'nothing is waited for at a threshold of 1',
      [bad(30)],
      'open uptime',
      { failureThreshold: 1 },
    ],
    [
      'a good one clears the run',
      [bad(30), good(31), bad(40.1), bad(50.2)],
      '-; -; -; open uptime',
    ],
    // Measured from the end: the round before waited 30 s for its answer.
    ['after a long round', [bad(30, { lasts: 30 }), bad(60.1)], '-; -'],
    ['after a long round, in time', [bad(30, { lasts: 30 }), bad(70)], '-; open uptime'],
    ['says nothing of the class', [bad(30), regional(31), bad(40.1)], '-; -; open uptime'],
    [
      'changes nothing over',
      [regional(10), regional(20.1), bad(30), bad(31), bad(40.1)],
      '-; open regional; -; -; resolve regional, open uptime',
    ],
    [
      'ends nothing: a recovery is rechecked at the same pace',
      [...OUTAGE, good(100), good(100.5), good(110.1)],
      '-; open uptime; -; -; resolve uptime',
      TWICE,
    ],
    ['ends it at a threshold of 1', [...OUTAGE, good(41)], '-; open uptime; resolve uptime'],
    ['makes nothing slow', [slow(30), slow(31), slow(41)], '-; -; open slow_response', WATCHED],
  ])('%s', (_, rounds, expected, settings) => {
    expect(
      changesOf([online(), ...rounds], settings)
        .slice(1)
        .join('; '),
    ).toBe(expected);
  });

  test('counts as a round of its class, and leaves the recheck where it is [18.14]', () => {
    const { told } = play([online(), bad(30), bad(33)]);
    expect(told.at(-1)).toMatchObject({ outcome: 'counted', class: 'down' });
    // 10 s after the end of the bad one, which was at 30.1 s.
    expect(told.map((one) => one.runIn)).toEqual([null, 10.1, 7.1]);
  });

  test('and lasts until after the recheck was due is rechecked at once', () => {
    const { told } = play([online(), bad(30), bad(33, { lasts: 20 }), bad(53)]);
    expect(told.map((one) => one.runIn)).toEqual([null, 10.1, 20, 60]);
    expect(told.at(-1)!.changes).toBe('open uptime');
  });

  test('confirms nothing of the content either', () => {
    const settings = { content: 'keyword' } as const;
    const wrong = (at: number) => {
      const round = roundAt(bad(at), settings, at);
      const failure = { code: 'keyword_missing', text: 'Keyword missing' } as const;
      return { ...round, results: round.results.map((result) => ({ ...result, failure })) };
    };
    let state = play([online()], settings).state;
    const changes = [wrong(30), wrong(31), wrong(41)].map((round) => {
      const decision = evaluateRound(state, round);
      state = decision.state;
      return decision.incidents.map(({ type }) => type).join();
    });
    expect(changes).toEqual(['', '', 'keyword']);
  });

  test('after its incident was closed by hand opens no new one', () => {
    const open = play([online(), bad(30), bad(40.1)]).state;
    const confirmations = closeIncident(open.confirmations, 'uptime', { id: 1, startedAt: 30_000 });
    let state: MonitorState = { ...open, confirmations };
    const changes = [bad(100), bad(101), bad(110.1)].map((one, index) => {
      const decision = evaluateRound(state, roundAt(one, {}, 10 + index));
      state = decision.state;
      return decision.incidents.length;
    });
    expect(changes).toEqual([0, 0, 1]);
  });
});

describe('a clock that is set between two bad rounds', () => {
  test.each([-7_200, -30, -9, 9, 30, 60])(
    'by %d s neither confirms earlier nor later, within one process [40.11]',
    (skew) => {
      expect(changesOf([online(), bad(30), bad(31, { skew })]).at(-1)).toBe('-');
      expect(changesOf([online(), bad(30), bad(40.1, { skew })]).at(-1)).toBe('open uptime');
    },
  );

  test('back, while another process took over: it is waited for once more and no longer', () => {
    const skew = -2 * 3_600;
    const taken = { skew, process: 'b' };
    const { told } = play([online(), bad(30), bad(31, taken), bad(35, taken), bad(41.1, taken)]);
    expect(told.map((one) => one.changes)).toEqual(['', '', '', '', 'open uptime']);
    expect(told.map((one) => one.runIn)).toEqual([null, 10.1, 10.1, 6.1, 60]);
  });

  test('without one, another process goes by the wall clock', () => {
    expect(changesOf([online(), bad(30), bad(31, { process: 'b' })]).at(-1)).toBe('-');
    expect(changesOf([online(), bad(30), bad(40.1, { process: 'b' })]).at(-1)).toBe('open uptime');
  });

  test.each([
    ['overlaps the last one, of another process', -2_000, { is: 'too_early', waitMs: 12_000 }],
    ['is a minute before its end', -60_000, { is: 'too_early', waitMs: 70_000 }],
    ['is earlier than any round lasts', -60_001, { is: 'unknown', waitMs: 13_000 }],
  ] as const)('a round that %s', (_, apartMs, expected) => {
    const startedAt = HOUR + apartMs;
    const round = { startedAt, finishedAt: startedAt + 3_000 };
    expect(spacingOf({ endedAt: HOUR }, 1, round)).toEqual(expected);
  });

  test('a wait is never longer than the pace and the longest round', () => {
    const any = fc.integer({ min: -10 * HOUR, max: 10 * HOUR });
    fc.assert(
      fc.property(any, fc.nat(10), fc.integer({ min: 0, max: 60_000 }), (at, run, lasts) => {
        const round = { startedAt: at, finishedAt: at + lasts };
        const spacing = spacingOf({ endedAt: 0 }, run, round);
        if (spacing.is !== 'counted') expect(spacing.waitMs).toBeLessThanOrEqual(20_000 + 60_000);
      }),
    );
  });
});

test('the table has a row for each length of a run', () => {
  expect(SPACING_TABLE.map(({ run }) => run)).toEqual([0, 1, 'more']);
});

describe('whatever asks for rounds, and whenever', () => {
  const anyRounds = fc.array(
    fc.record({
      wait: fc.integer({ min: 1, max: 12_000 }),
      votes: fc.constantFrom('dddd', 'dddd', 'dddd', 'duuu', 'uuuu', '????'),
      lasts: fc.integer({ min: 1, max: 27_000 }),
      skew: fc.constantFrom(0, 0, 0, -7_200, -20, 15, 60),
    }),
    { maxLength: 60 },
  );

  test('an incident has rounds that failed at least 10 s, then 20 s apart [18.13]', () => {
    fc.assert(
      fc.property(anyRounds, fc.integer({ min: 2, max: 4 }), (rounds, failureThreshold) => {
        let [state, now, skew] = [stateOf({ status: 'online' }), 0, 0];
        /** Of the bad rounds since the last good one, or since the last change. */
        let run: { from: number; to: number }[] = [];
        rounds.forEach(({ wait, votes, lasts, skew: step }, index) => {
          now += wait;
          skew += step;
          const one = { at: now / 1_000, votes, lasts: lasts / 1_000, skew };
          const decision = evaluateRound(state, roundAt(one, { failureThreshold }, index + 1));
          if (votes === 'uuuu') run = [];
          else if (votes !== '????') run.push({ from: now, to: now + lasts });
          now += lasts;
          state = decision.state;
          if (!decision.incidents.some(({ kind }) => kind === 'open')) return;
          expect(longestSpaced(run)).toBeGreaterThanOrEqual(failureThreshold);
          run = [];
        });
      }),
      { numRuns: 500 },
    );
  });
});

/** How many of these rounds can be chosen that keep the distance: as many as counting the first that does, each time. */
function longestSpaced(run: readonly { from: number; to: number }[]): number {
  let chosen = 0;
  let last = -Infinity;
  for (const { from, to } of run) {
    const apartMs = chosen === 0 ? 0 : chosen === 1 ? 10_000 : 20_000;
    if (chosen > 0 && from - last < apartMs - EARLY_MS) continue;
    chosen += 1;
    last = to;
  }
  return chosen;
}
