import { BUS_MARGIN_MS } from '../../src/engine/bus/contract.ts';
import type { Region } from '../../src/model/monitor.ts';
import type { RoundClass } from '../../src/model/round.ts';
import { contentOf } from './scenario.ts';
import type { MonitorSettings, Scenario, ProbeState } from './scenario.ts';
import type { RegionView } from './targets.ts';
import { valueAt } from './segments.ts';

/**
 * What must be detected of a monitor at an instant, derived from the scenario alone. Null where the outcome depends on
 * chance.
 */
export interface GroundTruth {
  /** Null when it depends on chance. Failed content counts in `class`; it counts in `reach` only without a majority. */
  class: RoundClass | null;
  reach: RoundClass | null;
  /** Null when it depends on chance or can't be determined; good when it is not checked. */
  content: 'good' | 'bad' | null;
  families: 'good' | 'bad' | null;
  slow: 'good' | 'bad' | null;
  /** Longest duration of a round. */
  longestMs: number;
}

/** `wrong` is a down vote because of the content. */
type PossibleVote = 'up' | 'down' | 'wrong' | 'none';

/** Response times vary by at most this share around the scripted time. */
export const JITTER = 0.1;

export function groundTruthAt(
  scenario: Scenario,
  settings: MonitorSettings,
  at: number,
): GroundTruth {
  const views = valueAt(scenario.targets[settings.target]!.segments, at);
  const seen = settings.regions.map((region) => ({
    probe: valueAt(scenario.probes[region]!, at),
    view: views[region]!,
  }));
  const known = settings.regions.filter((region) => wasSeen(scenario, region, at)).length;
  const votes = votesAt(scenario, settings, at);
  const all = combinations(votes);
  const classes = onlyOne(all.map((combination) => classOf(combination, known)));
  return {
    class: classes,
    reach: onlyOne(all.map((combination) => reachOf(combination, known))),
    content: contentOf(settings)
      ? onlyOne(all.map((combination) => contentFinding(combination, known)))
      : 'good',
    families: familiesAt(scenario, settings, at, votes),
    slow: slownessOf(seen, votes, settings),
    longestMs: Math.max(...seen.map(({ probe, view }) => longest(probe, view, settings.timeoutMs))),
  };
}

/**
 * All classes that a round which starts then may have, if any of its checks may also be lost. A region whose probe is
 * first seen during the round may count as known.
 */
export function possibleClasses(
  scenario: Scenario,
  settings: MonitorSettings,
  at: number,
): Set<RoundClass> {
  const votes = votesAt(scenario, settings, at).map((some): PossibleVote[] => [...some, 'none']);
  const classes = [at, at + settings.timeoutMs + BUS_MARGIN_MS].flatMap((seenUntil) => {
    const known = settings.regions.filter((region) => wasSeen(scenario, region, seenUntil)).length;
    return combinations(votes).map((combination) => classOf(combination, known));
  });
  return new Set(classes);
}

/** The instants at which the scenario changes for this monitor. */
export function turningPoints(scenario: Scenario, settings: MonitorSettings): number[] {
  const probes = settings.regions.flatMap((region) => scenario.probes[region]!);
  const { segments, content, isIpv4Only } = scenario.targets[settings.target]!;
  const checked = [
    ...(contentOf(settings) ? content : []),
    ...(settings.checkBothFamilies ? isIpv4Only : []),
  ];
  return [...segments, ...checked, ...probes].map(({ from }) => from);
}

/** Possible votes of each region. */
function votesAt(scenario: Scenario, settings: MonitorSettings, at: number): PossibleVote[][] {
  const { segments, content } = scenario.targets[settings.target]!;
  const views = valueAt(segments, at);
  const isWrong = (region: Region) =>
    contentOf(settings) !== null && valueAt(content, at).includes(region);
  return settings.regions.map((region) =>
    possibleVotes(valueAt(scenario.probes[region]!, at), views[region]!, settings.timeoutMs).map(
      (vote) => (vote === 'up' && isWrong(region) ? 'wrong' : vote),
    ),
  );
}

