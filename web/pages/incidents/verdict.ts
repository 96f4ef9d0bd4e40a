import type { IncidentDetail, IncidentRound, IncidentRounds } from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';

type Rule = NonNullable<IncidentRounds['rule']>;

export interface VerdictWords {
  verdicts: Record<IncidentRound['verdict'], string>;
  badRound: (verdict: string, number: number, of: number) => string;
  confirmed: (verdict: string) => string;
  slow: string;
  noAnswer: string;
  refused: string;
  votedDown: (down: number, voting: number) => string;
  needed: (needed: number, regions: number, threshold: number) => string;
  notVoting: (names: string[]) => string;
  regional: (down: number, voting: number) => string;
  slower: (ms: number, threshold: number) => string;
}

/** Regions of some rounds, each once, in the order of the first round. */
export function regionsOf(rounds: readonly IncidentRound[]): string[] {
  return [...new Set(rounds.flatMap(({ regions }) => regions.map(({ region }) => region)))];
}

/** Evidence in the order in which the installation lists its regions; that of unknown ones comes last. */
export function inOrderOf<T extends { region: string | null }>(
  codes: readonly string[],
  evidence: readonly T[],
): T[] {
  const placeOf = ({ region }: T) => {
    const place = region === null ? -1 : codes.indexOf(region);
    return place === -1 ? codes.length : place;
  };
  return evidence.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Round that confirmed the incident: the first one with as many bad rounds as it takes, else the last bad one. */
export function decidingRound(
  rounds: readonly IncidentRound[],
  threshold: number,
): IncidentRound | undefined {
  return (
    rounds.find(({ bad_round }) => bad_round !== null && bad_round >= threshold) ??
    rounds.findLast(({ bad_round }) => bad_round !== null) ??
    rounds.findLast(({ verdict }) => verdict === 'down')
  );
}

/**
 * Time in milliseconds between a round and the one before it, if so much lies between them that some are left out; else null.
 *
 * @param times epoch milliseconds, the oldest first
 */
export function gapBefore(
  times: readonly number[],
  index: number,
  intervalMs: number,
): number | null {
  if (index === 0) return null;
  const apart = times[index]! - times[index - 1]!;
  return apart > 2 * intervalMs ? apart : null;
}

/** Verdict of a round, with its place in the row of bad rounds: "Down, bad round 1 of 2", "Down, confirmed". */
export function verdictOf(
  { verdict, bad_round }: Pick<IncidentRound, 'verdict' | 'bad_round'>,
  threshold: number,
  words: VerdictWords,
): string {
  // A round that is bad though its target answers is slow.
  const name = verdict === 'up' && bad_round !== null ? words.slow : words.verdicts[verdict];
  if (bad_round === null) return name;
  return bad_round >= threshold
    ? words.confirmed(name)
    : words.badRound(name, bad_round, threshold);
}

/** The rule as sentences: what was seen, then what it takes. */
export function explanationOf(
  type: IncidentDetail['type'],
  round: Pick<IncidentRound, 'votes' | 'regions'>,
  rule: Rule,
  words: VerdictWords,
  nameOf: (region: string) => string,
): { first: string; rest: string } {
  const { down, voting } = round.votes;
  const unknown = round.regions.filter(({ vote }) => vote === 'unknown');
  const absent =
    unknown.length === 0 ? '' : words.notVoting(unknown.map((one) => nameOf(one.region)));
  const takes = words.needed(rule.votes_needed, rule.regions, rule.failure_threshold);
  if (type === 'slow_response' && rule.slow_response_threshold !== null) {
    return {
      first: words.slower(rule.slow_response_threshold, rule.failure_threshold),
      rest: absent,
    };
  }
  if (type === 'regional')
    return { first: words.regional(down, voting), rest: joined(takes, absent) };
  return { first: words.votedDown(down, voting), rest: joined(takes, absent) };
}

function joined(...sentences: string[]): string {
  return sentences.filter(Boolean).join(' ');
}

/** Codes of failures that say nothing of the target: the probe could not look. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set([
  'no_probe',
  'probe_lost',
  'probe_lagged',
  'probe_no_network',
  'probe_unable',
  'probe_error',
  'aborted',
]);

/** Shape of what one region saw; a probe that could not look saw nothing. */
export function displayStatusOfFailure(code: string | undefined): DisplayStatus {
  if (code === undefined) return 'online';
  return UNKNOWN_CODES.has(code) ? 'unknown' : 'offline';
}

/** Why a region got no status code, in a word. */
export function failureInAWord(
  code: string | null,
  words: Pick<VerdictWords, 'noAnswer' | 'refused'>,
): string {
  if (code === 'connection_refused') return words.refused;
  if (code?.startsWith('dns_')) return 'DNS';
  return code?.startsWith('tls_') ? 'TLS' : words.noAnswer;
}
