import { createHash } from 'node:crypto';
import {
  sql,
  type Compilable,
  type CompiledQuery,
  type QueryResult,
  type RawBuilder,
} from 'kysely';
import { engineOf, type Engine, type JsonColumn } from './dialect.ts';
import type { Db } from './contract.ts';

/**
 * A statement that Postgres parses and plans once for each connection, by this name. Its text is always the same, and one
 * plan is good for all its values: mark no statement whose best plan depends on how many rows a value stands for.
 */
export interface PreparedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly statementName: string;
}

/** Names a statement by its text, so that all processes use the same name. SQLite prepares all statements and needs no name. */
export function nameQuery<Row>(query: CompiledQuery<Row>): PreparedQuery<Row> {
  const hash = createHash('sha256').update(query.sql).digest('base64url').slice(0, 22);
  return { ...query, statementName: `tocsin_${hash}` };
}

export function nameOfQuery(query: CompiledQuery): string | null {
  return (query as Partial<PreparedQuery>).statementName ?? null;
}

type Values<Parameter extends string> = Record<Parameter, string | number>;
type Placeholders<Parameter extends string> = Record<Parameter, string>;

type Statement<Row, Parameter extends string> = (values: Values<Parameter>) => Promise<Row[]>;

/**
 * Prepares a statement that runs with every request: building its text takes longer than running it. `build` gets a
 * placeholder for each parameter, which may be used as a value only. Postgres uses one plan for all values (see
 * `PreparedQuery`), so no index of teams may be the way to a few rows.
 */
export function prepareStatement<Row, Parameter extends string>(
  db: Db,
  names: readonly Parameter[],
  build: (placeholders: Placeholders<Parameter>) => Compilable<Row>,
): Statement<Row, Parameter> {
  const fill = filled(names, (placeholders) => build(placeholders).compile());
  return async (values) => (await db.executeQuery(fill(values))).rows;
}

type Query<Row, Parameter extends string> = (db: Db, values: Values<Parameter>) => Promise<Row[]>;

/** The same for a query that is written as SQL and runs on any reader and in any transaction. `build` is called once per engine. */
export function prepareQuery<Row, Parameter extends string>(
  names: readonly Parameter[],
  build: (placeholders: Placeholders<Parameter>, engine: Engine) => RawBuilder<Row>,
): Query<Row, Parameter> {
  const fillOf = oncePerEngine((db, engine) =>
    filled(names, (placeholders) => build(placeholders, engine).compile(db)),
  );
  return async (db, values) => (await db.executeQuery(fillOf(db)(values))).rows;
}

type JsonStatement<Row> = (db: Db, json: string) => Promise<QueryResult<Row>>;

/**
 * The same for a statement that takes all its rows as JSON (see `jsonTable`), and returns what was written, too. `build` is
 * called once per engine.
 */
export function prepareJsonStatement<Row = unknown>(
  build: (db: Db, engine: Engine, json: string) => CompiledQuery<Row>,
): JsonStatement<Row> {
  const fillOf = oncePerEngine((db, engine) =>
    filled(['json'], ({ json }) => build(db, engine, json)),
  );
  return (db, json) => db.executeQuery(fillOf(db)({ json }));
}

/** Ids as one parameter of a prepared query, for a `jsonTable` with one column. */
export function idsParameter(ids: Iterable<number>): string {
  return JSON.stringify(Array.from(ids, (id) => [id]));
}

/** Prepares a statement, and returns how it gets its values. @throws if it has a value that is no parameter. */
function filled<Row, Parameter extends string>(
  names: readonly Parameter[],
  build: (placeholders: Placeholders<Parameter>) => CompiledQuery<Row>,
): (values: Values<Parameter>) => CompiledQuery<Row> {
  const nameOf = new Map(names.map((name) => [`:${name}`, name]));
  const placeholders = Object.fromEntries(names.map((name) => [name, `:${name}`]));
  const query = nameQuery(build(placeholders as Placeholders<Parameter>));
  const places = query.parameters.map((value) => nameOf.get(value as string)!);
  if (places.some((name) => name === undefined)) {
    throw new Error('A prepared statement takes all its values as parameters.');
  }
  return (values) => ({ ...query, parameters: places.map((name) => values[name]) });
}

