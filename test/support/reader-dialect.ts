import type { DatabaseConnection, Dialect, Driver } from 'kysely';
import { sqliteDialect } from '../../src/store/database/sqlite-driver.ts';

/** Reads through that one connection, which looks itself to who may use it. */
export function readerDialect(connection: DatabaseConnection): Dialect {
  return sqliteDialect(() => new ReaderDriver(connection), true);
}

export class ReaderDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
