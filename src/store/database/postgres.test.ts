import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { freshPostgres, postgres } from '../../../test/support/databases.ts';
import { startProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { openDatabase, type OpenDatabase } from './database.ts';
import { DatabaseUnavailable } from './errors.ts';
import type { PostgresOptions } from './postgres.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const cleanups = closedAfterEach<() => Promise<void>>();

/** A database behind a proxy, with limits so short that a test can wait for them. */
async function openBehindProxy(
  options: Partial<PostgresOptions> = {},
): Promise<{ database: OpenDatabase; proxy: TcpProxy; direct: string }> {
  const { place, remove } = await freshPostgres();
  cleanups.push(remove);
  const folder = new URL(place).searchParams.get('host')!;
  const proxy = await startProxy(`${folder}/.s.PGSQL.5432`);
  cleanups.push(proxy.close);
  const { pathname } = new URL(place);
  const database = await openDatabase({
    engine: 'postgres',
    url: `postgres://tocsin@127.0.0.1:${proxy.port}${pathname}`,
    poolSize: 2,
    timeouts: { connect: 300, statement: 300 },
    ...options,
  });
  cleanups.push(database.close);
  return { database, proxy, direct: place };
}

async function openDirect(url: string): Promise<OpenDatabase> {
  const database = await openDatabase({ engine: 'postgres', url });
  cleanups.push(database.close);
  return database;
}

const put = (database: OpenDatabase, name: string) =>
  database.transaction((tx) => tx.insertInto('setting').values({ name, value: '' }).execute());

const names = async (database: OpenDatabase) => {
  const rows = await database.read.selectFrom('setting').select('name').orderBy('name').execute();
  return rows.map((row) => row.name);
};

/** Ends every connection to this database but the one that asks. */
const terminateOthers = (database: OpenDatabase) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.read);

const none = (url: string) => openDatabase({ engine: 'postgres', url });

describe.skipIf('missing' in postgres)('Postgres', () => {
  it('that is not there is an error at once when it is opened', async () => {
    await expect(none('postgres://x@127.0.0.1:1/x')).rejects.toThrow(DatabaseUnavailable);
    await expect(none('postgres://x@localhost/x?host=/nowhere')).rejects.toThrow(
      DatabaseUnavailable,
    );
  });

  it('without the database of that name says so', async () => {
    const { place, remove } = await freshPostgres('empty');
    await remove();
    const opened = openDatabase({ engine: 'postgres', url: place });
    await expect(opened).rejects.toThrow(/database "t_\w+" does not exist/);
  });

  it('that goes away is an error, and used again when it is back', async () => {
    const { database, proxy } = await openBehindProxy();
    await put(database, 'before');
    await proxy.close();
    await expect(put(database, 'lost')).rejects.toThrow(DatabaseUnavailable);
    await expect(names(database)).rejects.toThrow(DatabaseUnavailable);
    await expect(database.now()).rejects.toThrow(DatabaseUnavailable);
    await proxy.reopen();
    await put(database, 'after');
    expect(await names(database)).toEqual(['after', 'before']);
  });

  it('that ends a connection inside a transaction keeps nothing of it', async () => {
    const { database, direct } = await openBehindProxy();
    const other = await openDirect(direct);
    const work = database.transaction(async (tx) => {
      await tx.insertInto('setting').values({ name: 'lost', value: '' }).execute();
      await terminateOthers(other);
      await tx.insertInto('setting').values({ name: 'lost too', value: '' }).execute();
    });
    await expect(work).rejects.toThrow(DatabaseUnavailable);
    await put(database, 'after');
    expect(await names(database)).toEqual(['after']);
  });

  it('that ends idle connections is used again by new ones', async () => {
    const { database, proxy, direct } = await openBehindProxy();
    const other = await openDirect(direct);
    await Promise.all([names(database), names(database)]);
    await terminateOthers(other);
    await expect.poll(() => proxy.open).toBe(0);
    // The news may still be on its way to us.
    await expect.poll(() => names(database).catch(() => null)).toEqual([]);
  });

  it('that is frozen is an error, and its connections are not used again', async () => {
    const { database, proxy } = await openBehindProxy();
    await names(database);
    proxy.freeze();
    // The first waits on a connection that it has, the second on a new one.
    const frozen = [put(database, 'a'), names(database)];
    for (const attempt of frozen) await expect(attempt).rejects.toThrow(DatabaseUnavailable);
    proxy.thaw();
    await put(database, 'b');
    expect(await names(database)).toEqual(['b']);
  });

  it('ends a statement that takes too long, and keeps the connection', async () => {
    const { database, proxy } = await openBehindProxy({ poolSize: 1 });
    const slow = sql`select pg_sleep(60)`.execute(database.read);
    await expect(slow).rejects.toThrow(DatabaseUnavailable);
    const { open } = proxy;
    expect(await names(database)).toEqual([]);
    expect(proxy.open).toBe(open);
  });

  it('gives up waiting for a connection when all are in use', async () => {
    const { database } = await openBehindProxy({ poolSize: 1 });
    const [entered, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction(async () => {
      entered.resolve();
      await goOn.promise;
    });
    await entered.promise;
    await expect(names(database)).rejects.toThrow(DatabaseUnavailable);
    const scanned = await database.scan.selectFrom('setting').select('name').execute();
    expect(scanned).toEqual([]);
    goOn.resolve();
    await holder;
    expect(await names(database)).toEqual([]);
  });
});
