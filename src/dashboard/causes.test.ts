import { expect, test } from 'vitest';
import {
  BUDGET_CODES,
  DOWN_CODES,
  FAMILY_CODES,
  HEARTBEAT_CODES,
  INSPECTION_CODES,
} from '../model/failure.ts';
import { failureCause, missedCause, unfinishedCause } from '../engine/heartbeat/cause.ts';
import { activityOf } from '../engine/record/event.ts';
import { CONDITIONS, type Condition } from '../model/condition.ts';
import { statusSentence } from '../probe/http/response.ts';
import { timeoutFailure } from '../net/http-client.ts';
import { connectFailure } from '../net/connect-failure.ts';
import { handshakeFailure } from '../probe/tls/tls.ts';
import { CAUSES } from '../../web/words/de.ts';
import { CAUSE_SENTENCES, translatedCause } from '../../web/lib/cause.ts';
import { causeOf } from '../../web/pages/entry/alert-text.ts';

const inGerman = (cause: string) => translatedCause(cause, CAUSES, 'de-DE');

/** Codes that an incident can have: a probe that could not look opens none. */
const CODES = [
  ...DOWN_CODES,
  ...HEARTBEAT_CODES,
  ...INSPECTION_CODES,
  ...FAMILY_CODES,
  ...BUDGET_CODES,
];

test.each(CODES)('%s has sentences', (code) => {
  expect((CAUSE_SENTENCES as Record<string, readonly string[]>)[code]?.length).toBeGreaterThan(0);
});

/** Each row with what stands in its braces: an example that fits its name. */
const EXAMPLES: Record<string, string> = {
  cause: 'HTTP 503',
  phrase: 'to exist',
  duration: '5 minutes',
  number: '30',
  how: ': connection reset',
};
const example = (name: string) =>
  EXAMPLES[/^(?:cause|phrase|duration|number|how)/.exec(name)?.[0] ?? ''] ?? 'shop.example';

const ROWS = Object.entries(CAUSE_SENTENCES).flatMap(([group, rows]) =>
  rows.map((row, at) => [row as string, CAUSES[group as keyof typeof CAUSES][at as 0] as string]),
);

/** Names in braces. */
const namesIn = (text: string) =>
  Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name).toSorted();

test.each(ROWS)('%s: the same parts in German', (english, german) => {
  expect(namesIn(german!)).toEqual(namesIn(english!));
});

const WHOLE = Object.entries(CAUSE_SENTENCES)
  .filter(([group]) => !['peer', 'phrase', 'duration'].includes(group))
  .flatMap(([, rows]) => rows as readonly string[]);

test.each(WHOLE)('%s is known', (row) => {
  const cause = row.replaceAll(/\{(\w+)\}/g, (_, name: string) => example(name));
  expect(inGerman(cause)).not.toBeNull();
});

/** An alert says them without the time that was left when they were noticed. */
const CAUSES_OF_EXPIRY = [...CAUSE_SENTENCES.tls_expiring, ...CAUSE_SENTENCES.domain_expiring]
  .filter((row) => row.includes('{duration}'))
  .map((row) =>
    row
      .replace('{duration}', '13 days')
      .replace('{day}', '2026-12-07')
      .replaceAll(/\{\w+\}/g, 'shop.example'),
  );

const PEER = { host: '192.0.2.9', port: 5432, timeoutMs: 500 };
const REFUSED = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const JOB = { expectedAt: Date.UTC(2026, 10, 21, 2), armedAt: 0, firstPingAt: 1, runs: [] };

// The first five are made by the code that writes them.
test.each<[string, string]>([
  [statusSentence(503), 'HTTP 503 Service Unavailable'],
  [
    connectFailure(REFUSED, { address: '192.0.2.9', family: 4 }, 5432, () => true).text,
    'Verbindung abgelehnt von 192.0.2.9 Port 5432',
  ],
  [
    timeoutFailure(new AbortController().signal, 'waiting', PEER).text,
    'Keine Antwort innerhalb von 0,5 s',
  ],
  [
    handshakeFailure(null, 443).text,
    'TLS-Handshake fehlgeschlagen: Der Server hat die Verbindung geschlossen',
  ],
  [failureCause({ exitCode: 1 }).rootCause, 'Der Job endete mit dem Exit-Code 1'],
  [
    missedCause(JOB, 60_000).rootCause,
    'Um 2026-11-21 02:00:00 UTC kam kein erwarteter Ping, auch nicht in der Karenzzeit danach (1 Minute)',
  ],
  [
    unfinishedCause(JOB.expectedAt, 5_400_000).rootCause,
    'Der Lauf von 2026-11-21 02:00:00 UTC war nach der erlaubten Zeit (1 Stunde und 30 Minuten) nicht fertig',
  ],
  [
    'Response time of 1,234 ms is over the threshold of 800 ms',
    'Die Antwortzeit von 1.234 ms liegt über der Schwelle von 800 ms',
  ],
  ['HTTP 503. Seen from probe-1', 'HTTP 503. Gesehen aus probe-1'],
  ['HTTP 503 (in 1 of 3 checks from probe-1)', 'HTTP 503 (in 1 von 3 Prüfungen aus probe-1)'],
  [
    'JSON $.status is "down", expected "up" (and 2 more) (from eu, us only)',
    'JSON $.status ist "down", erwartet: "up" (und 2 weitere) (nur aus eu, us)',
  ],
  [
    'IPv6 is broken while IPv4 works: Host ::1 is unreachable',
    'IPv6 ist gestört, während IPv4 funktioniert: Host ::1 ist nicht erreichbar',
  ],
  [
    'TLS certificate expires in 13 days, on 2026-12-07',
    'TLS-Zertifikat läuft am 2026-12-07 ab (Restzeit: 13 Tage)',
  ],
  ['Keyword "port 80" is missing', 'Schlüsselwort "port 80" fehlt'],
  ['Connection refused by a host', 'Verbindung abgelehnt von a host'],
])('%s', (english, german) => {
  expect(inGerman(english)).toBe(german);
});

test.each(CAUSES_OF_EXPIRY)('a page of an alert says in German: %s', (cause) => {
  const shown = causeOf({ type: 'ssl', root_cause: cause }, 'UTC', 'en-GB');
  expect(shown).not.toContain(' in 13 days');
  expect(inGerman(shown)).toContain('läuft am 2026-12-07 ab');
});

test.each(Object.keys(CONDITIONS) as Condition[])('the recovery from %s is known', (condition) => {
  const { description } = activityOf({
    kind: 'resolve',
    monitorId: 3,
    teamId: 1,
    type: CONDITIONS[condition].type,
    condition,
    at: 0,
    status: { previous: 'offline', current: 'online' },
    reason: 'recovered',
    into: null,
  });
  expect(inGerman(description.replace(/\.$/, ''))).not.toBeNull();
});

test.each(['Somebody pulled the plug', '', 'Somebody pulled the plug (from eu only)'])(
  'a cause of a person stays: %s',
  (cause) => {
    expect(inGerman(cause)).toBeNull();
  },
);
