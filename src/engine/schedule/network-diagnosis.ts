import { getDomain } from 'tldts';
import type { Bus } from '../bus/contract.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { MachineReport } from '../../model/machine.ts';
import type { Region } from '../../model/monitor.ts';
import { FULL_SAMPLE } from '../verdict/region-health.ts';
import type { Question, RegionHealthMonitor } from '../verdict/region-health-monitor.ts';
import type { Scheduler } from './scheduler.ts';
import type { CheckRequest } from '../../model/check.ts';
import { hostOfRequest, lightRequestOf } from '../../monitor-types/registry.ts';
import type { Plan } from './round.ts';

export type NetworkDiagnosis = ReturnType<typeof createNetworkDiagnosis>;

const EVERY_MS = 1_000;
/** Minimum time between two requests to the same target. */
const TARGET_GAP_MS = 5_000;

/**
 * Tests a suspected network: before a region is quarantined, and while it is, it checks a sample of targets that were up
 * and the network state of the machine itself. The answers are evidence, not votes. When a quarantine ends, the monitors
 * whose failures it suppressed are checked at once.
 */
export function createNetworkDiagnosis(dependencies: {
  bus: Pick<Bus, 'check'>;
  /** Reports the network state of the machine that probes for a region; null without an answer. */
  inspectMachine(region: Region): Promise<MachineReport | null>;
  clock: Clock;
  log: Log;
  scheduler: Pick<Scheduler, 'plans' | 'runSoon'>;
  tracker: Omit<RegionHealthMonitor, 'suppressVotes' | 'recordSelfCheck' | 'quarantines' | 'load'>;
  regions: readonly Region[];
}) {
  const { bus, clock, log, scheduler, tracker, regions } = dependencies;
  const counters = { targets_asked: 0, machines_asked: 0 };
  const askedAt = new Map<number, number>();
  let drawn = 0;
  let timer: Timer | null = null;
  let isStopped = false;

  async function ask(question: Question): Promise<void> {
    const probed = question.regions.filter((region) => regions.includes(region));
    const machines = question.size >= FULL_SAMPLE ? probed : [];
    const asking = sampleOf(question).map((target) => askTarget(question, target));
    const reports = await Promise.all(machines.map(askMachine));
    await Promise.all(asking);
    if (isStopped) return;
    tracker.recordAnswers(question, reports, clock.now());
    askDue();
    await tracker.save();
  }

  function sampleOf(question: Question): SampleTarget[] {
    forgetAsked();
    const sample = chooseSample({
      plans: scheduler.plans(),
      question,
      tracker,
      regions,
      wasAskedRecently: (monitorId) => askedAt.has(monitorId),
      drawn,
    });
    drawn = sample.drawn;
    return sample.targets;
  }

  async function askTarget({ scope }: Question, target: SampleTarget): Promise<void> {
    const { monitorId, host, region } = target;
    // A request without a team does not wait for a slot, so an overloaded probe can still test its network.
    const { teamId: _team, ...request } = target.request;
    const checkedAt = clock.now();
    askedAt.set(monitorId, clock.monotonic());
    counters.targets_asked++;
    const result = { ...(await bus.check(region, request)), region, checkedAt };
    if (!isStopped) tracker.recordSample({ monitorId, host, scope, result, at: clock.now() });
  }

  async function askMachine(region: Region): Promise<MachineReport | null> {
    counters.machines_asked++;
    return dependencies.inspectMachine(region);
  }

  function forgetAsked(): void {
    for (const [monitorId, at] of askedAt)
      if (at <= clock.monotonic() - TARGET_GAP_MS) askedAt.delete(monitorId);
  }

  function askDue(): void {
    const released = tracker.takeReleased();
    if (released.length > 0) scheduler.runSoon(released);
    for (const question of tracker.questions(clock.now()))
      ask(question).catch((error: unknown) => {
        // Log: It is suspected until another check.
        log.error({ error }, 'A suspected network could not be checked.');
        tracker.recordAnswers(question, [], clock.now());
      });
  }

  function tick(): void {
    timer = null;
    askDue();
    wake();
  }

  /** Starts the timer; it does not run while nothing fails. */
  function wake(): void {
    if (isStopped || timer !== null || tracker.isHealthy()) return;
    timer = clock.after(EVERY_MS, tick);
  }

  return {
    start() {
      tracker.onFailure(wake);
      tick();
    },
    stop() {
      isStopped = true;
      clock.clear(timer);
    },
    counters,
  };
}

