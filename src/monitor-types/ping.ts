import { hostOf } from '../lib/url-host.ts';
import type { CheckRequest } from '../model/check.ts';
import type { PullTypeDefinition } from './definition.ts';
import { HOST, HOST_HINT, INTERVAL_HINT } from './common.ts';

export interface PingCheckRequest extends CheckRequest {
  type: 'ping';
  /** Host name, IPv4 or IPv6 address without brackets. */
  host: string;
}

/** Does a host answer ICMP echo requests? */
export const ping = {
  ...HOST,
  name: 'ping',
  takes: ['pull'],
  required: [HOST_HINT, INTERVAL_HINT],
  events: {
    open: { name: 'monitor.ping_failed', when: 'A ping monitor does not answer.' },
    resolve: { name: 'monitor.ping_recovered', when: 'A ping monitor answers again.' },
  },
  eventExample: {
    monitor: { id: 8, name: 'Router', url: '192.0.2.1' },
    cause: 'No reply to ping from 192.0.2.1 within 5 s',
  },
  example: { url: '192.0.2.1', check_interval: 1 },
  request({ url }, base): PingCheckRequest {
    return { ...base, type: 'ping', host: hostOf(url) ?? url };
  },
} as const satisfies PullTypeDefinition;
