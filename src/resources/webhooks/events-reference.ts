import { z } from 'zod';
import type { Severity } from '../../model/condition.ts';
import { MONITOR_STATUSES, type MonitorStatus } from '../../model/monitor.ts';
import { DEFINITIONS, PUSH } from '../../monitor-types/registry.ts';

/** The bodies that webhook endpoints are sent (contract 28.11): these keys, and no others. */

const monitorSchema = z
  .object({
    id: z.int().min(0).meta({ description: 'Of the monitor; 0 in a test.' }),
    name: z.string().nullable().meta({ description: 'Null where the monitor has none.' }),
    url: z
      .string()
      .nullable()
      .meta({
        description: `What is watched, as it was set: a URL, a host or an address. Null for ${PUSH.and} monitors, whose URL is a secret.`,
      }),
  })
  .meta({ id: 'WebhookMonitor', description: 'The monitor of an event.' });

const statusSchema = z
  .object({
    current: z.enum(MONITOR_STATUSES).meta({ description: 'Of the monitor, after the change.' }),
    previous: z.enum(MONITOR_STATUSES).meta({
      description:
        'Of the monitor, before the change. The same as `current` where it has a worse problem besides.',
    }),
    root_cause: z.string().nullable().meta({
      description: 'The reason, for people. A recovery repeats the reason of the problem.',
    }),
    region: z.string().nullable().meta({
      description:
        'The codes of the regions that fail, with a comma and a space between them, where only some do; else null.',
    }),
    is_regional_issue: z.boolean().meta({
      description: 'Whether it fails from some regions only.',
    }),
  })
  .meta({ id: 'WebhookStatus', description: 'What became of the monitor, and why.' });

const incidentSchema = z
  .object({
    id: z.int().min(1),
    started_at: z.iso.datetime().meta({
      description: 'Of the first check that failed, or when the ping was due that did not come.',
    }),
  })
  .meta({
    id: 'WebhookIncident',
    description: 'The incident that the event opens or resolves; both events name the same one.',
  });

const timestampSchema = z.iso.datetime().meta({
  description: 'When it happened; each attempt to send it has the same.',
});

/**
 * The schema of one event's body.
 *
 * @param ofIncident false for what belongs to none: its `incident` is null.
 */
function payloadOf(event: string, description: string, ofIncident: boolean) {
  return z
    .object({
      event: z.literal(event),
      timestamp: timestampSchema,
      monitor: monitorSchema,
      status: statusSchema,
      incident: ofIncident ? incidentSchema : z.null(),
    })
    .meta({ id: `${pascalCase(event)}Event`, description });
}