/** Calls `make` once per engine, when its result is first needed. */
export function oncePerEngine<Made>(make: (db: Db, engine: Engine) => Made): (db: Db) => Made {
  const made = new Map<Engine, Made>();
  return (db) => {
    const engine = engineOf(db);
    let known = made.get(engine);
    if (known === undefined) made.set(engine, (known = make(db, engine)));
    return known;
  };
}

/**
 * A statement that SQLite runs once for each of `rows`, which are its parameters: binding values takes a third of the time
 * of reading them from JSON. Only the SQLite driver knows it.
 */
interface EachRowQuery extends CompiledQuery {
  readonly rows: readonly (readonly unknown[])[];
}

export function isEachRowQuery(query: CompiledQuery): query is EachRowQuery {
  return (query as Partial<EachRowQuery>).rows !== undefined;
}

/** Values by name: those of a `blob` are bytes. */
export type Columns = Readonly<Record<string, JsonColumn>>;

/** Runs a prepared statement for any number of rows. Each holds the values of the statement's columns in their order. */
export type RowStatement = (db: Db, rows: readonly (readonly unknown[])[]) => Promise<void>;

interface RowParts {
  value(column: string): RawBuilder<unknown>;
  values: RawBuilder<unknown>;
  /** Clause that names the rows, where the engine takes all at once. */
  from: RawBuilder<unknown>;
  engine: Engine;
}

/**
 * Prepares a statement that writes rows. Postgres runs it once, with an array for each column, and SQLite once for each row;
 * on both it is one call of the driver. `build` is called once per engine.
 */
export function prepareRowStatement(
  columns: Columns,
  build: (parts: RowParts) => RawBuilder<unknown>,
): RowStatement {
  const queryOf = oncePerEngine((db, engine) =>
    nameQuery(build(PARTS[engine](columns)).compile(db)),
  );
  return async (db, rows) => {
    if (rows.length === 0) return;
    const query = queryOf(db);
    const bound: EachRowQuery | CompiledQuery =
      engineOf(db) === 'sqlite'
        ? { ...query, rows }
        : { ...query, parameters: arrayTexts(columns, rows) };
    await db.executeQuery(bound);
  };
}

const givenValue = (column: string) => sql.ref(`v.${column}`);

const PARTS: Record<Engine, (columns: Columns) => RowParts> = {
  sqlite(columns) {
    const places = new Map(
      Object.keys(columns).map((name, index) => [name, sql.raw(`?${index + 1}`)]),
    );
    const value = (column: string) => places.get(column)!;
    return { value, values: sql.join([...places.values()]), from: sql.raw(''), engine: 'sqlite' };
  },
  postgres(columns) {
    const names = Object.keys(columns);
    const arrays = Object.values(columns).map((type, index) =>
      sql.raw(`$${index + 1}::${ARRAY_TYPE[type]}`),
    );
    const given = sql.join(names.map((name) => sql.ref(name)));
    return {
      value: givenValue,
      values: sql.join(names.map(givenValue)),
      from: sql`from unnest(${sql.join(arrays)}) as v (${given})`,
      engine: 'postgres',
    };
  },
};

const ARRAY_TYPE = {
  integer: 'bigint[]',
  real: 'double precision[]',
  text: 'text[]',
  blob: 'bytea[]',
} as const satisfies Record<JsonColumn, string>;

/** Each column as the text of a Postgres array. */
export function arrayTexts(columns: Columns, rows: readonly (readonly unknown[])[]): string[] {
  return Object.values(columns).map(
    (type, index) => `{${rows.map((row) => elementOf(type, row[index])).join(',')}}`,
  );
}

function elementOf(type: JsonColumn, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (type === 'blob') return `"\\\\x${(value as Buffer).toString('hex')}"`;
  if (type !== 'text') return String(value);
  return `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`;
}
