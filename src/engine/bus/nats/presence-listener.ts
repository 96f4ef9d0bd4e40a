import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { RegionKey } from '../../../lib/region-keys.ts';
import type { Region } from '../../../model/monitor.ts';
import type { BusConnection } from './connection.ts';
import type { ProbeFleet } from './fleet.ts';
import { parsePresence, PROTOCOL } from './messages.ts';
import { ALL_PRESENCE, presenceSubject } from './subjects.ts';

/** Records the signs of life of all probes in the fleet. Ignores those of this process: it reaches its own probes directly. */
export function listenForProbes(deps: {
  connection: BusConnection;
  /** Id of this process run. */
  node: string;
  /** Keys of all regions. */
  keys: readonly RegionKey[];
  fleet: ProbeFleet;
  /** Null for a message that no key opens. */
  open(data: Uint8Array, subject: string): { keyId: string; text: string } | null;
  onUnreadable(subject: string): void;
  /** A probe of that region was heard of for the first time. */
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
