import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import { openDatabase } from '../../src/store/database/database.ts';
import { ensureDays } from '../../src/store/engine/results.ts';

/** Rows of each table. */
const ROWS = 5;

/** Tables that rows of ours are in. */
const TABLES = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite~_%' escape '~' and name not like 'kysely~_%' escape '~' order by name`;

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

/**
 * Creates a SQLite database in which every table has rows, and every column values that are easily spoiled on the way to
 * another engine. Row 3 of each table refers to row 3 of others.
 */
export async function createOddRows(directory: string): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', directory });
  await ensureDays(database, [Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 21)]);
  await database.close();
  changeSqlite(directory, (file) => {
    // Triggers would add rows of their own.
    for (const { name } of all<{ name: string }>(
      file,
      `select name from sqlite_schema where type = 'trigger'`,
    ))
      file.exec(`drop trigger ${name}`);
    file.exec('pragma foreign_keys = off; begin');
    for (const { name } of all<{ name: string }>(file, TABLES)) insertOddRows(file, name);
    // Ids that were given once are never given again.
    file.exec(`update sqlite_sequence set seq = 900 where name = 'team'; commit`);
  });
}

function insertOddRows(file: DatabaseSync, table: string): void {
  const columns = all<Column>(
    file,
    `select name, type, "notnull", pk from pragma_table_info('${table}')`,
  );
  const references = all<{ from: string }>(
    file,
    `select "from" from pragma_foreign_key_list('${table}')`,
  ).map(({ from }) => from);
  file.exec(`delete from "${table}"`);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const insert = file.prepare(
    `insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`,
  );
  for (let row = 1; row <= ROWS; row += 1)
    insert.run(
      ...columns.map((column) =>
        oddValue({ ...column, isKey: column.pk > 0 || references.includes(column.name) }, row),
      ),
    );
}

const TEXTS = [
  '',
  'ü 😀 \u2028',
  'tab\tline\nend\\N \\.',
  `"quotes" and 'others'`,
  'Ａ\u0001\u007f',
];

const INTEGERS = [0, 2, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

function oddValue(column: Column & { isKey: boolean }, row: number): SQLInputValue {
  const { type, notnull, pk, isKey } = column;
  if (row === 2 && notnull === 0 && pk === 0) return null;
  switch (type) {
    case 'INTEGER':
      return isKey ? row : INTEGERS[row - 1]!;
    case 'REAL':
      return [0.1, -1e-300, 1e300, 2 / 3, 5][row - 1]!;
    case 'BLOB':
      return Uint8Array.of(0, row, 255, 92, 10);
    default:
      return `${row}${TEXTS[row - 1]}`;
  }
}

/** Opens the file of a database that no other process uses, and closes it again. */
export function changeSqlite<Result>(
  directory: string,
  work: (file: DatabaseSync) => Result,
): Result {
  const file = new DatabaseSync(join(directory, 'tocsin.db'));
  try {
    return work(file);
  } finally {
    file.close();
  }
}

/** All rows of all tables as text, by table: read by `select *` alone, so that nothing of the move is trusted. */
export function rowsOfSqlite(directory: string): Map<string, string[]> {
  return changeSqlite(directory, (file) => {
    const tables = all<{ name: string }>(file, TABLES);
    return new Map(
      tables.map(({ name }) => [
        name,
        textsOf(all<Record<string, unknown>>(file, `select * from "${name}"`)),
      ]),
    );
  });
}

/** The same of a Postgres database. */
export async function rowsOfPostgres(url: string): Promise<Map<string, string[]>> {
  return inPostgres(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname not like 'kysely%' order by 1`,
    );
    const found = new Map<string, string[]>();
    for (const { name } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from "${name}"`);
      found.set(name, textsOf(rows));
    }
    return found;
  });
}

/** Connects to a database for some work. */
export async function inPostgres<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    types: {
      getTypeParser: (id, format) => (id === INT8 ? Number : pg.types.getTypeParser(id, format)),
    },
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const INT8 = 20;

function textsOf(rows: readonly Record<string, unknown>[]): string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value])
          .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
      ),
    )
    .toSorted();
}

function all<Row>(file: DatabaseSync, text: string): Row[] {
  return file.prepare(text).all() as Row[];
}
