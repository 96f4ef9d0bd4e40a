import { hostOf } from '../lib/url-host.ts';

/** The common part of the types that need only a host. */
export const HOST = {
  kind: 'pull',
  checkTypes: ['dns', 'domain'],
  hostIn: (url: string): string | null => (url.includes('://') ? hostOf(url) : url),
  urlForm: 'a host name, an IP address or a URL whose host is used',
  urlExample: 'example.com',
  urlHint: (url: string) => (WITH_PORT.test(url) ? ', without a port' : ''),
} as const;

const WITH_PORT = /^[^:/]+:\d{1,5}$/;

export const HOST_HINT = ['url', 'give a host name, an IP address or a URL'] as const;

/** Hint of pull types for a missing interval. */
export const INTERVAL_HINT = [
  'check_interval',
  'give minutes from 0.5 to 60, or have the operator set DEFAULT_CHECK_INTERVAL',
] as const;

/** The common part of the types of jobs, which call us. */
export const JOB = {
  kind: 'push',
  checkTypes: [],
  events: {
    open: {
      name: 'monitor.heartbeat_missed',
      when: 'A job did not call in time, told of a failure, or did not end in time.',
    },
    resolve: {
      name: 'monitor.heartbeat_recovered',
      when: 'A job calls again, or has ended well.',
    },
  },
  eventExample: {
    monitor: { id: 10, name: 'Nightly backup', url: null },
    cause: 'The job ended with exit code 1',
  },
} as const;

export const NAME_HINT = ['friendly_name', 'give the job a name'] as const;
