import { BUS_MARGIN_MS } from '../../src/engine/bus/contract.ts';
import type { Era, OwnedMonitor } from './operator.ts';
import { contentOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { groundTruthAt, turningPoints } from './ground-truth.ts';
import type { GroundTruth } from './ground-truth.ts';
import type { SeenCheck } from './probes.ts';
import { worstOf } from './reference-model.ts';
import { timeOf } from './story.ts';
import type { TrackedMonitor } from './commit-checker.ts';

/** A time in which something hindered us; nothing is asked of it. Virtual milliseconds. */
export interface Disturbance {
  from: number;
  to: number;
  /** `handover`: of two processes, one takes over what was the other's. */
  kind: 'away' | 'frozen' | 'database' | 'clock' | 'handover';
}

/** How often each rule had something to look at, so that a test can see that none of them sleeps. */
export type MonitorCoverage = Record<
  | 'down'
  | 'regional'
  | 'up'
  | 'slow'
  | 'pace'
  | 'prompt'
  | 'paused'
  | 'away'
  | 'partition'
  | 'good'
  | 'confirmedAfterManualAction'
  | 'wrongContent'
  | 'rightContent'
  | 'singleFamily'
  | 'bothFamilies'
  | 'inspectedBad'
  | 'inspectedGood'
  | 'inspectedInnocent'
  | 'inspectedInTime',
  number
>;

/** Reading an edit takes up to half a second, gathering rounds for a commit 50 ms. */
const SLACK_MS = 1_500;
/** So long after its end a round waits for its verdict. */
const EVALUATED_MS = 200;
const FIRST_RECHECK_MS = 10_000;
const FURTHER_RECHECK_MS = 20_000;
const CRITICAL_PACE_MS = 60_000;
/** A check that began before a quiet time may be under way for so long, whatever its settings were. */
const LONGEST_CHECK_MS = 30_000 + BUS_MARGIN_MS;

/** A time in which nothing changed and nothing hindered us, so that what we say must come true. */
export interface StablePeriod {
  from: number;
  to: number;
  era: Era;
  truth: GroundTruth;
  /** A round of the era before may still be under way. */
  isFirstOfEra: boolean;
  /** Something hindered us a moment ago. */
  isAfterDisturbance: boolean;
  /** Somebody touched an incident just then. */
  isAfterManualAction: boolean;
  /** What is written by one clock may be read by another one, which is behind by so much. */
  skewMs: number;
}

export function stablePeriods(
  scenario: Scenario,
  monitor: OwnedMonitor,
  disturbances: Disturbance[],
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

/** Holds what is known of a monitor against the truth, wherever it had the time to find it out. */
export function checkStablePeriod(
  period: StablePeriod,
  tracked: TrackedMonitor,
  coverage: MonitorCoverage,
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
      violate(`since ${timeOf(from)} it must be ${what} by ${timeOf(since)}, but is ${seen}`);
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
        'well',
        (known) => !hasCondition(known, 'uptime') && !hasCondition(known, 'regional'),
      );
    }
  }

  const kind = contentOf(settings);
  const type = kind === 'json' ? 'json_assertion' : 'keyword';
  const isRight = truth.content === 'good';
  // The incident of the one kind of check has to be ended before that of the other one begins.
  const readBy =
    from + lead + confirmationMs(truth, settings, isRight) + FURTHER_RECHECK_MS + truth.longestMs;
  if (kind !== null && truth.content !== null && readBy < to) {
    coverage[isRight ? 'rightContent' : 'wrongContent'] += 1;
    expect(readBy, `of ${truth.content} content`, (known) =>
      isRight ? !hasCondition(known, type) : has(known, type) && known.status === 'offline',
    );
  }

  // Slowness and lame families are confirmed at the ordinary pace.
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

/** Looks come at least every interval, and no storm of them. */
function checkPace(
  { from, to, era, truth }: StablePeriod,
  tracked: TrackedMonitor,
  lead: number,
  coverage: MonitorCoverage,
  violate: (rule: string) => void,
): void {
  const { intervalMs } = era.settings;
  const longestGap = intervalMs + truth.longestMs + SLACK_MS;
  if (to - from < lead + longestGap) return;
  coverage.pace += 1;
  const starts = tracked.counted.map(({ at }) => at).filter((at) => at >= from && at <= to);
  // The last round may have begun too late to count before something hindered it.
  const last = Math.max(to - truth.longestMs - SLACK_MS, ...starts);
  const times = [from + lead, ...starts.filter((at) => at > from + lead), last];
  times.slice(1).forEach((at, index) => {
    const gap = at - times[index]!;
    if (gap > longestGap)
      violate(`nobody looked for ${gap} ms until ${timeOf(at)}, the interval is ${intervalMs} ms`);
  });
  const span = to - from;
  const most = 3 + span / intervalMs + span / FIRST_RECHECK_MS;
  if (starts.length > most)
    violate(`${starts.length} rounds in the ${span} ms since ${timeOf(from)}`);
}

/** The longest that a confirmation or a recovery may take from the first possible round on. */
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
 * An edit brings the next round forward to now, or to the end of the round that is under way. A mere wish to look now
 * is met by the round under way, and what was due when a process starts is spread a little.
 */
export function checkPromptness(
  { from, to, era, isAfterDisturbance, skewMs }: StablePeriod,
  checks: readonly SeenCheck[],
  coverage: MonitorCoverage,
  violate: (rule: string) => void,
): void {
  if (era.dueNow === null || era.from !== from || isAfterDisturbance) return;
  // Under way is what was not judged yet.
  const isUnderWay = ({ at, endedAt }: SeenCheck) =>
    at < from && (endedAt ?? Infinity) + EVALUATED_MS >= from;
  const underWay = checks.filter(isUnderWay);
  if (era.dueNow === 'wish' && underWay.length > 0) return;
  const by =
    Math.max(from, ...underWay.map(({ endedAt }) => endedAt ?? Infinity)) + SLACK_MS + skewMs;
  if (by > to) return;
  coverage.prompt += 1;
  const isLooked = checks.some(({ at }) => at >= from && at <= by);
  if (!isLooked) violate(`edited at ${timeOf(from)}, it was not looked at by ${timeOf(by)}`);
}

/** While a critical condition is open, looks come at least every minute. */
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
      violate(`offline, but nobody looked for ${at - before} ms until ${timeOf(at)}`);
  });
}

export type Known = TrackedMonitor['timeline'][number];

function has({ open }: Known, type: string): boolean {
  return open.includes(type);
}

/** An incident that somebody opened again may stay open on its own. */
function hasCondition({ conditions }: Known, condition: string): boolean {
  return conditions.includes(condition);
}

function isWorst({ status, conditions }: Known): boolean {
  return status === worstOf(conditions);
}

/** What was known from `since` on and each change of it until `to`. */
export function knownBetween({ timeline }: TrackedMonitor, since: number, to: number): Known[] {
  const nothing: Known = { at: 0, status: 'pending', open: [], conditions: [] };
  const first = timeline.findLast((known) => known.at <= since) ?? nothing;
  return [first, ...timeline.filter((known) => known.at > since && known.at < to)];
}
