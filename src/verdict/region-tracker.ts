import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { RegionResult } from '../model/check.ts';
import type { MonitorStatus, Region } from '../model/monitor.ts';
import type { Round } from '../model/round.ts';
import type { Database } from '../store/contract.ts';
import { readRegionHealth, writeRegionHealth } from '../store/region-health.ts';
import {
  ALONE,
  EVERYWHERE,
  FRESH_MS,
  ONSET_MS,
  evidenceOfCut,
  isNameFailure,
  sightingOf,
  stepQuarantine,
  unrelated,
  type FailingTarget,
  type Quarantine,
  type QuarantineCause,
  type Standing,
} from './region-health.ts';
import { Sightings } from './sightings.ts';

/** Knows which regions have a broken network of their own, and keeps their votes from counting. */
export interface RegionTracker {
  /**
   * Takes note of finished rounds, and answers the same ones, the votes of quarantined regions being unknown. To take
   * note of a round twice changes nothing.
   *
   * @param statusOf what was known of a monitor before; undefined of one that is gone.
   */
  judge(
    rounds: readonly Round[],
    statusOf: (monitorId: number) => MonitorStatus | undefined,
    now: number,
  ): Round[];
  /** Whether any of the operator's own targets answered from that region, or none did, again and again. */
  selfChecked(region: Region, outcome: 'answered' | 'silent', now: number): void;
  /** The quarantined regions, since when (epoch ms) and why. */
  quarantines(): ReadonlyMap<Region, Pick<Quarantine, 'since' | 'reason'>>;
  /** Takes up what is stored, as after a restart. */
  load(): Promise<void>;
  /** Stores what changed, and reads now and then what other processes found. Never rejects. */
  save(): Promise<void>;
}

export interface RegionTrackerDependencies {
  database: Database;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Of the installation. */
  regions: readonly Region[];
}

/** Regions are bits of a number; an installation with more is judged by the first ones. */
const MOST_REGIONS = 32;
/** An evaluation looks at every monitor: the more there are, the rarer it is. */
const EVALUATE_EVERY_MS = 1_000;
const MONITORS_PER_MS = 20;
/** Answers of the operator's own targets count for so long. */
const SELF_CHECK_COUNTS_MS = 45_000;
const READ_EVERY_MS = 10_000;
/** A monitor that failed for long before we looked says nothing of now. */
const LONG_AGO = -Infinity;

interface Failing {
  host: number;
  network: number;
  domain: number;
  at: number;
  /** By region, since when it alone does not reach the target. */
  alone: Map<Region, number>;
  /** Since when no region does; null when one does. */
  cutOffSince: number | null;
}

export function createRegionTracker(dependencies: RegionTrackerDependencies): RegionTracker {
  return new Tracker(dependencies);
}

class Tracker implements RegionTracker {
  readonly #dependencies: RegionTrackerDependencies;
  readonly #bits: ReadonlyMap<Region, number>;
  readonly #sightings = new Sightings();
  /** By monitor id. */
  readonly #failing = new Map<number, Failing>();
  readonly #quarantines = new Map<Region, Quarantine>();
  /** When each region changed, of those whose change is not stored yet. */
  readonly #unsaved = new Map<Region, { changedAt: number; reason: string }>();
  readonly #answeredAt = new Map<Region, number>();
  #evaluatedAt = -Infinity;
  #readAt = -Infinity;
  #isSaving = false;

  constructor(dependencies: RegionTrackerDependencies) {
    this.#dependencies = dependencies;
    const judged = dependencies.regions.slice(0, MOST_REGIONS);
    this.#bits = new Map(judged.map((region, bit) => [region, bit]));
  }

