import type { Kysely, Selectable } from 'kysely';
import type { Schema, TokenTable } from './schema.ts';

/** A token with its person, its team and the person's membership there. */
export interface TokenHolder {
  token: Pick<
    Selectable<TokenTable>,
    'id' | 'name' | 'permissions' | 'expires_at' | 'last_used_at'
  >;
  person: { id: number; name: string; email: string; timezone: string };
  team: { id: number; name: string; slug: string; personal_team: number };
  role: string;
}

/**
 * Whoever holds the token with this hash; undefined when it is unknown or revoked, and when its holder is no active
 * member of its team. Expiry is for the caller to judge.
 */
export async function findTokenHolder(
  db: Kysely<Schema>,
  hash: string,
): Promise<TokenHolder | undefined> {
  const row = await db
    .selectFrom('token')
    .innerJoin('person', 'person.id', 'token.person_id')
    .innerJoin('team', 'team.id', 'token.team_id')
    .innerJoin('member', (join) =>
      join
        .onRef('member.team_id', '=', 'token.team_id')
        .onRef('member.person_id', '=', 'token.person_id'),
    )
    .where('token.hash', '=', hash)
    .where('member.status', '=', 'active')
    .select([
      'token.id as token_id',
      'token.name as token_name',
      'token.permissions',
      'token.expires_at',
      'token.last_used_at',
      'person.id as person_id',
      'person.name as person_name',
      'person.email',
      'person.timezone',
      'team.id as team_id',
      'team.name as team_name',
      'team.slug',
      'team.personal_team',
      'member.role',
    ])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    token: {
      id: row.token_id,
      name: row.token_name,
      permissions: row.permissions,
      expires_at: row.expires_at,
      last_used_at: row.last_used_at,
    },
    person: { id: row.person_id, name: row.person_name, email: row.email, timezone: row.timezone },
    team: {
      id: row.team_id,
      name: row.team_name,
      slug: row.slug,
      personal_team: row.personal_team,
    },
    role: row.role,
  };
}

export interface NewToken {
  personId: number;
  teamId: number;
  name: string;
  hash: string;
  permissions: readonly string[];
  expiresAt: number | null;
}

/** @returns the new token's id. */
export async function insertToken(
  db: Kysely<Schema>,
  token: NewToken,
  now: number,
): Promise<number> {
  const row = await db
    .insertInto('token')
    .values({
      person_id: token.personId,
      team_id: token.teamId,
      name: token.name,
      hash: token.hash,
      permissions: JSON.stringify(token.permissions),
      expires_at: token.expiresAt,
      last_used_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The hashes of a person's tokens of that name. */
export async function tokenHashesByName(
  db: Kysely<Schema>,
  personId: number,
  name: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('token')
    .select('hash')
    .where('person_id', '=', personId)
    .where('name', '=', name)
    .execute();
  return rows.map((row) => row.hash);
}

export async function deleteTokensByName(
  db: Kysely<Schema>,
  personId: number,
  name: string,
): Promise<void> {
  await db.deleteFrom('token').where('person_id', '=', personId).where('name', '=', name).execute();
}

/** Never moves backwards, so that several nodes may note the same token. */
export async function noteTokenUse(
  db: Kysely<Schema>,
  tokenId: number,
  now: number,
): Promise<void> {
  await db
    .updateTable('token')
    .set({ last_used_at: now })
    .where('id', '=', tokenId)
    .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<', now)]))
    .execute();
}

/** From then on, calls with the token act on that team. */
export async function moveToken(
  db: Kysely<Schema>,
  tokenId: number,
  teamId: number,
): Promise<void> {
  await db.updateTable('token').set({ team_id: teamId }).where('id', '=', tokenId).execute();
}
