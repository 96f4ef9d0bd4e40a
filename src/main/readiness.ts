import { statfs } from 'node:fs/promises';
import type { Readiness } from '../api/system-routes.ts';
import type { LocalBus } from '../engine/bus/local.ts';
import type { Config } from '../config/config.ts';
import type { OverloadDetector } from '../engine/schedule/overload.ts';
import type { Scheduler } from '../engine/schedule/scheduler.ts';
import type { Database } from '../store/database/contract.ts';
import type { RegionHealthMonitor } from '../engine/verdict/region-health-monitor.ts';

const DISK_LOW_BYTES = 500 * 1024 * 1024;
/** Lateness of rounds from which another process should take over. */
const MAX_READY_LAG_MS = 30_000;

/** Reports whether this process can do its work. */
export async function readiness(parts: {
  settings: Config;
  database: Database;
  bus: LocalBus;
  scheduler: Scheduler;
  regions: Pick<RegionHealthMonitor, 'quarantines'>;
  overload: Pick<OverloadDetector, 'overload'>;
}): Promise<Readiness> {
  const { settings, bus, scheduler } = parts;
  const database = await parts.database.read
    .selectFrom('shard')
    .select('shard')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  const scheduleLagMs = Math.round(scheduler.lagMs());
  const alive = bus.processes().filter((one) => one.pid !== null).length;
  const probes = Object.fromEntries(
    settings.regions.map(({ code }) => [code, settings.probeRegions.includes(code) ? alive : 0]),
  );
  const diskLow =
    settings.databaseUrl === null && (await freeBytes(settings.dataDir)) < DISK_LOW_BYTES;
  const ready = database && scheduleLagMs < MAX_READY_LAG_MS;
  const quarantinedRegions = [...parts.regions.quarantines().keys()].toSorted();
  const { due, late } = scheduler.punctuality();
  return {
    ready,
    database,
    scheduleLagMs,
    checksDue: due,
    checksLate: late,
    roundsInFlight: scheduler.roundsInFlight,
    probes,
    overload: parts.overload.overload(),
    quarantinedRegions,
    diskLow,
  };
}

/** Free space of the file system of a folder, bytes. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
