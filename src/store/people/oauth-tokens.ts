import type { Db, Tx } from '../database/contract.ts';
import { findRow, lockRows } from '../database/rows.ts';

/** A token by its kind and the SHA-256 under which it is stored. */
interface OauthToken {
  kind: 'access' | 'refresh';
  hash: string;
}

interface GrantOwner {
  person_id: number;
  client_id: string;
}

const TABLES = { access: 'oauth_access_token', refresh: 'oauth_refresh_token' } as const;

/** Finds the grant of a refresh token, also of a used one; null for an unknown token. */
export async function findGrantOfToken(db: Db, hash: string): Promise<number | null> {
  const row = await findRow(db, 'oauth_refresh_token', { hash }, ['grant_id']);
  return row?.grant_id ?? null;
}

/** Tokens of applications. */
export function oauthTokenStore(tx: Tx) {
  return {
    /** Locks the grants that a token belongs to, see `lockGrantsOf`; none for an unknown one. */
    async lockGrants({ kind, hash }: OauthToken) {
      const owner = await tx
        .selectFrom(TABLES[kind])
        .select(['person_id', 'client_id'])
        .where('hash', '=', hash)
        .executeTakeFirst();
      await lockGrantsOf(tx, owner);
    },

    /** Locks the grants that an authorization code belongs to, also a used one; none for an unknown one. */
    async lockGrantsOfCode(hash: string) {
      await lockGrantsOf(tx, (await ownerOfCode(tx, hash)) ?? (await ownerOfTokens(tx, hash)));
    },

    /**
     * Deletes a token of a client: an access token alone, a refresh token with all that followed from the same authorization.
     *
     * @returns whose it was; null for an unknown one.
     */
    async delete(token: OauthToken & { clientId: string }): Promise<number | null> {
      await this.lockGrants(token);
      const found = await tx
        .deleteFrom(TABLES[token.kind])
        .where('hash', '=', token.hash)
        .where('client_id', '=', token.clientId)
        .returning(['person_id', 'authorization_code_id'])
        .executeTakeFirst();
      if (found === undefined) return null;
      const { authorization_code_id: authorization } = found;
      if (token.kind === 'refresh' && authorization !== null) {
        for (const table of Object.values(TABLES))
          await tx.deleteFrom(table).where('authorization_code_id', '=', authorization).execute();
      }
      return found.person_id;
    },
  };
}

/**
 * Locks all grants of a person to an application until the transaction ends, so that using, revoking and replaying their
 * tokens happen one after the other. All, since a second use revokes the tokens of every team; by id, so that two
 * transactions never wait for each other.
 */
async function lockGrantsOf(tx: Tx, owner: GrantOwner | undefined): Promise<void> {
  if (owner === undefined) return;
  await lockRows(
    tx,
    'oauth_grant',
    { person_id: owner.person_id, client_id: owner.client_id },
    ['id'],
    ['id'],
  );
}

/** Owner of the grant that a code refers to until it is used. */
async function ownerOfCode(tx: Tx, hash: string): Promise<GrantOwner | undefined> {
  const code = await findRow(tx, 'verification', { identifier: hash }, ['value']);
  if (code === undefined) return undefined;
  // As better-auth stores it.
  const { referenceId } = JSON.parse(code.value) as { referenceId?: string };
  return await findRow(tx, 'oauth_grant', { id: Number(referenceId ?? 0) }, [
    'person_id',
    'client_id',
  ]);
}

/** Owner of the tokens that a used code gave. */
async function ownerOfTokens(tx: Tx, codeHash: string) {
  for (const table of Object.values(TABLES)) {
    const owner = await tx
      .selectFrom(table)
      .select(['person_id', 'client_id'])
      .where('authorization_code_id', '=', codeHash)
      .limit(1)
      .executeTakeFirst();
    if (owner !== undefined) return owner;
  }
  return undefined;
}
