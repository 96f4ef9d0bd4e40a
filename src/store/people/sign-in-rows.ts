import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Db } from '../database/contract.ts';
import { deleteRows, findRow, hasRow, insertRow, updateRow } from '../database/rows.ts';

/** A table that sign-in stores its rows in. */
export type SignInTable =
  | 'person'
  | 'session'
  | 'credential'
  | 'verification'
  | 'two_factor'
  | 'passkey'
  | 'oauth_client'
  | 'oauth_resource'
  | 'oauth_consent'
  | 'oauth_refresh_token'
  | 'oauth_access_token';

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

// Tables and columns are values here: better-auth names them, and its adapter allows a closed list only. Kysely's types
// can't follow that, so this type knows no columns.
type AnyTable = Record<SignInTable, SignInRow>;
const open = (db: Db) => db as unknown as Kysely<AnyTable>;

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

/** Rows that better-auth names by table and column. */
export function signInRows(db: Db) {
  return {
    async insert(table: SignInTable, row: SignInRow) {
      return await open(db).insertInto(table).values(row).returningAll().executeTakeFirstOrThrow();
    },

    async select(
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
        // Orders rows of the same millisecond.
        .orderBy('id', orderBy?.direction ?? 'asc')
        .limit(limit)
        .$if(offset !== undefined && offset > 0, (rows) => rows.offset(offset!))
        .execute();
    },

    async count(query: SignInQuery) {
      const row = await open(db)
        .selectFrom(query.table)
        .select((select) => select.fn.countAll<number>().as('count'))
        .where(holds(query.where))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** @param increment amounts that are added to columns in the same statement. */
    async update(
      query: SignInQuery & { set: SignInRow; increment?: Record<string, number> },
    ): Promise<SignInRow[]> {
      const { table, where, set, increment = {} } = query;
      return await open(db)
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
    },

    async delete({ table, where }: SignInQuery) {
      return await open(db).deleteFrom(table).where(holds(where)).returningAll().execute();
    },

    /**
     * Deletes rows of people without reading them, as there may be many.
     *
     * @returns how many, and the people whose they were.
     */
    async deleteUnread({ table, where }: SignInQuery) {
      const people = await open(db)
        .selectFrom(table)
        .select('person_id')
        .distinct()
        .where(holds(where))
        .execute();
      const { numDeletedRows } = await open(db)
        .deleteFrom(table)
        .where(holds(where))
        .executeTakeFirstOrThrow();
      return { count: Number(numDeletedRows), people };
    },
  };
}

/** Values that prove something until they expire: links, codes, first factors. */
export function verificationStore(db: Db) {
  return {
    async insert(
      verification: { identifier: string; value: string; expiresAt: number },
      now: number,
    ) {
      const { identifier, value, expiresAt } = verification;
      const times = { expires_at: expiresAt, created_at: now, updated_at: now };
      await insertRow(db, 'verification', { identifier, value, ...times });
    },

    /** True when one of these verifications is stored and not expired. */
    async has(identifiers: readonly string[], now: number) {
      return hasRow(db, 'verification', {
        identifier: ['in', identifiers],
        expires_at: ['>', now],
      });
    },

    /** Deletes verifications that are not expired. @returns how many: of two concurrent calls one gets them. */
    async delete(identifier: string, now: number) {
      return deleteRows(db, 'verification', { identifier, expires_at: ['>', now] });
    },

    async deleteOf(value: string) {
      await db.deleteFrom('verification').where('value', '=', value).execute();
    },

    /**
     * Deletes the links that set a new password of a person, and sign-ins with the former password that wait for a second
     * factor. Call it after the password was changed.
     *
     * @returns the identifiers of the links. Of two concurrent calls one gets them.
     */
    async deleteResetLinks(personId: number): Promise<string[]> {
      // better-auth stores the bare id for a sign-in whose first factor was correct.
      const rows = await db
        .deleteFrom('verification')
        .where('value', 'in', [resetValue(personId), String(personId)])
        .returning(['identifier', 'value'])
        .execute();
      return rows
        .filter(({ value }) => value.startsWith(RESET))
        .map(({ identifier }) => identifier);
    },

    /** Finds the person whose password a link sets; undefined for an unknown or expired link. */
    async personOfResetLink(identifier: string, now: number) {
      const row = await db
        .selectFrom('verification')
        .select('value')
        .where('identifier', '=', identifier)
        .where('expires_at', '>', now)
        .orderBy('id', 'desc')
        .executeTakeFirst();
      if (row?.value.startsWith(RESET) !== true) return undefined;
      const id = Number(row.value.slice(RESET.length));
      return findRow(db, 'person', { id }, ['id', 'email', 'name']);
    },
  };
}

const RESET = 'reset ';

/** Value of the verification behind a link that sets a new password: it names the person. */
export function resetValue(personId: number): string {
  return RESET + personId;
}

/** What a sign-in reads and records of a person. */
export function signInStore(db: Db) {
  return {
    findPerson(id: number) {
      return findRow(db, 'person', { id }, ['id', 'name', 'email', 'mfa_enabled']);
    },

    findSession(id: number) {
      return findRow(db, 'session', { id }, ['method', 'team_id']);
    },

    async isInvited(email: string, now: number) {
      return hasRow(db, 'invitation', {
        email: email.toLowerCase(),
        accepted_at: null,
        expires_at: ['>', now],
      });
    },

    /**
     * Chooses the team of a new session: the last one that the person used if they are still an active member, else the first
     * one that they own, else the first of their teams; null without a team.
     */
    async homeTeam(personId: number): Promise<number | null> {
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
    },

    /** Records that a person used a code. @returns false when it was used before. */
    async useCodeOnce(
      used: { personId: number; codeHash: string; expiresAt: number },
      now: number,
    ) {
      const row = await db
        .insertInto('used_code')
        .values({ person_id: used.personId, code: used.codeHash, expires_at: used.expiresAt })
        .onConflict((conflict) =>
          conflict
            .columns(['person_id', 'code'])
            .doUpdateSet({ expires_at: used.expiresAt })
            // An expired row that is not deleted yet.
            .where('used_code.expires_at', '<=', now),
        )
        .returning('person_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async recordTime(personId: number, now: number) {
      await updateRow(db, 'person', personId, { last_login_at: now });
    },
  };
}
