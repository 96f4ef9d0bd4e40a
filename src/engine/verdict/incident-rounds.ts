import type { Timings, Vote } from '../../model/check.ts';
import { CONDITIONS, type IncidentType } from '../../model/condition.ts';
import type { FailureCode } from '../../model/failure.ts';
import type { Region } from '../../model/monitor.ts';
import type { Round, RoundClass, RoundSettings } from '../../model/round.ts';
import { conditionsOf, verdictOf } from './round.ts';

export interface PastRound {
  startedAt: number;
  class: RoundClass;
  results: readonly {
    region: Region;
    vote: Vote;
    failureCode: FailureCode | null;
    statusCode: number | null;
    responseTimeMs: number | null;
    timings: Timings;
    checkedAt: number;
  }[];
}

export interface IncidentTimes {
  type: IncidentType;
  startedAt: number;
  /** When it was opened: the end of the round that confirmed it. */
  confirmedAt: number;
  endedAt: number | null;
}

export interface ExplainedRound<Stored extends PastRound> {
  round: Stored;
  explanation: Explanation;
  /** Position in the run of rounds that confirmed the incident, from 1; null for other rounds. */
  badRound: number | null;
}

export const EXPLANATIONS = [
  'no_region_down',
  'most_regions_down',
  'some_regions_down',
  'too_few_votes',
  'no_votes',
] as const;
type Explanation = (typeof EXPLANATIONS)[number];

/** Rounds of the confirmation, and newest ones, that are shown at most. */
const MAX_CONFIRMING = 10;
const MAX_NEWEST = 3;

/**
 * Picks the rounds that show why an incident was opened: the last one before it that was good, those of its
 * confirmation, and the newest ones.
 *
 * @param rounds in chronological order.
 * @param settings as they are now: those of then are not kept.
 */
export function explainIncident<Stored extends PastRound>(
  rounds: readonly Stored[],
  incident: IncidentTimes,
  settings: RoundSettings,
): ExplainedRound<Stored>[] {
  const isBad = (round: PastRound) => hasProblem(round, incident.type, settings);
  const first = rounds.findIndex((round) => lastResultAt(round) >= incident.startedAt);
  const since = first === -1 ? [] : rounds.slice(first);
  const before = rounds.slice(0, first === -1 ? undefined : first);
  const end = incident.endedAt ?? Infinity;
  const confirming = since
    .filter(({ startedAt }) => startedAt <= Math.min(incident.confirmedAt, end))
    .slice(0, MAX_CONFIRMING);
  const newest = since.filter(({ startedAt }) => startedAt <= end).slice(-MAX_NEWEST);
  const lastGood = before.findLast((round) => round.class !== 'unknown' && !isBad(round));
  const shown = new Set([...(lastGood ? [lastGood] : []), ...confirming, ...newest]);
  let run = 0;
  return [...shown].map((round) => {
    const counts = confirming.includes(round) && isBad(round);
    if (counts) run += 1;
    return { round, explanation: explanationOf(round), badRound: counts ? run : null };
  });
}

/** Number of regions that must be down so that a round is down, when this many vote (contract 18.3). */
export function votesNeeded(voting: number): number {
  return Math.floor(voting / 2) + 1;
}

function lastResultAt({ startedAt, results }: PastRound): number {
  return Math.max(startedAt, ...results.map(({ checkedAt }) => checkedAt));
}

function hasProblem(past: PastRound, type: IncidentType, settings: RoundSettings): boolean {
  const round = asRound(past, settings);
  const conditions = conditionsOf(round, verdictOf(round));
  return conditions.some((condition) => CONDITIONS[condition].type === type);
}

/** The round as far as it is stored: without what each family of addresses answered. */
function asRound(past: PastRound, settings: RoundSettings): Round {
  const { startedAt } = past;
  return {
    monitorId: 0,
    teamId: 0,
    revision: 0,
    slot: startedAt,
    startedAt,
    finishedAt: startedAt,
    settings,
    knownRegions: past.results.map(({ region }) => region),
    results: past.results.map(({ failureCode, ...result }) => ({
      ...result,
      failure: failureCode && { code: failureCode, text: failureCode },
      remoteAddress: null,
      evidence: null,
    })),
  };
}

function explanationOf({ class: roundClass, results }: PastRound): Explanation {
  const voting = results.filter(({ vote }) => vote !== 'unknown').length;
  const down = results.filter(({ vote }) => vote === 'down').length;
  if (roundClass === 'unknown') return 'no_votes';
  if (roundClass === 'up') return 'no_region_down';
  if (roundClass === 'down') return 'most_regions_down';
  return down >= votesNeeded(voting) ? 'too_few_votes' : 'some_regions_down';
}
