import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql, Kysely } from 'kysely';
import pg from 'pg';
import { describe, expect, it, test } from 'vitest';
import { nextLine, startStoreChild } from '../../../../test/support/children.ts';
import { closedAfterEach } from '../../../../test/support/closing.ts';
import {
  eachDatabase,
  freshPostgres,
  postgres,
  freshDirectory,
} from '../../../../test/support/databases.ts';
import { DEFINITIONS } from '../../../monitor-types/registry.ts';
import { defaultSettings, FIELD_LIST } from '../../../monitor-types/settings.ts';
import { DatabaseUnavailable } from '../errors.ts';
import { claimSetting } from '../settings.ts';
import { MIGRATIONS, type NamedMigration } from './index.ts';
import { migrate, judgeCompatibility } from './migrate.ts';
import type { DatabaseOptions } from '../database.ts';
import type { Engine } from '../dialect.ts';
import { openPostgres } from '../postgres.ts';
import { openSqlite } from '../sqlite.ts';

/** Called after the test. */
type Cleanups = (() => Promise<void>)[];

interface Place {
  name: string;
  options(cleanups: Cleanups): Promise<DatabaseOptions>;
}

/** Databases without tables, on each engine that there is. */
const PLACES: readonly Place[] = [
  {
    name: 'SQLite',
    options: async (cleanups) => {
      const { place, remove } = await freshDirectory();
      cleanups.push(remove);
      return { engine: 'sqlite', directory: place };
    },
  },
  ...('missing' in postgres
    ? []
    : [
        {
          name: 'Postgres',
          options: async (cleanups: Cleanups): Promise<DatabaseOptions> => {
            const { place, remove } = await freshPostgres('empty');
            cleanups.push(remove);
            return { engine: 'postgres', url: place };
          },
        },
      ]),
];

/** What `migrate` needs, on a database that is not migrated when it is opened. */
function openToMigrate(
  options: DatabaseOptions,
  cleanups: Cleanups,
): { kysely: Kysely<unknown>; engine: Engine } {
  const { engine } = options;
  if (engine === 'postgres') {
    const { migrator, close } = openPostgres(options);
    cleanups.push(close);
    return { engine, kysely: new Kysely({ dialect: migrator }) };
  }
  const { writer, close } = openSqlite(options);
  cleanups.push(async () => close());
  return { engine, kysely: new Kysely({ dialect: writer }) };
}

/**
 * Name, engine and hash of each migration that databases out there have run. A released migration never changes: when one
 * of these lines fails, undo the change and append a migration. A new migration adds its line here, at the end. Until the
 * first release, which the changelog dates, the baseline itself is changed, and there are none.
 */
const RELEASED: string[][] = [];

const changelog = readFileSync(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8');

const isReleased = /^## \[[\d.]+\] – \d{4}/m.test(changelog);

const hash = (statements: string[]) =>
  createHash('sha256')
    .update(statements.join(';').replaceAll(/\s+/g, ' '))
    .digest('hex')
    .slice(0, 16);

const cleanups = closedAfterEach<() => Promise<void>>();

describe('the list of migrations', () => {
  it.runIf(isReleased)('only grows', () => {
    const now = MIGRATIONS.flatMap(({ name, statements }) =>
      (['sqlite', 'postgres'] as const).map((engine) => [name, engine, hash(statements(engine))]),
    );
    expect(now).toEqual(RELEASED);
  });

  it('is in the order of its names', () => {
    const names = MIGRATIONS.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z-]+$/);
  });
});

eachDatabase((engine, open) => {
  it('refuses a database of a newer version that says that this one may not use it [39.17]', async () => {
    const database = await open();
    await database.transaction(async (tx) => {
      await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(
        tx,
      );
      await claimSetting(tx, 'oldest_usable_migration', '9999-future');
    });
    const again = migrate(database.read as Kysely<unknown>, engine);
    await expect(again).rejects.toThrow(/newer version of Tocsin.*9999-future/);
  });
});

/** Table, column and whether it may be null, as the generated types have them. */
function columnsOfTheTypes(): string[] {
  const text = readFileSync(new URL('../schema.gen.ts', import.meta.url), 'utf8');
  let table = '';
  return [...text.matchAll(/^  (\w+): \{$|^    (\w+): (.+);$/gm)].flatMap(
    ([, name, column, type = '']) => {
      table = name ?? table;
      return column === undefined ? [] : [columnLine(table, column, type.includes('| null'))];
    },
  );
}

/** A column may be null where a monitor of some type holds nothing. */
function columnsOfTheFields(): string[] {
  const defaults = DEFINITIONS.map((type) =>
    defaultSettings(type, { regions: [], checkInterval: null }),
  );
  return FIELD_LIST.filter(({ field }) => field.codec !== null).map(({ name }) =>
    columnLine(
      'monitor',
      name,
      defaults.some((settings) => settings[name] === null),
    ),
  );
}

const columnLine = (table: string, column: string, nullable: boolean) =>
  `${table}.${column}${nullable ? ' or null' : ''}`;

eachDatabase((engine, open) => {
  it('makes the columns that the types promise', async () => {
    const database = await open();
    const made =
      engine === 'sqlite'
        ? sql<{ table: string; column: string; nullable: number }>`
            select t.name as "table", c.name as "column", c."notnull" = 0 and c.pk = 0 as nullable
            from pragma_table_list t, pragma_table_info(t.name) c
            where t.type = 'table' and t.name not like 'sqlite%' and t.name not like 'kysely%'`
        : sql<{ table: string; column: string; nullable: number }>`
            select table_name as "table", column_name as "column", (is_nullable = 'YES')::int as nullable
            from information_schema.columns
            where table_schema = 'public' and table_name not like 'kysely%'`;
    const { rows } = await made.execute(database.read);
    const lines = rows.map(({ table, column, nullable }) =>
      columnLine(table, column, nullable === 1),
    );
    expect(lines.toSorted()).toEqual(columnsOfTheTypes().toSorted());
    expect(lines).toEqual(expect.arrayContaining(columnsOfTheFields()));
  });
});

const next = (last: string): NamedMigration => ({
  name: '9998-next',
  statements: () => ['create table next (id integer primary key)', last],
});

describe.each(PLACES)('an empty $name', (place) => {
  const options = () => place.options(cleanups);

  it('is migrated once by processes that start at the same time [39.17]', async () => {
    const argument = JSON.stringify(await options());
    const children = [1, 2, 3].map(() => startStoreChild('open', argument));
    cleanups.push(...children.map((child) => child.kill));
    const answers = await Promise.all(children.map(nextLine));
    const ran = answers.map((line) => (JSON.parse(line) as string[]).length);
    expect(ran.toSorted()).toEqual([0, 0, MIGRATIONS.length]);
  });

  it('has nothing of a migration that fails, and takes the mended one', async () => {
    const db = openToMigrate(await options(), cleanups);
    const attempt = (last: string) => migrate(db.kysely, db.engine, [...MIGRATIONS, next(last)]);
    await expect(attempt('insert into missing values (1)')).rejects.toThrow('missing');
    const { ran } = await attempt('insert into next values (1)');
    expect(ran).toEqual([...MIGRATIONS.map(({ name }) => name), '9998-next']);
  });
});

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
