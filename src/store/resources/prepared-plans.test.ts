import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { preloadTeam } from '../../../bench/preload-team.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';
import { freshPostgres, postgres } from '../../../test/support/databases.ts';
import { openDatabase, type OpenDatabase } from '../database/database.ts';
import { createNewestIncidents } from './incidents.ts';
import { createMonitorStamps } from './monitor-stamps.ts';
import { createMonitorReads } from './monitors.ts';

const cleanups = closedAfterEach<() => Promise<void>>();

const BIG = 5_000;

/** A big team and 1,000 small ones, on a single connection that plans statements for any values. */
async function openSkewed(): Promise<OpenDatabase> {
  const { place, remove } = await freshPostgres();
  cleanups.push(remove);
  const database = await openDatabase({ engine: 'postgres', url: place, poolSize: 1 });
  cleanups.push(database.close);
  await preloadTeam(database, BIG + 1_000);
  await database.transaction(async (tx) => {
    for (const [table, id] of [
      ['monitor', 'id'],
      ['monitor_state', 'monitor_id'],
    ])
      await sql`update ${sql.table(table!)} set team_id = ${sql.ref(id!)}
        where ${sql.ref(id!)} > ${BIG}`.execute(tx);
    await sql`insert into incident (team_id, monitor_id, type, severity, is_regional, started_at, ended_at, created_at, updated_at)
      select 1, 1 + n % 100 * (n % 2), 'uptime', 'critical', 0, n, n, n, n from generate_series(1, 10000) as n`.execute(
      tx,
    );
  });
  await sql`vacuum analyze`.execute(database.read);
  await sql`set plan_cache_mode = force_generic_plan`.execute(database.read);
  return database;
}

/** The plan of the only statement that the connection keeps. */
async function planOf(database: OpenDatabase, values: string): Promise<string> {
  const kept = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(
    database.read,
  );
  expect(kept.rows).toHaveLength(1);
  const execute = sql.raw(`explain execute "${kept.rows[0]!.name}" (${values})`);
  const plan = await sql<Record<string, string>>`${execute}`.execute(database.read);
  return plan.rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe.skipIf('missing' in postgres)('plans for any values, where teams differ in size', () => {
  it('read monitors by their ids', async () => {
    const database = await openSkewed();
    expect(await createMonitorReads(database).whole(1, [7, BIG + 5])).toHaveLength(1);
    const plan = await planOf(database, `'[[7]]', 1`);
    expect(plan).toContain('Index Scan using monitor_pkey');
    expect(plan).not.toContain('monitor_by_');
  });

  it('read the stamps of monitors by their ids', async () => {
    const database = await openSkewed();
    expect((await createMonitorStamps(database).of(1, [7])).stamps).toMatch(/^7\|/);
    const plan = await planOf(database, `'{0}', '{1}', '{7}'`);
    expect(plan).toContain('Index Scan using monitor_pkey');
    expect(plan).not.toContain('monitor_by_');
  });

  it('read the newest incidents of a monitor in their order', async () => {
    const database = await openSkewed();
    expect(await createNewestIncidents(database.read, 10)(1, 1)).toHaveLength(10);
    const plan = await planOf(database, '1, 1');
    expect(plan).toContain('Index Scan Backward using incident_monitor');
    expect(plan).not.toContain('Bitmap');
  });
});
