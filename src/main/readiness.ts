import { statfs } from 'node:fs/promises';
import type { Readiness } from '../api/system-server.ts';
import type { Config } from '../config/config.ts';
import type { InstallationHealth } from '../engine/installation-health/watch.ts';
import type { OverloadDetector } from '../engine/schedule/overload.ts';
import type { Scheduler } from '../engine/schedule/scheduler.ts';
import type { Database } from '../store/database/contract.ts';
import type { Probes } from './probes.ts';
import type { RegionHealthMonitor } from '../engine/verdict/region-health-monitor.ts';

const DISK_LOW_BYTES = 500 * 1024 * 1024;
/** Lateness of rounds from which another process should take over. */
const MAX_READY_LAG_MS = 30_000;

/** Reports whether this process can do its work. */
export async function readiness(parts: {
  settings: Config;
  database: Database;
  probes: Pick<Probes, 'probesOf' | 'isBusConnected'>;
  scheduler: Scheduler;
  regions: Pick<RegionHealthMonitor, 'quarantines'>;
  overload: Pick<OverloadDetector, 'overload'>;
  health: Pick<InstallationHealth, 'problems'>;
}): Promise<Readiness> {
  const { settings, probes } = parts;
  const { roles, natsUrls, databaseUrl, dataDir } = settings;
  const database = await parts.database.read
    .selectFrom('shard')
    .select('shard')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  const scheduler = roles.includes('scheduler') ? parts.scheduler : null;
  const scheduleLagMs = scheduler && Math.round(scheduler.lagMs());
  const punctuality = scheduler?.punctuality();
  const diskLow = databaseUrl === null && (await freeBytes(dataDir)) < DISK_LOW_BYTES;
  return {
    ready: database && (scheduleLagMs ?? 0) < MAX_READY_LAG_MS,
    roles,
    database,
    scheduleLagMs,
    checksDue: punctuality?.due ?? null,
    checksLate: punctuality?.late ?? null,
    roundsInFlight: scheduler?.roundsInFlight ?? null,
    probes: probesByRegion(settings.regions, probes),
    overload: parts.overload.overload(),
    quarantinedRegions: [...parts.regions.quarantines().keys()].toSorted(),
    diskLow,
    problems: parts.health.problems(),
    isBusConnected: natsUrls === null ? null : probes.isBusConnected(),
  };
}

/** Number of processes that take checks, by region, on all machines that this process reaches. */
export function probesByRegion(
  regions: Config['regions'],
  probes: Pick<Probes, 'probesOf'>,
): Record<string, number> {
  return Object.fromEntries(
    regions.map(({ code }) => {
      const taking = probes.probesOf(code).filter(({ takesChecks }) => takesChecks);
      return [code, taking.reduce((sum, { load }) => sum + Math.max(1, load.length), 0)];
    }),
  );
}

/** Free space of the file system of a folder, bytes. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
