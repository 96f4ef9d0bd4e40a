import type { Config } from '../config/config.ts';
import type { FleetBus } from '../engine/bus/contract.ts';
import type { LocalBus } from '../engine/bus/local.ts';
import type { NatsSettings } from '../engine/bus/nats/connection.ts';
import type { NatsBusCounters } from '../engine/bus/nats/nats-bus.ts';
import { noProbes } from '../engine/bus/compose.ts';
import type { ProbeProcessState } from '../engine/bus/probe-process.ts';
import type { Log } from '../lib/log.ts';
import type { Outside } from './outside.ts';

/** The probes that this process reaches: its own, and those of other machines. */
export interface Probes extends FleetBus {
  /** Probe processes of this machine; none without the role. */
  processes(): ProbeProcessState[];
  /** Numbers of what was sent over NATS; null without it. */
  sent: Readonly<NatsBusCounters> | null;
  /** False while there is a message bus and no connection to it. */
  isBusConnected(): boolean;
}

/**
 * Starts the probe processes of this machine if it has the role, and connects to those of others if there is a message
 * bus.
 *
 * @param secretKeys entries of SECRET_KEY, newest first: the keys of the regions derive from them.
 */
export async function openProbes(
  settings: Config,
  secretKeys: readonly string[],
  log: Log,
  outside: Pick<Outside, 'startProbes'>,
): Promise<Probes> {
  const own = settings.roles.includes('probe') ? await outside.startProbes(settings, log) : null;
  if (settings.natsUrls === null) return withoutBus(own);
  const { openNatsProbes } = await import('./nats-probes.ts');
  return openNatsProbes(settings, secretKeys, own, log);
}

function withoutBus(own: LocalBus | null): Probes {
  return {
    ...(own ?? noProbes()),
    processes: () => own?.processes() ?? [],
    sent: null,
    isBusConnected: () => true,
  };
}

/** How to reach NATS by the settings, which name a server. */
export function natsSettings(settings: Config): NatsSettings {
  return {
    urls: settings.natsUrls ?? [],
    credentials: settings.natsCredentials,
    nkey: settings.natsNkey,
    tlsCa: settings.natsTlsCa,
    tlsCert: settings.natsTlsCert,
    tlsKey: settings.natsTlsKey,
  };
}
