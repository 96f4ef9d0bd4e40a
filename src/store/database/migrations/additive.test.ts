import { expect, test } from 'vitest';
import { MIGRATIONS } from './index.ts';

const NAME = '[a-z_0-9]+';

/** What a program that does not know a statement never notices, but for columns, which `addsColumn` judges. */
const HARMLESS = [
  new RegExp(`^create table ${NAME} \\(`),
  new RegExp(`^create index ${NAME} on ${NAME} `),
  new RegExp(`^create (or replace )?function ${NAME}\\(`),
  new RegExp(`^create trigger ${NAME} after `),
  new RegExp(`^alter table ${NAME} set \\(`),
];

/** A column that rows of a program which does not know it can be without. */
function addsColumn(statement: string): boolean {
  const [, column] =
    new RegExp(`^alter table ${NAME} add column ${NAME} (.*)$`).exec(statement) ?? [];
  if (column === undefined || /\b(unique|references|check|primary key)\b/.test(column))
    return false;
  return !column.includes('not null') || column.includes('default ');
}

/** Statements of a migration on which a program of the release before may fail, or whose work it does not do for new rows. */
function breakingIn(statements: readonly string[]): string[] {
  const texts = statements.map((one) => one.trim().toLowerCase().replaceAll(/\s+/g, ' '));
  const made = new Set(texts.flatMap((text) => /^create table (\S+)/.exec(text)?.[1] ?? []));
  return texts.filter((text) => {
    const unique = /^create unique index \S+ on (\S+)/.exec(text)?.[1];
    if (unique !== undefined) return !made.has(unique);
    return !HARMLESS.some((form) => form.test(text)) && !addsColumn(text);
  });
}

test.each<[string, boolean]>([
  ['create table pigeon (id integer primary key)', true],
  ['create index pigeon_at on monitor (created_at)', true],
  ['create unique index pigeon_at on monitor (created_at)', false],
  ['alter table monitor add column pigeon text', true],
  ['alter table monitor add column pigeon integer not null default 0', true],
  ['alter table monitor add column pigeon integer not null', false],
  ['alter table monitor add column pigeon integer unique', false],
  ['alter table monitor add column pigeon integer references pigeon (id)', false],
  ['alter table monitor rename column name to pigeon', false],
  ['alter table monitor drop column name', false],
  ['alter table monitor set (fillfactor = 90)', true],
  ['alter table monitor set schema pigeon', false],
  ['drop table monitor', false],
  [`update monitor set name = 'pigeon'`, false],
  ['insert into pigeon select id from monitor', false],
  ['create trigger pigeon after insert on monitor begin select 1; end', true],
  ['create trigger pigeon before insert on monitor begin select 1; end', false],
])('%s: only adds: %s', (statement, expected) => {
  expect(breakingIn([`  ${statement.replace(' ', '\n  ')}`]).length === 0).toBe(expected);
});

test('an index of a table that is new may be unique', () => {
  const statements = ['create table pigeon (id integer)', 'create unique index p on pigeon (id)'];
  expect(breakingIn(statements)).toEqual([]);
});

test.each(['sqlite', 'postgres'] as const)(
  'a migration that does more than to add is marked as breaking, on %s',
  (engine) => {
    const [, ...later] = MIGRATIONS.filter(({ isBreaking }) => !isBreaking);
    const found = later.flatMap(({ name, statements }) =>
      breakingIn(statements(engine)).map((statement) => `${name}: ${statement}`),
    );
    expect(found).toEqual([]);
  },
);
