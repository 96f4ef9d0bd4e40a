import { dayTableStatement } from '../engine/results.ts';
import { isDayTable } from '../engine/results.ts';
import type pg from 'pg';
import { readTargetColumns } from './target-tables.ts';
import {
  readAllProgress,
  dropMoveState,
  listTables,
  createMoveState,
  type ForeignKey,
} from './move-state.ts';
import { OLDEST_SETTING } from '../database/migrations/migrate.ts';

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Makes the target ready to be filled, in one transaction: empty tables, those of the source's days too, and the state of
 * the move. Until the end there are no foreign keys, as rows come table by table and teams and people refer to each other,
 * and no triggers: what they count and note was counted and noted in the source, and is copied as rows.
 */
export async function prepareTarget(
  client: pg.ClientBase,
  given: {
    owner: string;
    fingerprint: string;
    tables: readonly { name: string; rows: number }[];
  },
): Promise<void> {
  const names = given.tables.map(({ name }) => name);
  const existing = await existingOf(client, names);
  const foreignKeys = await readForeignKeys(client, names);
  await createMoveState(client, { ...given, foreignKeys });
  await listTables(client, given.tables);
  for (const { table, name } of foreignKeys) {
    await client.query(`alter table ${quote(table)} drop constraint ${quote(name)}`);
  }
  // Some rows come with the tables themselves, such as those of the shards.
  await client.query(`truncate ${existing.map(quote).join(', ')}`);
  for (const table of existing) await switchTriggers(client, table, 'disable');
  for (const { name } of given.tables.filter((table) => isDayTable(table.name))) {
    await client.query(dayTableStatement('postgres', name));
  }
}

/** Puts back what `prepareTarget` has taken, and removes the state of the move. */
export async function finishTarget(
  client: pg.ClientBase,
  given: {
    tables: readonly { name: string }[];
    foreignKeys: readonly ForeignKey[];
    highestIds: ReadonlyMap<string, number>;
  },
): Promise<void> {
  for (const { table, name, definition } of given.foreignKeys) {
    await client.query(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`);
  }
  await dropMoveState(client);
  const names = given.tables.map(({ name }) => name);
  for (const table of names) await switchTriggers(client, table, 'enable');
  await advanceIdentities(client, names, given.highestIds);
}

/** Empties the target as it was before the move, so that it can begin again. */
export async function resetTarget(
  client: pg.ClientBase,
  foreignKeys: readonly ForeignKey[],
): Promise<void> {
  const existing = await existingOf(client, [...(await readAllProgress(client)).keys()]);
  await dropMoveState(client);
  const ofDays = existing.filter(isDayTable);
  const others = existing.filter((name) => !isDayTable(name));
  if (ofDays.length > 0) await client.query(`drop table ${ofDays.map(quote).join(', ')}`);
  await client.query(`truncate ${others.map(quote).join(', ')}`);
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`);
  }
  for (const table of others) await switchTriggers(client, table, 'enable');
}

/** Those of the tables that exist: a table of another program is never touched. */
async function existingOf(client: pg.ClientBase, names: readonly string[]): Promise<string[]> {
  const existing = await readTargetColumns(client);
  return names.filter((name) => existing.has(name));
}

/** Triggers of ours alone: those of foreign keys belong to the system. */
async function switchTriggers(
  client: pg.ClientBase,
  table: string,
  to: 'enable' | 'disable',
): Promise<void> {
  await client.query(`alter table ${quote(table)} ${to} trigger user`);
}

async function readForeignKeys(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<ForeignKey[]> {
  const text = `
    select relation.relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class as relation on relation.oid = conrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace and relation.relname = any ($1) order by 1, 2`;
  const { rows } = await client.query<ForeignKey>(text, [tables]);
  return rows;
}

/** Sets each identity behind the highest id that its table has ever had, so that no id is given twice. */
async function advanceIdentities(
  client: pg.ClientBase,
  tables: readonly string[],
  highestIds: ReadonlyMap<string, number>,
): Promise<void> {
  const text = `
    select relation.relname as table, attname as column
    from pg_attribute join pg_class as relation on relation.oid = attrelid
    where attidentity <> '' and relnamespace = current_schema()::regnamespace and relname = any ($1)`;
  const { rows } = await client.query<{ table: string; column: string }>(text, [tables]);
  for (const { table, column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(highest, 1), highest > 0) from (
        select greatest($3::bigint, (select max(${quote(column)}) from ${quote(table)}), 0) as highest) as ids`,
      [quote(table), column, highestIds.get(table) ?? 0],
    );
  }
}

/** Tables of the target, but for those of the migrations. */
export async function listTargetTables(client: pg.ClientBase): Promise<string[]> {
  const all = [...(await readTargetColumns(client)).keys()];
  return all.filter((name) => !name.startsWith('kysely_')).toSorted();
}

/** Whether a table holds rows that do not come with the tables themselves. */
export async function holdsRows(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<boolean> {
  const each = tables
    .filter((name) => name !== 'shard')
    .map((name) => {
      // Migrations write this setting to a new database.
      const rows = name === 'setting' ? `where name <> '${OLDEST_SETTING}'` : '';
      return `exists (select from ${quote(name)} ${rows})`;
    });
  if (each.length === 0) return false;
  const { rows } = await client.query<{ found: boolean }>(`select ${each.join(' or ')} as found`);
  return rows[0]!.found;
}
