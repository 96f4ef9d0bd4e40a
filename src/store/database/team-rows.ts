import type { Selectable, SelectQueryBuilder } from 'kysely';
import { engineOf, forUpdate } from './dialect.ts';
import { countRows, updateRow } from './rows.ts';
import type { Db, Schema } from './contract.ts';

/** A table of things that teams have. */
export type TeamTable = {
  [Name in keyof Schema]: Selectable<Schema[Name]> extends {
    id: number;
    team_id: number | null;
    created_at: number;
    updated_at: number;
  }
    ? Name
    : never;
}[keyof Schema];

/** Selects rows of all teams. */
export type SelectRows<Row> = (db: Db) => SelectQueryBuilder<Schema, TeamTable, Row>;

export interface PageOfRows {
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/**
 * Reads and deletes rows of a table by their team and id.
 *
 * @param select columns of further tables; by default those of the table.
 * @param keepsDeleted whether a deleted row stays with its `deleted_at`, and is found no more.
 */
export function teamRows<Table extends TeamTable, Row = Selectable<Schema[Table]>>(
  table: Table,
  {
    select = (db) => db.selectFrom(table as 'report').selectAll() as never,
    keepsDeleted = false,
  }: { select?: SelectRows<Row> | undefined; keepsDeleted?: boolean | undefined } = {},
) {
  const column = (name: string) => `${table}.${name}` as 'report.id';
  const ofTeam = (db: Db, teamId: number) =>
    (select(db) as SelectQueryBuilder<Schema, 'report', Row>)
      .where(column('team_id'), '=', teamId)
      .$if(keepsDeleted, (rows) => rows.where(column('deleted_at'), 'is', null));
  return {
    ofTeam: ofTeam as unknown as (db: Db, teamId: number) => SelectQueryBuilder<Schema, Table, Row>,

    /** All rows of the team, by these columns and their id. */
    list: (db: Db, teamId: number, order: readonly string[] = []) =>
      [...order, 'id']
        .reduce((query, name) => query.orderBy(column(name)), ofTeam(db, teamId))
        .execute() as Promise<Row[]>,

    count: (db: Db, teamId: number): Promise<number> => countRows(ofTeam(db, teamId)),

    /** Undefined for an unknown id and for another team's. */
    find: (db: Db, teamId: number, id: number) =>
      ofTeam(db, teamId).where(column('id'), '=', id).executeTakeFirst() as Promise<
        Row | undefined
      >,

    /** As `find`. Also locks the row until the transaction ends. */
    lock: (tx: Db, teamId: number, id: number) =>
      ofTeam(tx, teamId)
        .where(column('id'), '=', id)
        .$call(forUpdate(engineOf(tx)))
        .executeTakeFirst() as Promise<Row | undefined>,

    async delete(tx: Db, id: number, now: number): Promise<void> {
      if (keepsDeleted)
        return updateRow(tx, table, id, { deleted_at: now, updated_at: now } as never);
      await tx
        .deleteFrom(table as 'report')
        .where('id', '=', id)
        .execute();
    },
  };
}

/** One page of the rows that a query finds, and how many there are. Rows with equal values are in the order of their ids. */
export async function readPage<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  table: keyof Schema,
  sort: readonly string[],
  { direction, limit, offset }: PageOfRows,
): Promise<{ rows: Row[]; total: number }> {
  const column = (name: string) => `${table}.${name}` as 'report.id';
  const sorted = [...sort, 'id'].reduce(
    (all, name) => all.orderBy(column(name), direction),
    query as unknown as SelectQueryBuilder<Schema, 'report', Row>,
  );
  const rows = (await sorted.limit(limit).offset(offset).execute()) as Row[];
  return { rows, total: await countRows(query) };
}
