import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from './schema.gen.ts';

/**
 * The tables, the same on SQLite and Postgres, as the migrations make them. Times are epoch milliseconds, booleans 0 or 1,
 * settings JSON text (they must come back as they were sent). Columns are named as in the API where the API shows them.
 */
export type Schema = Tables;

/** Where rows are read: outside of transactions or in one. */
export type Db = Kysely<Schema>;

/** A transaction: what its statements change is changed together. */
export type Tx = Transaction<Schema>;

/** A row of a table as it is read. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;

/** An open database, the same for both engines. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Whether other processes may use it, too. A lock on its folder proves that no other process uses SQLite. */
  readonly isShared: boolean;
  /** Quick reads, which never wait for a write. Throws when used inside a transaction of the caller. */
  readonly read: Db;
  /** Scans, searches and exports. They run outside the main thread where the engine is part of the process. */
  readonly scan: Db;
  /**
   * Runs a transaction. All writes go through here, on SQLite one at a time: never await the network inside. When `work`
   * rejects, nothing has changed. Throws DatabaseUnavailable when the engine can't be reached, the disk is full or the
   * engine rolled the transaction back.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Reads the database's own clock in epoch milliseconds, so that several nodes agree on leases. */
  now(tx?: Tx): Promise<number>;
  close(): Promise<void>;
}
