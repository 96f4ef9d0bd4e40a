import { createRegions } from '../src/model/regions.ts';
import { sql } from 'kysely';
import { systemClock } from '../src/lib/clock.ts';
import { getAttention } from '../src/resources/overview/attention.ts';
import { listExpirations } from '../src/resources/overview/expirations.ts';
import { getUptimeSummary } from '../src/resources/overview/uptime-summary.ts';
import type { Database } from '../src/store/database/contract.ts';
import { addMonitors } from '../test/support/history.ts';
import { callOf } from '../test/support/call.ts';
import { callerOf } from '../test/support/people.ts';
import { insertRows, updateRows } from '../test/support/rows.ts';
import { numberOption } from './options.ts';
import { inDatabase } from './preload.ts';
import { countSpans, FLAKY_DAYS, insertOutages } from './preload-spans.ts';
import { withFolder } from './process.ts';
import { ms, percentile, report, type Figure } from './report.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Team of the monitors that test/support makes. */
const TEAM = 1;
const NOW = Date.UTC(2030, 0, 1);
const [ROUNDS, TARGET_MS] = [9, 300];

/**
 * The three overviews of a team with 10,000 monitors (`--monitors=N`) and 30 days of history (`--days=N`), on SQLite: each
 * monitor has a certificate and a registration, one in ten had an outage every day and the others one every second week. Half of them have a daily maintenance window, and
 * one in twenty has corrections.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 10_000);
  const days = numberOption(options, '--days', 30);
  await withFolder((folder) =>
    inDatabase(folder, async (database) => {
      const spans = await preload(database, monitors, days);
      const name = `overviews, ${monitors} monitors, ${days} days, ${spans} spans`;
      report(name, await measureOverviews(database));
    }),
  );
}

const call = (query: object = {}) => callOf(callerOf({ personId: 1, teamId: TEAM }), { query });

async function measureOverviews(database: Database): Promise<Figure[]> {
  const deps = {
    database,
    clock: { ...systemClock, now: () => NOW },
    regions: createRegions([]),
    bus: { lastSeen: () => NOW },
  };
  const summarize = getUptimeSummary.create(deps);
  const summary = (period: string) => () => summarize(call({ period }));
  const attention = getAttention.create(deps);
  const expirations = listExpirations.create(deps);
  return [
    ...(await measure('uptime of 24 hours', summary('last_24_hours'))),
    ...(await measure('uptime of 7 days', summary('last_7_days'))),
    ...(await measure('uptime of 30 days', summary('last_30_days'))),
    ...(await measure('attention', () => attention(call()))),
    ...(await measure('expirations', () => expirations(call()))),
  ];
}

/** Median and first duration, and the longest time for which the main thread did nothing else. */
async function measure(name: string, work: () => Promise<object>): Promise<Figure[]> {
  const times: number[] = [];
  const cpu: number[] = [];
  let blocked = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [begun, used] = [performance.now(), process.cpuUsage()];
    let last = begun;
    const timer = setInterval(() => {
      blocked = Math.max(blocked, performance.now() - last - 1);
      last = performance.now();
    }, 1);
    await work();
    blocked = Math.max(blocked, performance.now() - last - 1);
    clearInterval(timer);
    times.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1_000);
  }
  return [
    ms(name, percentile(times, 0.5), TARGET_MS),
    ms('  CPU time', percentile(cpu, 0.5)),
    ms('  the first time', times[0]!),
    ms('  main thread blocked', blocked),
  ];
}

/** @returns the number of spans. */
async function preload(database: Database, monitors: number, days: number): Promise<number> {
  await addMonitors(database, monitors);
  const from = NOW - days * DAY_MS;
  const team = {
    name: 'Bench',
    slug: 'bench',
    personal_team: 0,
    created_at: from,
    updated_at: from,
  };
  await insertRows(database, 'team', { id: TEAM, ...team });
  await updateRows(database, 'monitor', { created_at: from, updated_at: from });
  const seen = { status: 'online', observed_until: NOW, last_checked_at: NOW - 30_000 };
  await updateRows(database, 'monitor_state', seen);
  await database.transaction(async (tx) => {
    await insertOutages(tx, { from, days, everyDays: FLAKY_DAYS });
    await sql`
      insert into incident (team_id, monitor_id, type, severity, root_cause, is_regional, started_at, ended_at, created_at, updated_at)
      select team_id, monitor_id, 'uptime', 'critical', 'HTTP 503 Service Unavailable', 0, from_at, to_at, from_at, from_at
      from status_span where status = 'offline'`.execute(tx);
    await sql`
      insert into maintenance_window (id, team_id, name, starts_at, ends_at, timezone, monitors, groups, tags, created_at, updated_at)
      values (1, ${TEAM}, 'Nightly', ${from}, ${from + HOUR_MS}, 'UTC', '[]', '[]', '["prod"]', ${from}, ${from})`.execute(
      tx,
    );
    await sql`
      with recursive day(n) as (select 0 union all select n + 1 from day where n < ${days})
      insert into maintenance_occurrence (window_id, team_id, monitors, groups, tags, from_at, to_at)
      select 1, ${TEAM}, '[]', '[]', '["prod"]', ${from} + n * ${DAY_MS}, ${from} + n * ${DAY_MS} + ${HOUR_MS} from day`.execute(
      tx,
    );
    await sql`update monitor set tags = '["prod","eu"]' where id % 2 = 0`.execute(tx);
    await sql`
      insert into correction (team_id, monitor_id, from_at, to_at, counts_as, reason, created_at, updated_at)
      select team_id, monitor_id, from_at, to_at, 'false_alarm', 'A test.', to_at, to_at from status_span
      where status = 'offline' and monitor_id % 20 = 1`.execute(tx);
    for (const kind of ['ssl', 'domain']) {
      const target =
        kind === 'ssl' ? `'host-' || id || '.example.com:443'` : `'domain-' || id || '.com'`;
      await sql`insert into monitor_inspection (monitor_id, kind, target) select id, ${kind}, ${sql.raw(target)} from monitor`.execute(
        tx,
      );
      await sql`
        insert into inspection (kind, target, known_at, facts, claim, unknown_run, is_recheck, is_open)
        select ${kind}, ${sql.raw(target)}, ${NOW - HOUR_MS},
          replace(${JSON.stringify(FACTS[kind as keyof typeof FACTS])}, '"EXPIRES"', ${NOW} + (id % 365) * ${DAY_MS} + ${HOUR_MS}), 0, 0, 0, 0
        from monitor`.execute(tx);
    }
  });
  return countSpans(database);
}

/** As inspections store them, of the usual size. */
const FACTS = {
  ssl: {
    address: '192.0.2.1',
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    certificate: {
      fingerprint: 'a'.repeat(64),
      serialNumber: 'b'.repeat(32),
      subject: 'CN=www.example.com',
      issuer: 'CN=R11, O=Let’s Encrypt, C=US',
      names: Array.from({ length: 10 }, (_, index) => `name-${index}.example.com`),
      validFrom: NOW - 60 * DAY_MS,
      validTo: 'EXPIRES',
      keyType: 'ec',
      keyBits: null,
    },
    chain: [{ subject: 'CN=R11', issuer: 'CN=ISRG Root X1', validTo: NOW + 900 * DAY_MS }],
    fault: null,
    ocsp: null,
  },
  domain: {
    expiresAt: 'EXPIRES',
    registrar: 'Example Registrar',
    statuses: ['client transfer prohibited'],
    source: 'rdap',
    server: 'rdap.example.com',
  },
};
