import { sql } from 'kysely';
import type { RuleCoverage } from '../coverage.ts';
import { decodeSummaryInto, mergeSummary } from '../../../src/engine/history/summary.ts';
import type { Summary } from '../../../src/engine/history/summary.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { dayOf, listDays, listRetiredDays, startOf } from '../../../src/store/engine/results.ts';
import { readRounds } from '../../../src/store/engine/result-history.ts';
import { readCursor } from '../../../src/store/engine/rollups.ts';
import type { Cursor, RollupName } from '../../../src/store/engine/rollups.ts';
import { floorTo } from './ledger.ts';
import type { Ledger, HistoryMonitor, Sums } from './ledger.ts';
import { DAY, HOUR } from './scenario.ts';
import type { HistoryScenario } from './scenario.ts';

export interface HistoryRulesOptions {
  scenario: HistoryScenario;
  database: Database;
  ledger: Ledger;
  coverage: RuleCoverage;
  /** The latest time that any process's clock ever showed, and the current time of the slowest one (epoch ms). */
  latest(): number;
  earliest(): number;
  violate(rule: string): void;
}

/** Retention of deleted monitors and of pings (contract 9.5, 12.37). */
const TOMBSTONE_MS = DAY;
const PING_MS = 30 * DAY;

/** Checks the stored history against all rounds that were recorded. */
export function createHistoryRules(options: HistoryRulesOptions) {
  const { scenario, database, ledger, coverage, latest, earliest, violate } = options;
  /** Furthest position of the hourly cursor so far. */
  let furthest = 0;
  const expiry = () => floorTo(DAY, latest()) - scenario.rollupRetentionDays * DAY;
  const mayBeGone = ({ deletedAt }: HistoryMonitor) =>
    deletedAt !== null && deletedAt < latest() - TOMBSTONE_MS;

  /** Checks the rules that hold at any instant. */
  async function look(): Promise<void> {
    const hourly = await readCursor(database.read, 'rollup_hour');
    const daily = await readCursor(database.read, 'rollup_day');
    furthest = Math.max(furthest, hourly?.period ?? 0);
    const days = await listDays(database);
    for (const monitor of ledger.monitors) {
      if (mayBeGone(monitor)) continue;
      await checkRounds(monitor, days);
      if (hourly !== null) await checkRollups(monitor, hourly, daily);
      await checkRetained(monitor);
    }
  }

  /** No day is dropped before its retention ends, nor before its hours are rolled up. */
  async function checkRounds({ id }: HistoryMonitor, days: readonly string[]): Promise<void> {
    const all = ledger.roundsOf(id);
    const needed = all.filter(({ round }) => {
      const end = floorTo(DAY, round.startedAt) + DAY;
      return end > Math.min(latest() - scenario.rawRetentionDays * DAY, furthest);
    });
    if (needed.length === 0) return;
    coverage.keptDays += 1;
    const lost = needed.filter(({ round }) => !days.includes(dayOf(round.startedAt)));
    if (lost.length > 0) {
      const day = dayOf(lost[0]!.round.startedAt);
      return violate(`monitor ${id}: the rounds of day ${day} were dropped too early`);
    }
    const range = { from: Math.min(...needed.map(({ round }) => round.startedAt)), to: Infinity };
    const stored = await readRounds(database, [id], { ...range, to: latest() + DAY });
    const known = new Set(stored.map(({ startedAt }) => startedAt));
    const missing = needed.filter(({ round }) => !known.has(round.startedAt));
    if (missing.length > 0) violate(`monitor ${id}: ${missing.length} stored rounds are gone`);
  }

  /** Roll-ups are the sums of the rounds: none is lost or counted twice. */
  async function checkRollups(
    { id }: HistoryMonitor,
    hourly: Cursor,
    daily: Cursor | null,
  ): Promise<void> {
    const hours = await rollupsOf('rollup_hour', id);
    const days = await rollupsOf('rollup_day', id);
    for (const [at, stored] of await rollupsOf('rollup_recent_day', id)) {
      coverage.recentDays += 1;
      const summed: Summary = new Map();
      for (const [hour, summary] of hours)
        if (floorTo(DAY, hour) === at) mergeSummary(summed, summary);
      compare(`monitor ${id}, sum of the hours of day`, at, stored, sumsOf(summed));
    }
    // After the clock was set back, the current hour is rolled up again.
    const end = Math.min(hourly.period + (id <= hourly.monitor ? HOUR : 0), thisHour());
    const isDaily = (at: number) =>
      daily !== null &&
      floorTo(DAY, at) < daily.period + (id <= daily.monitor && daily.monitor > 0 ? DAY : 0);
    for (const at of ledger.periodsOf(id, HOUR)) {
      if (at >= end || at < expiry() || isDaily(at)) continue;
      coverage.rolledUp += 1;
      compare(`monitor ${id}, hour`, at, hours.get(at), ledger.sums(id, at, at + HOUR));
    }
    for (const at of ledger.periodsOf(id, DAY)) {
      if (at < expiry() || !isDaily(at)) continue;
      coverage.daily += 1;
      compare(`monitor ${id}, day`, at, days.get(at), ledger.sums(id, at, at + DAY));
    }
    const kept = [...hours.keys()].filter(isDaily);
    if (kept.length > 0)
      violate(`monitor ${id}: hour ${isoOf(kept[0]!)} is kept though its day is rolled up`);
  }

  const thisHour = () => floorTo(HOUR, earliest());

  function compare(
    what: string,
    at: number,
    stored: Summary | undefined,
    sums: Record<string, Sums>,
  ): void {
    const expected = textOf(sums);
    const found = textOf(stored === undefined ? {} : sumsOf(stored));
    if (found !== expected)
      violate(`${what} ${isoOf(at)}: the roll-up is [${found}] and should be [${expected}]`);
  }

  async function rollupsOf(table: RollupName, id: number): Promise<Map<number, Summary>> {
    const rows = await database.read
      .selectFrom(table)
      .selectAll()
      .where('monitor_id', '=', id)
      .execute();
    return new Map(
      rows.map(({ at, data }) => {
        const summary: Summary = new Map();
        if (!decodeSummaryInto(summary, data)) violate(`a roll-up of monitor ${id} is damaged`);
        return [at, summary];
      }),
    );
  }

  /** Rows of an existing monitor are kept for their retention. */
  async function checkRetained(monitor: HistoryMonitor): Promise<void> {
    const { id, createdAt } = monitor;
    coverage.retained += 1;
    const limits = { closedSpan: createdAt - HOUR >= expiry() ? 1 : 0 };
    const found = await rowsOf(id);
    const least: Record<string, number> = {
      monitor: 1,
      monitor_state: 1,
      incident: 1,
      activity: 1,
      incident_evidence: 1,
      monitor_activity: 1,
      status_span: 1 + limits.closedSpan,
      ping: createdAt >= latest() - PING_MS ? 1 : 0,
      event: createdAt >= latest() - DAY ? 1 : 0,
    };
    for (const [table, count] of Object.entries(least))
      if ((found[table] ?? 0) < count)
        violate(`monitor ${id}: ${found[table] ?? 0} of ${count} rows are left in ${table}`);
  }

  /** Number of rows of a monitor by table, including the tables per day. */
  async function rowsOf(id: number): Promise<Record<string, number>> {
    const { rows: tables } = await sql<{ name: string }>`
      select m.name from sqlite_schema m join pragma_table_info(m.name) c
      where m.type = 'table' and c.name = 'monitor_id'`.execute(database.read);
    const counts: Record<string, number> = {};
    const count = async (table: string, where: ReturnType<typeof sql>) => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from ${sql.table(table)} where ${where}`.execute(database.read);
      counts[table] = rows[0]!.n;
    };
    for (const { name } of tables) await count(name, sql`monitor_id = ${id}`);
    await count('monitor', sql`id = ${id}`);
    const ofIncident = sql`incident_id in (select id from incident where monitor_id = ${id})`;
    for (const name of ['activity', 'incident_evidence', 'incident_round'])
      await count(name, ofIncident);
    return counts;
  }

  /** Checks the rules that hold after everything due is done. */
  async function checkAtEnd(): Promise<void> {
    await look();
    const now = earliest();
    const hourly = await readCursor(database.read, 'rollup_hour');
    const due = floorTo(HOUR, now - 3 * 60_000);
    if (hourly === null || hourly.period < due)
      violate(`roll-ups have only reached ${isoOf(hourly?.period ?? 0)}, not ${isoOf(due)}`);
    const retired = (await listRetiredDays(database)).map(({ day }) => day);
    for (const day of [...(await listDays(database)), ...retired])
      if (startOf(day) + DAY <= now - scenario.rawRetentionDays * DAY - HOUR)
        violate(`day ${day} is kept for too long`);
    coverage.droppedDays += 1;
    for (const monitor of ledger.monitors) await checkGone(monitor, now);
    await checkNoOrphans();
    await checkTeams(now);
  }

  async function checkGone({ id, deletedAt }: HistoryMonitor, now: number): Promise<void> {
    const before = floorTo(DAY, now) - scenario.rollupRetentionDays * DAY;
    for (const table of ['rollup_hour', 'rollup_day'] as const) {
      const { n } = await database.read
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('monitor_id', '=', id)
        .where('at', '<', before)
        .executeTakeFirstOrThrow();
      if (n > 0) violate(`monitor ${id}: ${n}roll-ups of ${table} are kept for too long`);
    }
    if ([...ledger.periodsOf(id, DAY)].some((at) => at < before)) coverage.expired += 1;
    if (deletedAt === null || deletedAt > now - TOMBSTONE_MS - HOUR) return;
    // Monitors of a deleted team are marked deleted when a process sees it, which may be after a leap of time.
    const row = await database.read
      .selectFrom('monitor')
      .select('deleted_at')
      .where('id', '=', id)
      .executeTakeFirst();
    if (row?.deleted_at != null && row.deleted_at > now - TOMBSTONE_MS - HOUR) return;
    coverage.purged += 1;
    for (const [table, count] of Object.entries(await rowsOf(id)))
      if (count > 0) violate(`deleted monitor ${id} left ${count} rows in ${table}`);
  }

  /** No rows belong to deleted incidents: nothing would ever delete them. */
  async function checkNoOrphans(): Promise<void> {
    for (const table of ['activity', 'incident_evidence', 'incident_round'] as const) {
      const { n } = await database.read
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('incident_id', 'not in', (eb) => eb.selectFrom('incident').select('id'))
        .executeTakeFirstOrThrow();
      if (n > 0) violate(`${n} rows of ${table} belong to no incident`);
    }
  }

  async function checkTeams(now: number): Promise<void> {
    const teams = await database.read.selectFrom('team').select(['id', 'deleted_at']).execute();
    if (!teams.some(({ id }) => id === 1)) violate('the team that was not deleted is gone');
    const monitors = await database.read
      .selectFrom('monitor')
      .select(['team_id', 'deleted_at'])
      .execute();
    for (const { id, deleted_at: deletedAt } of teams) {
      if (deletedAt === null) continue;
      // Its monitors are marked deleted when a process sees it, and purged a day later; the team follows.
      const own = monitors.filter((monitor) => monitor.team_id === id);
      const last = Math.max(deletedAt, ...own.map((monitor) => monitor.deleted_at ?? 0));
      if (last < now - TOMBSTONE_MS - HOUR) violate('a deleted team is kept for too long');
    }
    if (scenario.monitors.leaving > 0 && !teams.some(({ id }) => id === 2))
      coverage.purgedTeams += 1;
  }

  return { look, checkAtEnd };
}

function sumsOf(summary: Summary): Record<string, Sums> {
  return Object.fromEntries(
    [...summary].map(([region, { up, down, unknown, responseTimes }]) => [
      region,
      { up, down, unknown, times: responseTimes.count },
    ]),
  );
}

function textOf(sums: Record<string, Sums>): string {
  return Object.entries(sums).map(textOfRegion).toSorted().join(', ');
}

function textOfRegion([region, { up, down, unknown, times }]: [string, Sums]): string {
  return `${region} ${up} up (${times} timed) ${down} down ${unknown} unknown`;
}

const isoOf = (at: number) => new Date(at).toISOString();
