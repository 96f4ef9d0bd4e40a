import { sql } from 'kysely';
import { SHARD_COUNT } from '../src/model/monitor.ts';
import { openDatabase, type DatabaseOptions } from '../src/store/database/database.ts';
import type { Database } from '../src/store/database/contract.ts';

export const REGIONS = ['ash', 'pdx', 'nbg', 'sin'];

/** A database; a text is the data folder of one on SQLite. */
export type Place = string | DatabaseOptions;

/** Opens a database for some work. */
export async function inDatabase<T>(place: Place, work: (database: Database) => Promise<T>) {
  const options =
    typeof place === 'string' ? ({ engine: 'sqlite', directory: place } as const) : place;
  const database = await openDatabase(options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Fills a new database with http monitors of a local port, as if each had been created by the API. They check every 30
 * s from four regions.
 */
export async function preloadMonitors(
  place: Place,
  count: number,
  url: string,
  fields: { interval?: number; regions?: string[] } = {},
): Promise<void> {
  await inDatabase(place, (database) =>
    insertMonitors(database, count, url, fields.interval ?? 0.5, fields.regions ?? REGIONS),
  );
}

/** Paths of the targets of 100 monitors by their id modulo 100; all others respond at once with 200. */
type Mix = Readonly<Record<number, string>>;

const HANG = '/after/3600000';
const BROKEN = '/status/503';

/** 2 of 100 respond with 503, and 1 of 100 accepts the connection and never responds. */
export const FAILING_MIX: Mix = { 0: HANG, 1: BROKEN, 51: BROKEN };

/**
 * The same, and 2 of 100 respond after 2 s, 1 of 100 sends 256 KiB, and 1 of 100 fails for two minutes and is well for
 * the next two.
 */
export const FULL_MIX: Mix = {
  ...FAILING_MIX,
  2: '/after/2000',
  52: '/after/2000',
  3: '/large/262144',
  4: '/alternate/120',
};

/** Monitors as those of `preloadMonitors`, each with a name of its own, and with targets that are not all well. */
export async function preloadMixedMonitors(
  place: Place,
  count: number,
  port: number,
  mix: Mix = FAILING_MIX,
): Promise<void> {
  await inDatabase(place, async (database) => {
    await insertMonitors(database, count, '', 0.5, REGIONS);
    await database.transaction((tx) =>
      sql`update monitor set url =
        'http://target-' || id || '.bench.test:' || ${sql.lit(String(port))} || ${pathOf(mix)}`.execute(
        tx,
      ),
    );
  });
}

/**
 * Adds such monitors to a database that processes use already: they are found as edited ones are.
 *
 * @param range ids of the first and the last one.
 */
export async function addMixedMonitors(
  place: Place,
  range: { first: number; last: number },
  port: number,
): Promise<void> {
  const [first, last] = [sql.lit(range.first), sql.lit(range.last)];
  await inDatabase(place, async (database) => {
    await insertMonitors(database, range.last, '', 0.5, REGIONS, range.first);
    await database.transaction(async (tx) => {
      await sql`update shard set version = version + 1`.execute(tx);
      await sql`update monitor set version = (select max(version) from shard),
          url = 'http://target-' || id || '.bench.test:' || ${sql.lit(String(port))} || ${pathOf(FAILING_MIX)}
        where id between ${first} and ${last}`.execute(tx);
    });
  });
}

/** The path of a monitor's target by its id. */
function pathOf(mix: Mix) {
  const cases = Object.entries(mix).map(([rest, path]) => `when ${rest} then '${path}'`);
  return sql.raw(`case id % 100 ${cases.join(' ')} else '/' end`);
}

async function insertMonitors(
  database: Database,
  last: number,
  url: string,
  interval: number,
  regions: string[],
  first = 1,
): Promise<void> {
  const now = sql.lit(Date.now());
  const numbers = sql`with recursive number (n) as
    (select ${sql.lit(first)} union all select n + 1 from number where n < ${sql.lit(last)})`;
  await database.transaction(async (tx) => {
    await sql`insert into monitor (id, team_id, shard, type, url, host, friendly_name, check_interval, check_types,
        monitored_regions, tags, is_paused, http_method, follow_redirects, request_timeout, verify_ssl,
        ssl_expiry_threshold, domain_expiry_threshold, error_text_detection, failure_threshold,
        recovery_threshold, version, revision, created_at, updated_at)
      ${numbers} select n, 1, n % ${sql.lit(SHARD_COUNT)}, 'http', ${url}, '', 'Monitor ' || n, ${sql.lit(interval)}, '[]',
        ${JSON.stringify(regions)}, '[]', 0, 'GET', 1, 30, 1, 14, 30, 0, 2, 1, 0, 0, ${now}, ${now}
      from number`.execute(tx);
    await sql`insert into monitor_state (monitor_id, team_id, revision, status, is_paused, tracks, newest)
      ${numbers} select n, 1, 0, 'pending', 0, '{}', '{}' from number`.execute(tx);
  });
}
