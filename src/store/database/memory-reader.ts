import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Reads a database in memory, which has one connection. It is borrowed from the writer, so that a reader waits for other
 * transactions and sees all of them or nothing. While borrowed it refuses to write, as a reader of a file does.
 */
export class MemoryReaderDriver implements Driver {
  readonly #writer: Kysely<Schema>;

  constructor(writer: Kysely<Schema>) {
    this.#writer = writer;
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    return new Promise((resolve, reject) => {
      const lend = async (writer: Kysely<Schema>) => {
        await writer.executeQuery(CompiledQuery.raw('pragma query_only = on'));
        const returned = Promise.withResolvers<void>();
        resolve(new BorrowedConnection(writer, returned.resolve));
        await returned.promise;
        await writer.executeQuery(CompiledQuery.raw('pragma query_only = off'));
      };
      this.#writer.connection().execute(lend).catch(reject);
    });
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(connection: BorrowedConnection): Promise<void> {
    connection.giveBack();
  }

  async destroy(): Promise<void> {}
}

class BorrowedConnection implements DatabaseConnection {
  readonly #writer: Kysely<Schema>;
  readonly giveBack: () => void;

  constructor(writer: Kysely<Schema>, giveBack: () => void) {
    this.#writer = writer;
    this.giveBack = giveBack;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#writer.executeQuery(query as CompiledQuery<Row>);
  }

  streamQuery(): never {
    throw new Error('The store does not stream: read in pages by id instead.');
  }
}
