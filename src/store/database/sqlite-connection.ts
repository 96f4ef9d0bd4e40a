import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { lowerCase } from './dialect.ts';

const CACHED_STATEMENTS = 500;

export interface SqliteFile {
  /** A file, or `:memory:`. */
  path: string;
  readOnly: boolean;
  /** How long to wait for another process that holds the file. It stops the thread: keep it short. */
  busyTimeoutMs: number;
  cacheKib: number;
}

/** One connection to a SQLite file in this thread, with its prepared statements. */
export class SqliteConnection implements DatabaseConnection {
  readonly raw: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor({ path, readOnly, busyTimeoutMs, cacheKib }: SqliteFile) {
    this.raw = new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs });
    this.raw.exec(`pragma cache_size = -${cacheKib}; pragma temp_store = memory`);
    // SQLite's own knows the case of ASCII only.
    this.raw.function('lower', { deterministic: true }, (text) =>
      text === null ? null : lowerCase(String(text)),
    );
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query.sql, query.parameters as SQLInputValue[]);
  }

  run<Row>(text: string, parameters: readonly SQLInputValue[] = []): QueryResult<Row> {
    const { statement, shape } = this.#prepare(text);
    if (shape !== null) {
      const found = statement.all(...parameters) as unknown as unknown[][];
      return { rows: found.map((values) => rowOf(shape, values)) as Row[] };
    }
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Postgres would need a package more for it, so neither engine has it. */
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The store does not stream: read in pages by id instead.');
  }

  close(): void {
    this.#statements.clear();
    if (this.raw.isOpen) this.raw.close();
  }

  /** Preparing costs more than running a small statement. */
  #prepare(text: string) {
    const cached = this.#statements.get(text);
    if (cached) return cached;
    const statement = this.raw.prepare(text);
    const prepared = { statement, shape: shapeOf(statement) };
    if (prepared.shape !== null) statement.setReturnArrays(true);
    if (this.#statements.size >= CACHED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      this.#statements.delete(oldest!);
    }
    this.#statements.set(text, prepared);
    return prepared;
  }
}

interface PreparedStatement {
  statement: StatementSync;
  /** Null when it returns no rows. */
  shape: RowShape | null;
}

interface RowShape {
  names: string[];
  /** A row without values. Copies of one object share a layout, so that making and reading rows is twice as fast. */
  empty: Record<string, unknown>;
}

function shapeOf(statement: StatementSync): RowShape | null {
  const names = statement.columns().map(({ name }) => name);
  if (names.length === 0) return null;
  // From JSON rather than key by key, which would leave a dictionary.
  const empty = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  return { names, empty };
}

function rowOf({ names, empty }: RowShape, values: unknown[]): Record<string, unknown> {
  const row = { ...empty };
  for (let index = 0; index < names.length; index += 1) row[names[index]!] = values[index];
  return row;
}
