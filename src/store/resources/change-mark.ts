import { sql } from 'kysely';
import type { Database } from '../database/contract.ts';

/**
 * Reads a number that is the same as before only if no transaction was committed in between. Null where that can't be
 * known for less than the price of a query.
 */
export type ChangeMark = () => Promise<number | null>;

/**
 * Creates a change mark for what is read by `database.read`. Only a SQLite file has one: SQLite counts the commits of other
 * connections, and all writes go through another one.
 */
export function createChangeMark({ engine, read }: Pick<Database, 'engine' | 'read'>): ChangeMark {
  if (engine === 'postgres') return async () => null;
  const query = sql<{ data_version: number }>`pragma data_version`.compile(read);
  let isFile: Promise<boolean> | null = null;
  return async () => {
    isFile ??= isOnDisk(read);
    if (!(await isFile)) return null;
    return (await read.executeQuery(query)).rows[0]!.data_version;
  };
}

/** A database in memory has one connection for everything. */
async function isOnDisk(read: Database['read']): Promise<boolean> {
  const { rows } = await sql<{ name: string; file: string }>`
    select name, file from pragma_database_list`.execute(read);
  return rows.some(({ name, file }) => name === 'main' && file !== '');
}
