/** Sub-checks, in addition to reachability. */
export const CHECK_TYPES = ['ssl', 'dns', 'domain', 'keyword', 'json'] as const;
export type CheckType = (typeof CHECK_TYPES)[number];

export const AUTH_TYPES = ['basic', 'bearer', 'digest'] as const;

export const MONITOR_STATUSES = ['online', 'offline', 'degraded', 'pending'] as const;
export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Code of a region, such as `ash`. Regions are defined in the installation's configuration. */
export type Region = string;

/** A monitor's shard is `id modulo 256`. The number can't change once monitors exist. */
export const SHARD_COUNT = 256;

/**
 * Step that puts neighboring shards apart: 256 divided by the golden ratio, made odd so that each shard has a place of its
 * own. Monitors created in sequence lie in consecutive shards, which must not all go to one process.
 */
export const SHARD_STEP = 159;

export function shardOf(monitorId: number): number {
  return monitorId % SHARD_COUNT;
}
