import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { Database, Schema } from '../../src/store/database/contract.ts';

type Table = keyof Schema;
type Match<Name extends Table> = Partial<Selectable<Schema[Name]>>;

/** Changes the rows with these values, or all of the table, in a transaction of its own. */
export async function updateRows<Name extends Table>(
  database: Pick<Database, 'transaction'>,
  table: Name,
  changes: Updateable<Schema[Name]>,
  match: Match<Name> = {},
): Promise<void> {
  await database.transaction(async (tx) => {
    let query = (tx as Kysely<any>).updateTable(table as string).set(changes);
    for (const [column, value] of Object.entries(match)) query = query.where(column, '=', value);
    await query.execute();
  });
}

/** Inserts one row or several, in a transaction of its own. */
export async function insertRows<Name extends Table>(
  database: Pick<Database, 'transaction'>,
  table: Name,
  rows: Insertable<Schema[Name]> | Insertable<Schema[Name]>[],
): Promise<void> {
  await database.transaction((tx) =>
    (tx as Kysely<any>)
      .insertInto(table as string)
      .values(rows)
      .execute(),
  );
}

/** The first row with these values; throws where there is none. */
export async function rowOf<Name extends Table>(
  database: Pick<Database, 'read'>,
  table: Name,
  match: Match<Name> = {},
): Promise<Selectable<Schema[Name]>> {
  let query = (database.read as Kysely<any>).selectFrom(table as string).selectAll();
  for (const [column, value] of Object.entries(match)) query = query.where(column, '=', value);
  return (await query.executeTakeFirstOrThrow()) as Selectable<Schema[Name]>;
}
