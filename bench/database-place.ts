import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { DatabaseOptions } from '../src/store/database/database.ts';
import { startPostgres } from './postgres.ts';
import { familyUsage, withFolder } from './process.ts';
import { textOption } from './options.ts';

/** A database of one of both engines, which a service uses and a benchmark looks into meanwhile. */
export interface DatabasePlace {
  engine: 'sqlite' | 'postgres';
  /** Where it is, as `openDatabase` wants it; statements may take minutes. */
  options: DatabaseOptions;
  dataDir: string;
  /** What a service needs to use it. */
  environment: Record<string, string>;
  /** Runs a statement past the service. */
  execute(statement: string): Promise<void>;
  /** The number in the only column of the only row. */
  number(query: string): Promise<number>;
  /** Bytes on disk that hold data, without free pages and logs. */
  bytes(): Promise<number>;
  /** Bytes written to the log of Postgres; null on SQLite. */
  logBytes(): Promise<number | null>;
  /** CPU seconds of the database server; null on SQLite, which runs in the service. */
  serverCpuSeconds(): Promise<number | null>;
}

/** Name of the engine for people. */
export const engineTitle = ({ engine }: DatabasePlace) =>
  engine === 'postgres' ? 'Postgres' : 'SQLite';

const STATEMENT_MS = 600_000;

const USED_BYTES = `select (page_count - freelist_count) * page_size
  from pragma_page_count, pragma_freelist_count, pragma_page_size`;

/** Provides an empty database of the engine that `--engine=` names, SQLite by default. */
export async function withDatabase<T>(
  options: readonly string[],
  work: (place: DatabasePlace) => Promise<T>,
): Promise<T> {
  const engine = textOption(options, '--engine') ?? 'sqlite';
  if (engine !== 'sqlite' && engine !== 'postgres')
    throw new Error(`There is no engine ${engine}.`);
  return withFolder((folder) =>
    engine === 'sqlite' ? work(sqlitePlace(folder)) : withPostgres(folder, work),
  );
}

function sqlitePlace(folder: string): DatabasePlace {
  const open = () => new DatabaseSync(path.join(folder, 'tocsin.db'), { timeout: 5_000 });
  const number = async (query: string) => {
    using database = open();
    return Number(Object.values(database.prepare(query).get()!)[0]);
  };
  return {
    engine: 'sqlite',
    options: { engine: 'sqlite', directory: folder },
    dataDir: folder,
    environment: {},
    async execute(statement) {
      using database = open();
      database.exec(statement);
    },
    number,
    bytes: () => number(USED_BYTES),
    logBytes: async () => null,
    serverCpuSeconds: async () => null,
  };
}

async function withPostgres<T>(dataDir: string, work: (place: DatabasePlace) => Promise<T>) {
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    const number = async (query: string) => {
      const { rows } = await client.query<[unknown]>({ text: query, rowMode: 'array' });
      return Number(rows[0]![0]);
    };
    return await work({
      engine: 'postgres',
      options: { engine: 'postgres', url: server.url, timeouts: { statement: STATEMENT_MS } },
      dataDir,
      environment: {
        DATABASE_URL: server.url,
        SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
      execute: async (statement) => void (await client.query(statement)),
      number,
      bytes: () => number('select pg_database_size(current_database())'),
      logBytes: () => number(`select pg_current_wal_lsn() - '0/0'::pg_lsn`),
      serverCpuSeconds: async () => (await familyUsage(server.pid)).cpuSeconds,
    });
  } finally {
    await client.end().catch(() => {});
    await server.stop();
  }
}
