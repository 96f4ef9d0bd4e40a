import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { combineBuses } from '../engine/bus/compose.ts';
import type { FleetBus } from '../engine/bus/contract.ts';
import type { LocalBus } from '../engine/bus/local.ts';
import { connectBus, type BusConnection } from '../engine/bus/nats/connection.ts';
import { NatsBus } from '../engine/bus/nats/nats-bus.ts';
import { serveRegions, type ProbeService } from '../engine/bus/nats/probe-service.ts';
import type { Config } from '../config/config.ts';
import { keyVersionOf } from '../config/conflicts.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { deriveRegionKey, type RegionKey } from '../lib/region-keys.ts';
import { readVersion } from '../lib/version.ts';
import type { ProbeAnswer, ProbeRequest } from '../probe/agent/child.ts';
import { natsSettings, type Probes } from './probes.ts';

/** Checks for other processes that are under way get this time when the process ends. */
const LAST_CHECKS_MS = 3_000;

/** Connects to the probes of other machines. Own probes serve their regions to other processes, too. */
export async function openNatsProbes(
  settings: Config,
  secretKeys: readonly string[],
  own: LocalBus | null,
  log: Log,
): Promise<Probes> {
  const node = randomUUID();
  const name = `tocsin ${settings.roles.join(',')} ${hostname()} ${process.pid}`;
  const connection = await connectBus(natsSettings(settings), { name, clock, log });
  const keys = [...settings.regions, ...settings.privateRegions].flatMap(({ code }) =>
    secretKeys.map((secretKey) =>
      deriveRegionKey(secretKey, code, keyVersionOf(code, settings.regionKeyVersions)),
    ),
  );
  const remote = new NatsBus({
    connection,
    node,
    keys,
    privateRegions: settings.privateRegions.map(({ code }) => code),
    clock,
    log,
  });
  const ownKeys = keys.filter(({ region }) => settings.probeRegions.includes(region));
  const service = own && serveOwn(own, connection, { settings, node, keys: ownKeys, log });
  const bus = own === null ? remote : combineBuses(own, remote, settings.probeRegions);
  return {
    ...methodsOf(bus),
    processes: () => own?.processes() ?? [],
    sent: remote.counters,
    isBusConnected: () => connection.isConnected(),
    async close() {
      await service?.stop(LAST_CHECKS_MS);
      await bus.close();
      await connection.close();
    },
  };
}

/** The methods as own properties, so that they can be spread. */
function methodsOf(bus: FleetBus): FleetBus {
  return {
    check: (region, request) => bus.check(region, request),
    checkAll: (regions, request) => bus.checkAll(regions, request),
    inspect: (request, region) => bus.inspect(request, region),
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
    vantage: settings.probeHostName ?? hostname(),
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
