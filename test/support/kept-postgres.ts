import { Kysely, sql } from 'kysely';
import { openOnPostgres, type OpenDatabase } from '../../src/store/database/database.ts';
import { openPostgres, type PostgresEngine } from '../../src/store/database/postgres.ts';
import type { Fresh } from './directories.ts';
import { PATIENT_TIMEOUTS } from './patient-postgres.ts';

/** A migrated Postgres database with open connections that tests use one after another. */
interface KeptDatabase {
  engine: PostgresEngine;
  admin: Kysely<unknown>;
  /** Rows of a new database by table as a JSON array; empty for a table without rows. */
  seeds: ReadonlyMap<string, string>;
  /** Closes its connections and drops it. */
  discard(): Promise<void>;
}

/** Databases of this process that no test is using. */
const free: KeptDatabase[] = [];

/**
 * A migrated database without contents. `release` empties it for the next test: that takes a tenth of the time of a copy
 * of the template with new connections. A test that alters tables or triggers needs a copy of its own.
 */
export async function takePostgres(
  create: () => Promise<Fresh>,
): Promise<{ database: OpenDatabase; release(): Promise<void> }> {
  const kept = free.pop() ?? (await keep(await create()));
  // Closing keeps the connections open for the next test.
  const database = await openOnPostgres({ ...kept.engine, close: async () => {} });
  const release = async () => {
    await database.close();
    const isEmpty = await empty(kept).catch(() => false);
    if (isEmpty) free.push(kept);
    else await kept.discard();
  };
  return { database, release };
}

async function keep({ place, remove }: Fresh): Promise<KeptDatabase> {
  const timeouts = PATIENT_TIMEOUTS;
  const engine = openPostgres({ engine: 'postgres', url: place, poolSize: 4, timeouts });
  const admin = new Kysely<unknown>({ dialect: engine.main });
  const seeds = new Map<string, string>();
  for (const { name, pages } of await listTables(admin))
    seeds.set(name, pages === 0 ? '' : await rowsOf(admin, name));
  const discard = async () => {
    // The database first: a connection left in a transaction does not end by itself.
    await remove();
    await engine.close();
  };
  return { engine: { ...engine, migrator: engine.main }, admin, seeds, discard };
}

async function listTables(db: Kysely<unknown>) {
  const { rows } = await sql<{ name: string; pages: number; analyzed: boolean }>`
    select relname as name, pg_relation_size(oid) / 8192 as pages,
      exists (select from pg_statistic where starelid = pg_class.oid) or reltuples >= 0 as analyzed
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db);
  return rows;
}

async function rowsOf(db: Kysely<unknown>, table: string): Promise<string> {
  const { rows } = await sql<{ rows: string }>`
    select coalesce(json_agg(to_json(one))::text, '') as rows from ${sql.table(table)} as one`.execute(
    db,
  );
  return rows[0]!.rows;
}

/** From this size on, the planner estimates row counts differently than in an unused table. */
const PAGES_OF_UNUSED = 10;

/** Returns false if it can't be restored: a table is missing, or has statistics of what it held. */
async function empty({ admin, seeds }: KeptDatabase): Promise<boolean> {
  const tables = await listTables(admin);
  if (tables.some(({ analyzed }) => analyzed)) return false;
  const ours = tables.filter(({ name }) => seeds.has(name));
  if (ours.length < seeds.size) return false;
  const used = ours.filter(({ pages }) => pages > 0);
  const statements = [
    // Disables foreign keys and triggers.
    'set local session_replication_role = replica',
    ...tables.filter(({ name }) => !seeds.has(name)).map(({ name }) => `drop table "${name}"`),
    ...used.map(({ name, pages }) =>
      pages > PAGES_OF_UNUSED ? `truncate "${name}" cascade` : `delete from "${name}"`,
    ),
    ...used
      .filter(({ name }) => seeds.get(name) !== '')
      .map(({ name }) => refill(name, seeds.get(name)!)),
    `select setval(seqrelid::regclass, 1, false) from pg_sequence
     where pg_sequence_last_value(seqrelid) is not null`,
  ];
  await sql.raw(statements.join(';\n')).execute(admin);
  return true;
}

const refill = (table: string, rows: string): string =>
  `insert into "${table}" select * from
   json_populate_recordset(null::"${table}", '${rows.replaceAll("'", "''")}')`;
