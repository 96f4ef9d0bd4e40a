/** What `GET /monitors/overview` says of a monitor; what is null, empty or false is left out there. */
export interface OverviewMonitor {
  id: number;
  name: string;
  /** Host, port and path; not for push monitors. */
  target?: string;
  /** Unix seconds since which it has its status. */
  since: number;
  /** Median of the newest round over the regions, in milliseconds. */
  response_ms?: number;
  uptime_90d?: number;
  /** Percentage; only when it is below 99.5. */
  observed_90d?: number;
  group_id?: number;
  tags?: string[];
  type: 'http' | 'ping' | 'port' | 'heartbeat' | 'cron';
  status: 'online' | 'offline' | 'degraded' | 'pending';
  is_paused?: boolean;
  /** Unix seconds. */
  maintenance_until?: number;
  check_types?: string[];
  /** A letter for each region of the answer: u up, d down, ? unknown, - not checked from there. */
  regions?: string;
  /** 48 letters, one for each half hour of the last 24 hours. */
  bar: string;
  incident?: {
    id: number;
    severity: 'critical' | 'warning' | 'info';
    cause: string;
    since: number;
    acknowledged_at?: number;
    acknowledged_by?: string;
    open: number;
  };
  last_ping_at?: number;
  next_expected_at?: number;
  /** Seconds. */
  last_duration?: number;
  schedule?: { interval: number } | { cron: string; timezone: string };
}

/** Answer of `GET /monitors/overview`. */
export interface Overview {
  generated_at: string;
  regions: string[];
  groups: { id: number; name: string; parent_id?: number }[];
  monitors: OverviewMonitor[];
}
