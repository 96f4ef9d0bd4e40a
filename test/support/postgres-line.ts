import type { OpenDatabase } from '../../src/store/database/database.ts';
import { freshPostgres } from './databases.ts';
import { openPatiently } from './patient-postgres.ts';
import type { useServices } from './service.ts';
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

/** A Postgres database whose connection to the service can be cut. */
export interface PostgresOnALine {
  line: TcpProxy;
  /** The URL through the proxy, for the service. */
  settings: { DATABASE_URL: string; SECRET_KEY: string; DATA_DIR: string };
  /** A direct connection. */
  database: OpenDatabase;
}

export async function postgresOnALine(
  services: ReturnType<typeof useServices>,
): Promise<PostgresOnALine> {
  const { place, remove } = await freshPostgres();
  services.use({ close: remove });
  const { searchParams, pathname } = new URL(place);
  const line = services.use(await startProxy(`${searchParams.get('host')}/.s.PGSQL.5432`));
  const settings = {
    DATABASE_URL: `postgres://tocsin@127.0.0.1:${line.port}${pathname}`,
    SECRET_KEY: 'a key for the process tests',
    DATA_DIR: await services.folder(),
  };
  const database = services.use(await openPatiently(place));
  return { line, settings, database };
}
