import { hostOf } from '../lib/url-host.ts';
import type { CheckRequest } from '../model/check.ts';
import type { PullTypeDefinition } from './definition.ts';
import { HOST_URL, INTERVAL_HINT } from './common.ts';

export interface PingCheckRequest extends CheckRequest {
  type: 'ping';
  /** Host name, IPv4 or IPv6 address without brackets. */
  host: string;
}

/** Does a host answer ICMP echo requests? */
export const ping = {
  name: 'ping',
  kind: 'pull',
  takes: ['pull'],
  required: [HOST_URL.hint, INTERVAL_HINT],
  checkTypes: ['dns', 'domain'],
  events: {
    open: { name: 'monitor.ping_failed', when: 'A ping monitor does not answer.' },
    resolve: { name: 'monitor.ping_recovered', when: 'A ping monitor answers again.' },
  },
  eventExample: {
    monitor: { id: 8, name: 'Router', url: '192.0.2.1' },
    cause: 'No reply to ping from 192.0.2.1 within 5 s',
  },
  example: { url: '192.0.2.1', check_interval: 1 },
  hostIn: HOST_URL.hostIn,
  urlForm: (url) => HOST_URL.form(url),
  request({ url }, base): PingCheckRequest {
    return { ...base, type: 'ping', host: hostOf(url) ?? url };
  },
} as const satisfies PullTypeDefinition;
