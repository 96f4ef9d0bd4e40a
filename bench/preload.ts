import { type RawBuilder, sql } from 'kysely';
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
  const { interval, regions } = fields;
  await inDatabase(place, (database) =>
    insertMonitors(database, { last: count, url: sql.lit(url), interval, regions }),
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
  await inDatabase(place, (database) =>
    insertMonitors(database, { last: count, url: mixedUrl(port, mix) }),
  );
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
  await inDatabase(place, async (database) => {
    await insertMonitors(database, { ...range, url: mixedUrl(port, FAILING_MIX) });
    await database.transaction(async (tx) => {
      await sql`update shard set version = version + 1`.execute(tx);
      await sql`update monitor set version = (select max(version) from shard)
        where id between ${sql.lit(range.first)} and ${sql.lit(range.last)}`.execute(tx);
    });
  });
}

/** The URL of a monitor's target by its number `n`. */
function mixedUrl(port: number, mix: Mix) {
  const cases = Object.entries(mix).map(([rest, path]) => `when ${rest} then '${path}'`);
  return sql.raw(
    `'http://target-' || n || '.bench.test:${port}' || case n % 100 ${cases.join(' ')} else '/' end`,
  );
}

/** A common table expression `number` of the numbers `n` of a range. */
export const numbers = (last: number, first = 1) => sql`with recursive number (n) as
  (select ${sql.lit(first)} union all select n + 1 from number where n < ${sql.lit(last)})`;

interface NewMonitors {
  /** Ids. */
  first?: number;
  last: number;
  /** Expressions, of which `n` is the id. */
  url: RawBuilder<unknown>;
  host?: RawBuilder<unknown>;
  /** Minutes. */
  interval?: number | undefined;
  regions?: readonly string[] | undefined;
}

/** Stores http monitors of team 1, as if each had been created by the API. */
export async function insertMonitors(
  database: Database,
  { first, last, url, host = sql.lit(''), interval = 0.5, regions = REGIONS }: NewMonitors,
): Promise<void> {
  const now = sql.lit(Date.now());
  await database.transaction(async (tx) => {
    await sql`insert into monitor (id, team_id, shard, type, url, host, friendly_name, check_interval, check_types,
        monitored_regions, tags, is_paused, http_method, follow_redirects, request_timeout, verify_ssl,
        ssl_expiry_threshold, domain_expiry_threshold, error_text_detection, failure_threshold,
        recovery_threshold, version, revision, created_at, updated_at)
      ${numbers(last, first)} select n, 1, n % ${sql.lit(SHARD_COUNT)}, 'http', ${url}, ${host}, 'Monitor ' || n,
        ${sql.lit(interval)}, '[]', ${JSON.stringify(regions)}, '[]', 0, 'GET', 1, 30, 1, 14, 30, 0, 2, 1, 0, 0, ${now}, ${now}
      from number`.execute(tx);
    await sql`insert into monitor_state (monitor_id, team_id, revision, status, is_paused, tracks, newest)
      ${numbers(last, first)} select n, 1, 0, 'pending', 0, '{}', '{}' from number`.execute(tx);
  });
}