  judge(
    rounds: readonly Round[],
    statusOf: (monitorId: number) => MonitorStatus | undefined,
    now: number,
  ): Round[] {
    for (const round of rounds) this.#note(round, statusOf(round.monitorId));
    this.#evaluate(now);
    if (this.#quarantines.size === 0) return [...rounds];
    return rounds.map((round) => this.#withoutVotes(round));
  }

  selfChecked(region: Region, outcome: 'answered' | 'silent', now: number): void {
    const current = this.#quarantines.get(region);
    if (outcome === 'answered') {
      this.#answeredAt.set(region, now);
      if (current?.cause === 'self_check') this.#lift(region, now);
      return;
    }
    const reason = `None of the targets in SELF_CHECK_TARGETS answers from ${region}`;
    if (current?.cause !== 'self_check') this.#quarantine(region, 'self_check', reason, now);
  }

  quarantines(): ReadonlyMap<Region, Quarantine> {
    return this.#quarantines;
  }

  async load(): Promise<void> {
    this.#readAt = this.#dependencies.clock.now();
    for (const row of await readRegionHealth(this.#dependencies.database.read)) {
      const { region, quarantined_at: since, reason } = row;
      if (this.#unsaved.has(region)) continue;
      const current = this.#quarantines.get(region);
      if (since === null && current?.cause === 'earlier') this.#quarantines.delete(region);
      if (since === null || current || !this.#bits.has(region)) continue;
      const stored = { since, cause: 'earlier', reason: reason ?? '', wellSince: null } as const;
      this.#quarantines.set(region, stored);
    }
  }

  async save(): Promise<void> {
    const { database, clock, log } = this.#dependencies;
    const isDue = database.engine === 'postgres' && clock.now() >= this.#readAt + READ_EVERY_MS;
    if (this.#isSaving || (this.#unsaved.size === 0 && !isDue)) return;
    this.#isSaving = true;
    try {
      if (this.#unsaved.size > 0) await this.#write();
      if (isDue) await this.load();
    } catch (error) {
      log.warn({ error }, 'What is known of the regions could not be stored; it is tried again.');
    } finally {
      this.#isSaving = false;
    }
  }

  async #write(): Promise<void> {
    const changes = [...this.#unsaved];
    await this.#dependencies.database.transaction(async (tx) => {
      for (const [region, { changedAt, reason }] of changes) {
        const quarantinedAt = this.#quarantines.get(region)?.since ?? null;
        await writeRegionHealth(tx, { region, quarantinedAt, reason, changedAt });
      }
    });
    for (const [region, change] of changes) {
      if (this.#unsaved.get(region) === change) this.#unsaved.delete(region);
    }
  }

  #note(round: Round, status: MonitorStatus | undefined): void {
    if (status === undefined || typeof round.host !== 'string') return;
    const { alone, sound, target } = sightingOf(round.results);
    if (target === null) return;
    const host = keyOf(round.host);
    let bits = 0;
    for (const region of sound) {
      const bit = this.#bits.get(region);
      if (bit !== undefined) bits |= 1 << bit;
    }
    const at = round.finishedAt;
    this.#sightings.set(round.monitorId, host, bits, target === 'reached', at);
    if (alone.length === 0 && target === 'reached') {
      this.#failing.delete(round.monitorId);
      return;
    }
    const before = this.#failing.get(round.monitorId);
    const wasUp = status === 'online' || status === 'degraded';
    this.#failing.set(round.monitorId, {
      host,
      network: networkKey(round.results) ?? host,
      domain: round.results.some(isNameFailure) ? keyOf(getDomain(round.host) ?? round.host) : host,
      at,
      alone: new Map(alone.map((region) => [region, before?.alone.get(region) ?? at])),
      cutOffSince: target === 'cut_off' ? (before?.cutOffSince ?? (wasUp ? at : LONG_AGO)) : null,
    });
  }

  /** Costs nothing while nothing fails. */
  #evaluate(now: number): void {
    const every = Math.max(EVALUATE_EVERY_MS, this.#sightings.size / MONITORS_PER_MS);
    const isEarly = now >= this.#evaluatedAt && now < this.#evaluatedAt + every;
    const isQuiet = this.#failing.size < ALONE.least && this.#quarantines.size === 0;
    if (isEarly || isQuiet) return;
    this.#evaluatedAt = now;
    this.#forgetStale(now);
    for (const [region, bit] of this.#bits) {
      const quarantine = this.#quarantines.get(region);
      if (quarantine === undefined) this.#judgeAlone(region, bit, now);
      else this.#step(region, quarantine, this.#standing(region, bit, now), now);
    }
    this.#judgeTogether(now);
  }

  /** Monitors that are not looked at any more don't end their failure themselves. */
  #forgetStale(now: number): void {
    for (const [monitorId, { at }] of this.#failing) {
      if (at < now - 2 * ONSET_MS) this.#failing.delete(monitorId);
    }
  }

  #judgeAlone(region: Region, bit: number, now: number): void {
    const failing = this.#failingAlone(region);
    if (failing.length < ALONE.least) return;
    const reached = this.#sightings.soundSince(bit, now - ONSET_MS);
    const evidence = evidenceOfCut(failing, reached, ALONE, now);
    if (evidence === null) return;
    const reason = `${evidence.failing} of ${evidence.targets} unrelated targets can't be reached from ${region} alone, while other regions reach them`;
    this.#quarantine(region, 'alone', reason, now);
  }

  #judgeTogether(now: number): void {
    const failing = this.#cutOff();
    if (failing.length < EVERYWHERE.least || this.#isSelfCheckAnswered(now)) return;
    const free = [...this.#bits.keys()].filter((region) => !this.#quarantines.has(region));
    if (free.length === 0) return;
    const reached = this.#sightings.reachedSince(now - ONSET_MS);
    const evidence = evidenceOfCut(failing, reached, EVERYWHERE, now);
    if (evidence === null) return;
    const reason = `${evidence.failing} of ${evidence.targets} unrelated targets that were up can't be reached from anywhere since the same moment, so our own network is suspected`;
    for (const region of free) this.#quarantine(region, 'everywhere', reason, now);
  }

  #isSelfCheckAnswered(now: number): boolean {
    return [...this.#answeredAt.values()].some((at) => at > now - SELF_CHECK_COUNTS_MS);
  }

  #standing(region: Region, bit: number, now: number): Standing {
    const isFresh = ({ at }: FailingTarget) => at > now - FRESH_MS;
    return {
      alone: unrelated(this.#failingAlone(region).filter(isFresh)),
      cutOff: unrelated(this.#cutOff().filter(isFresh)),
      reached: this.#reachedFrom(bit, now),
    };
  }

  /** Where there is one region, nothing can be compared: then it counts that anything is reached. */
  #reachedFrom(bit: number, now: number): number {
    const since = now - FRESH_MS;
    if (this.#bits.size === 1) return this.#sightings.reachedSince(since).size;
    const reached = this.#sightings.reachedSince(since);
    const sound = this.#sightings.soundSince(bit, since);
    return [...sound.keys()].filter((host) => reached.has(host)).length;
  }

  #failingAlone(region: Region): FailingTarget[] {
    const failing: FailingTarget[] = [];
    for (const target of this.#failing.values()) {
      const since = target.alone.get(region);
      if (since !== undefined) failing.push({ ...target, since });
    }
    return failing;
  }

  #cutOff(): FailingTarget[] {
    const failing: FailingTarget[] = [];
    for (const target of this.#failing.values()) {
      if (target.cutOffSince !== null) failing.push({ ...target, since: target.cutOffSince });
    }
    return failing;
  }

  #step(region: Region, quarantine: Quarantine, standing: Standing, now: number): void {
    const next = stepQuarantine(quarantine, standing, now);
    if (next === null) this.#lift(region, now);
    else this.#quarantines.set(region, next);
  }

