import { expect, test } from 'vitest';
import { durationOf, timesOf } from '../../../alerting/message/times.ts';
import { causeOf, headlineOf, lengthOf, stateOf, timeOf, problemOf } from './alert-text.js';

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
    vantage: null as string | null,
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
    sent_to: '#ops (Slack)',
    timezone: null,
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
  [
    'bad',
    'Down in some regions for 9 min. Nobody has acknowledged it yet.',
    [{ type: 'regional' }],
  ],
  [
    'bad',
    'Partly down for 9 min. Nobody has acknowledged it yet.',
    [{ type: 'regional', vantage: 'office' }],
  ],
  ['neutral', 'Down for 9 min. Acknowledged by Ada.', [byAda]],
  ['neutral', 'Down for 9 min. Acknowledged by somebody.', [{ ...byAda, acknowledged_by: null }]],
  ['good', 'It is over. It lasted 7 min.', [over]],
  ['good', 'They are over. It lasted 7 min.', [over, { ...blog, ...over }]],
  [
    'bad',
    '1 of 2 incidents goes on, for 9 min. Nobody has acknowledged it yet.',
    [{}, { ...blog, ...over }],
  ],
  [
    'bad',
    'All 2 incidents go on, for 9 min. 1 of them is not acknowledged yet.',
    [{}, { ...blog, ...byAda }],
  ],
  ['bad', 'All 2 incidents go on, for 9 min. Nobody has acknowledged them yet.', [{}, blog]],
  [
    'bad',
    'Certificate trouble, noticed 9 min ago. Nobody has acknowledged it yet.',
    [{ type: 'ssl' }],
  ],
  ['neutral', 'Its incidents are gone.', []],
])('%s: %s', (tone, text, incidents) => {
  expect(stateOf(alert(incidents.map(incident)), NOW)).toEqual({ tone, text });
});

test('unlisted incidents may still be unacknowledged', () => {
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

test('an unknown type is shown as an incident', () => {
  expect(problemOf(incident({ type: 'flood' }))).toBe('Incident');
  expect(problemOf(incident({ type: 'uptime', ...over }))).toBe('Was down');
});

test('the headline of a partly listed storm is that of its message', () => {
  const long = alert([incident(), incident(blog)], { kind: 'storm', incidents_count: 200 });
  expect(headlineOf(long)).toBe('200 monitors');
});

test.each([
  [
    'ssl',
    'The TLS certificate expires in 5 days, on 2026-11-26',
    'The TLS certificate expires on 2026-11-26',
  ],
  ['domain', 'Domain a.example expired on 2026-11-20', 'Domain a.example expired on 2026-11-20'],
  [
    'heartbeat',
    'No ping came at 2026-11-21 07:00:00 UTC, when',
    'No ping came at 21 Nov 2026, 08:00:00 CET, when',
  ],
  ['heartbeat', 'at 2026-99-21 07:00:00 UTC', 'at 2026-99-21 07:00:00 UTC'],
  ['uptime', 'It said 2026-11-21 07:00:00 UTC', 'It said 2026-11-21 07:00:00 UTC'],
  ['uptime', null, ''],
])('the cause of %s "%s" reads "%s"', (type, cause, shown) => {
  expect(causeOf({ type, root_cause: cause }, 'Europe/Berlin')).toBe(shown);
});

test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'America/Sao_Paulo'])(
  'times in %s are formatted as in messages',
  (timezone) => {
    const times = timesOf(timezone, NOW);
    for (let day = 0; day < 400; day += 13) {
      const at = NOW + day * 86_400_000 + 4_321_000;
      expect(timeOf(at, timezone)).toBe(times.exact(at));
    }
  },
);

test("an unknown time zone falls back to the browser's", () => {
  expect(timeOf(NOW, 'Mars/Phobos')).toBe(timeOf(NOW, null));
});

test('durations are formatted as in messages', () => {
  for (let seconds = 0; seconds < 200_000; seconds += 997)
    expect(lengthOf(seconds * 1_000)).toBe(durationOf(seconds * 1_000));
});
