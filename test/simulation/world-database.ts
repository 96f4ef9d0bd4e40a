import type { SQLInputValue } from 'node:sqlite';
import { DummyDriver, Kysely } from 'kysely';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Database } from '../../src/store/database/contract.ts';
import type { Schema } from '../../src/store/database/schema.ts';
import { sqliteDialect } from '../../src/store/database/sqlite-driver.ts';
import { openWithReader } from '../support/memory-database.ts';
import type { Clock } from '../../src/lib/clock.ts';

/** A database in memory that is opened, and read outside of transactions, many times faster than the product's own. */
export interface WorldDatabase {
  database: Database;
  /** Rows as they are at this moment, those of an open transaction included. For the watchers alone. */
  peek<Row>(query: CompiledQuery<Row>, parameters?: readonly SQLInputValue[]): Row[];
  /** As `database.read` answers it. */
  read<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/** Builds queries that are compiled once and run often. */
export const compiler = new Kysely<Schema>({ dialect: sqliteDialect(() => new DummyDriver()) });

/** More than any world has monitors; one of a further shard can't be edited. */
export const SHARDS = 24;

/** @param isShared whether two processes use it, each through this one connection. */
export async function openWorldDatabase(clock: Clock, isShared = false): Promise<WorldDatabase> {
  const { database, connection, reader } = await openWithReader({ clock, shards: SHARDS });
  return {
    database: isShared ? sharing(database) : database,
    read: (query) => reader.executeQuery(query),
    peek: <Row>(query: CompiledQuery<Row>, parameters: readonly SQLInputValue[] = []) =>
      connection.run<Row>(query.sql, parameters).rows,
  };
}

/** What is kept apart on Postgres by locks of rows is here by transactions that come one after another. */
function sharing(own: Database): Database {
  return {
    engine: own.engine,
    isShared: true,
    get read() {
      return own.read;
    },
    get scan() {
      return own.scan;
    },
    transaction: (work) => own.transaction(work),
    now: (tx) => own.now(tx),
    close: () => own.close(),
  };
}
