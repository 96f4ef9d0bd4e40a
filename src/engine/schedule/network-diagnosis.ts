import type { Bus } from '../bus/contract.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { MachineReport } from '../../model/machine.ts';
import type { Region } from '../../model/monitor.ts';
import { FULL_SAMPLE } from '../verdict/region-health.ts';
import type { Question, RegionHealthMonitor } from '../verdict/region-health-monitor.ts';
import { chooseSample } from './sample.ts';
import type { SampleTarget } from './sample.ts';
import type { Scheduler } from './scheduler.ts';

export interface NetworkDiagnosisDependencies {
  bus: Pick<Bus, 'check'>;
  /** Reports the network state of the machine that probes for a region; null without an answer. */
  inspectMachine(region: Region): Promise<MachineReport | null>;
  clock: Clock;
  log: Log;
  scheduler: Pick<Scheduler, 'plans' | 'runSoon'>;
  tracker: Pick<
    RegionHealthMonitor,
    | 'questions'
    | 'recordSample'
    | 'recordAnswers'
    | 'isAnswering'
    | 'canDisprove'
    | 'networkOf'
    | 'takeReleased'
    | 'isHealthy'
    | 'onFailure'
    | 'save'
  >;
  /** Regions this process probes for. */
  regions: readonly Region[];
}

export type NetworkDiagnosis = ReturnType<typeof createNetworkDiagnosis>;

const EVERY_MS = 1_000;
/** Minimum time between two requests to the same target. */
const TARGET_GAP_MS = 5_000;

/**
 * Tests a suspected network: before a region is quarantined, and while it is, it checks a sample of targets that were up
 * and the network state of the machine itself. The answers are evidence, not votes. When a quarantine ends, the monitors
 * whose failures it withheld are checked at once.
 */
export function createNetworkDiagnosis(dependencies: NetworkDiagnosisDependencies) {
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
