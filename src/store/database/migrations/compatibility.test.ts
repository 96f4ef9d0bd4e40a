import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, test } from 'vitest';
import { closedAfterEach } from '../../../../test/support/closing.ts';
import { freshPostgres, postgres } from '../../../../test/support/databases.ts';
import { openToMigrate, PLACES } from '../../../../test/support/migrations.ts';
import { DatabaseUnavailable } from '../errors.ts';
import { judgeCompatibility } from './compatibility.ts';
import { MIGRATIONS, type NamedMigration } from './index.ts';
import { migrate } from './migrate.ts';

test.each<[string, { known: string[]; done: string[]; oldest: string | null }, boolean]>([
  ['the same migrations', { known: ['1', '2'], done: ['1', '2'], oldest: '1' }, true],
  ['some are still to run', { known: ['1', '2'], done: ['1'], oldest: null }, true],
  ['newer ones that add', { known: ['1', '2'], done: ['1', '2', '3', '4'], oldest: '2' }, true],
  [
    'newer ones, one of which breaks',
    { known: ['1', '2'], done: ['1', '2', '3'], oldest: '3' },
    false,
  ],
  [
    'newer ones that add, none of which ever broke',
    { known: ['1', '2'], done: ['1', '2', '3'], oldest: null },
    true,
  ],
  [
    'newer ones, and its own have not run',
    { known: ['1', '2'], done: ['1', '3'], oldest: '1' },
    false,
  ],
  ['the tables of another program', { known: ['1'], done: ['3', '4'], oldest: null }, false],
])('%s', (_, { known, done, oldest }, expected) => {
  const { newer, isUsable } = judgeCompatibility(known, done, oldest);
  expect(isUsable).toBe(expected);
  expect(newer).toEqual(done.filter((name) => !known.includes(name)));
});

const cleanups = closedAfterEach<() => Promise<void>>();

const ADDS: NamedMigration = {
  name: '9998-adds',
  statements: () => ['alter table monitor add column pigeon text'],
};
const BREAKS: NamedMigration = {
  name: '9999-breaks',
  statements: () => ['alter table monitor drop column pigeon'],
  isBreaking: true,
};

describe.each(PLACES)('a program of the release before, on $name', (place) => {
  it('works with tables to which a newer one has added, and changes nothing of them', async () => {
    const { kysely, engine } = openToMigrate(await place.options(cleanups), cleanups);
    await migrate(kysely, engine);
    await migrate(kysely, engine, [...MIGRATIONS, ADDS]);
    expect(await migrate(kysely, engine)).toEqual({ ran: [], newer: [ADDS.name] });
    await sql`select pigeon from monitor`.execute(kysely);
    const again = await migrate(kysely, engine, [...MIGRATIONS, ADDS]);
    expect(again).toEqual({ ran: [], newer: [] });
  });

  it('refuses tables from which a newer one has taken, and one that knows that goes on', async () => {
    const { kysely, engine } = openToMigrate(await place.options(cleanups), cleanups);
    await migrate(kysely, engine, [...MIGRATIONS, ADDS]);
    const more = { name: '99991-more', statements: () => ['create table more (id integer)'] };
    await migrate(kysely, engine, [...MIGRATIONS, ADDS, BREAKS, more]);
    const refused = /newer version of Tocsin \(it has 9998-adds, 9999-breaks, 99991-more\)/;
    await expect(migrate(kysely, engine)).rejects.toThrow(refused);
    await expect(migrate(kysely, engine, [...MIGRATIONS, ADDS])).rejects.toThrow(/newer version/);
    const { newer } = await migrate(kysely, engine, [...MIGRATIONS, ADDS, BREAKS]);
    expect(newer).toEqual([more.name]);
  });
});

test.skipIf('missing' in postgres)(
  'a migration gives up on a table that somebody reads, so that others do not wait behind it',
  async () => {
    const { place, remove } = await freshPostgres();
    cleanups.push(remove);
    const { kysely, engine } = openToMigrate({ engine: 'postgres', url: place }, cleanups);
    const reader = new pg.Client({ connectionString: place });
    await reader.connect();
    cleanups.push(() => reader.end());
    await reader.query('begin; select 1 from monitor');
    const attempt = () => migrate(kysely, engine, [...MIGRATIONS, ADDS]);
    await expect(attempt()).rejects.toThrow(DatabaseUnavailable);
    await reader.query('commit');
    expect((await attempt()).ran).toEqual([ADDS.name]);
  },
);
