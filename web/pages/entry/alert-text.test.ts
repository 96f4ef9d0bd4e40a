import { expect, test } from 'vitest';
import type { AlertIncident, SentAlert } from '../../app/api.gen.ts';
import { de } from '../../words/de.ts';
import { en } from '../../words/en.ts';
import { causeOf, headlineOf, problemOf, stateOf, zoneOf } from './alert-text.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const words = en.alertLink;

function incident(changes: Partial<AlertIncident> = {}): AlertIncident {
  return {
    id: 1,
    monitor: 'Shop',
    url: null,
    type: 'uptime',
    severity: 'critical',
    status: 'open',
    root_cause: null,
    regions: [],
    vantage: null,
    evidence: null,
    started_at: new Date(NOW - 9 * MINUTE).toISOString(),
    ended_at: null,
    unobserved_seconds: null,
    acknowledged_at: null,
    acknowledged_by: null,
    ...changes,
  };
}

function alert(incidents: readonly AlertIncident[], changes: Partial<SentAlert> = {}): SentAlert {
  return {
    team: 'Acme',
    kind: 'single',
    severity: 'critical',
    shared_cause: null,
    opened_at: new Date(NOW - 9 * MINUTE).toISOString(),
    over_at: null,
    sent_to: '#ops (Slack)',
    timezone: null,
    incidents_count: incidents.length,
    open_count: incidents.filter(({ ended_at }) => ended_at === null).length,
    can_acknowledge: false,
    unobserved_seconds: null,
    incidents: [...incidents],
    ...changes,
  };
}

/** Durations with plain spaces. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

const over = { ended_at: new Date(NOW - 2 * MINUTE).toISOString() };
const byAda = { acknowledged_at: new Date(NOW).toISOString(), acknowledged_by: 'Ada' };
const blog = { id: 2, monitor: 'Blog' };

test.each<['bad' | 'good' | 'plain', string, Partial<AlertIncident>[]]>([
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
  ['plain', 'Down for 9 min. Acknowledged by Ada.', [byAda]],
  ['plain', 'Down for 9 min. Acknowledged by somebody.', [{ ...byAda, acknowledged_by: null }]],
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
  ['plain', 'Its incidents are gone.', []],
])('%s: %s', (tone, text, incidents) => {
  const state = stateOf(alert(incidents.map(incident)), NOW, words, en.time);
  expect({ ...state, text: plain(state.text) }).toEqual({ tone, text });
});

test.each<[string, Partial<AlertIncident>[]]>([
  ['Down for 3 min. Nobody has acknowledged it yet.', [{}]],
  ['It is over. It lasted 1 min.', [over]],
  ['All 2 incidents go on, for 3 min. Nobody has acknowledged them yet.', [{}, blog]],
  ['Certificate trouble, noticed 9 min ago. Nobody has acknowledged it yet.', [{ type: 'ssl' }]],
])('time in which nothing was observed is no downtime: %s [33.20]', (text, incidents) => {
  const partly = alert(incidents.map(incident), { unobserved_seconds: 360 });
  expect(plain(stateOf(partly, NOW, words, en.time).text)).toBe(text);
});

test('in German', () => {
  const state = stateOf(alert([incident()]), NOW, de.alertLink, de.time);
  expect(plain(state.text)).toBe('Ausgefallen seit 9 Min. Niemand hat ihn bisher übernommen.');
});

test('one that fails again and again says so', () => {
  const { text } = stateOf(alert([incident()], { kind: 'flapping' }), NOW, words, en.time);
  expect(text).toContain('again and again');
});

test('unlisted incidents may still be unacknowledged', () => {
  const long = alert([incident(byAda)], { kind: 'storm', incidents_count: 200, open_count: 150 });
  expect(stateOf(long, NOW, words, en.time).tone).toBe('bad');
});

test.each<[string, Partial<AlertIncident>[]]>([
  ['Shop', [{}]],
  ['Shop', [{}, { id: 2 }]],
  ['2 monitors', [{}, blog]],
  ['3 incidents', [{}, blog, { id: 3 }]],
  ['Alert', []],
])('the headline is "%s"', (headline, incidents) => {
  expect(headlineOf(alert(incidents.map(incident)), words)).toBe(headline);
});

test('the headline of a partly listed storm is that of its message', () => {
  const long = alert([incident(), incident(blog)], { kind: 'storm', incidents_count: 200 });
  expect(headlineOf(long, words)).toBe('200 monitors');
});

test.each([
  ['flood', null, 'Incident'],
  ['constructor', null, 'Incident'],
  ['uptime', over.ended_at, 'Was down'],
])('an incident of the type %s that ended %s is: %s', (type, ended_at, text) => {
  expect(problemOf(incident({ type, ended_at }), words)).toBe(text);
});

test('every language has the same types of incidents', () => {
  expect(Object.keys(de.alertLink.problems)).toEqual(Object.keys(words.problems));
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
  expect(causeOf({ type, root_cause: cause }, 'Europe/Berlin', 'en-GB')).toBe(shown);
});

test.each([
  [null, 'Europe/Paris'],
  ['Mars/Phobos', 'Europe/Paris'],
  ['Asia/Kolkata', /Asia\/(Kolkata|Calcutta)/],
])('times of an alert with the zone %s are shown in %s', (wanted, zone) => {
  expect(zoneOf(wanted, 'Europe/Paris')).toMatch(zone);
});
