import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { closedAfterEach } from '../../../test/support/closing.ts';
import { freshPostgres, postgres } from '../../../test/support/databases.ts';
import { openDatabase, type OpenDatabase } from './database.ts';
import { DatabaseUnavailable } from './errors.ts';
import { HELD_TO_TRUST } from './kept-statements.ts';
import { NO_OBSERVER, type DatabaseObserver } from './observer.ts';
import type { PostgresOptions } from './postgres.ts';
import { prepareInsert } from './rows.ts';
import { prepareQuery, prepareStatement } from './prepared-statements.ts';

const cleanups = closedAfterEach<() => Promise<void>>();

/** A database with one connection, so that a test sees what that keeps. */
async function openSingle(
  options: Partial<PostgresOptions> = {},
  observer?: DatabaseObserver,
): Promise<OpenDatabase> {
  const { place, remove } = await freshPostgres();
  cleanups.push(remove);
  const single = { engine: 'postgres', url: place, poolSize: 1 } as const;
  const database = await openDatabase({ ...single, ...options }, observer);
  cleanups.push(database.close);
  return database;
}

const insertSettings = prepareInsert('setting', { name: 'text', value: 'text' });

const put = (database: OpenDatabase, ...names: string[]) =>
  database.transaction((tx) =>
    insertSettings(
      tx,
      names.map((name) => [name, 'value']),
    ),
  );

function readerOf(database: OpenDatabase) {
  return prepareStatement<{ name: string }, 'value'>(database.read, ['value'], ({ value }) =>
    database.read
      .selectFrom('setting')
      .selectAll()
      .where('value', '=', sql<string>`${value}`)
      .orderBy('name'),
  );
}

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);

/** What the connection keeps, and how often each was planned. */
async function keptBy(database: OpenDatabase) {
  const { rows } = await sql<{ name: string; statement: string; plans: number }>`
    select name, statement, generic_plans + custom_plans as plans from pg_prepared_statements
    order by statement`.execute(database.read);
  return rows;
}

const deallocate = sql`deallocate all`;

/** Uses statements until they are trusted inside transactions, too. */
async function trust(database: OpenDatabase): Promise<void> {
  const read = readerOf(database);
  for (let use = 0; use <= HELD_TO_TRUST; use += 1) await read({ value: 'none' });
}

const CONNECTIONS = 8;

