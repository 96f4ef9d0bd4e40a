import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import type { Database } from '../database/contract.ts';
import type { Schema } from '../database/schema.ts';

/** The tables that sign-in keeps its rows in. */
export type SignInTable =
  | 'person'
  | 'session'
  | 'credential'
  | 'verification'
  | 'two_factor'
  | 'passkey';

export type SignInRow = Record<string, string | number | null>;

export interface SignInCondition {
  column: string;
  operator: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'in';
  value: string | number | null | readonly (string | number)[];
}

interface SignInQuery {
  table: SignInTable;
  where: readonly SignInCondition[];
}

// Tables and columns are values here: better-auth names them, and its adapter admits those of a closed list only. Kysely
// can't follow that with types, and so this file has one type that knows no columns.
type AnyTable = Record<SignInTable, SignInRow>;
const open = (db: Kysely<Schema>) => db as unknown as Kysely<AnyTable>;

type Conditions = ExpressionBuilder<AnyTable, SignInTable>;

function holds(where: readonly SignInCondition[]) {
  return (build: Conditions) =>
    build.and(
      where.map(({ column, operator, value }) => {
        if (value === null) {
          return operator === '!=' ? build(column, 'is not', null) : build(column, 'is', null);
        }
        if (operator !== 'in') return build(column, operator, value as string | number);
        const values = value as readonly (string | number)[];
        return values.length === 0 ? build.lit(false) : build(column, 'in', values);
      }),
    );
}

export async function insertSignInRow(
  tx: Kysely<Schema>,
  table: SignInTable,
  row: SignInRow,
): Promise<SignInRow> {
  return await open(tx).insertInto(table).values(row).returningAll().executeTakeFirstOrThrow();
}

export async function selectSignInRows(
  db: Kysely<Schema>,
  query: SignInQuery & {
    limit: number;
    offset?: number | undefined;
    orderBy?: { column: string; direction: 'asc' | 'desc' } | undefined;
  },
): Promise<SignInRow[]> {
  const { table, where, limit, offset, orderBy } = query;
  return await open(db)
    .selectFrom(table)
    .selectAll()
    .where(holds(where))
    .$if(orderBy !== undefined, (rows) => rows.orderBy(orderBy!.column, orderBy!.direction))
    // The newest of those that were made in the same millisecond.
    .orderBy('id', orderBy?.direction ?? 'asc')
    .limit(limit)
    .$if(offset !== undefined && offset > 0, (rows) => rows.offset(offset!))
    .execute();
}

