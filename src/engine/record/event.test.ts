import { expect, test } from 'vitest';
import { CONDITIONS, type Condition } from '../../model/condition.ts';
import type { ProblemCode } from '../../model/failure.ts';
import type { IncidentOpening } from '../../model/incident.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { eventName, eventPayload, type NotifiedChange } from './event.ts';

const NOW = Date.UTC(2030, 0, 1);
const INCIDENT = { id: 7, started_at: NOW - 60_000, root_cause: 'No ping came', region: null };
const SECRET = 'https://up.example.com/ping/secret';

const opening: NotifiedChange = {
  kind: 'open',
  monitorId: 3,
  teamId: 1,
  type: 'heartbeat',
  condition: 'heartbeat',
  at: NOW,
  status: { previous: 'online', current: 'offline' },
  severity: 'critical',
  rootCause: 'No ping came',
  failureCode: 'ping_missed',
  regions: null,
  evidence: [],
  from: null,
};

const resolutionOf = (condition: Condition): NotifiedChange => ({
  kind: 'resolve',
  monitorId: 3,
  teamId: 1,
  type: CONDITIONS[condition].type,
  condition,
  at: NOW,
  status: { previous: 'offline', current: 'online' },
  reason: 'recovered',
  into: null,
});

test.each<[MonitorType, string | null]>([
  ['heartbeat', null],
  ['cron', null],
  ['http', SECRET],
  ['ping', SECRET],
  ['port', SECRET],
])('an event of a %s monitor has the url %j', (type, url) => {
  // A push monitor has no url in the database; were there one, it would be its secret.
  const subject = { id: 3, type, name: 'Backup', url: SECRET };
  const payload = eventPayload('monitor.heartbeat_missed', opening, subject, INCIDENT, NOW);
  expect(payload).toEqual({
    event: 'monitor.heartbeat_missed',
    timestamp: '2030-01-01T00:00:00.000Z',
    monitor: { id: 3, name: 'Backup', url },
    status: {
      current: 'offline',
      previous: 'online',
      root_cause: 'No ping came',
      region: null,
      is_regional_issue: false,
    },
    incident: { id: 7, started_at: '2029-12-31T23:59:00.000Z' },
  });
});

test.each([
  ['heartbeat', 'monitor.heartbeat_missed', 'monitor.heartbeat_recovered'],
  ['cron', 'monitor.heartbeat_missed', 'monitor.heartbeat_recovered'],
] as const)('what is told of a %s monitor is named %s and %s [28.3]', (type, open, resolve) => {
  expect(eventName(type, opening)).toBe(open);
  expect(eventName(type, resolutionOf('heartbeat'))).toBe(resolve);
});

test.each<[Condition, ProblemCode | null, string, string]>([
  ['uptime', 'http_status', 'down', 'up'],
  ['regional', 'http_status', 'degraded', 'degraded_resolved'],
  // Found in a minority of regions.
  ['regional', 'keyword_found', 'degraded', 'degraded_resolved'],
  ['keyword', 'keyword_missing', 'keyword_missing', 'keyword_resolved'],
  ['keyword', 'keyword_found', 'keyword_found', 'keyword_resolved'],
  ['keyword', 'response_too_large', 'keyword_missing', 'keyword_resolved'],
  ['json_assertion', 'json_assertion', 'json_assertion_failed', 'json_assertion_resolved'],
  ['dual_stack', 'ipv6_broken', 'degraded', 'degraded_resolved'],
  ['slow_response', null, 'slow_response', 'slow_response_resolved'],
  ['ssl_expiring', 'tls_expiring', 'ssl_expiring', 'ssl_resolved'],
  ['ssl_invalid', 'tls_expired', 'ssl_invalid', 'ssl_resolved'],
  ['domain_expiring', 'domain_expiring', 'domain_expiring', 'domain_resolved'],
  ['domain_expired', 'domain_expired', 'domain_expired', 'domain_resolved'],
  ['dns', 'dns_not_found', 'dns_failed', 'dns_resolved'],
  ['error_budget_fast', 'budget_burns_fast', 'error_budget_burning', 'error_budget_resolved'],
  [
    'error_budget_slow',
    'budget_burns_slowly',
    'error_budget_burning_slowly',
    'error_budget_resolved',
  ],
])(
  '%s by %s is told as monitor.%s and monitor.%s [28.2, 28.4, 28.5]',
  (condition, failureCode, open, resolve) => {
    const { type, severity } = CONDITIONS[condition];
    const opened: NotifiedChange = {
      ...(opening as IncidentOpening),
      condition,
      type,
      severity,
      failureCode,
    };
    expect(eventName('http', opened)).toBe(`monitor.${open}`);
    expect(eventName('http', resolutionOf(condition))).toBe(`monitor.${resolve}`);
  },
);
