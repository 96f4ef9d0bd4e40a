import { applyIncidentChanges } from '../src/engine/record/record.ts';
import type { IncidentChange, IncidentOpening } from '../src/model/incident.ts';
import { stepAlerts, fanOut } from '../src/alerting/index.ts';
import { GROUPING_MS } from '../src/alerting/policy/holds.ts';
import type { Database } from '../src/store/database/contract.ts';
import { createAlertStory } from '../test/support/alert-story.ts';
import { firstIds, importMonitors } from '../test/support/monitor-rows.ts';
import { inDatabase, REGIONS } from './preload.ts';
import { withFolder } from './process.ts';
import { exactly, ms, report, type Figure } from './report.ts';

const MONITORS = 10_000;
const BATCH = 500;
/** Body of a page that failed, as evidence stores it. */
const BODY = 'x'.repeat(3_000);

/**
 * Ten thousand monitors of one team fail at once, with two webhook endpoints and two channels, on SQLite: how long
 * processing their events takes, and how long the longest transaction blocks all other writes. Sends nothing.
 */
export async function run(): Promise<void> {
  for (const share of ['one address', 'nothing'] as const) {
    const figures = await withFolder((folder) =>
      inDatabase(folder, (database) => storm(database, share)),
    );
    report(`storm, ${MONITORS.toLocaleString('en')} incidents that share ${share}`, figures);
  }
}

async function storm(database: Database, share: 'one address' | 'nothing'): Promise<Figure[]> {
  const story = await createAlertStory(database);
  await story.channel();
  await story.channel();
  await story.endpoint();
  await story.endpoint();
  const { teamId } = story.people.alice;
  const ids = firstIds(MONITORS);
  await importMonitors(database, ids, story.now(), { team_id: teamId });
  const now = story.now();
  const address = (id: number) =>
    share === 'one address' ? '203.0.113.7' : `10.0.${id >> 8}.${id & 255}`;
  const openings = ids.map((id) => opening(id, teamId, address(id), now));
  await apply(database, openings, now);
  const events = await repeat(async () => (await fanOut(database, { now, mail: false })).events);
  const later = now + GROUPING_MS;
  const alerts = await repeat(() => stepAlerts(database, { now, mail: false }));
  await apply(database, openings.map(endOf), later);
  const ends = await repeat(
    async () => (await fanOut(database, { now: later, mail: false })).events,
  );
  const last = await repeat(() => stepAlerts(database, { now: later, mail: false }));
  const sent = await messages(database);
  return [
    { name: 'events handed on', value: events.allMs / 1000, unit: 's' },
    ms('longest transaction of it', events.longestMs),
    { name: 'alerts made one, and sent', value: alerts.allMs / 1000, unit: 's' },
    ms('longest transaction of it', alerts.longestMs),
    { name: 'the end of all of them', value: (ends.allMs + last.allMs) / 1000, unit: 's' },
    exactly('messages to one channel', sent, 2),
  ];
}

async function repeat(work: () => Promise<number>): Promise<{ allMs: number; longestMs: number }> {
  const times: number[] = [];
  for (let done = 1; done > 0;) {
    const begin = performance.now();
    done = await work();
    times.push(performance.now() - begin);
  }
  return { allMs: times.reduce((sum, time) => sum + time, 0), longestMs: Math.max(...times) };
}

async function apply(database: Database, changes: IncidentChange[], now: number): Promise<void> {
  for (let from = 0; from < changes.length; from += BATCH) {
    const slice = changes.slice(from, from + BATCH);
    await database.transaction((tx) => applyIncidentChanges(tx, slice, now));
  }
}

async function messages(database: Database): Promise<number> {
  const { count } = await database.read
    .selectFrom('delivery')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '!=', 'event')
    .executeTakeFirstOrThrow();
  return count / 2;
}

export function opening(
  monitorId: number,
  teamId: number,
  address: string,
  at: number,
): IncidentOpening {
  return {
    kind: 'open',
    monitorId,
    teamId,
    type: 'uptime',
    condition: 'uptime',
    severity: 'critical',
    at,
    status: { previous: 'online', current: 'offline' },
    rootCause: 'HTTP 503 Service Unavailable',
    failureCode: 'http_status',
    regions: null,
    evidence: REGIONS.map((region) => ({
      region,
      failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
      checkedAt: at,
      attempts: [at],
      timings: { dnsMs: 1, tcpMs: 1, tlsMs: null, ttfbMs: 1, totalMs: 3 },
      statusCode: 503,
      remoteAddress: address,
      answer: { statusLine: 'HTTP/1.1 503', headers: {}, body: BODY, redirects: [], tls: null },
    })),
    from: null,
  };
}

function endOf({ monitorId, teamId, type, condition, at }: IncidentOpening): IncidentChange {
  const status = { previous: 'offline', current: 'online' } as const;
  const base = { monitorId, teamId, type, condition, at, status };
  return { ...base, kind: 'resolve', reason: 'recovered', into: null };
}
