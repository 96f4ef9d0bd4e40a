import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { MachineReport } from '../../model/machine.ts';
import type { MonitorStatus, Region } from '../../model/monitor.ts';
import type { Round } from '../../model/round.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  findingOf,
  NETWORK_FAULTS,
  type MachineFinding,
  type NetworkFault,
} from './network-fault.ts';
import { Quarantines, SuppressedVotes, type Quarantine } from './quarantines.ts';
import { RecentResults, type SampleResult, type Scope } from './recent-results.ts';
import {
  doubtfulMoment,
  FULL_SAMPLE,
  isTrustedAgain,
  MIN_FAILING_ALONE,
  MIN_FAILING_EVERYWHERE,
  NEVER_ASKED,
  RELEASE_WINDOW_MS,
  sampleSize,
  suspiciousMoments,
  unrelated,
  type Asked,
  type Moment,
} from './region-health.ts';

/** Targets to query because a network is suspected or in doubt. */
export interface Question {
  scope: Scope;
  fault: NetworkFault;
  regions: readonly Region[];
  size: number;
  /** Whether targets that failed lately may be asked, too: to find out whether a doubted network is back. */
  isQuarantined: boolean;
  askedAt: number;
}

interface RegionHealthDependencies {
  database: Database;
  clock: Pick<Clock, 'now'>;
  log: Log;
  regions: readonly Region[];
  /** Name of the machine that probes for all regions; null, as without it, when there are several. */
  probeHost?: () => string | null;
}

/** Regions are bits of a number; of an installation with more regions the first ones count. */
const MOST_REGIONS = 32;
/** An evaluation reads the results of every monitor: the more monitors, the longer the interval between evaluations. */
const EVALUATE_EVERY_MS = 1_000;
const MONITORS_PER_MS = 20;
/** One possible fault of one region, or of all together. */
interface Watch {
  scope: Scope;
  fault: NetworkFault;
  moments: Moment[];
  isQuarantined: boolean;
  asked: Asked;
  isAsking: boolean;
  finding: MachineFinding;
}

const NOT_ASKED: MachineFinding = { verdict: 'unknown', reason: null };

/** Detects regions whose own network is broken, and suppresses the votes that this explains. */
export class RegionHealthMonitor {
  readonly #regions: readonly Region[];
  readonly #known: ReadonlySet<Region>;
  readonly #results: RecentResults;
  readonly #quarantines: Quarantines;
  readonly #watches: Watch[];
  readonly #probeHost: () => string | null;
  readonly #suppressed: SuppressedVotes;
  readonly #selfChecks = new SelfCheckOutcomes();
  #notifyOfFailure: () => void = () => {};
  #evaluatedAt = -Infinity;

