import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startPostgres as startServer } from '../test/support/postgres-server.ts';

/** Those of a server as it is installed: the server for tests does not wait for the disk. */
const SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'wal_level=replica',
  'min_wal_size=80MB',
  'max_wal_size=1GB',
  'shared_buffers=128MB',
  'autovacuum=on',
  'jit=on',
];

export interface BenchPostgres {
  url: string;
  /** Of the server's main process, whose children serve connections. */
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a Postgres server with an empty database for the benchmark.
 *
 * @param further settings `name=value`, in addition to those of a server as it is installed.
 * @throws if there is none to start.
 */
export async function startPostgres(further: readonly string[] = []): Promise<BenchPostgres> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-bench-postgres-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const server = await startServer(folder, [...SETTINGS, ...further]);
  if ('missing' in server) {
    await removeFolder();
    throw new Error(`Postgres could not be started: ${server.missing}`);
  }
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('create database bench');
  await client.end();
  const url = new URL(server.url);
  url.pathname = '/bench';
  return {
    url: url.href,
    pid: server.pid,
    async stop() {
      await server.stop();
      await removeFolder();
    },
  };
}
