import { BUS_MARGIN_MS } from '../../src/engine/bus/contract.ts';
import type { RuleCoverage } from './coverage.ts';
import type { Era, OwnedMonitor } from './operator.ts';
import { contentOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { groundTruthAt, turningPoints } from './ground-truth.ts';
import type { GroundTruth } from './ground-truth.ts';
import type { SeenCheck } from './probes.ts';
import { worstOf } from './reference-model.ts';
import { timeOf } from './story.ts';
import type { TrackedMonitor } from './commit-checker.ts';

/** A period in which a fault kept the system from its work: nothing is expected of it. Virtual milliseconds. */
export interface Disturbance {
  from: number;
  to: number;
  /** `handover`: one of two processes takes over monitors of the other. */
  kind: 'away' | 'frozen' | 'database' | 'clock' | 'handover';
}

/** An edit is read within half a second, and rounds are gathered for 50 ms before a commit. */
const SLACK_MS = 1_500;
/** Longest time between the end of a round and its verdict. */
const EVALUATED_MS = 200;
const FIRST_RECHECK_MS = 10_000;
const FURTHER_RECHECK_MS = 20_000;
const CRITICAL_PACE_MS = 60_000;
/** Longest time that a check of any settings may take. */
const LONGEST_CHECK_MS = 30_000 + BUS_MARGIN_MS;

/**
 * A period in which nothing changed and no fault occurred, so that the recorded state must converge to the ground
 * truth.
 */
export interface StablePeriod {
  from: number;
  to: number;
  era: Era;
  truth: GroundTruth;
  /** A round of the previous era may still be in flight. */
  isFirstOfEra: boolean;
  /** A disturbance ended just before. */
  isAfterDisturbance: boolean;
  /** An incident was resolved, reopened or deleted by hand when the period began. */
  isAfterManualAction: boolean;
  /** Largest difference between the clocks of two processes. */
  skewMs: number;
}

export function stablePeriods(
  scenario: Scenario,
  monitor: OwnedMonitor,
  disturbances: readonly Disturbance[],
  until: number,
  turningPointsOf: (settings: Era['settings']) => number[] = (settings) =>
    turningPoints(scenario, settings),
): StablePeriod[] {
  const eraStarts = monitor.eras.map((era) => era.from);
  const points = monitor.eras.flatMap((era) => turningPointsOf(era.settings));
  const edges = [
    ...eraStarts,
    ...points,
    ...monitor.manualActions,
    ...disturbances.flatMap(({ from, to }) => [from, to]),
    until,
  ];
  const sorted = [...new Set(edges)]
    .filter((at) => at >= eraStarts[0]! && at <= until)
    .toSorted((a, b) => a - b);
  const period: StablePeriod[] = [];
  sorted.slice(0, -1).forEach((from, index) => {
    const to = sorted[index + 1]!;
    const era = monitor.eras.findLast((one) => one.from <= from)!;
    const isDisturbed = disturbances.some((one) => one.from < to && one.to > from);
    if (isDisturbed || era.isPaused || era.isDeleted) return;
    const isFirstOfEra = eraStarts.includes(from);
    const isAfterDisturbance = disturbances.some(
      (one) => one.from <= from && one.to > from - SLACK_MS,
    );
    const truth = groundTruthAt(scenario, era.settings, from);
    const isAfterManualAction = monitor.manualActions.includes(from);
    const skewMs = scenario.pair?.skewMs ?? 0;
    period.push({
      from,
      to,
      era,
      truth,
      isFirstOfEra,
      isAfterDisturbance,
      isAfterManualAction,
      skewMs,
    });
  });
  return period;
}

/** Compares the recorded state with the ground truth, wherever there was enough time to detect it. */
export function checkStablePeriod(
  period: StablePeriod,
  tracked: TrackedMonitor,
  coverage: RuleCoverage,
  violate: (rule: string) => void,
): void {
  const { from, to, era, truth, isFirstOfEra } = period;
  const { settings } = era;
  const straddling = isFirstOfEra ? LONGEST_CHECK_MS : settings.timeoutMs + BUS_MARGIN_MS;
  const lead = Math.min(straddling, LONGEST_CHECK_MS) + SLACK_MS + period.skewMs;
  const expect = (since: number, what: string, isTrue: (known: Known) => boolean) => {
    for (const known of knownBetween(tracked, since, to)) {
      if (isTrue(known)) continue;
      const seen = `${known.status} with [${known.open.join(', ')}] of [${known.conditions.join(', ')}] at ${timeOf(Math.max(known.at, since))}`;
      violate(`since ${timeOf(from)}it must be ${what} by ${timeOf(since)}, but it is ${seen}`);
      return;
    }
  };

  const reachableBy = from + lead + confirmationMs(truth, settings, truth.reach === 'up');
  if (truth.reach !== null && truth.reach !== 'unknown' && reachableBy < to) {
    coverage[truth.reach] += 1;
    if (truth.reach === 'down') {
      if (period.isAfterManualAction) coverage.confirmedAfterManualAction += 1;
      expect(reachableBy, 'offline', (known) => has(known, 'uptime') && known.status === 'offline');
    } else if (truth.reach === 'regional') {
      expect(
        reachableBy,
        'regional',
        (known) => has(known, 'regional') && !hasCondition(known, 'uptime'),
      );
      expect(reachableBy, 'degraded', isWorst);
    } else {
      expect(
        reachableBy,
        'healthy',
        (known) => !hasCondition(known, 'uptime') && !hasCondition(known, 'regional'),
      );
    }
  }

  const kind = contentOf(settings);
  const type = kind === 'json' ? 'json_assertion' : 'keyword';
  const isRight = truth.content === 'good';
  // The incident of the one kind of content check has to end before that of the other one begins.
  const readBy =
    from + lead + confirmationMs(truth, settings, isRight) + FURTHER_RECHECK_MS + truth.longestMs;
  if (kind !== null && truth.content !== null && readBy < to) {
    coverage[isRight ? 'rightContent' : 'wrongContent'] += 1;
    expect(readBy, `of ${truth.content} content`, (known) =>
      isRight ? !hasCondition(known, type) : has(known, type) && known.status === 'offline',
    );
  }

  // Slow responses and a missing address family are confirmed at the ordinary interval.
  const rounds = Math.max(settings.failureThreshold, settings.recoveryThreshold);
  const slowBy = Math.max(
    from + lead + confirmationMs(truth, settings, truth.reach === 'up'),
    from + lead + rounds * (settings.intervalMs + truth.longestMs),
  );
  if (truth.class === 'up' && truth.slow !== null && slowBy < to) {
    coverage.slow += 1;
    const isSlow = truth.slow === 'bad';
    expect(
      slowBy,
      isSlow ? 'slow' : 'fast',
      (known) => hasCondition(known, 'slow_response') === isSlow && isWorst(known),
    );
  }
  if (settings.checkBothFamilies && truth.families !== null && slowBy < to) {
    const isIpv4Only = truth.families === 'bad';
    coverage[isIpv4Only ? 'singleFamily' : 'bothFamilies'] += 1;
    expect(slowBy, `of ${truth.families} families`, (known) =>
      isIpv4Only ? has(known, 'dual_stack') : !hasCondition(known, 'dual_stack'),
    );
  }
  checkPace(period, tracked, lead, coverage, violate);
}

/** Rounds start at least every interval, and not much more often. */
function checkPace(
  { from, to, era, truth }: StablePeriod,
  tracked: TrackedMonitor,
  lead: number,
  coverage: RuleCoverage,
  violate: (rule: string) => void,
): void {
  const { intervalMs } = era.settings;
  const longestGap = intervalMs + truth.longestMs + SLACK_MS;
  if (to - from < lead + longestGap) return;
  coverage.pace += 1;
  const starts = tracked.counted.map(({ at }) => at).filter((at) => at >= from && at <= to);
  // A disturbance may keep the last round from counting.
  const last = Math.max(to - truth.longestMs - SLACK_MS, ...starts);
  const times = [from + lead, ...starts.filter((at) => at > from + lead), last];
  times.slice(1).forEach((at, index) => {
    const gap = at - times[index]!;
    if (gap > longestGap)
      violate(
        `no round started for ${gap} ms until ${timeOf(at)}, though the interval is ${intervalMs} ms`,
      );
  });
  const span = to - from;
  const most = 3 + span / intervalMs + span / FIRST_RECHECK_MS;
  if (starts.length > most)
    violate(`${starts.length} rounds in the ${span} ms since ${timeOf(from)}`);
}

/** Longest time from the first possible round until a confirmation or a recovery. */
function confirmationMs(
  truth: GroundTruth,
  settings: Era['settings'],
  isRecovery: boolean,
): number {
  const { intervalMs, failureThreshold, recoveryThreshold } = settings;
  const rounds = isRecovery ? recoveryThreshold : failureThreshold;
  const rechecks = rounds < 2 ? 0 : FIRST_RECHECK_MS + (rounds - 2) * FURTHER_RECHECK_MS;
  return intervalMs + rechecks + rounds * truth.longestMs;
}

/**
 * An edit starts a round at once, or at the end of the round in flight. A requested check is satisfied by the round in
 * flight, and rounds that are due when a process starts are spread over a short time.
 */
export function checkPromptness(
  { from, to, era, isAfterDisturbance, skewMs }: StablePeriod,
  checks: readonly SeenCheck[],
  coverage: RuleCoverage,
  violate: (rule: string) => void,
): void {
  if (era.dueNow === null || era.from !== from || isAfterDisturbance) return;
  // A check is in flight until its round has a verdict.
  const isUnderWay = ({ at, endedAt }: SeenCheck) =>
    at < from && (endedAt ?? Infinity) + EVALUATED_MS >= from;
  const underWay = checks.filter(isUnderWay);
  if (era.dueNow === 'request' && underWay.length > 0) return;
  const by =
    Math.max(from, ...underWay.map(({ endedAt }) => endedAt ?? Infinity)) + SLACK_MS + skewMs;
  if (by > to) return;
  coverage.prompt += 1;
  const isLooked = checks.some(({ at }) => at >= from && at <= by);
  if (!isLooked) violate(`edited at ${timeOf(from)}, no check started by ${timeOf(by)}`);
}

/** While a critical condition is open, rounds start at least every minute. */
export function checkCriticalPace(
  { from, to, era, truth }: StablePeriod,
  tracked: TrackedMonitor,
  violate: (rule: string) => void,
): void {
  if (era.settings.intervalMs <= CRITICAL_PACE_MS) return;
  const longestGap = CRITICAL_PACE_MS + truth.longestMs + SLACK_MS;
  const starts = tracked.counted.map(({ at }) => at).filter((at) => at >= from && at <= to);
  starts.slice(1).forEach((at, index) => {
    const before = starts[index]!;
    const wasOffline = knownBetween(tracked, before + truth.longestMs + SLACK_MS, at).every(
      ({ status }) => status === 'offline',
    );
    if (wasOffline && at - before > longestGap)
      violate(`offline, but no round started for ${at - before} ms until ${timeOf(at)}`);
  });
}

export type Known = TrackedMonitor['timeline'][number];

function has({ open }: Known, type: string): boolean {
  return open.includes(type);
}

/** Checks the condition, not the incident: a reopened incident may stay open without it. */
function hasCondition({ conditions }: Known, condition: string): boolean {
  return conditions.includes(condition);
}

function isWorst({ status, conditions }: Known): boolean {
  return status === worstOf(conditions);
}

/** The recorded state at `since` and each change of it until `to`. */
export function knownBetween({ timeline }: TrackedMonitor, since: number, to: number): Known[] {
  const nothing: Known = { at: 0, status: 'pending', open: [], conditions: [] };
  const first = timeline.findLast((known) => known.at <= since) ?? nothing;
  return [first, ...timeline.filter((known) => known.at > since && known.at < to)];
}
