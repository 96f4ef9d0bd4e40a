import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import type { RegionResult } from '../../model/check.ts';
import type { MonitorStatus, Region } from '../../model/monitor.ts';
import type { Round } from '../../model/round.ts';
import {
  disprovedFaults,
  faultBits,
  hasFault,
  isExplainedBy,
  isName,
  isNameFailure,
  isPrivateAddress,
  NETWORK_FAULTS,
  type NetworkFault,
} from './network-fault.ts';
import {
  FRESH_MS,
  ONSET_MS,
  observationOf,
  type AnsweringTarget,
  type FailingTarget,
  type TargetKeys,
} from './region-health.ts';

/** A region by itself, or null for all regions together. */
export type Scope = Region | null;

/** The result of a target that was asked beside its rounds. */
export interface SampleResult {
  monitorId: number;
  host: string;
  scope: Scope;
  result: RegionResult;
  at: number;
}

/** Times of rounds are read from two clocks, which run a little apart. */
const AHEAD_MS = 1_000;
/** Start of a failure that began before the first result: it says nothing about the present. */
const LONG_AGO = -Infinity;

interface Failing extends TargetKeys {
  at: number;
  /** By region, since when it alone does not reach the target, and the faults that explain it. */
  alone: Map<Region, { since: number; faults: number }>;
  /** Since when no region does, and the faults that explain all of it; null when one does. */
  cutOff: { since: number; faults: number } | null;
}

interface Sampled extends TargetKeys {
  scope: Scope;
  region: Region;
  at: number;
  /** Since when it fails; null when it was not known to work before. */
  since: number | null;
  /** The faults that explain what it saw, and those that it disproves. */
  faults: number;
  disproved: number;
}

/** Recent results of rounds and samples, as evidence for and against faults of the probes' own networks. */
export class RecentResults {
  readonly #bits: ReadonlyMap<Region, number>;
  readonly #sightings = new LastAnswers();
  readonly #failing = new Map<number, Failing>();
  readonly #sampled = new Map<number, Sampled>();

  /** @param bits of each region. */
  constructor(bits: ReadonlyMap<Region, number>) {
    this.#bits = bits;
  }

  get size(): number {
    return this.#sightings.size;
  }

  get isFailing(): boolean {
    return this.#failing.size > 0 || this.#sampled.size > 0;
  }

