import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';

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
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();

  constructor({ path, readOnly, busyTimeoutMs, cacheKib }: SqliteFile) {
    this.raw = new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs });
    this.raw.exec(`pragma cache_size = -${cacheKib}; pragma temp_store = memory`);
    // SQLite's own knows the case of ASCII only.
    this.raw.function('lower', { deterministic: true }, (text) =>
      text === null ? null : String(text).toLowerCase(),
    );
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query.sql, query.parameters as SQLInputValue[]);
  }

  run<Row>(text: string, parameters: readonly SQLInputValue[] = []): QueryResult<Row> {
    const { statement, returnsRows } = this.#prepare(text);
    if (returnsRows) return { rows: statement.all(...parameters) as Row[] };
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
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    if (this.#statements.size >= CACHED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      this.#statements.delete(oldest!);
    }
    this.#statements.set(text, prepared);
    return prepared;
  }
}
