import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Value } from './copy-format.ts';

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
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
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

  /** Reads the rows after a key, in the order of the key, one at a time. */
  rows({ name, key, columns }: SourceTable, after: readonly Value[] | null): Iterable<Value[]> {
    const names = columns.map(quote).join(', ');
    const order = key.map(quote).join(', ');
    const where = after === null ? '' : `where (${order}) > (${after.map(() => '?').join(', ')})`;
    const statement = this.#file.prepare(
      `select ${names} from ${quote(name)} ${where} order by ${order}`,
    );
    statement.setReturnArrays(true);
    const parameters = (after ?? []) as SQLInputValue[];
    return statement.iterate(...parameters) as unknown as Iterable<Value[]>;
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

  /** Text that changes when a server or another program has written to the database. */
  fingerprint(): string {
    const parts = [this.#path, `${this.#path}-wal`].map((path) => {
      if (!existsSync(path)) return '0';
      const { size, mtimeNs } = statSync(path, { bigint: true });
      // An empty log is made and removed by readers.
      return size === 0n ? '0' : `${size}/${mtimeNs}`;
    });
    return parts.join(' ');
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
