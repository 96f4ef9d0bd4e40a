import { sql, type Kysely } from 'kysely';
import { engineOf, folded, lookedUp, rowTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { EDITS } from './monitor-stamps.ts';

/** Texts of a monitor that searches look at, as `contains` compares them. */
export interface MonitorTexts {
  id: number;
  /** Epoch milliseconds. */
  created_at: number;
  deleted_at: number | null;
  url: string;
  friendly_name: string | null;
  /** JSON. */
  tags: string;
}

/** Texts of monitors that a search goes through. */
export function monitorTexts(db: Kysely<Schema>) {
  return {
    /** Reads the texts of a team's monitors in the order of their creation, deleted ones not. */
    async read(
      teamId: number,
      after: Pick<MonitorTexts, 'id' | 'created_at'>,
      limit: number,
    ): Promise<MonitorTexts[]> {
      const { rows } = await sql<MonitorTexts>`
    select ${columnsOf(db)} from monitor where team_id = ${teamId} and deleted_at is null
      and (created_at, id) > (${after.created_at}, ${after.id})
    order by deleted_at, created_at, id limit ${limit}`.execute(db);
      return rows;
    },

    /** Reads the texts of monitors that were edited since the version of their shard, deleted ones included. */
    async readEdited(
      teamId: number,
      since: readonly (readonly [shard: number, version: number])[],
      limit: number,
    ): Promise<EditedTexts[]> {
      const shards = rowTable(db, since, { number: 'integer', version: 'integer' });
      const isEdited = sql`monitor.shard = known.number and monitor.version > known.version`;
      const { rows } = await sql<EditedTexts>`
    select ${columnsOf(db)}, ${EDITS} as edits from ${shards} as known
    cross join ${lookedUp(engineOf(db), 'monitor', isEdited)} where ${isEdited} and +team_id = ${teamId}
    limit ${limit}`.execute(db);
      return rows;
    },

    /** Versions of all shards. */
    async shardVersions(): Promise<Map<number, number>> {
      const { rows } = await sql<{ shard: number; version: number }>`
    select shard, version from shard`.execute(db);
      return new Map(rows.map(({ shard, version }) => [shard, version]));
    },
  };
}

/** The texts of an edited monitor, and the number of edits so far, of all monitors, at which they were read. */
export type EditedTexts = MonitorTexts & { edits: number };

function columnsOf(db: Kysely<Schema>) {
  const engine = engineOf(db);
  return sql`id, created_at, deleted_at, ${folded(engine, sql.ref('url'))} as url,
    ${folded(engine, sql.ref('friendly_name'))} as friendly_name, ${folded(engine, sql.ref('tags'))} as tags`;
}