  /** To record a round twice changes nothing. */
  record(round: Round, status: MonitorStatus | undefined): void {
    const { monitorId, results, host } = round;
    if (status === undefined || typeof host !== 'string') return;
    const { alone, target } = observationOf(results);
    if (target === null) return;
    this.#sampled.delete(monitorId);
    this.#recordAnswer(monitorId, host, results);
    if (alone.length === 0 && target === 'reached') {
      this.#failing.delete(monitorId);
      return;
    }
    const at = Math.max(...results.map((result) => endOf(result, round.finishedAt)));
    const before = this.#failing.get(monitorId);
    const wasUp = status === 'online' || status === 'degraded';
    const voting = results.filter(({ vote }) => vote !== 'unknown');
    const regionsAlone = alone.map((region) => {
      const result = results.find((one) => one.region === region)!;
      const since = before?.alone.get(region)?.since ?? at;
      return [region, { since, faults: explaining([result]) }] as const;
    });
    const cutOffSince = before?.cutOff?.since ?? (wasUp ? at : LONG_AGO);
    this.#failing.set(monitorId, {
      ...keysOf(host, results),
      at,
      alone: new Map(regionsAlone),
      cutOff: target === 'cut_off' ? { since: cutOffSince, faults: explaining(voting) } : null,
    });
  }

  /** A sample counts until the monitor's next round, or the next sample. */
  recordSample({ monitorId, host, scope, result, at }: SampleResult): void {
    if (result.vote === 'unknown') return;
    const faults = explaining([result]);
    const disproved = disprovedFaults(result, isName(host));
    const wasUp = this.isAnswering(monitorId) && this.#sightings.last(monitorId) !== null;
    const since = this.#sampled.get(monitorId)?.since ?? (wasUp ? at : null);
    this.#sampled.set(monitorId, {
      ...keysOf(host, [result]),
      scope,
      region: result.region,
      at,
      since: faults === 0 ? null : since,
      faults,
      disproved,
    });
  }

  /** Whether the target did not fail in its last round, nor when it was asked since. */
  isAnswering(monitorId: number): boolean {
    return !this.#failing.has(monitorId) && !this.#sampled.get(monitorId)?.faults;
  }

  /** Whether an answer of that target would disprove the fault, as far as its address and its last answer show. */
  canDisprove(fault: NetworkFault, monitorId: number, host: string): boolean {
    const last = this.#sightings.last(monitorId);
    if (last !== null) return last.disproves(fault);
    if (fault === 'names') return isName(host);
    return fault === 'uplink' && !isPrivateAddress(host);
  }

  /** The network of its last answer, as a key that related targets share; null without one. */
  networkOf(monitorId: number): number | null {
    return this.#sightings.last(monitorId)?.network ?? null;
  }

  /** Targets whose failures the fault explains. */
  failing(scope: Scope, fault: NetworkFault, now: number): FailingTarget[] {
    const found: FailingTarget[] = [];
    for (const [monitorId, target] of this.#failing) {
      const seen = scope === null ? target.cutOff : target.alone.get(scope);
      if (!seen || !hasFault(seen.faults, fault)) continue;
      const sampled = this.#sampled.get(monitorId);
      if (sampled !== undefined && hasFault(sampled.disproved, fault)) continue;
      const isSeenAgain = sampled !== undefined && hasFault(sampled.faults, fault);
      found.push({ ...target, since: seen.since, at: isSeenAgain ? sampled.at : target.at });
    }
    for (const [monitorId, target] of this.#sampled) {
      const { since, faults, at } = target;
      const isMeant = scope === target.scope && !this.#failing.has(monitorId);
      if (isMeant && since !== null && hasFault(faults, fault) && at > now - FRESH_MS)
        found.push({ ...target, since });
    }
    return found;
  }

  /** Targets whose answers since then disprove the fault. What lies ahead is from a clock that was set back since. */
  answering(scope: Scope, fault: NetworkFault, since: number, now: number): AnsweringTarget[] {
    const bit = scope === null ? undefined : this.#bits.get(scope)!;
    const regions = bit === undefined ? -1 : 1 << bit;
    const found = this.#sightings.answering(fault, regions, since);
    for (const target of this.#sampled.values()) {
      const isOfScope = scope === null || target.region === scope;
      if (isOfScope && target.at >= since && hasFault(target.disproved, fault)) found.push(target);
    }
    return found.filter(({ at }) => at <= now + AHEAD_MS);
  }

  /** Monitors without rounds don't end their failure themselves. */
  forgetStale(now: number): void {
    for (const [monitorId, { at }] of this.#failing)
      if (at < now - 2 * ONSET_MS) this.#failing.delete(monitorId);
    for (const [monitorId, { at }] of this.#sampled)
      if (at < now - FRESH_MS) this.#sampled.delete(monitorId);
  }

  /** The instant is that of the first answer: what came later came from other regions. */
  #recordAnswer(monitorId: number, host: string, results: readonly RegionResult[]): void {
    const regions = NETWORK_FAULTS.map(() => 0);
    const isHostName = isName(host);
    let at = Infinity;
    for (const result of results) {
      const bit = this.#bits.get(result.region);
      const faults = disprovedFaults(result, isHostName);
      if (bit === undefined || faults === 0) continue;
      at = Math.min(at, endOf(result, result.checkedAt));
      for (let index = 0; index < regions.length; index += 1)
        if (((faults >>> index) & 1) === 1) regions[index]! |= 1 << bit;
    }
    if (at === Infinity) return;
    const key = keyOf(host);
    this.#sightings.set(monitorId, {
      host: key,
      network: networkKey(results) ?? key,
      regions,
      at,
    });
  }
}

/** When the check ended (epoch ms), as far as its times show. */
function endOf({ checkedAt, timings }: RegionResult, otherwise: number): number {
  return timings.totalMs === null ? otherwise : checkedAt + timings.totalMs;
}

/** Faults that explain each of these results. */
function explaining(results: readonly RegionResult[]): number {
  return faultBits((fault) => results.every((result) => isExplainedBy(fault, result)));
}

function keysOf(host: string, results: readonly RegionResult[]): TargetKeys {
  const key = keyOf(host);
  return {
    host: key,
    network: networkKey(results) ?? key,
    domain: results.some(isNameFailure) ? keyOf(getDomain(host) ?? host) : key,
  };
}

/** FNV-1a. */
function keyOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Key of the /24 or /48 of the contacted address, preferably one that answered; null without one. */
function networkKey(results: readonly RegionResult[]): number | null {
  const { remoteAddress } =
    results.find((result) => result.vote === 'up' && hasAddress(result)) ??
    results.find(hasAddress) ??
    {};
  return remoteAddress == null ? null : keyOf(networkOf(remoteAddress));
}

