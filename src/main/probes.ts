import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { combineBuses } from '../engine/bus/combined.ts';
import type { FleetBus } from '../engine/bus/contract.ts';
import type { LocalBus } from '../engine/bus/local.ts';
import { connectBus, type BusConnection } from '../engine/bus/nats/connection.ts';
import { createNatsBus, type NatsBusCounters } from '../engine/bus/nats/nats-bus.ts';
import { serveRegions, type ProbeService } from '../engine/bus/nats/probe-service.ts';
import type { ProbeProcessState } from '../engine/bus/probe-process.ts';
import { noProbes } from '../engine/bus/no-probes.ts';
import type { Config } from '../config/config.ts';
import { systemClock as clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { deriveRegionKey, type RegionKey } from '../lib/region-keys.ts';
import { readVersion } from '../lib/version.ts';
import type { ProbeAnswer, ProbeRequest } from '../probe/agent/child.ts';
import { natsSettings } from './nats-settings.ts';
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

/** Checks for other processes that are under way get this time when the process ends. */
const LAST_CHECKS_MS = 3_000;

/**
 * Starts the probe processes of this machine if it has the role, and connects to those of others if there is a message
 * bus. With both it serves its own regions to the others, too.
 *
 * @param secretKeys entries of SECRET_KEY, newest first: the keys of the regions derive from them.
 */
export async function openProbes(
  settings: Config,
  secretKeys: readonly string[],
  log: Log,
  outside: Pick<Outside, 'startProbes'>,
): Promise<Probes> {
  const { natsUrls, roles, probeRegions } = settings;
  const node = randomUUID();
  const [own, connection] = await Promise.all([
    roles.includes('probe') ? outside.startProbes(settings, log) : null,
    natsUrls === null
      ? null
      : connectBus(natsSettings(settings), { name: nameOf(settings), clock, log }),
  ]);
  const keys = settings.regions.flatMap(({ code }) =>
    secretKeys.map((secretKey) => deriveRegionKey(secretKey, code)),
  );
  const remote = connection && createNatsBus({ connection, node, keys, clock, log });
  const service =
    own && connection
      ? serveOwn(own, connection, {
          settings,
          node,
          keys: keys.filter(({ region }) => probeRegions.includes(region)),
          log,
        })
      : null;
  const bus = busOf(own, remote, probeRegions);
  return {
    ...bus,
    processes: () => own?.processes() ?? [],
    sent: remote?.counters ?? null,
    isBusConnected: () => connection?.isConnected() ?? true,
    async close() {
      await service?.stop(LAST_CHECKS_MS);
      await bus.close();
      await connection?.close();
    },
  };
}

function busOf(
  own: LocalBus | null,
  remote: FleetBus | null,
  regions: readonly string[],
): FleetBus {
  if (own === null) return methodsOf(remote ?? noProbes());
  return methodsOf(remote === null ? own : combineBuses(own, remote, regions));
}

/** The methods as own properties, so that they can be spread. */
function methodsOf(bus: FleetBus): FleetBus {
  return {
    check: (region, request) => bus.check(region, request),
    checkAll: (regions, request) => bus.checkAll(regions, request),
    inspect: (request) => bus.inspect(request),
    inspectMachine: (region) => bus.inspectMachine(region),
    lastSeen: (region) => bus.lastSeen(region),
    vantageOf: (region) => bus.vantageOf(region),
    probesOf: (region) => bus.probesOf(region),
    close: () => bus.close(),
  };
}

function serveOwn(
  own: LocalBus,
  connection: BusConnection,
  parts: { settings: Config; node: string; keys: readonly RegionKey[]; log: Log },
): ProbeService {
  const { settings, node, keys, log } = parts;
  return serveRegions({
    connection,
    probe: node,
    keys,
    vantage: settings.vantageName ?? hostname(),
    version: readVersion(),
    run: (request) => runOn(own, settings.probeRegions[0]!, request),
    load: () => own.processes().flatMap(({ load }) => load ?? []),
    clock,
    log,
  });
}

/** Runs a request of another process on the probes of this one. */
async function runOn(own: LocalBus, region: string, request: ProbeRequest): Promise<ProbeAnswer> {
  if (!('kind' in request)) return own.check(region, request);
  if (request.kind !== 'machine') return own.inspect(request);
  const report = await own.inspectMachine(region);
  return report ?? { state: 'unknown', reason: 'No probe is running' };
}

/** Name of this process in the records of the NATS server. */
export function nameOf({ roles }: Pick<Config, 'roles'>): string {
  return `tocsin ${roles.join(',')} ${hostname()} ${process.pid}`;
}
