import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterEach, describe, inject } from 'vitest';
import {
  openDatabase,
  type OpenDatabase,
  openOnPostgres,
} from '../../src/store/database/database.ts';
import type { Engine } from '../../src/store/database/dialect.ts';
import { freshDirectory, type Fresh } from './directories.ts';
import type { PostgresAnswer } from './postgres-server.ts';
import { Kysely, sql } from 'kysely';
import { openPostgres, type PostgresEngine } from '../../src/store/database/postgres.ts';
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
async function takePostgres(
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

export { freshDirectory };

/** A fresh, migrated database, closed and removed after the test. */
export type OpenFresh = () => Promise<OpenDatabase>;

/** The Postgres server for tests, or the reason why there is none; in CI that is a failure. */
export const postgres = await askForPostgres();

/** Runs the same tests on a SQLite file and on Postgres. Without Postgres that half is skipped with a message. */
export function eachDatabase(define: (name: Engine, open: OpenFresh) => void): void {
  describe('on SQLite', () => define('sqlite', opener(takeSqlite)));
  onPostgres((open) => define('postgres', open));
}

/** Tests of Postgres alone. Without one they are skipped with a message; in CI they fail. */
export function onPostgres(define: (open: OpenFresh) => void): void {
  describe.skipIf('missing' in postgres)('on Postgres', () =>
    define(opener(() => takePostgres(freshPostgres))),
  );
}

/** A copy of the template; `place` is its url. With `empty`, a database without our tables. */
export async function freshPostgres(content: 'tables' | 'empty' = 'tables'): Promise<Fresh> {
  if ('missing' in postgres) throw new Error(`Postgres is missing: ${postgres.missing}`);
  const { url, template } = postgres;
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const source = content === 'tables' ? template : 'template0';
  await administer(url, `create database ${name} template ${source} strategy file_copy`);
  const place = new URL(url);
  place.pathname = `/${name}`;
  return {
    place: place.href,
    remove: () => administer(url, `drop database if exists ${name} with (force)`),
  };
}

/** A folder with a migrated, empty database: writing its bytes takes a tenth of the time of migrating. */
async function freshTables(): Promise<Fresh> {
  migrated ??= bytesOfMigrated();
  const content = await migrated;
  const fresh = await freshDirectory();
  writeFileSync(join(fresh.place, SQLITE_FILE), content);
  return fresh;
}

const SQLITE_FILE = 'tocsin.db';

let migrated: Promise<Buffer> | null = null;

async function bytesOfMigrated(): Promise<Buffer> {
  const { place, remove } = await freshDirectory();
  const database = await openOnDirectory(place);
  await database.close();
  const content = readFileSync(join(place, SQLITE_FILE));
  await remove();
  return content;
}

const openOnDirectory = (directory: string) => openDatabase({ engine: 'sqlite', directory });

async function takeSqlite() {
  const { place, remove } = await freshTables();
  const database = await openOnDirectory(place);
  const release = async () => {
    await database.close();
    await remove();
  };
  return { database, release };
}

function opener(
  take: () => Promise<{ database: OpenDatabase; release(): Promise<void> }>,
): OpenFresh {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  return async () => {
    const { database, release } = await take();
    cleanups.push(release);
    return database;
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function askForPostgres(): Promise<Exclude<PostgresAnswer, { broken: string }>> {
  const answer = JSON.parse(await text(connect(inject('postgresDoor')))) as PostgresAnswer;
  if ('broken' in answer) throw new Error(`The Postgres for tests broke: ${answer.broken}`);
  if ('missing' in answer) {
    if (process.env['CI'] === 'true') throw new Error(`Postgres is missing: ${answer.missing}`);
    console.warn(`SKIPPED: all tests on Postgres, as ${answer.missing}`);
  }
  return answer;
}
