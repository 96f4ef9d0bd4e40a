/** Prints the types of the tables, `src/store/database/schema.gen.ts`, from what the migrations make on SQLite. */
import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS } from '../src/store/database/migrations/index.ts';

const HEAD = `// Generated from the migrations by "npm run generate".
import type { Generated } from 'kysely';

`;

const TYPES: Record<string, string> = {
  INTEGER: 'number',
  REAL: 'number',
  TEXT: 'string',
  BLOB: 'Uint8Array',
};

interface Column {
  name: string;
  type: string;
  isRequired: number;
  default: string | null;
}

export function schemaTypes(): string {
  const database = new DatabaseSync(':memory:');
  for (const { statements } of MIGRATIONS)
    for (const statement of statements('sqlite')) database.exec(statement);
  const tables = database
    .prepare(`select name, sql from sqlite_master where type = 'table' and name not like 'sqlite%'`)
    .all() as { name: string; sql: string }[];
  const columnsOf = database.prepare(
    `select name, type, "notnull" or pk > 0 as "isRequired", dflt_value as "default" from pragma_table_info(?)`,
  );
  const lines = tables.flatMap(({ name, sql }) => [
    `  ${name}: {`,
    ...(columnsOf.all(name) as unknown as Column[]).flatMap((column) => columnLines(column, sql)),
    '  };',
  ]);
  return [HEAD, 'export interface Tables {\n', ...lines.map((line) => `${line}\n`), '}\n'].join('');
}

/** A column, and above it the comment that stands above it in the statement. */
function columnLines(column: Column, sql: string): string[] {
  const { name, isRequired } = column;
  const place = new RegExp(
    String.raw`((?:^ *--.*\n)*)(?:^ *|[ ,(])${name} ((?:integer|real|text|blob)\b.*)`,
    'm',
  );
  const [, comment = '', rest = ''] = place.exec(sql)!;
  const text = comment
    .replaceAll(/^ *-- ?/gm, '')
    .trim()
    .replaceAll(/\s+/g, ' ');
  const value = `${TYPES[column.type]!}${isRequired === 1 ? '' : ' | null'}`;
  const isMade = column.default !== null || rest.startsWith('integer primary key autoincrement');
  return [
    ...(text === '' ? [] : [`    /** ${text} */`]),
    `    ${name}: ${isMade ? `Generated<${value}>` : value};`,
  ];
}
