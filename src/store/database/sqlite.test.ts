import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { nextLine, startStoreChild, type Child } from '../../../test/support/children.ts';
import { freshDirectory } from '../../../test/support/directories.ts';
import { openDatabase, openOnSqlite, type OpenDatabase } from './database.ts';
import { DatabaseUnavailable, isForeignKeyViolation, isUniqueViolation } from './errors.ts';
import { openSqlite } from './sqlite.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const cleanups = closedAfterEach<() => Promise<void>>();

async function freshPlace(): Promise<string> {
  // On a disk, whose pace is that of real commits: in memory a process writes faster than anybody reads.
  const { place, remove } = await freshDirectory(tmpdir());
  cleanups.push(remove);
  return place;
}

async function open(directory: string): Promise<OpenDatabase> {
  const database = await openDatabase({ engine: 'sqlite', directory });
  cleanups.push(database.close);
  return database;
}

function child(task: string, argument: string, prefix: string[] = []): Child {
  const started = startStoreChild(task, argument, prefix);
  cleanups.push(started.kill);
  return started;
}

const put = (database: OpenDatabase, name: string, value = '') =>
  database.transaction((tx) => tx.insertInto('setting').values({ name, value }).execute());

const names = async (database: OpenDatabase) => {
  const rows = await database.read.selectFrom('setting').select('name').orderBy('name').execute();
  return rows.map((row) => row.name);
};

