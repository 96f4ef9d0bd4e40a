import { createHash } from 'node:crypto';
import { DEFINITIONS } from '../../../monitor-types/registry.ts';
import { defaultSettings, FIELD_LIST } from '../../../monitor-types/settings.ts';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { nextLine, startStoreChild } from '../../../../test/support/children.ts';
import { eachDatabase } from '../../../../test/support/databases.ts';
import { openToMigrate, PLACES } from '../../../../test/support/migrations.ts';
import { writeSetting } from '../settings.ts';
import { MIGRATIONS, type NamedMigration } from './index.ts';
import { migrate } from './migrate.ts';
import { closedAfterEach } from '../../../../test/support/closing.ts';

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
      const value = '9999-future';
      await writeSetting(tx, 'oldest_usable_migration', value);
    });
    const again = migrate(database.read as Kysely<unknown>, engine);
    await expect(again).rejects.toThrow(/newer version of Tocsin.*9999-future/);
  });
});

/** Table, column and whether it may be null, as schema.ts has them, and the table of a monitor's fields. */
function columnsOfTheTypes(): string[] {
  const text = [
    'schema.ts',
    'schema-people.ts',
    'schema-alerts.ts',
    'schema-pages.ts',
    'schema-corrections.ts',
    'schema-reports.ts',
    'schema-oauth.ts',
    'schema-live.ts',
    'schema-installation.ts',
  ]
    .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
    .join('\n');
  const { statements } = ts.createSourceFile('schema.ts', text, ts.ScriptTarget.Latest);
  const interfaces = new Map(
    statements
      .filter((statement) => ts.isInterfaceDeclaration(statement))
      .map(({ name, members }) => [name.text, members.filter(ts.isPropertySignature)]),
  );
  const typeOf = (member: ts.PropertySignature) =>
    text.slice(member.type!.pos, member.type!.end).trim();
  const columns = [
    'Schema',
    'AlertSchema',
    'PeopleSchema',
    'PagesSchema',
    'CorrectionsSchema',
    'ReportsSchema',
    'OauthSchema',
    'LiveSchema',
    'InstallationSchema',
  ]
    .flatMap((part) => interfaces.get(part)!)
    .flatMap((table) =>
      interfaces
        .get(typeOf(table))!
        .map((column) =>
          columnLine(nameOf(table), nameOf(column), typeOf(column).endsWith('| null')),
        ),
    );
  return [...columns, ...columnsOfTheFields()];
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

const nameOf = (member: ts.PropertySignature) => (member.name as ts.Identifier).text;

const columnLine = (table: string, column: string, nullable: boolean) =>
  `${table}.${column}${nullable ? ' or null' : ''}`;

eachDatabase((engine, open) => {
  it('makes the columns that schema.ts promises', async () => {
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
