import type { SQLInputValue } from 'node:sqlite';
import { Kysely, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { systemClock, type Clock } from '../../src/lib/clock.ts';
import { openOnSqlite, type OpenDatabase } from '../../src/store/database/database.ts';
import { migrate } from '../../src/store/database/migrations/migrate.ts';
import {
  SqliteConnection,
  LocalSqliteDriver,
  sqliteDialect,
} from '../../src/store/database/sqlite-driver.ts';
import { readerDialect } from './reader-dialect.ts';

const FILE = { path: ':memory:', readOnly: false, busyTimeoutMs: 0, cacheKib: 16_384 };

/** The bytes of a migrated, empty database, created once per thread, since migrating takes forty times as long. */
let migrated: Promise<Uint8Array> | null = null;

export interface MemoryOptions {
  clock?: Clock;
  /** Number of shards: schedulers read all of them each second. A monitor of a higher shard can't be edited. */
  shards?: number;
  /** Contents, as `serialize` of another one's connection gave them; empty tables by default. */
  image?: Uint8Array;
}

/** Opens a migrated database in memory, which opens and reads many times faster than the product's own. */
export async function openInMemory(options: MemoryOptions = {}): Promise<OpenDatabase> {
  const { database } = await openWithReader(options);
  return database;
}

/** As above, together with its connection and the reader of `database.read`. */
export async function openWithReader({ clock = systemClock, shards, image }: MemoryOptions) {
  const content = image ?? (await (migrated ??= migratedImage()));
  const connection = new SqliteConnection(FILE);
  connection.raw.deserialize(content);
  if (shards !== undefined) connection.run('delete from shard where shard >= ?', [shards]);
  const reader = new Reader(connection);
  const database = await openOnSqlite({
    writer: sqliteDialect(() => new WriterDriver(connection, reader)),
    reading: { reader: readerDialect(reader), scanner: readerDialect(reader) },
    clock,
    afterMigration: () => null,
    close: () => connection.close(),
  });
  return { database, connection, reader };
}

async function migratedImage(): Promise<Uint8Array> {
  const connection = new SqliteConnection(FILE);
  const writer = new Kysely<unknown>({
    dialect: sqliteDialect(() => new LocalSqliteDriver(connection, 'begin immediate')),
  });
  await migrate(writer, 'sqlite');
  const image = connection.raw.serialize();
  await writer.destroy();
  connection.close();
  return image;
}

/** Reads between the transactions of the one connection, and rejects writes. */
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
