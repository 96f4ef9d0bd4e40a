import { sql, type RawBuilder } from 'kysely';
import { arrayTexts } from '../database/row-statements.ts';

/** What is wanted of a team, by its id. */
export interface TeamAndId {
  team: number;
  id: number;
}

export const keyOfPair = ({ team, id }: TeamAndId): string => `${team} ${id}`;

const COLUMNS = { team: 'integer', id: 'integer' } as const;

/** Any number of them in a prepared statement for Postgres, whose first parameters are `pairParameters`. */
export function pairTable(): RawBuilder<TeamAndId> {
  return sql`(select * from unnest(${''}::bigint[], ${''}::bigint[]) as given (team, id))`;
}

export function pairParameters(wanted: readonly TeamAndId[]): string[] {
  return arrayTexts(
    COLUMNS,
    wanted.map(({ team, id }) => [team, id]),
  );
}
