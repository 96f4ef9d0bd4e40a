import { expect, test } from 'vitest';
import { silentLog } from '../lib/log.ts';
import type { IncidentFact } from '../store/database/observer.ts';
import { createObservation } from './observation.ts';

const STARTED = Date.UTC(2030, 0, 1);

function observing(slowQueryMs = 500) {
  const lines: object[] = [];
  const write = (fields: object, msg: string) => void lines.push({ ...fields, msg });
  const log = { ...silentLog, info: write, warn: write };
  return { observation: createObservation({ slowQueryMs, engine: 'sqlite' }, log), lines };
}

const FACT: IncidentFact = {
  change: 'opened',
  id: 7,
  monitor_id: 3,
  team_id: 2,
  type: 'uptime',
  severity: 'critical',
  failure_code: 'connection_refused',
  started_at: STARTED,
  ended_at: null,
  is_regional: 0,
  reason: null,
};
const COMMON = {
  incident_id: 7,
  monitor_id: 3,
  team_id: 2,
  type: 'uptime',
  severity: 'critical',
  root_cause_class: 'connection_refused',
  started_at: '2030-01-01T00:00:00.000Z',
};

test.each<[fact: Partial<IncidentFact>, line: object]>([
  [{}, { is_regional: false, reported_by: 'checks', msg: 'An incident was opened.' }],
  [
    { type: 'manual', failure_code: null },
    {
      type: 'manual',
      root_cause_class: null,
      is_regional: false,
      reported_by: 'person',
      msg: 'An incident was opened.',
    },
  ],
  [
    { change: 'ended', ended_at: STARTED + 90_000, reason: 'recovered' },
    {
      ended_at: '2030-01-01T00:01:30.000Z',
      duration_seconds: 90,
      reason: 'recovered',
      msg: 'An incident ended.',
    },
  ],
  [{ change: 'reopened' }, { msg: 'An incident was reopened.' }],
  [{ change: 'deleted' }, { msg: 'An incident was deleted.' }],
])('a fact %j is logged', (fact, line) => {
  const { observation, lines } = observing();
  observation.onIncidents([{ ...FACT, ...fact }]);
  expect(lines).toEqual([{ ...COMMON, ...line }]);
});

test('an outage of 500 monitors is 500 lines, and is counted by type and severity [39.37]', () => {
  const { observation, lines } = observing();
  const facts = Array.from({ length: 500 }, (_, index) => ({ ...FACT, incidentId: index }));
  observation.onIncidents(facts);
  expect(lines).toHaveLength(500);
  expect([...observation.counts.opened]).toEqual([['uptime critical', 500]]);
});

test('a slow statement is logged with its text cut', () => {
  const { observation, lines } = observing();
  const statement = `select ${'?, '.repeat(1_000)}1`;
  observation.onSlow({ statement, durationMs: 1234.5, use: 'scan' });
  expect(lines).toEqual([
    {
      duration_ms: 1235,
      statement: statement.slice(0, 1_000),
      use: 'scan',
      database: 'sqlite',
      msg: 'A query was slow.',
    },
  ]);
  expect(observation.counts.slow).toEqual({ read: 0, scan: 1, write: 0 });
});

test('SLOW_QUERY_MS=0 reports no statement', () => {
  expect(observing(0).observation.slowMs).toBe(Infinity);
});