interface SampleTarget {
  monitorId: number;
  host: string;
  region: Region;
  request: CheckRequest;
}

export interface SampleOptions {
  plans: readonly Plan[];
  question: Question;
  tracker: Pick<RegionHealthMonitor, 'isAnswering' | 'canDisprove' | 'networkOf'>;
  regions: readonly Region[];
  /** True when the target was checked within the minimum gap. */
  wasAskedRecently(monitorId: number): boolean;
  /** Number of entries drawn by earlier samples, where this one continues. */
  drawn: number;
}

/** Short enough that the answer is known before the first recheck confirms an outage. */
const TIMEOUT_MS = 3_000;
const MAX_DRAWN = 2_000;
/** Multiples of the golden ratio's fraction fall into the largest remaining gap, so samples spread over all entries. */
const GOLDEN = 0.6180339887498949;

/** Chooses targets that share no host, domain or network; those that were up come first. */
export function chooseSample(options: SampleOptions): { targets: SampleTarget[]; drawn: number } {
  const { plans, question } = options;
  const targets: SampleTarget[] = [];
  const failing: SampleTarget[] = [];
  const taken = new Set<string | number>();
  const limit = Math.min(plans.length, MAX_DRAWN);
  const seen = new Set<number>();
  let { drawn } = options;
  for (let count = 0; count < 2 * limit && targets.length < question.size; count += 1) {
    const index = Math.floor(((drawn * GOLDEN) % 1) * plans.length);
    drawn += 1;
    if (seen.has(index)) continue;
    seen.add(index);
    const target = eligibleTarget(plans[index]!, targets.length + failing.length, options);
    if (target === null) continue;
    const isWell = options.tracker.isAnswering(target.monitorId);
    if (!isWell && !question.isQuarantined) continue;
    if (!claim(keysOf(target, options), taken)) continue;
    (isWell ? targets : failing).push(target);
  }
  return { targets: [...targets, ...failing].slice(0, question.size), drawn };
}

function eligibleTarget(
  { monitorId, regions, request }: Plan,
  position: number,
  { question, tracker, regions: probed, wasAskedRecently: isTooSoon }: SampleOptions,
): SampleTarget | null {
  const light = lightRequestOf(request);
  if (light === null) return null;
  const host = hostOfRequest(request);
  if (host === null || isTooSoon(monitorId)) return null;
  if (!tracker.canDisprove(question.fault, monitorId, host)) return null;
  const possible = regions.filter(
    (region) => question.regions.includes(region) && probed.includes(region),
  );
  if (possible.length === 0) return null;
  const region = possible[position % possible.length]!;
  const timeoutMs = Math.min(request.timeoutMs, TIMEOUT_MS);
  return { monitorId, host, region, request: { ...light, timeoutMs } };
}

function keysOf({ monitorId, host }: SampleTarget, { tracker }: Pick<SampleOptions, 'tracker'>) {
  const network = tracker.networkOf(monitorId);
  return [getDomain(host) ?? host, ...(network === null ? [] : [network])];
}

/** Claims all keys; false when any of them is already taken. */
function claim(keys: readonly (string | number)[], taken: Set<string | number>): boolean {
  if (keys.some((key) => taken.has(key))) return false;
  for (const key of keys) taken.add(key);
  return true;
}
