import { BUS_MARGIN_MS } from '../../src/engine/bus/contract.ts';
import type { Region } from '../../src/model/monitor.ts';
import type { RoundClass } from '../../src/model/round.ts';
import { contentOf } from './plan.ts';
import type { MonitorSettings, Plan, ProbeState, Sight } from './plan.ts';
import { valueAt } from './segments.ts';

/**
 * What an honest observer would have to see of a monitor at an instant, worked out from the world's script alone.
 * Votes that chance decides make it uncertain, and then it says nothing.
 */
export interface Truth {
  /** Null when chance decides. What failed by its content counts in `class`, and in `reach` only without a majority. */
  class: RoundClass | null;
  reach: RoundClass | null;
  /** Null when chance decides, or nobody can tell; good when it is not checked. */
  content: 'good' | 'bad' | null;
  families: 'good' | 'bad' | null;
  slow: 'good' | 'bad' | null;
  /** The longest that a round may take. */
  longestMs: number;
}

/** `wrong` is a down vote for the content that came. */
type PossibleVote = 'up' | 'down' | 'wrong' | 'none';

/** Answers vary by at most this share around the scripted time. */
export const JITTER = 0.1;

export function truthAt(plan: Plan, settings: MonitorSettings, at: number): Truth {
  const sights = valueAt(plan.targets[settings.target]!.segments, at);
  const seen = settings.regions.map((region) => ({
    probe: valueAt(plan.probes[region]!, at),
    sight: sights[region]!,
  }));
  const known = settings.regions.filter((region) => wasSeen(plan, region, at)).length;
  const votes = votesAt(plan, settings, at);
  const all = combinations(votes);
  const classes = onlyOne(all.map((combination) => classOf(combination, known)));
  return {
    class: classes,
    reach: onlyOne(all.map((combination) => reachOf(combination, known))),
    content: contentOf(settings)
      ? onlyOne(all.map((combination) => wordOfContent(combination, known)))
      : 'good',
    families: familiesAt(plan, settings, at, votes),
    slow: slownessOf(seen, votes, settings),
    longestMs: Math.max(
      ...seen.map(({ probe, sight }) => longest(probe, sight, settings.timeoutMs)),
    ),
  };
}

/**
 * All classes that a round begun at that instant may have, if any of its checks may also have been lost. A region whose
 * probe is first seen while the round is under way may count as known.
 */
export function possibleClasses(
  plan: Plan,
  settings: MonitorSettings,
  at: number,
): Set<RoundClass> {
  const votes = votesAt(plan, settings, at).map((some): PossibleVote[] => [...some, 'none']);
  const classes = [at, at + settings.timeoutMs + BUS_MARGIN_MS].flatMap((seenUntil) => {
    const known = settings.regions.filter((region) => wasSeen(plan, region, seenUntil)).length;
    return combinations(votes).map((combination) => classOf(combination, known));
  });
  return new Set(classes);
}

/** The instants at which the script changes for this monitor. */
export function turningPoints(plan: Plan, settings: MonitorSettings): number[] {
  const probes = settings.regions.flatMap((region) => plan.probes[region]!);
  const { segments, content, isHalved } = plan.targets[settings.target]!;
  const checked = [
    ...(contentOf(settings) ? content : []),
    ...(settings.checkBothFamilies ? isHalved : []),
  ];
  return [...segments, ...checked, ...probes].map(({ from }) => from);
}

/** By region. */
function votesAt(plan: Plan, settings: MonitorSettings, at: number): PossibleVote[][] {
  const { segments, content } = plan.targets[settings.target]!;
  const sights = valueAt(segments, at);
  const isWrong = (region: Region) =>
    contentOf(settings) !== null && valueAt(content, at).includes(region);
  return settings.regions.map((region) =>
    possibleVotes(valueAt(plan.probes[region]!, at), sights[region]!, settings.timeoutMs).map(
      (vote) => (vote === 'up' && isWrong(region) ? 'wrong' : vote),
    ),
  );
}

/** Whether the region's probe lived at any time until then; worlds are shorter than the hour after which it is forgotten. */
function wasSeen(plan: Plan, region: Region, at: number): boolean {
  return plan.probes[region]!.some(({ from, value }) => from <= at && value !== 'dead');
}

