import { sql, type RawBuilder } from 'kysely';
import { createGatheredReads } from '../../lib/gathered-reads.ts';
import { arrayTexts } from '../database/prepared-statements.ts';

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

/** Pairs of one statement. */
const MAX_GATHERED = 50;

/**
 * Reads what is wanted of single pairs in statements that may serve several calls, and begin after them. A pair that is alone
 * is read by `one`: Postgres would plan the other statement each time, since its plan for any number costs more.
 */
export function gatherPairs<Value>(reads: {
  one: (team: number, id: number) => Promise<Value>;
  /** By `keyOfPair`; what is not there is missing. */
  many: (wanted: readonly TeamAndId[]) => Promise<ReadonlyMap<string, Value>>;
}): (team: number, id: number) => Promise<Value | undefined> {
  const gathered = createGatheredReads<TeamAndId, Value>({
    keyOf: keyOfPair,
    async read(wanted) {
      const [first] = wanted;
      if (wanted.length === 1) return [await reads.one(first!.team, first!.id)];
      const found = await reads.many(wanted);
      return wanted.map((pair) => found.get(keyOfPair(pair)));
    },
    maxAtOnce: MAX_GATHERED,
  });
  return (team, id) => gathered.of({ team, id });
}
