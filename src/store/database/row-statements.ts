import { sql } from 'kysely';
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import { engineOf, type Engine, type JsonColumn } from './dialect.ts';
import type { Schema } from './schema.ts';
import { nameQuery, oncePerEngine } from './prepared-statements.ts';

/**
 * A statement that SQLite runs once for each of `rows`, which are its parameters: binding values takes a third of the time
 * of reading them from JSON. Only the SQLite driver knows it.
 */
export interface EachRowQuery extends CompiledQuery {
  readonly rows: readonly (readonly unknown[])[];
}

export function isEachRowQuery(query: CompiledQuery): query is EachRowQuery {
  return (query as Partial<EachRowQuery>).rows !== undefined;
}

/** Values by name: those of a `blob` are bytes. */
export type Columns = Readonly<Record<string, JsonColumn>>;

/** Runs a prepared statement for any number of rows. Each holds the values of the statement's columns in their order. */
export type RowStatement = (
  db: Kysely<Schema>,
  rows: readonly (readonly unknown[])[],
) => Promise<void>;

/** Parts of a statement that writes rows. */
interface RowParts {
  /** The value of a column. */
  value(column: string): RawBuilder<unknown>;
  /** All values, in the order of the columns. */
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
    const filled: EachRowQuery | CompiledQuery =
      engineOf(db) === 'sqlite'
        ? { ...query, rows }
        : { ...query, parameters: arrayTexts(columns, rows) };
    await db.executeQuery(filled);
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