function hasAddress({ remoteAddress }: RegionResult): boolean {
  return isIP(remoteAddress ?? '') !== 0;
}

/** The beginning that addresses of one network share, as text. */
function networkOf(address: string): string {
  if (isIP(address) === 4) return address.slice(0, address.lastIndexOf('.'));
  const [head = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  return [...groups, '0', '0', '0'].slice(0, 3).join(':');
}

/** Answers older than this are evicted when there is no room: twice the longest interval of a monitor. */
const KEPT_MS = 7_200_000;

/** A monitor's answer. `regions` has the bits of the regions in which it disproved each fault, by their order. */
interface Answer {
  host: number;
  network: number;
  regions: readonly number[];
  at: number;
}

/**
 * When each monitor's target answered last, and which faults of which regions that disproved, for 100,000 monitors in a
 * few megabytes: numbers side by side, no object for each. Regions are bits.
 */
export class LastAnswers {
  readonly #slots = new Map<number, number>();
  #columns = columnsOf(1_024);

  get size(): number {
    return this.#slots.size;
  }

  set(monitorId: number, { host, network, regions, at }: Answer): void {
    const slot = this.#slots.get(monitorId) ?? this.#take(monitorId, at);
    const columns = this.#columns;
    columns.hosts[slot] = host;
    columns.networks[slot] = network;
    // A name that is known though its target is silent says nothing of the uplink: each fault has its own last answer.
    for (const [index, bits] of regions.entries()) {
      if (bits === 0) continue;
      columns.regions[index]![slot] = bits;
      columns.at[index]![slot] = at;
    }
  }

  /** Targets that disproved the fault since then in a region of these bits. */
  answering(fault: NetworkFault, regions: number, since: number): AnsweringTarget[] {
    const { hosts, networks } = this.#columns;
    const index = NETWORK_FAULTS.indexOf(fault);
    const [answers, at] = [this.#columns.regions[index]!, this.#columns.at[index]!];
    const found: AnsweringTarget[] = [];
    for (let slot = 0; slot < this.#slots.size; slot += 1) {
      if (at[slot]! < since || (answers[slot]! & regions) === 0) continue;
      found.push({ host: hosts[slot]!, network: networks[slot]!, at: at[slot]! });
    }
    return found;
  }

  /** The last answer of a monitor; null if it never answered. */
  last(monitorId: number): { network: number; disproves(fault: NetworkFault): boolean } | null {
    const slot = this.#slots.get(monitorId);
    if (slot === undefined) return null;
    const { networks, regions } = this.#columns;
    return {
      network: networks[slot]!,
      disproves: (fault) => regions[NETWORK_FAULTS.indexOf(fault)]![slot] !== 0,
    };
  }

  #take(monitorId: number, now: number): number {
    if (this.#slots.size === this.#columns.hosts.length) this.#makeRoom(now);
    const slot = this.#slots.size;
    this.#slots.set(monitorId, slot);
    for (const column of [...this.#columns.regions, ...this.#columns.at]) column[slot] = 0;
    return slot;
  }

  /** Evicts what is too old; where most is newer, there is twice the room. */
  #makeRoom(now: number): void {
    const before = this.#columns;
    const isKept = (slot: number) => before.at.some((column) => column[slot]! >= now - KEPT_MS);
    const kept = [...this.#slots].filter(([, slot]) => isKept(slot));
    const size = before.hosts.length;
    const room = kept.length > size / 2 ? size * 2 : size;
    const after = columnsOf(room);
    this.#slots.clear();
    for (const [index, [monitorId, slot]] of kept.entries()) {
      this.#slots.set(monitorId, index);
      after.hosts[index] = before.hosts[slot]!;
      after.networks[index] = before.networks[slot]!;
      for (const fault of NETWORK_FAULTS.keys()) {
        after.regions[fault]![index] = before.regions[fault]![slot]!;
        after.at[fault]![index] = before.at[fault]![slot]!;
      }
    }
    this.#columns = after;
  }
}

function columnsOf(room: number) {
  return {
    hosts: new Uint32Array(room),
    networks: new Uint32Array(room),
    /** One of each for each fault. */
    regions: NETWORK_FAULTS.map(() => new Uint32Array(room)),
    at: NETWORK_FAULTS.map(() => new Float64Array(room)),
  };
}
