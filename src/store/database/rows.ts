import {
  sql,
  type Expression,
  type Generated,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  type Updateable,
} from 'kysely';
import type { Database, Db, Schema, Tx } from './contract.ts';
import { engineOf, forUpdate } from './dialect.ts';
import { prepareRowStatement, type Columns } from './prepared-statements.ts';

type TableWithId = {
  [Name in keyof Schema]: Schema[Name] extends { id: Generated<number> } ? Name : never;
}[keyof Schema];

/** A database of one table. Kysely can't follow columns through a type parameter; the functions below check them. */
type AnyDatabase = Kysely<{ row: { id: number } }>;
const open = (db: Db) => db as unknown as AnyDatabase;

/** Inserts a row. @returns its id. */
export async function insertRow<Table extends TableWithId>(
  db: Db,
  table: Table,
  row: Insertable<Schema[Table]>,
): Promise<number> {
  const { id } = await open(db)
    .insertInto(table as 'row')
    .values(row as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts rows, some hundred with a statement. @param taken what to do with one whose key another has; by default it fails. */
export async function insertRows<Table extends keyof Schema>(
  db: Db,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
  taken: 'fail' | 'skip' = 'fail',
): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_ROWS)
    await insertion(db, table, rows.slice(from, from + BATCH_ROWS), taken).execute();
}

/** Inserts a row unless another has its key. @returns its id; null for another. Postgres waits for a transaction that inserts that other one. */
export async function insertOnce<Table extends TableWithId>(
  db: Db,
  table: Table,
  row: Insertable<Schema[Table]>,
): Promise<number | null> {
  const made = await insertion(db, table, [row], 'skip').returning('id').executeTakeFirst();
  return made?.id ?? null;
}

/**
 * Inserts rows, and changes those whose key is there.
 *
 * @param kept columns that stay as they are then.
 */
export async function putRows<Table extends keyof Schema>(
  db: Db,
  table: Table,
  key: readonly ColumnOf<Table>[],
  rows: readonly Insertable<Schema[Table]>[],
  kept: readonly ColumnOf<Table>[] = [],
): Promise<void> {
  if (rows.length === 0) return;
  const same: readonly string[] = [...key, ...kept];
  const changed = Object.keys(rows[0]!).filter((name) => !same.includes(name));
  await open(db)
    .insertInto(table as 'row')
    .values(rows as never)
    .onConflict((conflict) =>
      conflict
        .columns(key as never)
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(changed.map((name) => [name, ref(`excluded.${name}` as 'id')])),
        ),
    )
    .execute();
}

const insertion = (db: Db, table: string, rows: readonly object[], taken: 'fail' | 'skip') =>
  open(db)
    .insertInto(table as 'row')
    .values(rows as never)
    .$if(taken === 'skip', (some) => some.onConflict((conflict) => conflict.doNothing()));

export async function updateRow<Table extends TableWithId>(
  db: Db,
  table: Table,
  id: number,
  columns: Updateable<Schema[Table]>,
): Promise<void> {
  await open(db)
    .updateTable(table as 'row')
    .set(columns as never)
    .where('id', '=', id)
    .execute();
}

type Test<Value> =
  | Value
  | readonly ['<' | '<=' | '>' | '>=' | '!=', Value]
  | readonly ['in', readonly Value[] | Expression<unknown>]
  | readonly ['is not', null];

/** Conditions that the columns of a row meet, all of them: a value that it has, or an operator with its operand. */
export type Where<Table extends keyof Schema> = {
  readonly [Column in keyof Selectable<Schema[Table]>]?: Test<Selectable<Schema[Table]>[Column]>;
};

/** Adds the conditions to a statement, in their order. */
function filter<Query extends { where(column: 'id', operator: '=', value: never): Query }>(
  query: Query,
  where: object,
): Query {
  return Object.entries(where).reduce((rest, [name, test]: [string, unknown]) => {
    const [operator, value] = Array.isArray(test) ? test : [test === null ? 'is' : '=', test];
    return rest.where(name as 'id', operator as '=', value as never);
  }, query);
}

/**
 * Reads rows; all columns, in no order and without a limit by default.
 *
 * @param order columns, the first decides first: `id`, or `id desc`.
 */
export function findRows<Table extends keyof Schema, Column extends ColumnOf<Table>>(
  ...query: Reading<Table, Column>
): Promise<Pick<Selectable<Schema[Table]>, Column>[]> {
  return reading(query).execute() as never;
}

const locking =
  (wait: 'wait' | 'skipLocked'): typeof findRows =>
  (...query) =>
    reading(query)
      .$call(forUpdate(engineOf(query[0]), wait))
      .execute() as never;

/** As `findRows`. Also locks the rows until the transaction ends (`forUpdate`). */
export const lockRows = locking('wait');

/** As `lockRows`, without the rows that another transaction has locked. */
export const claimRows = locking('skipLocked');

/** As `findRows`: the first row, or undefined. */
export async function findRow<Table extends keyof Schema, Column extends ColumnOf<Table>>(
  ...query: Reading<Table, Column>
) {
  return (await findRows(...query))[0];
}

type ColumnOf<Table extends keyof Schema> = keyof Selectable<Schema[Table]> & string;

type Reading<Table extends keyof Schema, Column extends ColumnOf<Table>> = [
  db: Db,
  table: Table,
  where: Where<Table>,
  columns?: readonly Column[] | 'all',
  order?: readonly (ColumnOf<Table> | `${ColumnOf<Table>} desc`)[],
  limit?: number,
];

