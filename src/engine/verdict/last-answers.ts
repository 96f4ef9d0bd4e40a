import { NETWORK_FAULTS } from './network-fault.ts';
import type { NetworkFault } from './network-fault.ts';
import type { AnsweringTarget } from './region-health.ts';

/** Answers older than this are evicted when there is no room: twice the longest interval of a monitor. */
const KEPT_MS = 7_200_000;

/** A monitor's answer. `regions` has the bits of the regions in which it disproved each fault, by their order. */
export interface Answer {
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

  /** What is known of a monitor that answered once; null otherwise. */
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