  constructor(dependencies: RegionHealthDependencies) {
    this.#regions = dependencies.regions.slice(0, MOST_REGIONS);
    this.#known = new Set(dependencies.regions);
    this.#results = new RecentResults(new Map(this.#regions.map((region, bit) => [region, bit])));
    this.#quarantines = new Quarantines({ ...dependencies, regions: this.#regions });
    this.#suppressed = new SuppressedVotes(this.#quarantines);
    this.#probeHost = dependencies.probeHost ?? (() => null);
    this.#watches = [null, ...this.#regions].flatMap((scope) =>
      NETWORK_FAULTS.map((fault) => watchOf(scope, fault)),
    );
  }

  /**
   * Records finished rounds and returns them; failures that a quarantine explains are unknown. Recording a round twice
   * changes nothing.
   *
   * @param statusOf what was known of a monitor before; undefined of one that is gone.
   */
  suppressVotes(
    rounds: readonly Round[],
    statusOf: (monitorId: number) => MonitorStatus | undefined,
    now: number,
  ): Round[] {
    for (const round of rounds)
      this.#results.record(this.#ofKnownRegions(round), statusOf(round.monitorId));
    this.#evaluateInTime(now);
    const counted = rounds.map((round) => this.#suppressed.withSuppressedVotes(round, now));
    if (!this.isHealthy()) this.#notifyOfFailure();
    return counted;
  }

  /** Private regions are left out: a team's own probe must not spoil, or vouch for, the networks of the others. */
  #ofKnownRegions(round: Round): Round {
    if (round.results.every(({ region }) => this.#known.has(region))) return round;
    return { ...round, results: round.results.filter(({ region }) => this.#known.has(region)) };
  }

  /** Whether nothing fails, nothing is in doubt, and nothing waits for an end of doubt. */
  isHealthy(): boolean {
    const isQuarantined = this.#quarantines.active.length > 0;
    return !this.#results.isFailing && !isQuarantined && !this.#suppressed.hasReleased;
  }

  /** Calls back whenever rounds were recorded while something fails or is in doubt. */
  onFailure(call: () => void): void {
    this.#notifyOfFailure = call;
  }

  /** Returns the questions that are due. Each must be answered, or it is never asked again. */
  questions(now: number): Question[] {
    this.#evaluateInTime(now);
    const questions: Question[] = [];
    for (const watch of this.#watches) {
      const { scope, fault, moments, isQuarantined, isAsking } = watch;
      if (isAsking) continue;
      if (watch.asked.at > now) watch.asked = NEVER_ASKED;
      const size = sampleSize(moments, isQuarantined, watch.asked, now);
      if (size === 0) continue;
      watch.asked = { ...watch.asked, at: now };
      watch.isAsking = true;
      const regions = scope === null ? this.#regions : [scope];
      questions.push({ scope, fault, regions, size, isQuarantined, askedAt: now });
    }
    return questions;
  }

  /** One target of a sample was asked. */
  recordSample(result: SampleResult): void {
    this.#results.recordSample(result);
  }

  /** All of a question was asked; `reports` come from the machines of its regions, none when they were not asked. */
  recordAnswers(question: Question, reports: readonly (MachineReport | null)[], now: number): void {
    const { scope, fault, size, askedAt } = question;
    const watch = this.#watches.find((one) => one.scope === scope && one.fault === fault)!;
    watch.isAsking = false;
    watch.asked = {
      ...watch.asked,
      completeAt: now,
      fullAt: size >= FULL_SAMPLE ? askedAt : watch.asked.fullAt,
    };
    if (reports.length > 0) watch.finding = findingOf(fault, reports);
    this.#evaluate(now);
  }

  isAnswering(monitorId: number): boolean {
    return this.#results.isAnswering(monitorId);
  }

  canDisprove(fault: NetworkFault, monitorId: number, host: string): boolean {
    return this.#results.canDisprove(fault, monitorId, host);
  }

  networkOf(monitorId: number): number | null {
    return this.#results.networkOf(monitorId);
  }

  /** Monitors whose failures were suppressed by a quarantine that is over: their next round is due now. Each once. */
  takeReleased(): number[] {
    return this.#suppressed.takeReleased();
  }

  /** Whether any of the operator's own targets answered from that region, or none did, again and again. */
  recordSelfCheck(region: Region, outcome: 'answered' | 'silent', now: number): void {
    if (outcome === 'answered') {
      this.#selfChecks.answered(region, now);
      for (const quarantine of this.#quarantines.active) {
        const { fault, scope, cause } = quarantine;
        const isOfRegion =
          quarantine.region === region || (scope === null && cause === 'everywhere');
        if (fault === 'uplink' && isOfRegion) this.#end(quarantine, now);
      }
      return;
    }
    const silentSince = this.#selfChecks.silent(region, now);
    if (this.#isContradicted(region, Math.max(silentSince, now - 2 * RELEASE_WINDOW_MS), now))
      return;
    const reason = silenceReason(region, this.#probeHost());
    const quarantine = { region, fault: 'uplink', scope: region, since: now, reason } as const;
    this.#quarantines.begin({ ...quarantine, cause: 'self_check', isByMachine: false });
  }

  /** The quarantined regions, since when (epoch ms) and why. */
  quarantines(): ReadonlyMap<Region, { since: number; reason: string }> {
    return this.#quarantines.byRegion();
  }

  /** Takes up what is stored, as after a restart. */
  load(): Promise<void> {
    return this.#quarantines.load(() => false);
  }

  /** Stores what changed, and reads now and then what other processes found. Never rejects. */
  save(): Promise<void> {
    return this.#quarantines.save((region) => {
      const now = this.#evaluatedAt;
      return this.#isContradicted(region, now - RELEASE_WINDOW_MS, now);
    });
  }

  #evaluateInTime(now: number): void {
    const every = Math.max(EVALUATE_EVERY_MS, this.#results.size / MONITORS_PER_MS);
    const isEarly = now >= this.#evaluatedAt && now < this.#evaluatedAt + every;
    if (!isEarly) this.#evaluate(now);
  }

  /** Costs little while nothing fails. */
  #evaluate(now: number): void {
    this.#evaluatedAt = now;
    this.#results.forgetStale(now);
    this.#endQuarantines(now);
    // A lost uplink explains the failures of names and of IPv6, too.
    const uplinks = new Set<Scope>();
    for (const watch of this.#watches) {
      const { scope, fault } = watch;
      watch.isQuarantined = this.#isQuarantined(scope, fault);
      const isExplained = uplinks.has(scope) && fault !== 'internal';
      watch.moments = watch.isQuarantined || isExplained ? [] : this.#moments(scope, fault, now);
      if (watch.moments.length > 0) this.#decide(watch, now);
      if (fault === 'uplink' && watch.isQuarantined) uplinks.add(scope);
    }
  }

  #isQuarantined(scope: Scope, fault: NetworkFault): boolean {
    return this.#quarantines.active.some((one) => one.scope === scope && one.fault === fault);
  }

  #moments(scope: Scope, fault: NetworkFault, now: number): Moment[] {
    if (!this.#results.isFailing) return [];
    // A single region has nobody to be compared with.
    if (scope !== null && this.#regions.length === 1) return [];
    if (scope !== null && this.#quarantines.has(scope, fault)) return [];
    const failing = this.#results.failing(scope, fault, now);
    const oldest = failing.reduce((least, { since }) => Math.min(least, since), Infinity);
    if (oldest === Infinity) return [];
    const answering = this.#results.answering(scope, fault, oldest, now);
    return suspiciousMoments(failing, answering, now);
  }

  #decide(watch: Watch, now: number): void {
    const { scope, fault, moments, asked, finding } = watch;
    const moment = doubtfulMoment(moments, {
      askedAt: asked.fullAt,
      verdict: finding.verdict,
      selfCheckAnsweredAt:
        fault === 'uplink' ? this.#selfChecks.newestAnswer(scope, now) : -Infinity,
      minFailing: minFailing(scope),
    });
    if (moment === null) return;
    const reason = reasonOf(scope, fault, moment, finding, this.#probeHost());
    const cause = scope === null ? 'everywhere' : 'alone';
    const isByMachine = moment.failing < minFailing(scope);
    const quarantine = { fault, scope, since: now, cause, reason, isByMachine } as const;
    for (const region of scope === null ? this.#regions : [scope])
      this.#quarantines.begin({ ...quarantine, region });
    watch.isQuarantined = true;
    watch.moments = [];
  }

  #endQuarantines(now: number): void {
    for (const quarantine of this.#quarantines.active)
      if (this.#isOver(quarantine, now)) this.#end(quarantine, now);
  }

  #isOver({ scope, fault, since, cause, isByMachine }: Quarantine, now: number): boolean {
    const from =
      since > now ? now - RELEASE_WINDOW_MS : Math.max(since + 1, now - RELEASE_WINDOW_MS);
    const failing = this.#failingLately(scope, fault, cause, now);
    const answering = unrelatedAnswers(this.#results.answering(scope, fault, from, now));
    const { verdict } = this.#watches.find(
      (one) => one.scope === scope && one.fault === fault,
    )!.finding;
    return isTrustedAgain(
      { failing, answering, verdict, minFailing: minFailing(scope) },
      isByMachine,
    );
  }

  #failingLately(scope: Scope, fault: NetworkFault, cause: Quarantine['cause'], now: number) {
    const isKnownAlone = scope === null || cause === 'alone';
    const scopes = isKnownAlone ? [scope] : [scope, null];
    const failing = scopes.flatMap((one) => this.#results.failing(one, fault, now));
    return unrelated(failing.filter(({ at }) => at >= now - RELEASE_WINDOW_MS));
  }

  /** Whether targets have answered from that region since then, as many as it takes to trust it. */
  #isContradicted(region: Region, since: number, now: number): boolean {
    const answering = unrelatedAnswers(this.#results.answering(region, 'uplink', since, now));
    const failing = this.#failingLately(region, 'uplink', 'earlier', now);
    const standing = { failing, answering, verdict: 'unknown', minFailing: Infinity } as const;
    return isTrustedAgain(standing, false);
  }

  #end(quarantine: Quarantine, now: number): void {
    this.#quarantines.end(quarantine, now);
    this.#suppressed.release();
  }
}

function watchOf(scope: Scope, fault: NetworkFault): Watch {
  return {
    scope,
    fault,
    moments: [],
    isQuarantined: false,
    asked: NEVER_ASKED,
    isAsking: false,
    finding: NOT_ASKED,
  };
}

function minFailing(scope: Scope): number {
  return scope === null ? MIN_FAILING_EVERYWHERE : MIN_FAILING_ALONE;
}

function unrelatedAnswers(answering: readonly { host: number; network: number }[]): number {
  return unrelated(answering.map((target) => ({ ...target, domain: target.host })));
}

/** An answer of the operator's own targets, asked every 15 s, counts no longer than this. */
const COUNTS_MS = 45_000;
/** The operator's targets were asked this long before they were found silent. */
const TIMEOUT_MS = 5_000;

/** When the operator's own targets (SELF_CHECK_TARGETS) answered or fell silent, by region. Epoch milliseconds. */
class SelfCheckOutcomes {
  readonly #answeredAt = new Map<Region, number>();
  /** Since when they have been silent. */
  readonly #silentSince = new Map<Region, number>();

  answered(region: Region, now: number): void {
    this.#answeredAt.set(region, now);
    this.#silentSince.delete(region);
  }

  /** @returns since when they have been silent. */
  silent(region: Region, now: number): number {
    const since = this.#silentSince.get(region) ?? now - TIMEOUT_MS;
    this.#silentSince.set(region, since);
    return since;
  }

  /** The newest answer that still counts; -Infinity when there is none. */
  newestAnswer(scope: Scope, now: number): number {
    const times = scope === null ? [...this.#answeredAt.values()] : [this.#answeredAt.get(scope)];
    const fresh = times.filter((at) => at !== undefined && at > now - COUNTS_MS && at <= now);
    return Math.max(-Infinity, ...(fresh as number[]));
  }
}

const FAULT_TEXT: Record<NetworkFault, string> = {
  uplink: 'our own network is suspected',
  internal: 'our own way to private networks is suspected',
  names: 'our own name servers are suspected',
  ipv6: 'our own IPv6 network is suspected',
};

/**
 * Why a network is in doubt: a sentence for people, without its full stop.
 *
 * @param probeHost of the machine that probes for all regions, which then names no region; null when there are several.
 */
function reasonOf(
  scope: Scope,
  fault: NetworkFault,
  { failing, answering }: Moment,
  finding: MachineFinding,
  probeHost: string | null,
): string {
  const targets = `${failing} of ${failing + answering} unrelated targets that were up`;
  const known = finding.verdict === 'cut' ? ` (${finding.reason})` : '';
  return `${targets} can't be reached ${whereOf(scope, probeHost)}, so ${FAULT_TEXT[fault]}${known}`;
}

function whereOf(scope: Scope, probeHost: string | null): string {
  if (scope === null) return `from ${probeHost ?? 'anywhere'} since the same moment`;
  return probeHost === null
    ? `from ${scope} alone, while other regions reach them`
    : `by some of the checks from ${probeHost}, while its other checks reach them`;
}

/** The same of the operator's own targets. */
function silenceReason(region: Region, probeHost: string | null): string {
  return `None of the targets in SELF_CHECK_TARGETS answers from ${probeHost ?? region}`;
}
