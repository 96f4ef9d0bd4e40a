import type pg from 'pg';
import { UnmovableError } from './errors.ts';
import type { ColumnType } from './copy-format.ts';
import type { Columns } from './differences.ts';
import type { SourceTable } from './source.ts';

/** A table as it is on both sides. */
export interface MovedTable extends SourceTable {
  types: readonly ColumnType[];
}

export function columnsOf({ columns, types, key }: MovedTable): Columns {
  return { names: columns, types, keyLength: key.length };
}

const TYPE_NAMES: Readonly<Record<string, ColumnType>> = {
  bigint: 'int8',
  integer: 'int4',
  'double precision': 'float8',
  text: 'text',
  bytea: 'bytea',
};

/** Columns of each table on Postgres: their types by name. */
export type TargetColumns = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads the columns of all tables of the target's schema. */
export async function readTargetColumns(client: pg.ClientBase): Promise<TargetColumns> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(`
    select relation.relname as table, attribute.attname as column,
      format_type(attribute.atttypid, attribute.atttypmod) as type
    from pg_class as relation join pg_attribute as attribute on attribute.attrelid = relation.oid
    where relation.relnamespace = current_schema()::regnamespace and relation.relkind = 'r'
      and attribute.attnum > 0 and not attribute.attisdropped`);
  const tables = new Map<string, Map<string, string>>();
  for (const { table, column, type } of rows) {
    const columns = tables.get(table) ?? new Map<string, string>();
    tables.set(table, columns.set(column, type));
  }
  return tables;
}

/**
 * Pairs each table of the source with its table on the target.
 *
 * @throws UnmovableError when a table or column has no counterpart.
 */
export function pairTables(source: readonly SourceTable[], target: TargetColumns): MovedTable[] {
  return source.map((table) => {
    const found = target.get(table.name);
    if (found === undefined) throw unlike(table.name, 'the target has no such table');
    const missing = table.columns.filter((name) => !found.has(name));
    const added = [...found.keys()].filter((name) => !table.columns.includes(name));
    if (missing.length > 0) throw unlike(table.name, `the target lacks ${missing.join(', ')}`);
    if (added.length > 0) throw unlike(table.name, `the source lacks ${added.join(', ')}`);
    const types = table.columns.map((name) => {
      const type = TYPE_NAMES[found.get(name)!];
      if (type === undefined) throw unlike(table.name, `${name} is of type ${found.get(name)}`);
      return type;
    });
    return { ...table, types };
  });
}

function unlike(table: string, difference: string): UnmovableError {
  return new UnmovableError(
    `The table ${table} is not the same in both databases: ${difference}. Both must have been made by this version of Tocsin.`,
  );
}
