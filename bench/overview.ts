import { createRegions } from '../src/model/regions.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import type { Caller } from '../src/identity/caller.ts';
import { systemClock } from '../src/lib/clock.ts';
import { getAttention } from '../src/resources/overview/attention.ts';
import { listExpirations } from '../src/resources/overview/expirations.ts';
import { getUptimeSummary } from '../src/resources/overview/uptime-summary.ts';
import type { Database } from '../src/store/database/contract.ts';
import { openDatabase } from '../src/store/database/database.ts';
import { addMonitors } from '../test/support/history.ts';
import { callOf } from '../test/support/call.ts';
import { insertRows, updateRows } from '../test/support/rows.ts';
import { numberOption } from './options.ts';
import { percentile, report, type Figure } from './report.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Team of the monitors that test/support makes. */
const TEAM = 1;
const NOW = Date.UTC(2030, 0, 1);
const [ROUNDS, TARGET_MS] = [9, 300];
/** One monitor in this number fails every day, the others every second week. */
const FLAKY_OF = 10;

/**
 * The three overviews of a team with 10,000 monitors (`--monitors=N`) and 30 days of history (`--days=N`), on SQLite: each
 * monitor has a certificate and a registration, one in ten had an outage every day and the others one every second week. Half of them have a daily maintenance window, and
 * one in twenty has corrections.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 10_000);
  const days = numberOption(options, '--days', 30);
  const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-overview-'));
  const database = await openDatabase({ engine: 'sqlite', directory });
  try {
    const spans = await preload(database, monitors, days);
    const name = `overviews, ${monitors} monitors, ${days} days, ${spans} spans`;
    report(name, await measureOverviews(database));
  } finally {
    await database.close();
    await rm(directory, { recursive: true });
  }
}

const call = (query: object = {}) => callOf(callerOf(TEAM), { query });

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
  const median = percentile(times, 0.5);
  const reached = median <= TARGET_MS;
  return [
    { name, value: median, unit: 'ms', target: `≤ ${TARGET_MS} ms`, reached },
    { name: '  CPU time', value: percentile(cpu, 0.5), unit: 'ms' },
    { name: '  the first time', value: times[0]!, unit: 'ms' },
    { name: '  main thread blocked', value: blocked, unit: 'ms' },
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
    // An outage of a quarter of an hour, and online from then until the next one.
    await sql`
      with recursive outage(n) as (select 0 union all select n + 1 from outage where n < ${days}),
      begun as (select id, team_id, ${from} + n * ${DAY_MS} + (id * 7919) % ${20 * HOUR_MS} as at,
          case when id % ${FLAKY_OF} = 0 then 1 else 14 end as every
        from monitor cross join outage where n % (case when id % ${FLAKY_OF} = 0 then 1 else 14 end) = 0)
      insert into status_span (team_id, monitor_id, status, from_at, to_at)
      select team_id, id, 'online', ${from}, min(at) from begun group by id
      union all select team_id, id, 'offline', at, at + ${HOUR_MS / 4} from begun
      union all select team_id, id, 'online', at + ${HOUR_MS / 4},
        lead(at) over (partition by id order by at) from begun`.execute(tx);
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
  const { spans } = await database.read
    .selectFrom('status_span')
    .select((eb) => eb.fn.countAll<number>().as('spans'))
    .executeTakeFirstOrThrow();
  return spans;
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

function callerOf(teamId: number): Caller {
  return {
    person: { id: 1, name: 'Bench', email: 'bench@example.com', timezone: 'UTC' },
    team: { id: teamId, name: 'Bench', slug: 'bench', personalTeam: false, plan: null },
    role: 'owner',
    withheld: null,
    permissions: ['read'],
    credential: { kind: 'token', id: 1, name: 'Bench' },
    address: null,
  };
}
