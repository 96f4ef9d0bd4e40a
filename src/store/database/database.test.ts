import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import type { OpenDatabase } from './database.ts';
import { forUpdate } from './dialect.ts';
import { DatabaseUnavailable, isForeignKeyViolation, isUniqueViolation } from './errors.ts';
import { getProgress, setProgress } from './progress.ts';

const setting = (database: OpenDatabase, name: string) =>
  database.read.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();

const names = async (database: OpenDatabase) => {
  const rows = await database.read.selectFrom('setting').select('name').orderBy('name').execute();
  return rows.map((row) => row.name);
};

const INSIDE = /inside its own transaction/;

eachDatabase((engine, open) => {
  it('opens with all tables and the 256 shards', async () => {
    const database = await open();
    const rows = await database.scan.selectFrom('shard').select('shard').orderBy('shard').execute();
    expect(rows.map((row) => row.shard)).toEqual(Array.from({ length: 256 }, (_, n) => n));
    expect(database.engine).toBe(engine);
  });

  it('keeps what a transaction wrote, and answers what its work answered', async () => {
    const database = await open();
    const answer = await database.transaction(async (tx) => {
      await tx.insertInto('setting').values({ name: 'a', value: '1' }).execute();
      return 42;
    });
    expect(answer).toBe(42);
    expect(await setting(database, 'a')).toEqual({ value: '1' });
  });

  it('keeps nothing when the work rejects, and rejects with its error', async () => {
    const database = await open();
    const mistake = new Error('the work failed');
    const work = database.transaction(async (tx) => {
      await tx.insertInto('setting').values({ name: 'a', value: '1' }).execute();
      throw mistake;
    });
    await expect(work).rejects.toBe(mistake);
    expect(await names(database)).toEqual([]);
  });

  it('keeps nothing when a statement failed, even if the work goes on', async () => {
    const database = await open();
    let first: unknown;
    const work = database.transaction(async (tx) => {
      const insert = tx.insertInto('setting').values({ name: 'a', value: '1' });
      await insert.execute();
      await insert.execute().catch((error: unknown) => (first = error));
      await tx
        .insertInto('setting')
        .values({ name: 'b', value: '2' })
        .execute()
        .catch(() => {});
    });
    await expect(work).rejects.toSatisfy((error) => error === first && isUniqueViolation(error));
    expect(await names(database)).toEqual([]);
  });

  it('runs concurrent transactions without losing an update', async () => {
    const database = await open();
    await database.transaction((tx) => setProgress(tx, 'counter', 0));
    const increment = () =>
      database.transaction(async (tx) => {
        const row = await tx
          .selectFrom('progress')
          .select('position')
          .$call(forUpdate(engine))
          .executeTakeFirstOrThrow();
        await setProgress(tx, 'counter', row.position + 1);
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(await getProgress(database.read, 'counter')).toBe(20);
  });

  it('refuses to be used inside its own transaction, and works afterwards', async () => {
    const database = await open();
    const { read } = database;
    const uses: Record<string, () => Promise<unknown>> = {
      read: async () => await database.read.selectFrom('setting').selectAll().execute(),
      'read, held from before': async () => await read.selectFrom('setting').selectAll().execute(),
      scan: async () => await database.scan.selectFrom('setting').selectAll().execute(),
      now: async () => await database.now(),
      transaction: async () => await database.transaction(async () => {}),
    };
    for (const [name, use] of Object.entries(uses)) {
      await expect(database.transaction(use), name).rejects.toThrow(INSIDE);
      await use();
    }
  });

  it('lets what a transaction left behind use the database when it is over', async () => {
    const database = await open();
    const over = Promise.withResolvers<void>();
    let later!: Promise<string[]>;
    await database.transaction(async (tx) => {
      await tx.insertInto('setting').values({ name: 'a', value: '1' }).execute();
      later = over.promise.then(() => names(database));
    });
    over.resolve();
    expect(await later).toEqual(['a']);
  });

  it('does not take another database for its own', async () => {
    const [one, other] = [await open(), await open()];
    await one.transaction(async () => await setting(other, 'a'));
  });

  it('refuses a query that comes after the end of its transaction', async () => {
    const database = await open();
    const kept = await database.transaction(async (tx) => tx);
    const late = kept.insertInto('setting').values({ name: 'late', value: '' }).execute();
    await expect(late).rejects.toThrow();
    expect(await names(database)).toEqual([]);
  });

  it('tells violations apart', async () => {
    const database = await open();
    const attempt = (work: Parameters<OpenDatabase['transaction']>[0]) =>
      database.transaction(work).then(
        () => null,
        (error: unknown) => [isUniqueViolation(error), isForeignKeyViolation(error)],
      );
    const team = { name: 'T', slug: 't', personal_team: 0, created_at: 1, updated_at: 1 };
    const member = { person_id: 1, role: 'owner', status: 'active', added_at: 1 };
    const shard = { shard: 7, version: 0, lease_until: 0 };
    expect(await attempt((tx) => tx.insertInto('team').values(team).execute())).toBeNull();
    expect(await attempt((tx) => tx.insertInto('team').values(team).execute())).toEqual([
      true,
      false,
    ]);
    expect(await attempt((tx) => tx.insertInto('shard').values(shard).execute())).toEqual([
      true,
      false,
    ]);
    expect(
      await attempt((tx) =>
        tx
          .insertInto('member')
          .values({ ...member, team_id: 99 })
          .execute(),
      ),
    ).toEqual([false, true]);
    expect(await attempt(() => Promise.reject(new Error('other')))).toEqual([false, false]);
  });

  it.each([
    ['a Date', new Date(0)],
    ['undefined', undefined],
    ['boolean', true],
    ['NaN', Number.NaN],
    ['an array', [1]],
    ['object', {}],
  ])('refuses %s as a parameter', async (name, value) => {
    const database = await open();
    const query = sql`select ${value} as value, ${1} as one`.execute(database.read);
    await expect(query).rejects.toThrow(`Parameter 1 is ${name};`);
  });

  it('answers integers, sums and counts as numbers, and bytes as bytes', async () => {
    const database = await open();
    const big = Number.MAX_SAFE_INTEGER;
    await database.transaction(async (tx) => {
      await setProgress(tx, 'a', big);
      const data = new Uint8Array([0, 1, 255]);
      await tx.insertInto('rollup_hour').values({ monitor_id: 1, at: 3_600_000, data }).execute();
    });
    const row = await database.read
      .selectFrom('progress')
      .select((eb) => [
        eb.fn.sum('position').as('sum'),
        eb.fn.countAll().as('count'),
        eb.fn.max('position').as('position'),
      ])
      .executeTakeFirst();
    expect(row).toEqual({ sum: big, count: 1, position: big });
    const { data } = await database.read
      .selectFrom('rollup_hour')
      .select('data')
      .executeTakeFirstOrThrow();
    expect(data).toBeInstanceOf(Uint8Array);
    expect([...data]).toEqual([0, 1, 255]);
  });

  it('refuses a value of the wrong type', async () => {
    const database = await open();
    const wrong = { name: 'a', position: 'many' as unknown as number };
    const work = database.transaction((tx) => tx.insertInto('progress').values(wrong).execute());
    await expect(work).rejects.toThrow();
  });

  it('knows the time', async () => {
    const database = await open();
    const [before, now] = [Date.now(), await database.now()];
    const inside = await database.transaction((tx) => database.now(tx));
    expect(Number.isInteger(now)).toBe(true);
    // Two clocks of one machine; the one of Postgres counts microseconds, which are cut off.
    expect(now).toBeGreaterThanOrEqual(before - 1);
    expect(inside).toBeGreaterThanOrEqual(now);
  });

  it('lets what is under way end before it closes, and refuses the rest', async () => {
    const database = await open();
    const [entered, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const work = database.transaction(async (tx) => {
      entered.resolve();
      await goOn.promise;
      await tx.insertInto('setting').values({ name: 'a', value: '1' }).execute();
      return 'kept';
    });
    await entered.promise;
    const closed = database.close();
    await expect(setting(database, 'a')).rejects.toThrow(DatabaseUnavailable);
    await expect(database.transaction(async () => {})).rejects.toThrow(DatabaseUnavailable);
    goOn.resolve();
    expect(await work).toBe('kept');
    await closed;
    await database.close();
  });

  it('remembers how far a job has come', async () => {
    const database = await open();
    expect(await getProgress(database.read, 'roll-up')).toBeNull();
    await database.transaction(async (tx) => {
      await setProgress(tx, 'roll-up', 1);
      await setProgress(tx, 'roll-up', 2);
      expect(await getProgress(tx, 'roll-up')).toBe(2);
    });
    expect(await getProgress(database.read, 'roll-up')).toBe(2);
  });
});
