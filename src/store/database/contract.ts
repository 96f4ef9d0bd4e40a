import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** An open database. The stages see this and never which engine it is. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Whether other processes may use it beside this one; a lock on its file proves that nobody else uses SQLite. */
  readonly isShared: boolean;
  /** Quick reads: they never wait for a write. Throws when used inside an own transaction. */
  readonly read: Kysely<Schema>;
  /** Scans, searches and exports, away from the main thread where the engine runs in the process. */
  readonly scan: Kysely<Schema>;
  /**
   * All writes. On SQLite one at a time; never await the network inside. When `work` rejects, nothing has changed.
   * Throws DatabaseUnavailable when the engine is away, the disk is full or its rollback took the whole transaction.
   */
  transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** Epoch milliseconds by the database's own clock, so that several nodes agree on leases. */
  now(tx?: Transaction<Schema>): Promise<number>;
  close(): Promise<void>;
}
