import type { Region } from '../../../model/monitor.ts';
import type { ProbeLoad } from '../../../model/probe-load.ts';
import { PRESENCE_EVERY_MS, PROTOCOL, type Presence } from './messages.ts';
import { isSubjectToken } from './subjects.ts';

/** A probe as it was last heard of, in one region. */
export interface SeenProbe {
  /** Id of the run of the probe. */
  probe: string;
  region: Region;
  /** Ids of the keys that it holds; several while keys are rotated. */
  keyIds: ReadonlySet<string>;
  /** Name of the place that it probes from. */
  vantage: string;
  version: string;
  /** Whether this release and the probe understand each other. */
  isCompatible: boolean;
  load: ProbeLoad[];
  /** By our clock, epoch milliseconds. */
  seenAt: number;
  /** Monotonic milliseconds. */
  heardAt: number;
  /** How far the probe's clock is ahead of ours, in milliseconds; includes the time that its message took. */
  clockAheadMs: number;
  /** Whether checks can be sent to this very probe. */
  takesDirect: boolean;
  isLeaving: boolean;
}

/** A probe that was silent for longer takes no more checks. */
export const PROBE_SILENT_MS = 3 * PRESENCE_EVERY_MS;
/** By then a NATS server has closed a connection at which nobody answers: two pings, each after two minutes. */
const SILENT_CONNECTION_MS = 360_000;
/** A probe that was silent for longer is forgotten. */
const FORGET_MS = 3_600_000;
/**
 * Maximum number of probes kept of a region: a holder of its key could invent any number of them. Other regions have room
 * of their own.
 */
const MAX_PROBES = 200;

/** The probes that are reached over the message bus, as their signs of life tell. */
export class ProbeFleet {
  /** By region, then by probe. */
  readonly #probes = new Map<Region, Map<string, SeenProbe & { sequence: number }>>();

  /**
   * Records a sign of life.
   *
   * @param keyId the key that it was sealed with.
   * @param at both clocks, now.
   * @returns whether the probe takes part anew: it was unknown, or last heard of as leaving.
   */
  record(
    presence: Presence,
    { region, keyId }: { region: Region; keyId: string },
    at: { now: number; monotonic: number },
  ): boolean {
    const { probe, sequence, vantage, version, load } = presence;
    const probes = this.#probes.get(region) ?? new Map<string, SeenProbe & { sequence: number }>();
    this.#probes.set(region, probes);
    const before = probes.get(probe);
    if (before !== undefined && sequence <= before.sequence) return false;
    if (before === undefined && probes.size >= MAX_PROBES) forgetLongestSilent(probes);
    probes.set(probe, {
      probe,
      region,
      keyIds: new Set([...(before?.keyIds ?? []), keyId]),
      sequence,
      vantage,
      version,
      isCompatible: presence.protocol === PROTOCOL,
      load,
      seenAt: at.now,
      heardAt: at.monotonic,
      clockAheadMs: presence.now - at.now,
      takesDirect: presence.takesDirect === true && isSubjectToken(probe),
      isLeaving: presence.isLeaving === true,
    });
    // One that leaves announces it more than once.
    return presence.isLeaving !== true && (before === undefined || before.isLeaving);
  }

  /** Nobody answers at the subject of this probe: it takes no checks until it is heard of again. */
  markGone(region: Region, probe: string): void {
    const known = this.#probes.get(region)?.get(probe);
    if (known !== undefined) known.isLeaving = true;
  }

  /** Forgets probes that have long been silent. */
  forgetSilent(monotonic: number): void {
    for (const probes of this.#probes.values())
      for (const [name, { heardAt }] of probes)
        if (heardAt < monotonic - FORGET_MS) probes.delete(name);
  }

  /** Probes of a region that were heard of within the last hour, the newest sign of life first. */
  of(region: Region): SeenProbe[] {
    const probes = this.#probes.get(region)?.values() ?? [];
    return [...probes].toSorted((a, b) => b.heardAt - a.heardAt);
  }

  /** Probes of a region that take checks now. */
  taking(region: Region, monotonic: number): SeenProbe[] {
    return this.of(region).filter(
      ({ heardAt, isLeaving, isCompatible }) =>
        heardAt >= monotonic - PROBE_SILENT_MS && !isLeaving && isCompatible,
    );
  }

  /**
   * Whether a probe of the region has fallen silent without having announced that it leaves. As long as the NATS server takes
   * it for connected, it gets its part of the messages.
   */
  hasSilent(region: Region, monotonic: number): boolean {
    return this.of(region).some(
      ({ heardAt, isLeaving }) =>
        !isLeaving &&
        heardAt < monotonic - PROBE_SILENT_MS &&
        heardAt > monotonic - SILENT_CONNECTION_MS,
    );
  }

  /** Last sign of life of a probe in that region by our clock; null before the first one. */
  lastSeen(region: Region): number | null {
    let newest: SeenProbe | null = null;
    for (const probe of this.#probes.get(region)?.values() ?? [])
      if (newest === null || probe.heardAt > newest.heardAt) newest = probe;
    return newest?.seenAt ?? null;
  }

  /**
   * Name of the place that the region is probed from: that of the probes that take checks, else of the one that was heard
   * of last. Null when there are several places, or none is known.
   */
  vantageOf(region: Region, monotonic: number): string | null {
    const taking = this.taking(region, monotonic);
    const named = taking.length > 0 ? taking : this.of(region).slice(0, 1);
    const names = new Set(named.map(({ vantage }) => vantage));
    return names.size === 1 ? [...names][0]! : null;
  }
}

/** A probe that starts over and over has a new id each time: its former ones must not keep it out. */
function forgetLongestSilent(probes: Map<string, SeenProbe & { sequence: number }>): void {
  const [first] = [...probes.values()].toSorted((a, b) => a.heardAt - b.heardAt);
  if (first !== undefined) probes.delete(first.probe);
}
