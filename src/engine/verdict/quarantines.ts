import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { RegionResult } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { Database } from '../../store/database/contract.ts';
import { probeHealth, probeHealthChanges } from '../../store/engine/probe-health.ts';
import { isExplainedBy, type NetworkFault } from './network-fault.ts';
import type { Scope } from './recent-results.ts';
import type { QuarantineCause } from './region-health.ts';
import type { Round } from '../../model/round.ts';

/** A region whose own network is in doubt: failures that the fault explains do not count. */
export interface Quarantine {
  region: Region;
  fault: NetworkFault;
  /** Whose results decide about its end. */
  scope: Scope;
  since: number;
  cause: QuarantineCause;
  /** Whether too few targets failed to be evidence, and the machine knew of a fault. */
  isByMachine: boolean;
  reason: string;
}

interface QuarantinesDependencies {
  database: Database;
  clock: Pick<Clock, 'now'>;
  log: Log;
  regions: readonly Region[];
}

/** Checks that began before a quarantine ended have ended by then, see the longest `request_timeout`. */
const LATE_RESULTS_MS = 90_000;
const READ_EVERY_MS = 10_000;

/** The quarantines of this process and, on Postgres, of the others; stored, so that a restart keeps them. */
export class Quarantines {
  readonly #dependencies: QuarantinesDependencies;
  #active: Quarantine[] = [];
  /** Ended a moment ago: checks that began before may still come in. */
  #ended: (Quarantine & { endedAt: number })[] = [];
  /** Changes of regions that are not stored yet. */
  readonly #unsaved = new Map<Region, { changedAt: number; reason: string }>();
  #readAt = -Infinity;
  #isSaving = false;

  constructor(dependencies: QuarantinesDependencies) {
    this.#dependencies = dependencies;
  }

  get active(): readonly Quarantine[] {
    return this.#active;
  }

  has(region: Region, fault: NetworkFault): boolean {
    return this.#active.some((one) => one.region === region && one.fault === fault);
  }

  /** Each quarantined region once, with the oldest of its times and all reasons. */
  byRegion(): Map<Region, { since: number; reason: string }> {
    const regions = new Map<Region, { since: number; reason: string }>();
    for (const { region, since, reason } of this.#active) {
      const other = regions.get(region);
      const reasons = other === undefined ? reason : `${other.reason}. ${reason}`;
      regions.set(region, { since: Math.min(since, other?.since ?? since), reason: reasons });
    }
    return regions;
  }

