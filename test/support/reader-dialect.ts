import type { DatabaseConnection, Dialect, Driver } from 'kysely';
import { sqliteDialect } from '../../src/store/database/sqlite-driver.ts';

/** A dialect that reads through one connection, which serializes access itself. */
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
