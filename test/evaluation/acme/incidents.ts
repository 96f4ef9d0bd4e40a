import type { RegionEvidence } from '../../../src/model/incident.ts';
import { REGIONS } from '../../support/rounds.ts';
import type { Condition } from '../../../src/model/condition.ts';
import { INJECTION } from './monitors.ts';

const at = (text: string) => Date.parse(`2030-01-${text}:00Z`);

/** The time at which all questions are asked: a Tuesday. */
export const NOW = at('15T09:00');
/** The monitors exist since then. */
export const BEGINNING = at('01T00:00');

/** A problem of a monitor, by the monitor's name. Times are epoch milliseconds. */
export interface Problem {
  monitor: string;
  condition: Condition;
  from: number;
  /** Null while it lasts. */
  to: number | null;
  cause: string;
  code: NonNullable<RegionEvidence['failure']>['code'];
  /** Regions that saw it; all of them by default. None for what no region checks. */
  regions?: readonly string[];
  statusCode?: number;
  answer?: RegionEvidence['answer'];
}

const PAGE_OF_CHECKOUT: RegionEvidence['answer'] = {
  statusLine: 'HTTP/1.1 503 Service Unavailable',
  headers: { server: 'nginx', 'retry-after': '120', 'x-note': INJECTION },
  body: `<h1>503 Service Unavailable</h1><p>upstream payments timed out</p><!-- ${INJECTION} -->`,
  redirects: [],
  tls: null,
};

/** In the order in which they began. */
export const PROBLEMS: readonly Problem[] = [
  {
    monitor: 'Partner portal',
    condition: 'domain_expiring',
    from: at('02T05:00'),
    to: null,
    cause: 'The registration of partner-portal.example expires on 2030-01-28',
    code: 'domain_expiring',
    regions: [],
  },
  {
    monitor: 'Website',
    condition: 'uptime',
    from: at('05T10:00'),
    to: at('05T10:10'),
    cause: 'Connection refused by 192.0.2.80 port 443',
    code: 'connection_refused',
  },
  {
    monitor: 'API',
    condition: 'uptime',
    from: at('09T14:00'),
    to: at('09T14:25'),
    cause: 'HTTP 500 Internal Server Error',
    code: 'http_status',
    statusCode: 500,
  },
  {
    monitor: 'Shop',
    condition: 'ssl_expiring',
    from: at('10T06:00'),
    to: null,
    cause: 'The certificate expires on 2030-01-24',
    code: 'tls_expiring',
    regions: [],
  },
  {
    monitor: 'Payment provider',
    condition: 'uptime',
    from: at('14T23:40'),
    to: at('14T23:52'),
    cause: 'No answer within 30 seconds',
    code: 'no_response',
  },
  {
    monitor: 'Search',
    condition: 'regional',
    from: at('15T01:00'),
    to: at('15T01:20'),
    cause: 'Connection timed out',
    code: 'connection_timeout',
    regions: ['sin'],
  },
  {
    monitor: 'Checkout',
    condition: 'uptime',
    from: at('15T02:10'),
    to: null,
    cause: 'HTTP 503 Service Unavailable',
    code: 'http_status',
    statusCode: 503,
    answer: PAGE_OF_CHECKOUT,
  },
  {
    monitor: 'Nightly backup',
    condition: 'heartbeat',
    from: at('15T04:00'),
    to: null,
    cause: 'No ping was received by 2030-01-15 04:00 UTC',
    code: 'ping_missed',
    regions: [],
  },
];

/** When a member acknowledged the incident of the checkout. */
export const ACKNOWLEDGED_AT = at('15T02:31');

/** What the regions saw when a problem began. */
export function evidenceOf({ regions = REGIONS, ...problem }: Problem): RegionEvidence[] {
  const { from, cause, code, statusCode = null, answer = null } = problem;
  if (regions.length === 0) return [];
  return REGIONS.map((region) => {
    const isFailing = regions.includes(region);
    return {
      region,
      vantage: `probe-${region}`,
      failure: isFailing ? { code, text: cause } : null,
      checkedAt: from,
      attempts: isFailing ? [from, from + 10_000] : [],
      timings: { dnsMs: 3.2, tcpMs: 20.5, tlsMs: 24.1, ttfbMs: 80, totalMs: 127.8 },
      statusCode: isFailing ? statusCode : 200,
      remoteAddress: '192.0.2.80',
      answer: isFailing ? answer : null,
    };
  });
}
