import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../src/store/database/database.ts';
import { numberOption, textOption } from './options.ts';
import type { PostgresWatch } from './postgres-watch.ts';
import { preloadMonitors, REGIONS } from './preload.ts';
import { withService } from './process.ts';
import { report } from './report.ts';
import { databaseOf, serverSettings } from './scale-fleet.ts';
import { withServers, type SharedServers } from './scale-servers.ts';
import { growthPerSecond } from './scale-sample.ts';
import { recordSteadily, type SteadyRounds } from './steady-rounds.ts';
import { percentile } from './statistics.ts';
import { table } from './table.ts';
import { applyTableSettings, tableSettingsOf } from './vacuum-settings.ts';
import { steadyFigures, minuteCells, MINUTE_HEAD, type Minute } from './vacuum-report.ts';

/** Of `preloadMonitors`. */
const INTERVAL_SECONDS = 30;
const MINUTE_MS = 60_000;
/** Tables shown at the end. */
const SHOWN = 12;

/**
 * Whether Postgres stays the same under full load: rounds of `--monitors=N` (150,000) every 30 s from four regions, without
 * checks, beside a process with the API and a worker, for `--minutes=N` (60), a line a minute. The tables have the settings of
 * the migrations, or with `--settings=defaults` those of Postgres. The rate must be reached: monitors whose rounds are late
 * become unobserved, which is other work.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 150_000);
  const minutes = numberOption(options, '--minutes', 60);
  const settings = tableSettingsOf(textOption(options, '--settings'));
  const further = ['max_wal_size=4GB', 'checkpoint_timeout=5min'];
  await withServers({ settings: further }, async (servers) => {
    const { place, postgres } = servers;
    await applyTableSettings(postgres, settings);
    await preloadMonitors(databaseOf(place, 'tocsin'), monitors, 'http://127.0.0.1:9/');
    await postgres.execute('vacuum analyze');
    const environment = { ...serverSettings(place, 'worker'), ROLES: 'api,worker' };
    await withService({ dataDir: place.folder, environment }, async () => {
      const measured = await observe(servers, { monitors, minutes });
      const name = `vacuum, ${monitors.toLocaleString('en')} monitors, ${minutes} min, settings: ${settings}`;
      report(name, steadyFigures(measured, (monitors * REGIONS.length) / INTERVAL_SECONDS));
      console.log(await tablesText(postgres));
    });
  });
}

async function observe(
  { place, postgres }: SharedServers,
  { monitors, minutes }: { monitors: number; minutes: number },
): Promise<Minute[]> {
  const database = await openDatabase(databaseOf(place, 'scheduler'));
  const rounds = recordSteadily(database, monitors);
  const measured: Minute[] = [];
  console.log(MINUTE_HEAD.join(' '));
  try {
    let before = await sample(rounds, postgres);
    for (let minute = 1; minute <= minutes; minute += 1) {
      await pause(MINUTE_MS);
      const after = await sample(rounds, postgres);
      const found = minuteBetween(before, after, rounds.takeLatencies());
      measured.push(found);
      console.log(minuteCells(minute, found).join(' '));
      before = after;
    }
  } finally {
    await rounds.stop();
    await database.close();
  }
  return measured;
}

interface Sample {
  at: number;
  counters: Record<string, number>;
  state: StateTable;
}

interface StateTable {
  dead: number;
  bytes: number;
  index_bytes: number;
  vacuums: number;
}

const STATE = `select n_dead_tup::float8 as dead, pg_table_size(relid)::float8 as bytes,
  pg_indexes_size(relid)::float8 as index_bytes, autovacuum_count::float8 as vacuums
  from pg_stat_user_tables where relname = 'monitor_state'`;

const MORE = `select
  (select sum(n_tup_upd) from pg_stat_user_tables where relname = 'monitor_state')::float8 as updates,
  (select sum(n_tup_hot_upd) from pg_stat_user_tables where relname = 'monitor_state')::float8 as hot_updates,
  (select sum(autovacuum_count) from pg_stat_user_tables)::float8 as vacuums,
  (select sum(autoanalyze_count) from pg_stat_user_tables)::float8 as analyses,
  (select sum(n_dead_tup) from pg_stat_user_tables)::float8 as dead,
  (select coalesce(sum(position), 0) from progress where name = 'rollup_hour_monitor')::float8 as rolled_up`;

async function sample(rounds: SteadyRounds, postgres: PostgresWatch): Promise<Sample> {
  const { user, system } = process.cpuUsage();
  const [more] = await postgres.rows<Record<string, number>>(MORE);
  const [state] = await postgres.rows<StateTable & Record<string, number>>(STATE);
  const counters = {
    ...(await postgres.counters()),
    ...more,
    rounds: rounds.stored(),
    own_cpu: (user + system) / 1e6,
  };
  return { at: performance.now(), counters, state: state! };
}

function minuteBetween(before: Sample, after: Sample, latencies: number[]): Minute {
  const seconds = (after.at - before.at) / 1000;
  const perSecond = growthPerSecond(before.counters, after.counters, seconds);
  const { state } = after;
  return {
    checks: (perSecond['rounds'] ?? 0) * REGIONS.length,
    perSecond,
    latencyP50Ms: percentile(latencies, 0.5),
    latencyP99Ms: percentile(latencies, 0.99),
    deadStates: state.dead,
    stateMb: state.bytes / 1e6,
    stateIndexMb: state.index_bytes / 1e6,
    stateVacuums: state.vacuums,
    deadRows: after.counters['dead'] ?? 0,
    rolledUp: after.counters['rolled_up'] ?? 0,
    databaseMb: (after.counters['postgres.bytes'] ?? 0) / 1e6,
  };
}

/** The tables that are updated most, as Postgres counts them. */
async function tablesText(postgres: PostgresWatch): Promise<string> {
  const found = await postgres.rows<Record<string, number | string>>(
    `select relname as name, n_live_tup::float8 as live, n_dead_tup::float8 as dead, n_tup_ins::float8 as inserted,
        n_tup_upd::float8 as updated, round(n_tup_hot_upd::numeric / greatest(n_tup_upd, 1), 3)::float8 as hot,
        autovacuum_count::float8 as vacuums, autoanalyze_count::float8 as analyses,
        round(pg_table_size(relid) / 1e6, 2)::float8 as mb, round(pg_indexes_size(relid) / 1e6, 2)::float8 as "index mb"
      from pg_stat_user_tables order by n_tup_upd + n_tup_ins + n_tup_del desc limit ${SHOWN}`,
  );
  const head = Object.keys(found[0] ?? {});
  return table([head, ...found.map((row) => Object.values(row).map(String))]);
}
