import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import { engineOf, type Engine } from './dialect.ts';
import type { Schema } from './schema.ts';

/** Runs a statement with these parameters. */
export type Statement<Row, Parameter extends string> = (
  parameters: Record<Parameter, string | number>,
) => Promise<Row[]>;

/**
 * A statement whose text is made once, for those that are run with every request: making it takes longer than running
 * it. `build` gets a stand-in for each parameter, which may be used as a value and in no other way.
 */
export function prepareStatement<Row, Parameter extends string>(
  db: Kysely<Schema>,
  names: readonly Parameter[],
  build: (standIns: Record<Parameter, string>) => Compilable<Row>,
): Statement<Row, Parameter> {
  const standIns = Object.fromEntries(names.map((name) => [name, `:${name}`]));
  const query = build(standIns as Record<Parameter, string>).compile();
  const nameOf = new Map(Object.entries(standIns).map(([name, standIn]) => [standIn, name]));
  const places = query.parameters.map((value) => nameOf.get(value as string) as Parameter);
  if (places.some((name) => name === undefined)) {
    throw new Error('A prepared statement takes all its values as parameters.');
  }
  return async (parameters) => {
    const values = places.map((name) => parameters[name]);
    return (await db.executeQuery<Row>({ ...query, parameters: values })).rows;
  };
}

/** Runs a statement whose only parameter is JSON, in a transaction or outside. */
export type JsonStatement<Row> = (db: Kysely<Schema>, json: string) => Promise<QueryResult<Row>>;

/**
 * The same for a statement that takes all its rows as JSON (see `jsonTable`) and may be part of any transaction.
 * `build` is called once for each engine.
 */
export function prepareJsonStatement<Row = unknown>(
  build: (db: Kysely<Schema>, engine: Engine, json: string) => CompiledQuery<Row>,
): JsonStatement<Row> {
  const queries = new Map<Engine, CompiledQuery<Row>>();
  return (db, json) => {
    const engine = engineOf(db);
    let query = queries.get(engine);
    if (query === undefined) {
      query = build(db, engine, json);
      if (query.parameters.length !== 1 || query.parameters[0] !== json) {
        throw new Error('A prepared statement of this kind takes its JSON as its only parameter.');
      }
      queries.set(engine, query);
    }
    return db.executeQuery({ ...query, parameters: [json] });
  };
}
