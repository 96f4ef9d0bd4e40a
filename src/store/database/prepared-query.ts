import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';

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

/** The name of a statement; null if it has none. */
export function nameOfQuery(query: CompiledQuery): string | null {
  return (query as Partial<PreparedQuery>).statementName ?? null;
}
