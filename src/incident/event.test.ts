import { expect, test } from 'vitest';
import type { MonitorType } from '../model/monitor.ts';
import { eventName, eventPayload, type ToldChange } from './event.ts';

const NOW = Date.UTC(2030, 0, 1);
const INCIDENT = { id: 7, startedAt: NOW - 60_000, rootCause: 'No ping came', region: null };
const SECRET = 'https://up.example.com/ping/secret';

const opening: ToldChange = {
  kind: 'open',
  monitorId: 3,
  teamId: 1,
  type: 'heartbeat',
  at: NOW,
  status: { previous: 'online', current: 'offline' },
  severity: 'critical',
  rootCause: 'No ping came',
  failureCode: 'ping_missed',
  regions: null,
  evidence: [],
  from: null,
};

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
] as const)('what is told of a %s monitor is named %s and %s', (type, open, resolve) => {
  expect(eventName(type, 'heartbeat', 'open')).toBe(open);
  expect(eventName(type, 'heartbeat', 'resolve')).toBe(resolve);
});