/** A transaction that wrote `open` and waits until it is told to go on. */
async function writing(database: OpenDatabase) {
  const [written, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = database.transaction(async (tx) => {
    await tx.insertInto('setting').values({ name: 'open', value: '' }).execute();
    written.resolve();
    await goOn.promise;
  });
  await written.promise;
  return { goOn: goOn.resolve, done };
}

describe('a file', () => {
  it('lets others run between two statements of a long transaction', async () => {
    const database = await open(await freshPlace());
    const slow = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 300000)
      select count(*) from n`;
    let hadTheirTurn = false;
    await database.transaction(async (tx) => {
      setImmediate(() => (hadTheirTurn = true));
      await slow.execute(tx);
      await sql`select 1`.execute(tx);
      expect(hadTheirTurn).toBe(true);
    });
  });

  it('is read while a transaction writes, which is seen when it is kept', async () => {
    const database = await open(await freshPlace());
    const transaction = await writing(database);
    expect(await names(database)).toEqual([]);
    const scanned = await database.scan.selectFrom('setting').select('name').execute();
    expect(scanned).toEqual([]);
    transaction.goOn();
    await transaction.done;
    expect(await names(database)).toEqual(['open']);
  });

  it.each(['read', 'scan'] as const)('refuses to write through %s', async (way) => {
    const database = await open(await freshPlace());
    const wrong = database[way].insertInto('setting').values({ name: 'a', value: '' }).execute();
    const error = await wrong.catch((caught: unknown) => caught);
    expect(error).not.toBeInstanceOf(DatabaseUnavailable);
    expect((error as Error).message).toContain('through a reader');
    expect(await names(database)).toEqual([]);
  });

  it('lets the main thread go on during a scan', async () => {
    const database = await open(await freshPlace());
    const order: string[] = [];
    const scan = sql<{ n: number }>`
      with recursive number (n) as (select 1 union all select n + 1 from number where n < 2000000)
      select count(*) as n from number`.execute(database.scan);
    const scanned = scan.then(({ rows }) => order.push(`scan of ${rows[0]!.n}`));
    await names(database);
    await put(database, 'a');
    order.push('read and write');
    await scanned;
    expect(order).toEqual(['read and write', 'scan of 2000000']);
  });

  it('is kept over a restart, and migrated once', async () => {
    const directory = join(await freshPlace(), 'made', 'on the way');
    const first = await open(directory);
    expect(first.migrated).toEqual(MIGRATIONS.map(({ name }) => name));
    await put(first, 'a');
    await first.close();
    const second = await open(directory);
    expect(second.migrated).toEqual([]);
    expect(await names(second)).toEqual(['a']);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('that cannot be opened is told with its path', async () => {
    const place = join(await freshPlace(), 'tocsin.db');
    const none = openDatabase({ engine: 'sqlite', directory: place.replace('.db', '.db/x/\0') });
    await expect(none).rejects.toThrow('tocsin.db');
  });

  it('settles a transaction when its log is on disk, which the next one does not wait for', async () => {
    const engine = openSqlite({ engine: 'sqlite', directory: await freshPlace() });
    const waiting: PromiseWithResolvers<void>[] = [];
    const log = {
      durable() {
        const synced = Promise.withResolvers<void>();
        waiting.push(synced);
        return synced.promise;
      },
      close: async () => {},
    };
    const database = await openOnSqlite({ ...engine, afterMigration: () => log });
    cleanups.push(database.close);
    const settled: string[] = [];
    const writes = ['a', 'b', 'c'].map((name) =>
      put(database, name).then(
        () => settled.push(name),
        (error: unknown) => settled.push(`${name}: ${(error as Error).message}`),
      ),
    );
    await expect.poll(() => waiting.length).toBe(3);
    expect(await names(database)).toEqual(['a', 'b', 'c']);
    expect(settled).toEqual([]);
    waiting[1]!.reject(new DatabaseUnavailable('the disk failed'));
    waiting[0]!.resolve();
    waiting[2]!.resolve();
    await Promise.all(writes);
    expect(settled.toSorted()).toEqual([
      'a',
      'b: The database is not available: the disk failed',
      'c',
    ]);
  });

  it('starts its log anew while transactions go on', async () => {
    const directory = await freshPlace();
    const database = await open(directory);
    const other = new DatabaseSync(join(directory, 'tocsin.db'));
    cleanups.push(async () => other.close());
    const count = other.prepare('pragma wal_checkpoint(noop)');
    const pages = () => Number(count.get()!['log']);
    const value = 'x'.repeat(1_000_000);
    let [before, rounds] = [0, 0];
    // 32 MiB start the first copy; this ends with the log that follows it.
    while (pages() >= before && rounds < 5_000) {
      before = pages();
      await put(database, `${(rounds += 1)}`, value);
    }
    expect(pages()).toBeLessThan(before);
    expect(await names(database)).toHaveLength(rounds);
  });

  it('reports another program that holds it, and goes on when that is gone', async () => {
    const directory = await freshPlace();
    const database = await open(directory);
    const other = new DatabaseSync(join(directory, 'tocsin.db'));
    other.exec('begin immediate');
    let began = false;
    const work = database.transaction(async () => void (began = true));
    await expect(work).rejects.toThrow(/not available.*locked/);
    expect(began).toBe(false);
    other.exec('rollback');
    other.close();
    await put(database, 'b');
    expect(await names(database)).toEqual(['b']);
  });
});

describe('memory', () => {
  it('lets a reader wait for the transaction of someone else, and see all of it', async () => {
    const database = await open(':memory:');
    const transaction = await writing(database);
    const seen = [names(database), names(database)];
    transaction.goOn();
    expect(await Promise.all(seen)).toEqual([['open'], ['open']]);
  });

  it('refuses a read in an own transaction, even when other readers wait', async () => {
    const database = await open(':memory:');
    const { read } = database;
    const all = () => read.selectFrom('setting').select('name').execute();
    const started = Promise.withResolvers<void>();
    const waiting = started.promise.then(all);
    const work = database.transaction(async () => {
      started.resolve();
      await new Promise((resolve) => void setImmediate(resolve));
      await all();
    });
    await expect(work).rejects.toThrow(/own transaction/);
    expect(await waiting).toEqual([]);
  });

  it('refuses to write through a reader, and writes again after it', async () => {
    const database = await open(':memory:');
    const wrong = database.read.insertInto('setting').values({ name: 'a', value: '' }).execute();
    await expect(wrong).rejects.toThrow('through a reader');
    await put(database, 'b');
    expect(await names(database)).toEqual(['b']);
  });

  it('tells the time of the clock it was given', async () => {
    const clock = { now: () => 1_234 } as never;
    const database = await openDatabase({ engine: 'sqlite', directory: ':memory:', clock });
    expect(await database.now()).toBe(1_234);
    await database.close();
  });
});

const limit = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`);

describe('a transaction that SQLite ended by itself', () => {
  it('rejects with the original error when the database is full, and the next one works', async () => {
    const database = await open(await freshPlace());
    let after: unknown;
    const work = database.transaction(async (tx) => {
      await limit(10).execute(tx);
      await tx.insertInto('setting').values({ name: 'small', value: '' }).execute();
      const large = tx.insertInto('setting').values({ name: 'large', value: 'x'.repeat(1e6) });
      await large.execute().catch(() => {});
      await tx
        .insertInto('setting')
        .values({ name: 'after', value: '' })
        .execute()
        .catch((error: unknown) => (after = error));
    });
    await expect(work).rejects.toThrow('the disk is full');
    await expect(work).rejects.toBe(after);
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await names(database)).toEqual([]);
    await database.transaction(async (tx) => void (await limit(1_000_000).execute(tx)));
    await put(database, 'later', 'x'.repeat(1e6));
    expect(await names(database)).toEqual(['later']);
  });

  it('keeps nothing of what its work goes on to write', async () => {
    const database = await open(await freshPlace());
    await put(database, 'a');
    const work = database.transaction(async (tx) => {
      await tx.insertInto('setting').values({ name: 'b', value: '' }).execute();
      const conflict = sql`insert or rollback into setting (name, value) values ('a', '')`;
      await conflict.execute(tx).catch(() => {});
      await tx.insertInto('setting').values({ name: 'c', value: '' }).execute();
    });
    await expect(work).rejects.toSatisfy(isUniqueViolation);
    expect(await names(database)).toEqual(['a']);
    await put(database, 'd');
  });

  it('leaves the connection usable when the commit itself fails', async () => {
    const database = await open(await freshPlace());
    const work = database.transaction(async (tx) => {
      await sql`pragma defer_foreign_keys = on`.execute(tx);
      const member = { team_id: 1, person_id: 1, role: 'owner', status: 'active', added_at: 1 };
      await tx.insertInto('member').values(member).execute();
      return 'the work itself went well';
    });
    await expect(work).rejects.toSatisfy(isForeignKeyViolation);
    await put(database, 'a');
    expect(await names(database)).toEqual(['a']);
  });
});

describe('a process', () => {
  it('that is killed while it writes has kept every row it acknowledged', async () => {
    const directory = await freshPlace();
    const writer = child('write', directory);
    const acknowledged: string[] = [];
    while (acknowledged.length < 200) acknowledged.push(await nextLine(writer));
    await writer.kill();
    for await (const line of writer.lines) acknowledged.push(line);
    const kept = new Set(await names(await open(directory)));
    expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
  });

  // The limit on a file's size stands for the full disk: the kernel refuses the write in the same place.
  const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;
  it.skipIf(!hasPrlimit)(
    'whose disk is full says so, and goes on when there is room [40.10]',
    async () => {
      const directory = await freshPlace();
      const writer = child('fill', directory, ['prlimit', '--fsize=2000000:unlimited']);
      const { kept, unavailable } = JSON.parse(await nextLine(writer)) as Record<string, unknown>;
      expect(unavailable).toBe(true);
      spawnSync('prlimit', [`--pid=${writer.process.pid}`, '--fsize=unlimited']);
      writer.process.stdin!.write('\n');
      expect(await nextLine(writer)).toBe('kept again');
      const rows = await names(await open(directory));
      expect(rows).toHaveLength(Number(kept) + 1);
    },
  );
});
