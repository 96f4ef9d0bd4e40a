import { freePorts } from '../test/support/free-ports.ts';
import { openDatabase } from '../src/store/database/database.ts';
import { startPostgres, type BenchPostgres } from './postgres.ts';

/** A Postgres server whose connections are counted: by TCP, and with a user for each kind of process. */
export interface CountedPostgres extends BenchPostgres {
  /** URL of the migrated database as its owner. */
  ownerUrl: string;
  /** The same without a user. */
  databaseUrl: string;
}

const STATEMENTS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_planning=on',
];

/** Starts it with statistics of statements, where Postgres comes with that extension. @throws if there is none to start. */
export async function startCountedPostgres(
  further: readonly string[] = [],
): Promise<CountedPostgres> {
  const [port] = (await freePorts(1)) as [number];
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, ...further];
  const server = await startPostgres([...settings, ...STATEMENTS]).catch(() =>
    startPostgres(settings),
  );
  const ownerUrl = `postgres://tocsin@127.0.0.1:${port}/bench`;
  try {
    await (await openDatabase({ engine: 'postgres', url: ownerUrl })).close();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, ownerUrl, databaseUrl: `postgres://127.0.0.1:${port}/bench` };
}
