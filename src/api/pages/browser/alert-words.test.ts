import { expect, test } from 'vitest';
import { durationOf } from '../../../notify/render-times.ts';
import { headlineOf, lengthOf, stateOf, troubleOf } from './alert-words.js';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

function incident(changes: object = {}) {
  return {
    id: 1,
    monitor: 'Shop',
    url: null,
    type: 'uptime',
    severity: 'critical',
    root_cause: null,
    regions: [],
    evidence: null,
    started_at: new Date(NOW - 9 * MINUTE).toISOString(),
    ended_at: null as string | null,
    acknowledged_at: null as string | null,
    acknowledged_by: null,
    ...changes,
  };
}

function alert(incidents: ReturnType<typeof incident>[], changes: object = {}) {
  return {
    team: 'Acme',
    kind: 'single' as const,
    shared_cause: null,
    incidents_count: incidents.length,
    open_count: incidents.filter(({ ended_at }) => ended_at === null).length,
    can_acknowledge: false,
    incidents,
    ...changes,
  };
}

const over = { ended_at: new Date(NOW - 2 * MINUTE).toISOString() };
const byAda = { acknowledged_at: new Date(NOW).toISOString(), acknowledged_by: 'Ada' };
const blog = { id: 2, monitor: 'Blog' };

test.each([
  ['bad', 'Down for 9 min. Nobody has acknowledged it yet.', [{}]],
  ['neutral', 'Down for 9 min. Acknowledged by Ada.', [byAda]],
  ['neutral', 'Down for 9 min. Acknowledged by somebody.', [{ ...byAda, acknowledged_by: null }]],
  ['good', 'It is over. It took 7 min.', [over]],
  ['good', 'They are over. It took 7 min.', [over, { ...blog, ...over }]],
  [
    'bad',
    '1 of 2 incidents goes on, for 9 min. Nobody has acknowledged it yet.',
    [{}, { ...blog, ...over }],
  ],
  [
    'bad',
    '2 of 2 incidents go on, for 9 min. 1 of them are not acknowledged yet.',
    [{}, { ...blog, ...byAda }],
  ],
  ['neutral', 'Its incidents are gone.', []],
])('%s: %s', (tone, text, incidents) => {
  expect(stateOf(alert(incidents.map(incident)), NOW)).toEqual({ tone, text });
});

test('what is not listed may still wait for somebody', () => {
  const long = alert([incident(byAda)], { kind: 'storm', incidents_count: 200, open_count: 150 });
  expect(stateOf(long, NOW).tone).toBe('bad');
});

test.each([
  ['Shop', [{}]],
  ['Shop', [{}, { id: 2 }]],
  ['2 monitors', [{}, blog]],
  ['3 incidents', [{}, blog, { id: 3 }]],
  ['Alert', []],
])('the headline is "%s"', (headline, incidents) => {
  expect(headlineOf(alert(incidents.map(incident)))).toBe(headline);
});

test('a type of a later version is an incident', () => {
  expect(troubleOf(incident({ type: 'flood' }))).toBe('Incident');
  expect(troubleOf(incident({ type: 'uptime', ...over }))).toBe('Was down');
});

test('durations are those of messages', () => {
  for (let seconds = 0; seconds < 200_000; seconds += 997)
    expect(lengthOf(seconds * 1_000)).toBe(durationOf(seconds * 1_000));
});
