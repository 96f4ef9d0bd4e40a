import type { Region } from '../../../model/monitor.ts';
import type { ProbeLoad } from '../../../model/probe-load.ts';
import {
  PRESENCE_EVERY_MS,
  PROTOCOL,
  parsePresence,
  isSubjectToken,
  ALL_PRESENCE,
  presenceSubject,
  type Presence,
} from './messages.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { RegionKey } from '../../../lib/region-keys.ts';
import type { BusConnection } from './connection.ts';

/** A probe as it was last heard of, in one region. */
export interface SeenProbe {
  probe: string;
  region: Region;
  /** Ids of the keys that it holds; several while keys are rotated. */
  keyIds: ReadonlySet<string>;
  vantage: string;
  version: string;
  /** Whether this release and the probe understand each other. */
  isCompatible: boolean;
  load: ProbeLoad[];
  seenAt: number;
  heardAt: number;
  /** How far the probe's clock is ahead of ours, in milliseconds; includes the time that its message took. */
  clockAheadMs: number;
  /** Whether checks can be sent to this very probe. */
  takesDirect: boolean;
  isLeaving: boolean;
}

/** A probe that was silent for longer takes no more checks. */
const PROBE_SILENT_MS = 3 * PRESENCE_EVERY_MS;
/** By then a NATS server has closed a connection at which nobody answers: two pings, each after two minutes. */
const SILENT_CONNECTION_MS = 360_000;
const FORGET_MS = 3_600_000;
/** Probes kept of a region: a holder of its key could invent any number of them. */
const MAX_PROBES = 200;

/** The probes that are reached over the message bus, by their signs of life. */
export class ProbeFleet {
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

  forgetSilent(monotonic: number): void {
    for (const probes of this.#probes.values())
      for (const [name, { heardAt }] of probes)
        if (heardAt < monotonic - FORGET_MS) probes.delete(name);
  }

  of(region: Region): SeenProbe[] {
    const probes = this.#probes.get(region)?.values() ?? [];
    return [...probes].toSorted((a, b) => b.heardAt - a.heardAt);
  }

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

/** Records the signs of life of all probes in the fleet. Ignores those of this process: it reaches its own probes directly. */
export function listenForProbes(deps: {
  connection: BusConnection;
  node: string;
  keys: readonly RegionKey[];
  fleet: ProbeFleet;
  /** Null for a message that no key opens. */
  open(data: Uint8Array, subject: string): { keyId: string; text: string } | null;
  onUnreadable(subject: string): void;
  onNew(region: Region): void;
  clock: Clock;
  log: Log;
}): void {
  const { fleet, clock, log } = deps;
  const keys = new Map(deps.keys.map((key) => [key.id, key]));

  function receive(subject: string, data: Uint8Array): void {
    const opened = deps.open(data, subject);
    if (opened === null) return;
    const presence = parsePresence(opened.text);
    const key = keys.get(opened.keyId);
    const isOfKey = key !== undefined && subject === presenceSubject(key.region, key.id);
    if (presence === null || !isOfKey) return deps.onUnreadable(subject);
    if (presence.probe === deps.node) return;
    const { region, id: keyId } = key;
    const at = { now: clock.now(), monotonic: clock.monotonic() };
    if (!fleet.record(presence, { region, keyId }, at)) return;
    const { vantage, version, protocol } = presence;
    const fields = { region, vantage, version };
    if (protocol === PROTOCOL)
      // Log: A probe that is reached over NATS sends signs of life.
      log.info(fields, 'A probe has joined.');
    else
      // Log: Upgrade the older of the two: releases that follow each other understand
      // each other.
      log.error(fields, 'A probe is of a release that this one cannot talk to.');
    deps.onNew(region);
  }

  deps.connection.nats.subscribe(ALL_PRESENCE, {
    callback: (error, { subject, data }) => {
      if (error === null) receive(subject, data);
    },
  });
}
