import type { SQLInputValue } from 'node:sqlite';
import { DummyDriver, Kysely } from 'kysely';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Database, Schema } from '../../src/store/database/contract.ts';
import { sqliteDialect } from '../../src/store/database/sqlite-driver.ts';
import { openWithReader } from '../support/memory-database.ts';
import { wrapDatabase } from '../support/wrapped-database.ts';
import type { Clock } from '../../src/lib/clock.ts';

/** An in-memory database that opens and reads many times faster than the product's own. */
export interface WorldDatabase {
  database: Database;
  /** Current rows, including those of an open transaction. For the checkers only. */
  peek<Row>(query: CompiledQuery<Row>, parameters?: readonly SQLInputValue[]): Row[];
  /** Reads as `database.read` does. */
  read<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/** Compiles queries once that run often. */
export const compiler = new Kysely<Schema>({ dialect: sqliteDialect(() => new DummyDriver()) });

/** Number of shards, more than any world has monitors. A monitor of a higher shard can't be edited. */
export const SHARDS = 24;

/** @param isShared whether two processes share this one connection, which serializes their transactions. */
export async function openWorldDatabase(clock: Clock, isShared = false): Promise<WorldDatabase> {
  const { database, connection, reader } = await openWithReader({ clock, shards: SHARDS });
  return {
    database: isShared ? wrapDatabase(database, { isShared: true }) : database,
    read: (query) => reader.executeQuery(query),
    peek: <Row>(query: CompiledQuery<Row>, parameters: readonly SQLInputValue[] = []) =>
      connection.run<Row>(query.sql, parameters).rows,
  };
}
