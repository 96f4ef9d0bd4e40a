import type { Caller } from '../../identity/caller.ts';
import type { Db } from '../../store/database/contract.ts';
import { notFound } from './errors.ts';

/** Returns undefined for unknown ids and those of other teams. */
type Find<Handle, Row> = (db: Handle, teamId: number, id: number) => Promise<Row | undefined>;

/**
 * Makes a function that finds a row of the caller's team by its id and throws `not_found` when there is none.
 *
 * @param noun name of the resource, such as `alert route`.
 */
export function finderOf<Handle extends Db, Row>(noun: string, find: Find<Handle, Row>) {
  return async (db: Handle, caller: Caller, id: number): Promise<Row> => {
    const row = await find(db, caller.team.id, id);
    if (row === undefined) throw notFound(noun);
    return row;
  };
}
