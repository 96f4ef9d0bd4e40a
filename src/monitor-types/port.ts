import { hostOf } from '../lib/url-host.ts';
import type { CheckRequest } from '../model/check.ts';
import type { PullTypeDefinition } from './definition.ts';
import { HOST, HOST_HINT, INTERVAL_HINT } from './common.ts';

export interface PortCheckRequest extends CheckRequest {
  type: 'port';
  host: string;
  /** TCP port, 1 to 65535. */
  port: number;
}

/** Does a TCP port accept connections? */
export const port = {
  ...HOST,
  name: 'port',
  takes: ['pull', 'port'],
  required: [HOST_HINT, ['port', 'give a TCP port from 1 to 65535'], INTERVAL_HINT],
  events: {
    open: { name: 'monitor.port_failed', when: 'The port of a port monitor does not open.' },
    resolve: { name: 'monitor.port_recovered', when: 'The port of a port monitor opens again.' },
  },
  eventExample: {
    monitor: { id: 9, name: 'Database', url: 'db.example.com' },
    cause: 'Connection refused by 192.0.2.9 port 5432',
  },
  example: { url: 'db.example.com', port: 5432, check_interval: 1 },
  urlHint(url) {
    const hint = HOST.urlHint(url);
    return hint && `${hint}: give that in port`;
  },
  request({ url, port: number }, base): PortCheckRequest {
    if (number === null) throw new Error(`Port monitor ${base.monitorId} has no port.`);
    return { ...base, type: 'port', host: hostOf(url) ?? url, port: number };
  },
} as const satisfies PullTypeDefinition;