  begin(quarantine: Quarantine): void {
    if (this.has(quarantine.region, quarantine.fault)) return;
    const { region, fault, since, reason } = quarantine;
    this.#active.push(quarantine);
    this.#unsaved.set(region, { changedAt: since, reason });
    // Log: The probe's own network is suspect. See docs/probe-health.md.
    this.#dependencies.log.warn(
      { region, fault, reason },
      'A region was quarantined: its failures do not count.',
    );
  }

  end(quarantine: Quarantine, now: number): void {
    const { region, fault } = quarantine;
    this.#active = this.#active.filter((one) => one !== quarantine);
    this.#ended.push({ ...quarantine, endedAt: now });
    const [rest] = this.#active.filter((one) => one.region === region);
    const reason = rest?.reason ?? 'Targets answer there again';
    this.#unsaved.set(region, { changedAt: now, reason });
    // Log: Its network works again.
    this.#dependencies.log.warn(
      { region, fault },
      'The quarantine of a region ended: its failures count.',
    );
  }

  /** The quarantine for which this failure does not count, and whether it has ended meanwhile; null when it counts. */
  suppressing(result: RegionResult, now: number): { isOver: boolean } | null {
    const isMeant = ({ region, fault }: Quarantine) =>
      region === result.region && isExplainedBy(fault, result);
    if (this.#active.some(isMeant)) return { isOver: false };
    if (this.#ended.length === 0) return null;
    this.#ended = this.#ended.filter(
      ({ endedAt }) => endedAt <= now && endedAt > now - LATE_RESULTS_MS,
    );
    const isLate = this.#ended.some((one) => isMeant(one) && result.checkedAt < one.endedAt);
    return isLate ? { isOver: true } : null;
  }

  /** @param isContradicted whether this process itself sees that the network of that region works. */
  async load(isContradicted: (region: Region) => boolean): Promise<void> {
    const { database, clock, regions } = this.#dependencies;
    this.#readAt = clock.now();
    const rows = (await probeHealth(database.read).regions()).filter(({ region }) =>
      regions.includes(region),
    );
    const doubted = rows.filter(({ quarantined_at }) => quarantined_at !== null);
    const scoped = doubted.length === regions.length ? () => null : (region: Region) => region;
    for (const { region, quarantined_at: since, reason } of rows) {
      if (this.#unsaved.has(region)) continue;
      if (since === null) this.#forgetEarlier(region);
      const isKnown = this.#active.some((one) => one.region === region);
      if (since === null || isKnown || isContradicted(region)) continue;
      const quarantine = { region, since, reason: reason ?? '', scope: scoped(region) };
      this.#active.push({ ...quarantine, fault: 'uplink', cause: 'earlier', isByMachine: true });
    }
  }

  /** Stores what changed, and reads now and then what other processes found. Never rejects. */
  async save(isContradicted: (region: Region) => boolean): Promise<void> {
    const { database, clock, log } = this.#dependencies;
    const isDue = database.isShared && clock.now() >= this.#readAt + READ_EVERY_MS;
    if (this.#isSaving || (this.#unsaved.size === 0 && !isDue)) return;
    this.#isSaving = true;
    try {
      if (this.#unsaved.size > 0) await this.#write();
      if (isDue) await this.load(isContradicted);
    } catch (error) {
      // Log: Other processes learn of them later.
      log.warn({ error }, 'The quarantines of regions could not be stored; it is tried again.');
    } finally {
      this.#isSaving = false;
    }
  }

  /** Another process found that it is over. */
  #forgetEarlier(region: Region): void {
    this.#active = this.#active.filter((one) => one.region !== region || one.cause !== 'earlier');
  }

  async #write(): Promise<void> {
    const changes = [...this.#unsaved];
    const quarantined = this.byRegion();
    await this.#dependencies.database.transaction(async (tx) => {
      for (const [region, { changedAt, reason }] of changes) {
        const quarantinedAt = quarantined.get(region)?.since ?? null;
        await probeHealthChanges(tx).writeRegion({ region, quarantinedAt, reason, changedAt });
      }
    });
    for (const [region, change] of changes) {
      if (this.#unsaved.get(region) === change) this.#unsaved.delete(region);
    }
  }
}

/** Turns failures that a quarantine explains into unknown, and keeps the ids of their monitors. */
export class SuppressedVotes {
  readonly #quarantines: Pick<Quarantines, 'suppressing'>;
  /** Monitors with failures that do not count because of a quarantine, and those of quarantines that are over. */
  readonly #suppressed = new Set<number>();
  #released = new Set<number>();

  constructor(quarantines: Pick<Quarantines, 'suppressing'>) {
    this.#quarantines = quarantines;
  }

  /** Whether monitors wait to be taken by `takeReleased`. */
  get hasReleased(): boolean {
    return this.#released.size > 0;
  }

  /** The same round when all its votes count. */
  withSuppressedVotes(round: Round, now: number): Round {
    if (!round.results.some(({ vote }) => vote === 'down')) return round;
    const results = round.results.map((result) => this.#counted(round, result, now));
    return results.some((result, index) => result !== round.results[index])
      ? { ...round, results }
      : round;
  }

  /** A quarantine ended. Which one suppressed a failure is not kept: all those monitors are checked again. */
  release(): void {
    for (const monitorId of this.#suppressed) this.#released.add(monitorId);
    this.#suppressed.clear();
  }

  /** Monitors whose failures were suppressed by a quarantine that is over. Each once. */
  takeReleased(): number[] {
    const released = [...this.#released];
    this.#released = new Set();
    return released;
  }

  #counted({ monitorId }: Round, result: RegionResult, now: number): RegionResult {
    if (result.vote !== 'down') return result;
    const suppressing = this.#quarantines.suppressing(result, now);
    if (suppressing === null) return result;
    (suppressing.isOver ? this.#released : this.#suppressed).add(monitorId);
    return withoutVote(result);
  }
}

/** A result whose failure does not count. */
function withoutVote(result: RegionResult): RegionResult {
  const { content: _content, certificateFault: _fault, families: _families, ...rest } = result;
  return {
    ...rest,
    vote: 'unknown',
    failure: {
      code: 'probe_no_network',
      text: `Not counted, as the probe's own network is in doubt; it saw: ${result.failure!.text}`,
    },
    responseTimeMs: null,
    evidence: null,
  };
}
