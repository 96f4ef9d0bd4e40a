import type { SQLInputValue } from 'node:sqlite';
import { DummyDriver, Kysely } from 'kysely';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Database } from '../../src/store/database/contract.ts';
import type { Schema } from '../../src/store/database/schema.ts';
import { openOnSqlite } from '../../src/store/database/database.ts';
import { migrate } from '../../src/store/database/migrations/migrate.ts';
import { SqliteConnection } from '../../src/store/database/sqlite-connection.ts';
import { readerDialect } from './reader-dialect.ts';
import { LocalSqliteDriver, sqliteDialect } from '../../src/store/database/sqlite-driver.ts';
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

const FILE = { path: ':memory:', readOnly: false, busyTimeoutMs: 0, cacheKib: 16_384 };

/** More than any world has monitors; one of a further shard can't be edited. */
export const SHARDS = 24;

/** The image of a migrated database without contents, made once per thread. */
let migrated: Promise<Uint8Array> | null = null;

/** @param isShared whether two processes use it, each through this one connection. */
export async function openWorldDatabase(clock: Clock, isShared = false): Promise<WorldDatabase> {
  const image = await (migrated ??= migratedImage());
  const connection = new SqliteConnection(FILE);
  connection.raw.deserialize(image);
  const reader = new Reader(connection);
  const own = await openOnSqlite({
    writer: sqliteDialect(() => new WriterDriver(connection, reader)),
    reading: { reader: readerDialect(reader), scanner: readerDialect(reader) },
    clock,
    afterMigration: () => undefined,
    close: () => connection.close(),
  });
  return {
    database: isShared ? sharing(own) : own,
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

async function migratedImage(): Promise<Uint8Array> {
  const connection = new SqliteConnection(FILE);
  const writer = new Kysely<unknown>({
    dialect: sqliteDialect(() => new LocalSqliteDriver(connection, 'begin immediate')),
  });
  await migrate(writer, 'sqlite');
  // Each start reads all shards one by one, and worlds have few monitors.
  connection.run('delete from shard where shard >= ?', [SHARDS]);
  const image = connection.raw.serialize();
  await writer.destroy();
  connection.close();
  return image;
}

/** Reads between the transactions of the one connection, and refuses to write. */
class Reader implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  #waiting: (() => void)[] = [];

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    while (this.#connection.raw.isTransaction)
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    if (!READS.test(query.sql) || WRITES.test(query.sql))
      throw new Error(`This would write through a reader: ${query.sql}`);
    return this.#connection.run<Row>(query.sql, query.parameters as SQLInputValue[]);
  }

  transactionEnded(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  streamQuery(): never {
    throw new Error('The store does not stream.');
  }
}

const READS = /^\s*(select|with)\b/i;
const WRITES = /\b(insert into|update|delete from)\s/i;

class WriterDriver extends LocalSqliteDriver {
  readonly #reader: Reader;

  constructor(connection: SqliteConnection, reader: Reader) {
    super(connection, 'begin immediate');
    this.#reader = reader;
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction();
    this.#reader.transactionEnded();
  }

  override async rollbackTransaction(): Promise<void> {
    await super.rollbackTransaction();
    this.#reader.transactionEnded();
  }
}
