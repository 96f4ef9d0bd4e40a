import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { UpdateTemplateTable } from '../database/schema-pages.ts';
import { countRows, insertRow, updateRow } from '../database/rows.ts';

export type UpdateTemplateRow = Selectable<UpdateTemplateTable>;

/** The columns of a template's settings. */
export type UpdateTemplateColumns = Omit<
  Insertable<UpdateTemplateTable>,
  'id' | 'team_id' | 'created_at' | 'updated_at'
>;

/** All templates of the team, by name. */
export function listUpdateTemplates(
  db: Kysely<Schema>,
  teamId: number,
): Promise<UpdateTemplateRow[]> {
  return db
    .selectFrom('update_template')
    .selectAll()
    .where('team_id', '=', teamId)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export function countUpdateTemplates(db: Kysely<Schema>, teamId: number): Promise<number> {
  return countRows(db.selectFrom('update_template').where('team_id', '=', teamId));
}

/** Undefined for an unknown id and for another team's. */
export function findUpdateTemplate(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<UpdateTemplateRow | undefined> {
  return db
    .selectFrom('update_template')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** @returns the new template's id. */
export function insertUpdateTemplate(
  tx: Transaction<Schema>,
  teamId: number,
  columns: UpdateTemplateColumns,
  now: number,
): Promise<number> {
  const row = { ...columns, team_id: teamId, created_at: now, updated_at: now };
  return insertRow(tx, 'update_template', row);
}

export async function updateUpdateTemplate(
  tx: Transaction<Schema>,
  id: number,
  columns: UpdateTemplateColumns,
  now: number,
): Promise<void> {
  await updateRow(tx, 'update_template', id, { ...columns, updated_at: now });
}

export async function deleteUpdateTemplate(tx: Transaction<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('update_template').where('id', '=', id).execute();
}