export async function countSignInRows(db: Kysely<Schema>, query: SignInQuery): Promise<number> {
  const row = await open(db)
    .selectFrom(query.table)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where(holds(query.where))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** @param increment what is added to these columns, in the same statement. */
export async function updateSignInRows(
  tx: Kysely<Schema>,
  query: SignInQuery & { set: SignInRow; increment?: Record<string, number> },
): Promise<SignInRow[]> {
  const { table, where, set, increment = {} } = query;
  return await open(tx)
    .updateTable(table)
    .set((build) => ({
      ...set,
      ...Object.fromEntries(
        Object.entries(increment).map(([column, by]) => [
          column,
          build(build.ref(column), '+', by),
        ]),
      ),
    }))
    .where(holds(where))
    .returningAll()
    .execute();
}

export async function deleteSignInRows(
  tx: Kysely<Schema>,
  { table, where }: SignInQuery,
): Promise<SignInRow[]> {
  return await open(tx).deleteFrom(table).where(holds(where)).returningAll().execute();
}

export async function insertVerification(
  tx: Kysely<Schema>,
  verification: { identifier: string; value: string; expiresAt: number },
  now: number,
): Promise<void> {
  const { identifier, value, expiresAt } = verification;
  await tx
    .insertInto('verification')
    .values({ identifier, value, expires_at: expiresAt, created_at: now, updated_at: now })
    .execute();
}

const RESET = 'reset ';

/** What stands in the verification behind a link that sets a new password: whose it is. */
export function resetValue(personId: number): string {
  return RESET + personId;
}

/**
 * Whoever has set a new password by one of them, or otherwise, must not be overtaken by another, nor by a sign-in with
 * the former password that waits for its second factor.
 *
 * @returns the identifiers of the links: of two that do so at once, one gets them.
 */
export async function deleteResetLinks(tx: Kysely<Schema>, personId: number): Promise<string[]> {
  // The bare id is what better-auth keeps of a sign-in whose first factor was right.
  const rows = await tx
    .deleteFrom('verification')
    .where('value', 'in', [resetValue(personId), String(personId)])
    .returning(['identifier', 'value'])
    .execute();
  return rows.filter(({ value }) => value.startsWith(RESET)).map(({ identifier }) => identifier);
}

/** Whose password a link sets; undefined for none, or one that is over. */
export async function personOfResetLink(
  db: Kysely<Schema>,
  identifier: string,
  now: number,
): Promise<{ id: number; email: string } | undefined> {
  const row = await db
    .selectFrom('verification')
    .select('value')
    .where('identifier', '=', identifier)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (row?.value.startsWith(RESET) !== true) return undefined;
  return await db
    .selectFrom('person')
    .select(['id', 'email'])
    .where('id', '=', Number(row.value.slice(RESET.length)))
    .executeTakeFirst();
}

export function findPersonById(db: Kysely<Schema>, id: number) {
  return db
    .selectFrom('person')
    .select(['id', 'name', 'email', 'mfa_enabled'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findSession(db: Kysely<Schema>, id: number) {
  return db
    .selectFrom('session')
    .select(['method', 'team_id'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Whether some team waits for whoever has that address. */
export async function isInvited(db: Kysely<Schema>, email: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('invitation')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The team that a new session begins in: the one where the person was last, if they are still an active member; else
 * the first that they own, else the first of their teams; null for none.
 */
export async function homeTeam(db: Kysely<Schema>, personId: number): Promise<number | null> {
  const rows = await db
    .selectFrom('member')
    .innerJoin('team', 'team.id', 'member.team_id')
    .innerJoin('person', 'person.id', 'member.person_id')
    .where('member.person_id', '=', personId)
    .where('member.status', '=', 'active')
    .where('team.deleted_at', 'is', null)
    .select(['team.id', 'member.role', 'person.team_id as last'])
    .orderBy('team.id')
    .execute();
  const home =
    rows.find(({ id, last }) => id === last) ??
    rows.find(({ role }) => role === 'owner') ??
    rows[0];
  return home?.id ?? null;
}

/** False when that code of the person was used already. */
export async function useCodeOnce(
  tx: Transaction<Schema>,
  used: { personId: number; codeHash: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  const row = await tx
    .insertInto('used_code')
    .values({ person_id: used.personId, code: used.codeHash, expires_at: used.expiresAt })
    .onConflict((conflict) =>
      conflict
        .columns(['person_id', 'code'])
        .doUpdateSet({ expires_at: used.expiresAt })
        // Not yet deleted, but over.
        .where('used_code.expires_at', '<=', now),
    )
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function recordSignInTime(
  tx: Transaction<Schema>,
  personId: number,
  now: number,
): Promise<void> {
  await tx.updateTable('person').set({ last_login_at: now }).where('id', '=', personId).execute();
}

const AT_ONCE = 500;

/** Deletes a slice of the sessions, verifications and used codes that are over; whether there may be more. */
export async function deleteExpiredSignInRows(database: Database, now: number): Promise<boolean> {
  return await database.transaction(async (tx) => {
    let isMore = false;
    for (const table of ['session', 'verification'] as const) {
      const slice = tx.selectFrom(table).select('id').where('expires_at', '<=', now).limit(AT_ONCE);
      const { numDeletedRows } = await tx
        .deleteFrom(table)
        .where('id', 'in', slice)
        .executeTakeFirstOrThrow();
      isMore ||= numDeletedRows >= AT_ONCE;
    }
    // They live for two minutes, and each needs a request that was counted.
    await tx.deleteFrom('used_code').where('expires_at', '<=', now).execute();
    return isMore;
  });
}