/**
 * Whether the region's probe was alive at any time until then. Worlds are shorter than the hour after which a region is
 * forgotten.
 */
function wasSeen(scenario: Scenario, region: Region, at: number): boolean {
  return scenario.probes[region]!.some(({ from, value }) => from <= at && value !== 'dead');
}

function possibleVotes(probe: ProbeState, view: RegionView, timeoutMs: number): PossibleVote[] {
  if (probe === 'dead') return ['none'];
  if (probe === 'split') return ['down'];
  const lost: PossibleVote[] = probe === 'alive' ? [] : ['none'];
  if (view.kind === 'crawling') return ['up', 'down', ...lost];
  if (view.kind === 'silent') return ['down', ...lost];
  if (view.kind === 'down') return ['down', ...lost];
  if (view.ms * (1 + JITTER) < timeoutMs) return ['up', ...lost];
  return ['up', 'down', ...lost];
}

function longest(probe: ProbeState, view: RegionView, timeoutMs: number): number {
  if (probe === 'dead') return 1;
  if (probe === 'alive' && 'ms' in view) return Math.min(timeoutMs, view.ms * (1 + JITTER) + 1);
  return timeoutMs + BUS_MARGIN_MS;
}

/**
 * V = 0 is unknown; D > V/2 and V > R/2 is down; D > 0 is regional; else up. V are votes, D down votes, R known
 * regions.
 */
function classOf(votes: PossibleVote[], known: number): RoundClass {
  const voting = votes.filter((vote) => vote !== 'none').length;
  const down = votes.filter((vote) => vote === 'down' || vote === 'wrong').length;
  if (voting === 0) return 'unknown';
  if (2 * down > voting && 2 * voting > known) return 'down';
  return down > 0 ? 'regional' : 'up';
}

/** A failed majority is a content problem if wrong content outnumbers missing answers. */
function reachOf(votes: PossibleVote[], known: number): RoundClass {
  const roundClass = classOf(votes, known);
  if (roundClass !== 'down' || !isMoreWrong(votes)) return roundClass;
  return votes.includes('down') ? 'regional' : 'up';
}

function contentFinding(votes: PossibleVote[], known: number): GroundTruth['content'] {
  const roundClass = classOf(votes, known);
  if (roundClass === 'down') return isMoreWrong(votes) ? 'bad' : null;
  return votes.includes('up') ? 'good' : null;
}

function isMoreWrong(votes: PossibleVote[]): boolean {
  const count = (wanted: PossibleVote) => votes.filter((vote) => vote === wanted).length;
  return count('wrong') > count('down');
}

/** Known only if every region gets an answer. */
function familiesAt(
  scenario: Scenario,
  { checkBothFamilies, target }: MonitorSettings,
  at: number,
  votes: PossibleVote[][],
): GroundTruth['families'] {
  if (!checkBothFamilies) return 'good';
  const isCertain = votes.every(([vote, other]) => other === undefined && isAnswer(vote));
  if (!isCertain) return null;
  return valueAt(scenario.targets[target]!.isIpv4Only, at) ? 'bad' : 'good';
}

function isAnswer(vote: PossibleVote | undefined): boolean {
  return vote === 'up' || vote === 'wrong';
}

/** Known only if all regions that can be up agree regardless of chance. */
function slownessOf(
  seen: { probe: ProbeState; view: RegionView }[],
  votes: PossibleVote[][],
  settings: MonitorSettings,
): GroundTruth['slow'] {
  const threshold = settings.slowResponseThresholdMs;
  if (threshold === null) return 'good';
  const verdicts = new Set<GroundTruth['slow']>();
  seen.forEach(({ view }, index) => {
    if (!votes[index]!.includes('up')) return;
    if (view.kind !== 'up') verdicts.add(null);
    else
      verdicts.add(
        view.ms * (1 - JITTER) > threshold
          ? 'bad'
          : view.ms * (1 + JITTER) <= threshold
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
