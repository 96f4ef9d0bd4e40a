import { sql } from 'kysely';
import { prepareQuery } from './prepared-statements.ts';
import { findRow, updateRows } from './rows.ts';
import type { Db, Row, Tx } from './contract.ts';

/**
 * Sets a setting that does not exist, so that what must happen once happens once.
 *
 * @returns whether it was set. Concurrent callers wait for the first one's transaction and then get false.
 */
export async function claimSetting(db: Db, name: string, value: string): Promise<boolean> {
  const row = await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

export async function writeSetting(db: Db, name: string, value: string): Promise<void> {
  await db.updateTable('setting').set({ value }).where('name', '=', name).execute();
}

/** Reads a setting; null when it was never set. */
export async function readSetting(db: Db, name: string): Promise<string | null> {
  const row = await findRow(db, 'setting', { name }, ['value']);
  return row?.value ?? null;
}

/** Replaces the value of a setting. @returns whether it had the value `from`: true for one of several concurrent callers. */
export async function exchangeSetting(db: Db, name: string, from: string, to: string) {
  return (await updateRows(db, 'setting', { name, value: from }, { value: to })) > 0;
}

/** Reads all settings whose names begin like this, sorted by name, by the index of names. */
export function listSettings(db: Db, prefix: string): Promise<Setting[]> {
  return settingsBetween(db, { from: prefix, to: `${prefix}~` });
}

export type Setting = Row<'setting'>;

const settingsBetween = prepareQuery<Setting, 'from' | 'to'>(
  ['from', 'to'],
  ({ from, to }) => sql`
    select name, value from setting where name >= ${from} and name < ${to} order by name`,
);

export async function deleteSettings(db: Db, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await db.deleteFrom('setting').where('name', 'in', names).execute();
}

/** Reads the position of a long-running job, in its own unit; null before its first step. */
export async function getProgress(db: Db, name: string): Promise<number | null> {
  const [row] = await positionOf(db, { name });
  return row?.position ?? null;
}

const positionOf = prepareQuery<{ position: number }, 'name'>(
  ['name'],
  ({ name }) => sql`select position from progress where name = ${name}`,
);

/** Stores the position in the transaction of the step itself, so that a crash never leaves half a step. */
export async function setProgress(tx: Tx, name: string, position: number): Promise<void> {
  await sql`
    insert into progress (name, position) values (${name}, ${position})
    on conflict (name) do update set position = excluded.position`.execute(tx);
}