/** `MonitorSslExpiring` of `monitor.ssl_expiring`. */
export function pascalCase(event: string): string {
  return event.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** An event that webhook endpoints are sent, for the reference. */
export interface WebhookEvent {
  /** A sentence that says when it is sent. */
  when: string;
  /** Endpoints without it are not sent the event; a test goes to any. */
  severity: Severity | 'any';
  payload: z.ZodObject;
  /** A body as it is sent. */
  example: WebhookExample;
}

interface WebhookExample {
  event: string;
  timestamp: string;
  monitor: { id: number; name: string | null; url: string | null };
  status: {
    current: MonitorStatus;
    previous: MonitorStatus;
    root_cause: string | null;
    region: string | null;
    is_regional_issue: boolean;
  };
  incident: { id: number; started_at: string } | null;
}

/** A problem of a monitor, with the events of its beginning and its end. */
interface Problem {
  severity: 'critical' | 'warning';
  /** Events, with sentences that say when they are sent. */
  opens: Record<string, string>;
  resolves: Record<string, string>;
  /** Monitor of the example; the shop unless given. */
  monitor?: WebhookExample['monitor'];
  cause: string;
  region?: string;
  /** The status of the monitor stays as it is. */
  keepsStatus?: true;
}

const SHOP = { id: 7, name: 'Shop', url: 'https://shop.example.com' };

/** Several types may share their events. */
const OF_TYPES = new Map(DEFINITIONS.map((type) => [type.events.open.name, type]));

const PROBLEMS: Problem[] = [
  ...[...OF_TYPES.values()].map(({ events: { open, resolve }, eventExample }): Problem => ({
    severity: 'critical',
    opens: { [open.name]: open.when },
    resolves: { [resolve.name]: resolve.when },
    ...eventExample,
  })),
  {
    severity: 'critical',
    opens: {
      'monitor.keyword_missing': 'A page lacks what must be there, or is too long to be searched.',
    },
    resolves: {},
    cause: 'Keyword "Add to cart" is missing',
  },
  {
    severity: 'critical',
    opens: { 'monitor.keyword_found': 'A page has what must not be there.' },
    resolves: {
      'monitor.keyword_resolved':
        'A page is as its keywords want it again: ends `monitor.keyword_missing` and `monitor.keyword_found`.',
    },
    cause: 'Keyword "Fatal error" was found',
  },
  {
    severity: 'critical',
    opens: { 'monitor.json_assertion_failed': 'An answer in JSON is not as it must be.' },
    resolves: { 'monitor.json_assertion_resolved': 'An answer in JSON is as it must be again.' },
    monitor: { id: 11, name: null, url: 'https://api.example.com/health' },
    cause: 'JSON status is "degraded", expected "ok"',
  },
  {
    severity: 'warning',
    opens: {
      'monitor.degraded':
        'A monitor can’t be reached from some regions (`is_regional_issue` is true), or over one of IPv4 and IPv6 (it is false).',
    },
    resolves: {
      'monitor.degraded_resolved':
        'All regions reach it again, or both of IPv4 and IPv6 work. Also sent when it became an outage everywhere: `monitor.down` follows.',
    },
    cause: 'HTTP 503 (from fra, sin only)',
    region: 'fra, sin',
  },
  {
    severity: 'warning',
    opens: { 'monitor.slow_response': 'Answers take longer than the threshold.' },
    resolves: { 'monitor.slow_response_resolved': 'Answers are fast enough again.' },
    cause: 'Response time of 2,350 ms is over the threshold of 2,000 ms',
  },
  {
    severity: 'critical',
    opens: {
      'monitor.ssl_invalid':
        'A certificate has expired, is revoked, untrusted or for another name.',
    },
    resolves: {},
    cause: 'The TLS certificate expired on 2030-01-01',
  },
  {
    severity: 'warning',
    opens: { 'monitor.ssl_expiring': 'The end of a certificate is near.' },
    resolves: {
      'monitor.ssl_resolved':
        'A certificate is good again. Also sent when one that was near its end expired: `monitor.ssl_invalid` follows.',
    },
    cause: 'The TLS certificate expires in 13 days, on 2030-01-15',
  },
  {
    severity: 'critical',
    opens: { 'monitor.domain_expired': 'The registration of a domain is over.' },
    resolves: {},
    cause: 'Domain example.com expired on 2030-01-01',
  },
  {
    severity: 'warning',
    opens: { 'monitor.domain_expiring': 'The registration of a domain ends soon.' },
    resolves: {
      'monitor.domain_resolved':
        'The registration of a domain was renewed. Also sent when one that was near its end expired: `monitor.domain_expired` follows.',
    },
    cause: 'Domain example.com expires in 29 days, on 2030-01-31',
  },
  {
    severity: 'warning',
    opens: { 'monitor.dns_failed': 'A name can’t be looked up as it should.' },
    resolves: { 'monitor.dns_resolved': 'A name can be looked up again.' },
    cause: 'DNS name shop.example.com not found',
  },
  {
    severity: 'critical',
    opens: {
      'monitor.error_budget_burning':
        'Downtime spends the error budget of an SLO so fast that it will not last.',
    },
    resolves: {
      'monitor.error_budget_resolved':
        'The error budget burns no faster than it lasts. Also sent when fast burning became slow, or the reverse: the other event follows.',
    },
    cause:
      'The error budget of 30 days (target 99.9 %) burned 62.5 times as fast as it lasts: the last hour spent 8.7 % of it',
    keepsStatus: true,
  },
  {
    severity: 'warning',
    opens: {
      'monitor.error_budget_burning_slowly':
        'Repeated downtime spends the error budget of an SLO faster than it lasts.',
    },
    resolves: {},
    cause:
      'The error budget of 30 days (target 99.9 %) burned 7.2 times as fast as it lasts: the last 6 hours spent 6.0 % of it',
    keepsStatus: true,
  },
];

const DNS_CHANGED = 'The records of a name changed. It belongs to no incident.';
const TEST = 'Somebody asked for a test: the monitor is none of yours, and has the id 0.';

/** By name, in the order of the reference. */
export const WEBHOOK_EVENTS: Record<string, WebhookEvent> = Object.fromEntries([
  ...PROBLEMS.flatMap(eventsOf),
  withoutIncident('monitor.dns_changed', DNS_CHANGED, 'info', {
    monitor: SHOP,
    cause: 'DNS records changed: A added 192.0.2.7, removed 192.0.2.1',
  }),
  withoutIncident('webhook.test', TEST, 'any', {
    monitor: { id: 0, name: 'Test', url: 'https://example.com' },
    cause: null,
  }),
]);

function eventsOf(problem: Problem): [string, WebhookEvent][] {
  const { severity, opens, resolves, monitor = SHOP, cause, region = null } = problem;
  const failing = severity === 'critical' ? 'offline' : 'degraded';
  const ill = problem.keepsStatus ? 'online' : failing;
  const words = { root_cause: cause, region, is_regional_issue: region !== null };
  const incident = { id: 12, started_at: '2030-01-01T08:02:00.000Z' };
  const entry = (
    event: string,
    when: string,
    change: Pick<WebhookEvent, 'severity'> & { at: string; from: MonitorStatus; to: MonitorStatus },
  ): [string, WebhookEvent] => {
    const status = { current: change.to, previous: change.from, ...words };
    const example = { event, timestamp: change.at, monitor, status, incident };
    const payload = payloadOf(event, when, true);
    return [event, { when, severity: change.severity, payload, example }];
  };
  const began = { severity, at: '2030-01-01T08:02:30.000Z', from: 'online', to: ill } as const;
  const over = {
    severity: 'info',
    at: '2030-01-01T08:11:05.000Z',
    from: ill,
    to: 'online',
  } as const;
  return [
    ...Object.entries(opens).map(([event, when]) => entry(event, when, began)),
    ...Object.entries(resolves).map(([event, when]) => entry(event, when, over)),
  ];
}

/** An event that leaves the status as it is. */
function withoutIncident(
  event: string,
  when: string,
  severity: WebhookEvent['severity'],
  { monitor, cause }: { monitor: WebhookExample['monitor']; cause: string | null },
): [string, WebhookEvent] {
  const status = {
    current: 'online',
    previous: 'online',
    root_cause: cause,
    region: null,
    is_regional_issue: false,
  } as const;
  const timestamp = '2030-01-01T08:02:30.000Z';
  const example = { event, timestamp, monitor, status, incident: null };
  return [event, { when, severity, payload: payloadOf(event, when, false), example }];
}