describe.skipIf('missing' in postgres)('statements on Postgres', () => {
  it('that are marked are prepared once for each connection, others never', async () => {
    const database = await openSingle();
    const read = readerOf(database);
    for (const name of ['a', 'b', 'c']) await put(database, name);
    for (let turn = 0; turn < 4; turn += 1)
      expect(namesOf(await read({ value: 'value' }))).toEqual(['a', 'b', 'c']);
    await database.read.selectFrom('setting').selectAll().where('name', '=', 'a').execute();
    expect(await keptBy(database)).toEqual([
      {
        name: expect.stringMatching(/^tocsin_[\w-]{22}$/),
        statement: expect.stringContaining('insert'),
        plans: 3,
      },
      {
        name: expect.stringMatching(/^tocsin_[\w-]{22}$/),
        statement: expect.stringContaining('select'),
        plans: 4,
      },
    ]);
  });

  it('are never prepared when that is turned off', async () => {
    const database = await openSingle({ preparesStatements: false });
    const read = readerOf(database);
    await put(database, 'a', 'b');
    await put(database, 'c');
    expect(namesOf(await read({ value: 'value' }))).toEqual(['a', 'b', 'c']);
    expect(await keptBy(database)).toEqual([]);
  });

  it('that the server no longer has are prepared again', async () => {
    const database = await openSingle();
    const read = readerOf(database);
    await put(database, 'a');
    await read({ value: 'value' });
    await deallocate.execute(database.read);
    expect(await keptBy(database)).toEqual([]);
    expect(namesOf(await read({ value: 'value' }))).toEqual(['a']);
    expect(await keptBy(database)).toHaveLength(1);
  });

  it('that the server no longer has begin their transaction again', async () => {
    const database = await openSingle();
    await put(database, 'a');
    await deallocate.execute(database.read);
    await put(database, 'b');
    expect(namesOf(await readerOf(database)({ value: 'value' }))).toEqual(['a', 'b']);
  });

  it('that are lost inside a transaction end it, keep nothing of it, and succeed the next time', async () => {
    const database = await openSingle();
    await put(database, 'a');
    await trust(database);
    const work = async () =>
      database.transaction(async (tx) => {
        await tx.insertInto('setting').values({ name: 'before', value: 'value' }).execute();
        await insertSettings(tx, [['within', 'value']]);
      });
    await deallocate.execute(database.read);
    await expect(work()).rejects.toThrow(DatabaseUnavailable);
    const read = readerOf(database);
    expect(namesOf(await read({ value: 'value' }))).toEqual(['a']);
    await work();
    expect(namesOf(await read({ value: 'value' }))).toEqual(['a', 'before', 'within']);
  });

  it('that are not trusted yet are not used inside a transaction, so that no loss can end it', async () => {
    const database = await openSingle();
    await put(database, 'a');
    await deallocate.execute(database.read);
    await database.transaction(async (tx) => {
      await tx.insertInto('setting').values({ name: 'before', value: 'value' }).execute();
      await insertSettings(tx, [['within', 'value']]);
    });
    const names = namesOf(await readerOf(database)({ value: 'value' }));
    expect(names).toEqual(['a', 'before', 'within']);
  });

  it('show columns that were added since they were prepared', async () => {
    const database = await openSingle();
    const read = readerOf(database);
    await put(database, 'a');
    await read({ value: 'value' });
    await sql`alter table setting add column remark text default 'none'`.execute(database.read);
    expect(await read({ value: 'value' })).toEqual([{ name: 'a', value: 'value', remark: 'none' }]);
  });

  it('fail once in all transactions together when columns were added since they were prepared', async () => {
    const onStatementsLost = vi.fn<() => void>();
    const database = await openSingle(
      { poolSize: CONNECTIONS },
      { ...NO_OBSERVER, onStatementsLost },
    );
    const read = prepareQuery<{ name: string }, 'value'>(
      ['value'],
      ({ value }) => sql`select * from setting where value = ${value}`,
    );
    /** As many transactions at once as there are connections, so that each has its statements. */
    const readByAll = () => {
      const { promise: allBegan, resolve } = Promise.withResolvers<void>();
      let began = 0;
      return Promise.allSettled(
        Array.from({ length: CONNECTIONS }, () =>
          database.transaction(async (tx) => {
            await sql`select 1`.execute(tx);
            began += 1;
            if (began === CONNECTIONS) resolve();
            await allBegan;
            return read(tx, { value: 'value' });
          }),
        ),
      );
    };
    await put(database, 'a');
    await trust(database);
    expect((await readByAll()).every(({ status }) => status === 'fulfilled')).toBe(true);
    await sql`alter table setting add column remark text default 'none'`.execute(database.read);
    // One connection finds it out; the others know then.
    const first = database.transaction(async (tx) => {
      await sql`select 1`.execute(tx);
      return read(tx, { value: 'value' });
    });
    await expect(first).rejects.toThrow(DatabaseUnavailable);
    const then = await readByAll();
    expect(then.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(onStatementsLost).not.toHaveBeenCalled();
  });

  it('are no longer prepared when a pooler keeps losing them', async () => {
    const onStatementsLost = vi.fn<() => void>();
    const database = await openSingle({}, { ...NO_OBSERVER, onStatementsLost });
    const read = readerOf(database);
    await put(database, 'a');
    for (let turn = 0; turn < 10; turn += 1) {
      expect(namesOf(await read({ value: 'value' }))).toEqual(['a']);
      await deallocate.execute(database.read);
    }
    await read({ value: 'value' });
    expect(await keptBy(database)).toEqual([]);
    expect(onStatementsLost).toHaveBeenCalledOnce();
  });

  it('that fail first in a transaction leave the connection usable', async () => {
    const database = await openSingle();
    await put(database, 'a');
    await expect(put(database, 'a')).rejects.toThrow(/duplicate key/);
    await expect(database.transaction((tx) => sql`select 1 / 0`.execute(tx))).rejects.toThrow(
      /division by zero/,
    );
    await expect(
      database.transaction((tx) => sql`select 1 / ${0}::int`.execute(tx)),
    ).rejects.toThrow(/division by zero/);
    await database.transaction(async () => {});
    await put(database, 'b');
    expect(namesOf(await readerOf(database)({ value: 'value' }))).toEqual(['a', 'b']);
  });

  it.each([
    ['without parameters', sql`insert into setting (name, value) values ('lost', 'value')`],
    ['with parameters', sql`insert into setting (name, value) values (${'lost'}, 'value')`],
  ])('that come first, %s, are part of their transaction', async (_which, first) => {
    const database = await openSingle();
    const work = database.transaction(async (tx) => {
      await first.execute(tx);
      throw new Error('On purpose.');
    });
    await expect(work).rejects.toThrow('On purpose.');
    expect(await readerOf(database)({ value: 'value' })).toEqual([]);
  });

  it('that a server refuses because it takes reads only leave the connection', async () => {
    const database = await openSingle();
    const readOnly = sql`set session characteristics as transaction read only`;
    await readOnly.execute(database.read);
    await expect(put(database, 'a')).rejects.toThrow(DatabaseUnavailable);
    await put(database, 'b');
    expect(namesOf(await readerOf(database)({ value: 'value' }))).toEqual(['b']);
  });

  it('say how many rows they wrote', async () => {
    const database = await openSingle();
    await put(database, 'a', 'b', 'c');
    const updated = await database.transaction((tx) =>
      tx.updateTable('setting').set({ value: 'other' }).where('name', '<', 'c').executeTakeFirst(),
    );
    const deleted = await database.transaction((tx) =>
      tx.deleteFrom('setting').where('value', '=', 'value').executeTakeFirst(),
    );
    expect([updated.numUpdatedRows, deleted.numDeletedRows]).toEqual([2n, 1n]);
  });
});
