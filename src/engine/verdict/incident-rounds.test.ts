import { describe, expect, test } from 'vitest';
import { roundOf } from '../../../test/support/rounds.ts';
import type { FailureCode } from '../../model/failure.ts';
import type { RoundClass } from '../../model/round.ts';
import { explainIncident, votesNeeded, type PastRound } from './incident-rounds.ts';
import { verdictOf } from './round.ts';

const MINUTE = 60_000;
const { settings } = roundOf('u');

/** A round at that minute with these votes, such as `uudd`. */
function at(minute: number, votes: string, code: FailureCode = 'connection_refused'): PastRound {
  const round = roundOf(votes, { startedAt: minute * MINUTE });
  const results = round.results.map(({ failure, ...result }) => ({
    ...result,
    checkedAt: minute * MINUTE + 100,
    failureCode: failure && code,
  }));
  return { startedAt: round.startedAt, class: verdictOf(round).class, results };
}

const incident = {
  type: 'uptime',
  startedAt: 10 * MINUTE + 100,
  confirmedAt: 12 * MINUTE + 500,
  endedAt: null,
} as const;

const shown = (rounds: PastRound[], changes: Partial<Parameters<typeof explainIncident>[1]> = {}) =>
  explainIncident(rounds, { ...incident, ...changes }, settings).map(
    ({ round, explanation, badRound }) => [round.startedAt / MINUTE, explanation, badRound],
  );

describe('rounds of an incident', () => {
  test('are the last good one, the confirmation and the newest three', () => {
    const rounds = [
      at(7, 'uuuu'),
      at(8, 'uuuu'),
      at(9, '????'),
      at(10, 'dddd'),
      at(11, '?ddd'),
      at(12, 'dddu'),
      ...[13, 14, 15, 16, 17].map((minute) => at(minute, 'dddd')),
    ];
    expect(shown(rounds)).toEqual([
      [8, 'no_region_down', null],
      [10, 'most_regions_down', 1],
      [11, 'most_regions_down', 2],
      [12, 'most_regions_down', 3],
      [15, 'most_regions_down', null],
      [16, 'most_regions_down', null],
      [17, 'most_regions_down', null],
    ]);
  });

  test('end with the first good one once it is over, and count no round twice', () => {
    const rounds = [
      at(9, 'uu'),
      at(10, 'dd'),
      at(11, 'du'),
      at(12, 'dd'),
      at(13, 'uu'),
      at(14, 'uu'),
    ];
    expect(shown(rounds, { endedAt: 13 * MINUTE + 100 })).toEqual([
      [9, 'no_region_down', null],
      [10, 'most_regions_down', 1],
      [11, 'some_regions_down', null],
      [12, 'most_regions_down', 2],
      [13, 'no_region_down', null],
    ]);
  });

  test('of a regional incident are bad when some regions are down', () => {
    const rounds = [at(10, 'duuu'), at(11, 'dduu'), at(12, '????')];
    expect(shown(rounds, { type: 'regional' })).toEqual([
      [10, 'some_regions_down', 1],
      [11, 'some_regions_down', 2],
      [12, 'no_votes', null],
    ]);
  });

  test('tell content from reachability', () => {
    const content = { ...settings, content: 'keyword' } as const;
    const rounds = [at(10, 'dddd', 'keyword_missing')];
    const of = (type: 'uptime' | 'keyword') =>
      explainIncident(rounds, { ...incident, type }, content).map(({ badRound }) => badRound);
    expect([of('uptime'), of('keyword')]).toEqual([[null], [1]]);
  });

  test('say when too few regions voted', () => {
    const round = { ...at(10, 'd???'), class: 'regional' as RoundClass };
    expect(shown([round])).toEqual([[10, 'too_few_votes', null]]);
  });

  test('are none where nothing is kept', () => {
    expect(shown([])).toEqual([]);
  });
});

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 3],
])('of %d votes, %d are needed', (voting, needed) => {
  expect(votesNeeded(voting)).toBe(needed);
});
