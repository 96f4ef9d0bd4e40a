import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import type { Schema } from '../../store/database/schema.ts';
import { notFound } from './errors.ts';

/** Returns undefined for an unknown id and for another team's. */
type Find<Handle, Row> = (db: Handle, teamId: number, id: number) => Promise<Row | undefined>;

/**
 * Finds a row of the caller's team by its id, or refuses the call as not found.
 *
 * @param what the resource in words, such as `alert route`.
 */
export function finderOf<Handle extends Kysely<Schema>, Row>(
  what: string,
  find: Find<Handle, Row>,
) {
  return async (db: Handle, caller: Caller, id: number): Promise<Row> => {
    const row = await find(db, caller.team.id, id);
    if (row === undefined) throw notFound(what);
    return row;
  };
}