  #quarantine(region: Region, cause: QuarantineCause, reason: string, now: number): void {
    const since = this.#quarantines.get(region)?.since ?? now;
    this.#quarantines.set(region, { since, cause, reason, wellSince: null });
    this.#unsaved.set(region, { changedAt: now, reason });
    this.#dependencies.log.warn(
      { region, reason },
      'A region is quarantined: its votes are unknown.',
    );
  }

  #lift(region: Region, now: number): void {
    this.#quarantines.delete(region);
    this.#unsaved.set(region, { changedAt: now, reason: 'Targets are reached from there again' });
    this.#dependencies.log.warn({ region }, 'A region is no longer quarantined: its votes count.');
  }

  #withoutVotes(round: Round): Round {
    if (!round.results.some(({ region }) => this.#quarantines.has(region))) return round;
    return { ...round, results: round.results.map((result) => this.#withoutVote(result)) };
  }

  #withoutVote(result: RegionResult): RegionResult {
    const quarantine = this.#quarantines.get(result.region);
    if (quarantine === undefined || result.vote === 'unknown') return result;
    const saw = result.failure === null ? 'the target answered' : result.failure.text;
    const { content: _content, certificateFault: _fault, families: _families, ...rest } = result;
    return {
      ...rest,
      vote: 'unknown',
      failure: {
        code: 'probe_no_network',
        text: `Not counted, as the region's own network is in doubt; it saw: ${saw}`,
      },
      responseTimeMs: null,
      evidence: null,
    };
  }
}

/** FNV-1a. */
function keyOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Of the /24 or /48 of the address that was spoken to, by preference one that answered; null without one. */
function networkKey(results: readonly RegionResult[]): number | null {
  const known = results.filter(({ remoteAddress }) => isIP(remoteAddress ?? '') !== 0);
  const { remoteAddress } = known.find(({ vote }) => vote === 'up') ?? known[0] ?? {};
  return remoteAddress == null ? null : keyOf(networkOf(remoteAddress));
}

/** The beginning that addresses of one network share, as text. */
function networkOf(address: string): string {
  if (isIP(address) === 4) return address.slice(0, address.lastIndexOf('.'));
  const [head = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  return [...groups, '0', '0', '0'].slice(0, 3).join(':');
}