function possibleVotes(probe: ProbeState, sight: Sight, timeoutMs: number): PossibleVote[] {
  if (probe === 'dead') return ['none'];
  if (probe === 'split') return ['down'];
  const lost: PossibleVote[] = probe === 'alive' ? [] : ['none'];
  if (sight.kind === 'crawling') return ['up', 'down', ...lost];
  if (sight.kind === 'silent') return ['down', ...lost];
  if (sight.kind === 'down') return ['down', ...lost];
  if (sight.ms * (1 + JITTER) < timeoutMs) return ['up', ...lost];
  return ['up', 'down', ...lost];
}

function longest(probe: ProbeState, sight: Sight, timeoutMs: number): number {
  if (probe === 'dead') return 1;
  if (probe === 'alive' && 'ms' in sight) return Math.min(timeoutMs, sight.ms * (1 + JITTER) + 1);
  return timeoutMs + BUS_MARGIN_MS;
}

/** Completions, section 6: V = 0 is unknown; D > V/2 and V > R/2 is down; D > 0 is regional; else it is up. */
function classOf(votes: PossibleVote[], known: number): RoundClass {
  const voting = votes.filter((vote) => vote !== 'none').length;
  const down = votes.filter((vote) => vote === 'down' || vote === 'wrong').length;
  if (voting === 0) return 'unknown';
  if (2 * down > voting && 2 * voting > known) return 'down';
  return down > 0 ? 'regional' : 'up';
}

/** A majority that fails is the content's fault where more got a wrong one than none. */
function reachOf(votes: PossibleVote[], known: number): RoundClass {
  const roundClass = classOf(votes, known);
  if (roundClass !== 'down' || !isMoreWrong(votes)) return roundClass;
  return votes.includes('down') ? 'regional' : 'up';
}

function wordOfContent(votes: PossibleVote[], known: number): Truth['content'] {
  const roundClass = classOf(votes, known);
  if (roundClass === 'down') return isMoreWrong(votes) ? 'bad' : null;
  return votes.includes('up') ? 'good' : null;
}

function isMoreWrong(votes: PossibleVote[]): boolean {
  const count = (wanted: PossibleVote) => votes.filter((vote) => vote === wanted).length;
  return count('wrong') > count('down');
}

/** Certain only where every region gets an answer. */
function familiesAt(
  plan: Plan,
  { checkBothFamilies, target }: MonitorSettings,
  at: number,
  votes: PossibleVote[][],
): Truth['families'] {
  if (!checkBothFamilies) return 'good';
  const isCertain = votes.every(([vote, other]) => other === undefined && isAnswer(vote));
  if (!isCertain) return null;
  return valueAt(plan.targets[target]!.isHalved, at) ? 'bad' : 'good';
}

function isAnswer(vote: PossibleVote | undefined): boolean {
  return vote === 'up' || vote === 'wrong';
}

/** Certain only where all regions that can be up agree and chance decides nothing. */
function slownessOf(
  seen: { probe: ProbeState; sight: Sight }[],
  votes: PossibleVote[][],
  settings: MonitorSettings,
): Truth['slow'] {
  const threshold = settings.slowResponseThresholdMs;
  if (threshold === null) return 'good';
  const verdicts = new Set<Truth['slow']>();
  seen.forEach(({ sight }, index) => {
    if (!votes[index]!.includes('up')) return;
    if (sight.kind !== 'up') verdicts.add(null);
    else
      verdicts.add(
        sight.ms * (1 - JITTER) > threshold
          ? 'bad'
          : sight.ms * (1 + JITTER) <= threshold
            ? 'good'
            : null,
      );
  });
  return onlyOne([...verdicts]);
}

function combinations(votes: PossibleVote[][]): PossibleVote[][] {
  return votes.reduce<PossibleVote[][]>(
    (all, possible) => all.flatMap((some) => possible.map((vote) => [...some, vote])),
    [[]],
  );
}

function onlyOne<Value>(values: (Value | null)[]): Value | null {
  const different = new Set(values);
  return different.size === 1 ? [...different][0]! : null;
}
