import { DatabaseSync } from 'node:sqlite';
import type { Value } from './copy-format.ts';

/** The move can't begin or go on. The message is a sentence for the operator that says what to do. */
export class UnmovableError extends Error {
  override readonly name = 'UnmovableError';
}

/** A table of the source. */
export interface SourceTable {
  name: string;
  /** Columns of the primary key, in its order. */
  key: readonly string[];
  /** All columns, those of the key first. */
  columns: readonly string[];
}

const CACHE_KIB = 16_384;

/** The embedded database that is moved, read in one snapshot and never written. */
export class MoveSource {
  readonly #file: DatabaseSync;

  constructor(path: string) {
    this.#file = new DatabaseSync(path, { readOnly: true });
    this.#file.exec(`pragma cache_size = -${CACHE_KIB}; begin`);
  }

  /** Names of the migrations that ran on it, in their order; none of a file that is no database of Tocsin. */
  migrations(): string[] {
    const [found] = this.#all(`select 1 from sqlite_schema where name = 'kysely_migration'`);
    if (found === undefined) return [];
    const rows = this.#all<{ name: string }>('select name from kysely_migration order by name');
    return rows.map(({ name }) => name);
  }

  /** Lists all tables with rows of ours, by name. */
  tables(): SourceTable[] {
    const rows = this.#all<{ name: string }>(
      `select name from pragma_table_list where schema = 'main' and type = 'table'
        and name not like 'sqlite~_%' escape '~' and name not like 'kysely~_%' escape '~' order by name`,
    );
    return rows.map(({ name }) => this.#table(name));
  }

  #table(name: string): SourceTable {
    const all = this.#all<{ name: string; pk: number }>(
      `select name, pk from pragma_table_info(${literal(name)})`,
    );
    const ofKey = all.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
    const others = all.filter(({ pk }) => pk === 0);
    const names = (columns: typeof all) => columns.map((column) => column.name);
    return { name, key: names(ofKey), columns: names([...ofKey, ...others]) };
  }

  countRows({ name }: Pick<SourceTable, 'name'>): number {
    return this.#all<{ total: number }>(`select count(*) as total from ${quote(name)}`)[0]!.total;
  }

  /** Reads the rows in the order of the key, one at a time. */
  rows({ name, key, columns }: SourceTable): Iterable<Value[]> {
    const statement = this.#file.prepare(
      `select ${columns.map(quote).join(', ')} from ${quote(name)} order by ${key.map(quote).join(', ')}`,
    );
    statement.setReturnArrays(true);
    return statement.iterate() as unknown as Iterable<Value[]>;
  }

  /** The highest id that each table has ever had, also of deleted rows. */
  highestIds(): Map<string, number> {
    const rows = this.#all<{ name: string; seq: number }>('select name, seq from sqlite_sequence');
    return new Map(rows.map(({ name, seq }) => [name, seq]));
  }

  /** A table with a row that refers to a missing one; null without one. */
  brokenReference(): { table: string; parent: string } | null {
    const [broken] = this.#all<{ table: string; parent: string }>(
      `select "table", parent from pragma_foreign_key_check limit 1`,
    );
    return broken ?? null;
  }

  close(): void {
    this.#file.close();
  }

  #all<Row>(text: string): Row[] {
    return this.#file.prepare(text).all() as Row[];
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
