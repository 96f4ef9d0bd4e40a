/** What a user wants watched (specification, "Monitor"). */

export const MONITOR_TYPES = ['http', 'ping', 'port', 'heartbeat', 'cron'] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];

/** The types that we check ourselves; the others report to us. */
export const PULL_TYPES = ['http', 'ping', 'port'] as const;
export type PullType = (typeof PULL_TYPES)[number];

export const MONITOR_STATUSES = ['online', 'offline', 'degraded', 'pending'] as const;
export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** The code of a region, such as `ash`. Which ones exist is the installation's configuration. */
export type Region = string;

/** Shards are `id modulo 256`, for ever: the number can't be changed once monitors exist. */
export const SHARD_COUNT = 256;

export function shardOf(monitorId: number): number {
  return monitorId % SHARD_COUNT;
}
