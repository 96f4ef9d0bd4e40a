import type { Condition } from '../../src/model/condition.ts';
import { CONTENT_CODES } from '../../src/model/failure.ts';
import type { RegionResult } from '../../src/model/check.ts';
import type { Round, RoundClass } from '../../src/model/round.ts';

/** The observation of one kind of condition by a round or an inspection. */
export interface Observation {
  /** `closed` marks that the incident was closed by hand. */
  finding: Condition | 'good' | 'unknown' | 'off' | 'closed';
  /** Time of the first result with this finding. */
  at: number;
  /** Whether it opened the condition or found it open: a run that confirms another condition starts after it. */
  isSettled?: boolean;
}

export interface RoundObservations {
  roundClass: RoundClass;
  reach: Observation;
  content: Observation;
  families: Observation;
  slow: Observation;
}

/** Results by vote; those without a vote are omitted. */
interface Votes {
  up: RegionResult[];
  /** Answers with wrong content. */
  wrong: RegionResult[];
  /** All other down votes. */
  down: RegionResult[];
}

/** Derives the observations of a round: an independent implementation of the contract, section 18. */
export function readVotes(round: Round): RoundObservations {
  const votes = votesOf(round.results);
  const { up, wrong, down } = votes;
  const bad = wrong.length + down.length;
  const voting = bad + up.length;
  const roundClass =
    voting === 0
      ? 'unknown'
      : isMajority(round, voting, bad)
        ? 'down'
        : bad > 0
          ? 'regional'
          : 'up';
  return {
    roundClass,
    reach: reachOf(votes, roundClass),
    content: contentOf(round, votes, roundClass),
    families: familiesOf(round, votes, roundClass),
    slow: speedOf(round, votes, roundClass),
  };
}

const UNKNOWN: Observation = { finding: 'unknown', at: Infinity };

function isWrong({ failure }: RegionResult): boolean {
  return (CONTENT_CODES as readonly string[]).includes(failure?.code ?? '');
}

function votesOf(results: RegionResult[]): Votes {
  const voted = results.filter(({ vote }) => vote === 'down');
  return {
    up: results.filter(({ vote }) => vote === 'up'),
    wrong: voted.filter(isWrong),
    down: voted.filter((result) => !isWrong(result)),
  };
}

function isMajority({ knownRegions }: Round, voting: number, bad: number): boolean {
  return 2 * bad > voting && 2 * voting > knownRegions.length;
}

/** A failed majority is attributed to the larger of its two causes. */
function reachOf({ up, wrong, down }: Votes, roundClass: RoundClass): Observation {
  const answers = first([...up, ...wrong]);
  switch (roundClass) {
    case 'unknown':
      return UNKNOWN;
    case 'up':
      return { finding: 'good', at: answers };
    case 'regional':
      return { finding: 'regional', at: first([...wrong, ...down]) };
    case 'down':
      if (down.length >= wrong.length) return { finding: 'uptime', at: first([...wrong, ...down]) };
      return down.length > 0
        ? { finding: 'regional', at: first(down) }
        : { finding: 'good', at: answers };
  }
}

function contentOf(round: Round, { up, wrong, down }: Votes, roundClass: RoundClass): Observation {
  const { content } = round.settings;
  if (roundClass === 'unknown') return UNKNOWN;
  if (content === null) return { finding: 'off', at: round.startedAt };
  const good: Observation = { finding: 'good', at: first([...up, ...wrong]) };
  if (roundClass !== 'down') return up.length > 0 ? good : UNKNOWN;
  if (down.length >= wrong.length) return UNKNOWN;
  return { finding: content === 'json' ? 'json_assertion' : 'keyword', at: first(wrong) };
}

function familiesOf(round: Round, { up, wrong, down }: Votes, roundClass: RoundClass): Observation {
  if (roundClass === 'unknown') return UNKNOWN;
  if (!round.settings.checkBothFamilies) return { finding: 'off', at: round.startedAt };
  const tried = [...up, ...wrong, ...down].filter(({ families }) => families !== undefined);
  const broken = tried.filter(({ families }) => families!.ipv4 !== null || families!.ipv6 !== null);
  const at = first(tried);
  if (tried.length === 0) return UNKNOWN;
  if (broken.length === 0) return { finding: 'good', at };
  const isBad = isMajority(round, tried.length, broken.length);
  return isBad ? { finding: 'dual_stack', at } : UNKNOWN;
}

function speedOf(round: Round, { up, wrong }: Votes, roundClass: RoundClass): Observation {
  const threshold = round.settings.slowResponseThresholdMs;
  if (roundClass === 'unknown') return UNKNOWN;
  const at = first([...up, ...wrong]);
  if (threshold === null) return { finding: 'off', at };
  const times = up.flatMap(({ responseTimeMs }) => responseTimeMs ?? []).toSorted((a, b) => a - b);
  if (times.length === 0 || roundClass === 'down') return UNKNOWN;
  const median =
    (times[Math.floor((times.length - 1) / 2)]! + times[Math.ceil((times.length - 1) / 2)]!) / 2;
  return { finding: median > threshold ? 'slow_response' : 'good', at };
}

function first(results: RegionResult[]): number {
  return results.reduce((least, { checkedAt }) => Math.min(least, checkedAt), Infinity);
}
