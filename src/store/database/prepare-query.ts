import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import { engineOf, type Engine } from './dialect.ts';
import { nameQuery } from './prepared-query.ts';
import type { Schema } from './schema.ts';

/** A prepared query with named parameters. Runs on any reader and in any transaction. */
type Query<Row, Parameter extends string> = (
  db: Kysely<Schema>,
  parameters: Record<Parameter, string | number>,
) => Promise<Row[]>;

/**
 * Prepares a query that runs with every request: building its text takes longer than running it. `build` is called once per
 * engine, with a placeholder for each parameter, which may be used as a value only.
 */
export function prepareQuery<Row, Parameter extends string>(
  names: readonly Parameter[],
  build: (placeholders: Record<Parameter, string>, engine: Engine) => RawBuilder<Row>,
): Query<Row, Parameter> {
  const compiled = new Map<Engine, { query: CompiledQuery<Row>; places: Parameter[] }>();
  const placeholders = Object.fromEntries(names.map((name) => [name, `:${name}`])) as Record<
    Parameter,
    string
  >;

  function compile(db: Kysely<Schema>, engine: Engine) {
    const query = nameQuery(build(placeholders, engine).compile(db));
    const places = query.parameters.map((value) => names.find((name) => `:${name}` === value)!);
    if (places.some((name) => name === undefined)) {
      throw new Error('A prepared query takes all its values as parameters.');
    }
    const known = { query, places };
    compiled.set(engine, known);
    return known;
  }

  return async (db, parameters) => {
    const engine = engineOf(db);
    const { query, places } = compiled.get(engine) ?? compile(db, engine);
    const values = places.map((name) => parameters[name]);
    return (await db.executeQuery<Row>({ ...query, parameters: values })).rows;
  };
}

/** Ids as one parameter of a prepared query, for a `jsonTable` with one column. */
export function idsParameter(ids: Iterable<number>): string {
  return JSON.stringify(Array.from(ids, (id) => [id]));
}