function reading<Table extends keyof Schema, Column extends ColumnOf<Table>>(
  query: Reading<Table, Column>,
) {
  const [db, table, where, columns = 'all', order = [], limit] = query;
  const rows = open(db).selectFrom(table as 'row');
  const found = filter(columns === 'all' ? rows.selectAll() : rows.select(columns as never), where);
  const sorted = order.reduce((sofar, term) => {
    const [name, direction] = term.split(' ');
    return sofar.orderBy(name as 'id', direction as 'desc' | undefined);
  }, found);
  return limit === undefined ? sorted : sorted.limit(limit);
}

/** As `filter`. @throws Error if there is no condition: all rows of the table would change. */
const filterSome: typeof filter = (query, where) => {
  if (Object.keys(where).length === 0) throw new Error('A change of rows needs a condition.');
  return filter(query, where);
};

/** @returns how many rows there were. */
export async function deleteRows<Table extends keyof Schema>(
  db: Db,
  table: Table,
  where: Where<Table>,
): Promise<number> {
  const query = filterSome(open(db).deleteFrom(table as 'row'), where);
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}

/** @returns how many rows have these values. */
export async function updateRows<Table extends keyof Schema>(
  db: Db,
  table: Table,
  where: Where<Table>,
  columns: Updateable<Schema[Table]>,
): Promise<number> {
  const query = filterSome(
    open(db)
      .updateTable(table as 'row')
      .set(columns as never),
    where,
  );
  return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** Rows that a query finds, which needs to select nothing, or those of a table that meet conditions. */
type Found<Table extends keyof Schema> =
  | [query: { clearSelect(): unknown }]
  | [db: Db, table: Table, where: Where<Table>];

function queryOf<Table extends keyof Schema>(found: Found<Table>) {
  const query = found.length === 1 ? found[0] : reading(found);
  return (query as ReturnType<typeof reading>).clearSelect();
}

export async function countRows<Table extends keyof Schema>(
  ...found: Found<Table>
): Promise<number> {
  const counted = queryOf(found)
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Whether there is a row. */
export async function hasRow<Table extends keyof Schema>(...found: Found<Table>): Promise<boolean> {
  const one = queryOf(found).select(sql.lit(1).as('found')).limit(1);
  return (await one.executeTakeFirst()) !== undefined;
}

/** Rows deleted per transaction: a few milliseconds of the writer. */
export const BATCH_ROWS = 500;

/** Deletes one batch of rows in a transaction of its own. @returns whether there may be more. */
export function deleteBatch<Table extends keyof Schema>(
  database: Database,
  ...batch: Batch<Table>
): Promise<boolean> {
  return database.transaction((tx) => deleteSome(tx, ...batch));
}

/**
 * Condition that a column has one of the values that a query with a limit finds. They are found once: Postgres may
 * otherwise search them anew for each row, which took minutes where the statistics of a table were out of date.
 *
 * @param batch a query, or SQL in parentheses.
 */
export function inBatch(column: string, batch: Expression<unknown>): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} in (with batch as materialized ${batch} select * from batch)`;
}

/** Condition that no row of a table refers to the one that is looked at. @param of its column, with its table. */
export function unreferred(table: keyof Schema, column: string, of: string): RawBuilder<SqlBool> {
  const refers = sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(of)}`;
  return sql`not exists (select 1 from ${sql.table(table)} where ${refers})`;
}

/**
 * Which rows are deleted, the first in an order if that matters.
 *
 * @param key by which they are found, where it is not their id alone: such rows must meet the conditions again when they
 * are deleted, as they may have been renewed meanwhile.
 */
export type Batch<Table extends keyof Schema> = [
  table: Table,
  where: Where<Table>,
  order?: readonly ColumnOf<Table>[],
  key?: ColumnOf<Table>,
];

/** Deletes one batch of rows. @returns whether there may be more. */
export async function deleteSome<Table extends keyof Schema>(
  tx: Tx,
  ...[table, where, order = [], key]: Batch<Table>
): Promise<boolean> {
  const column = key ?? ('id' as ColumnOf<Table>);
  const batch = reading([tx, table, where, [column], order, BATCH_ROWS]);
  const rows = open(tx)
    .deleteFrom(table as 'row')
    .where(inBatch(column, batch));
  const { numDeletedRows } = await filter(
    rows,
    key === undefined ? {} : where,
  ).executeTakeFirstOrThrow();
  return numDeletedRows >= BATCH_ROWS;
}

/** Writes any number of rows. Each row holds the values of the statement's columns in their order. */
type WriteRows = (tx: Tx, rows: readonly (readonly unknown[])[]) => Promise<void>;

export function prepareInsert(table: keyof Schema, columns: Columns): WriteRows {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  return prepareRowStatement(
    columns,
    ({ values, from }) => sql`insert into ${sql.table(table)} (${names}) select ${values} ${from}`,
  );
}

/** Prepares a statement that updates rows by a key, the first of the columns. */
export function prepareUpdate(table: keyof Schema, columns: Columns): WriteRows {
  const [key, ...others] = Object.keys(columns) as [string, ...string[]];
  return prepareRowStatement(columns, ({ value, from }) => {
    const set = others.map((name) => sql`${sql.ref(name)} = ${value(name)}`);
    return sql`update ${sql.table(table)} set ${sql.join(set)} ${from}
      where ${sql.ref(`${table}.${key}`)} = ${value(key)}`;
  });
}
