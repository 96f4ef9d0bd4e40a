/** The minimal request body of each monitor type. */
export const LEAST = {
  http: { url: 'https://example.com', check_interval: 1 },
  ping: { monitor_type: 'ping', url: 'example.com', check_interval: 1 },
  port: { monitor_type: 'port', url: 'example.com', port: 5432, check_interval: 1 },
  heartbeat: { monitor_type: 'heartbeat', friendly_name: 'Backup', heartbeat_interval: 300 },
  cron: { monitor_type: 'cron', friendly_name: 'Report', heartbeat_cron_expression: '0 3 * * *' },
} as const;

export type AnyType = keyof typeof LEAST;

export const ALL_TYPES = Object.keys(LEAST) as AnyType[];
export const PULL: AnyType[] = ['http', 'ping', 'port'];
export const PUSH: AnyType[] = ['heartbeat', 'cron'];
