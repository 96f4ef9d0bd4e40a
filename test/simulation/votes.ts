import type { Condition } from '../../src/model/condition.ts';
import { CONTENT_CODES } from '../../src/model/failure.ts';
import type { RegionResult } from '../../src/model/check.ts';
import type { Round, RoundClass } from '../../src/model/round.ts';

/** What a round, or an inspection, says of one kind of trouble. */
export interface Look {
  /** `closed` is no look: there the incident was closed by hand. */
  says: Condition | 'good' | 'unknown' | 'off' | 'closed';
  /** The first result that says so. */
  at: number;
  /** It opened the condition, or found it open with its incident: the run that confirms another one begins after it. */
  isSettled?: boolean;
}

export interface Looks {
  roundClass: RoundClass;
  reach: Look;
  content: Look;
  families: Look;
  slow: Look;
}

/** Regions by what they saw; those without a vote are left out. */
interface Votes {
  up: RegionResult[];
  /** An answer came, with another content than it should have. */
  wrong: RegionResult[];
  /** Whatever else is down. */
  down: RegionResult[];
}

/** What a round says, read off the contract, section 18, another time. */
export function readVotes(round: Round): Looks {
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

const UNKNOWN: Look = { says: 'unknown', at: Infinity };

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

/** Of a majority that failed, that part was to blame which is the greater one. */
function reachOf({ up, wrong, down }: Votes, roundClass: RoundClass): Look {
  const answers = first([...up, ...wrong]);
  switch (roundClass) {
    case 'unknown':
      return UNKNOWN;
    case 'up':
      return { says: 'good', at: answers };
    case 'regional':
      return { says: 'regional', at: first([...wrong, ...down]) };
    case 'down':
      if (down.length >= wrong.length) return { says: 'uptime', at: first([...wrong, ...down]) };
      return down.length > 0
        ? { says: 'regional', at: first(down) }
        : { says: 'good', at: answers };
  }
}

function contentOf(round: Round, { up, wrong, down }: Votes, roundClass: RoundClass): Look {
  const { content } = round.settings;
  if (roundClass === 'unknown') return UNKNOWN;
  if (content === null) return { says: 'off', at: round.startedAt };
  const good: Look = { says: 'good', at: first([...up, ...wrong]) };
  if (roundClass !== 'down') return up.length > 0 ? good : UNKNOWN;
  if (down.length >= wrong.length) return UNKNOWN;
  return { says: content === 'json' ? 'json_assertion' : 'keyword', at: first(wrong) };
}

function familiesOf(round: Round, { up, wrong, down }: Votes, roundClass: RoundClass): Look {
  if (roundClass === 'unknown') return UNKNOWN;
  if (!round.settings.checkBothFamilies) return { says: 'off', at: round.startedAt };
  const tried = [...up, ...wrong, ...down].filter(({ families }) => families !== undefined);
  const broken = tried.filter(({ families }) => families!.ipv4 !== null || families!.ipv6 !== null);
  const at = first(tried);
  if (tried.length === 0) return UNKNOWN;
  if (broken.length === 0) return { says: 'good', at };
  const isBad = isMajority(round, tried.length, broken.length);
  return isBad ? { says: 'dual_stack', at } : UNKNOWN;
}

function speedOf(round: Round, { up, wrong }: Votes, roundClass: RoundClass): Look {
  const threshold = round.settings.slowResponseThresholdMs;
  if (roundClass === 'unknown') return UNKNOWN;
  const at = first([...up, ...wrong]);
  if (threshold === null) return { says: 'off', at };
  const times = up.flatMap(({ responseTimeMs }) => responseTimeMs ?? []).toSorted((a, b) => a - b);
  if (times.length === 0 || roundClass === 'down') return UNKNOWN;
  const median =
    (times[Math.floor((times.length - 1) / 2)]! + times[Math.ceil((times.length - 1) / 2)]!) / 2;
  return { says: median > threshold ? 'slow_response' : 'good', at };
}

function first(results: RegionResult[]): number {
  return results.reduce((least, { checkedAt }) => Math.min(least, checkedAt), Infinity);
}
