import { describe, expect, test, vi } from 'vitest';
import { sql } from 'kysely';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { DatabaseUnavailable, isUnavailable } from '../../src/store/database/errors.ts';
import { startSoakPostgres } from '../soak/postgres.ts';
import { freshDirectory, postgres } from '../support/databases.ts';
import { waitUntil } from '../support/event-loop.ts';
import { TEMPLATE } from '../support/postgres-server.ts';
import { useServices } from '../support/service.ts';

vi.setConfig({ testTimeout: 180_000 });

const cleanups = useServices();
/** Until a commit stops waiting for the standby, and an attempt to connect ends. */
const STATEMENT_MS = 1_000;

async function startServers() {
  const { place, remove } = await freshDirectory();
  cleanups.use({ close: remove });
  const servers = await startSoakPostgres(place, 'synchronous');
  cleanups.use({ close: () => servers.stop() });
  const open = async (address: string) => {
    const url = new URL(address);
    url.pathname = `/${TEMPLATE}`;
    const options = { engine: 'postgres', url: url.href, preparesStatements: true } as const;
    return cleanups.use(
      await openDatabase({ ...options, timeouts: { statement: STATEMENT_MS, lock: STATEMENT_MS } }),
    );
  };
  return { servers, open, database: await open(servers.url) };
}

type Opened = Awaited<ReturnType<typeof startServers>>['database'];

/** Repeatable: what was committed without an acknowledgement is there already. */
const put = (database: Opened, name: string) =>
  database.transaction((tx) =>
    tx
      .insertInto('setting')
      .values({ name, value: 'value' })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );

const names = async (database: Opened) => {
  const rows = await database.read.selectFrom('setting').select('name').execute();
  return rows.map(({ name }) => name).filter((name) => name.startsWith('put '));
};

/** Repeats work while the database is away. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void (await work());
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await sleep(systemClock, 50);
  }
}

describe.skipIf('missing' in postgres)('Postgres with a synchronous standby', () => {
  test.each([
    { kill: false, addressFirst: false },
    { kill: true, addressFirst: true },
  ])(
    'the standby becomes the primary at the same address, with all that was acknowledged: %o',
    async (how) => {
      const { servers, database } = await startServers();
      const acknowledged: string[] = [];
      const over = new AbortController();
      const writing = (async () => {
        for (let count = 1; !over.signal.aborted; count += 1) {
          const name = `put ${count}`;
          try {
            await put(database, name);
            acknowledged.push(name);
          } catch (error) {
            if (!isUnavailable(error)) throw error;
          }
        }
      })();
      // Whatever ends the writing ends the test.
      const untilAcknowledged = (count: number) =>
        Promise.race([
          writing,
          waitUntil(() => over.signal.aborted || acknowledged.length > count),
        ]);
      try {
        await untilAcknowledged(20);
        await servers.failOver({ ...how, afterMs: 500 });
        await untilAcknowledged(acknowledged.length + 20);
      } finally {
        over.abort();
      }
      await writing;
      const stored = new Set(await names(database));
      expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    },
  );

  test('a standby is no database to work with, until it is the primary', async () => {
    const { servers, open, database } = await startServers();
    await patiently(() => put(database, 'put 1'));
    const standby = servers.standby()!.url;
    await expect(open(standby)).rejects.toThrow('the server is a standby');
    await servers.failOver({ kill: false, addressFirst: false, afterMs: 0 });
    const promoted = await open(standby);
    expect(await names(promoted)).toEqual(['put 1']);
    await patiently(() => put(database, 'put 2'));
    expect(await names(promoted)).toEqual(['put 1', 'put 2']);
  });

  test('a commit that the standby did not acknowledge in time is none', async () => {
    const { servers, database } = await startServers();
    await patiently(() => put(database, 'put 1'));
    await servers.standby()!.stop();
    await expect(put(database, 'put 2')).rejects.toThrow(DatabaseUnavailable);
    await expect(
      database.transaction((tx) => sql`select 1`.execute(tx)),
      'a transaction that wrote nothing does not wait',
    ).resolves.toBeDefined();
    await servers.standby()!.restart();
    await patiently(() => put(database, 'put 3'));
    expect(await names(database)).toContain('put 3');
  });
});
