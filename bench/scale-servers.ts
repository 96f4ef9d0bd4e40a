import { freePorts } from '../test/support/free-ports.ts';
import { openDatabase } from '../src/store/database/database.ts';
import { watchPostgres, type PostgresWatch } from './postgres-watch.ts';
import { startPostgres } from './postgres.ts';
import { withFolder } from './process.ts';
import { databaseOf, startBenchNats, type FleetPlace, type Nats } from './scale-fleet.ts';

/** Servers that the processes of a layout share. */
export interface SharedServers {
  place: FleetPlace;
  postgres: PostgresWatch;
  nats: Nats;
}

/** Kinds of processes with a database. */
const USERS = ['whole', 'api', 'scheduler', 'worker'];
const STATEMENTS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_planning=on',
];

/**
 * Starts a Postgres server whose connections are counted, by TCP and with a user for each kind of process, with statistics
 * of statements where it comes with that extension; and a NATS server. The database is migrated.
 *
 * @param options further settings of Postgres, and the name server for targets, by default none.
 * @throws if one of them can't be started.
 */
export async function withServers<T>(
  { settings = [], nameServer = '127.0.0.1:9' }: { settings?: string[]; nameServer?: string },
  work: (servers: SharedServers) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    await using started = new AsyncDisposableStack();
    const [port] = (await freePorts(1)) as [number];
    const all = ['listen_addresses=127.0.0.1', `port=${port}`, ...settings];
    const server = await startPostgres([...all, ...STATEMENTS]).catch(() => startPostgres(all));
    started.defer(server.stop);
    const nats = await startBenchNats(folder);
    started.defer(nats.stop);
    const databaseUrl = `postgres://127.0.0.1:${port}/bench`;
    const place = { folder, databaseUrl, natsUrl: nats.url, nameServer };
    const owner = databaseOf(place, 'tocsin');
    await (await openDatabase(owner)).close();
    const postgres = await watchPostgres(owner.url, server.pid);
    started.defer(postgres.stop);
    for (const user of USERS) await postgres.execute(`create role ${user} superuser login`);
    return await work({ place, postgres, nats });
  });
}
