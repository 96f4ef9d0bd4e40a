import type { Transaction } from 'kysely';
import type { Authenticator } from '../../identity/authenticate.ts';
import { may, type Caller, type Permission, type Principal } from '../../identity/caller.ts';
import { hashToken, newToken } from '../../identity/token.ts';
import type { Clock } from '../../lib/clock.ts';
import { lockAccount } from '../../store/people/accounts.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  countTokens,
  deleteToken,
  findToken,
  lockToken,
  insertToken,
  listTokens,
  type TokenColumns,
  type TokenRow,
} from '../../store/people/tokens.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize, holdPermission, Problem } from '../common/errors.ts';
import { columnsOf, settingsOf, settingsReader, viewSettings } from '../common/fields.ts';
import { Findings } from '../common/input.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { TOKEN_FIELDS, type TokenSettings } from './fields.ts';
import type { Call } from '../common/operation.ts';

/** Maximum number of tokens per person, expired ones included. */
export const MAX_TOKENS = 100;

const readSettings = settingsReader(TOKEN_FIELDS);

/** A person's own API tokens. */
export function createTokenService(deps: {
  database: Database;
  clock: Clock;
  forget: Authenticator['forget'];
}) {
  const { database, clock, forget } = deps;

  return {
    async listTokens({ principal: { person } }: Call) {
      const rows = await listTokens(database.read, person.id);
      return { data: rows.map(viewToken) };
    },

    /**
     * Creates a token for the team that the caller acts on, with at most the caller's own permissions. The token itself is
     * only in this answer. A token that another token created expires and is revoked with it.
     */
    async createToken({ caller, body }: Call) {
      const now = clock.now();
      const settings = settingsAfter(caller, body, now);
      const token = newToken();
      const row = await database.transaction(async (tx) => {
        await checkLimit(tx, caller.person.id);
        const parent = await parentOf(tx, caller);
        const expires_at = earlier(settings.expires_at, parent?.expires_at ?? null);
        const columns = {
          ...columnsOf<TokenSettings, TokenColumns>(TOKEN_FIELDS, { ...settings, expires_at }),
          person_id: caller.person.id,
          team_id: caller.team.id,
          hash: hashToken(token),
          parent_id: parent?.id ?? null,
        };
        const id = await insertToken(tx, columns, now);
        const made = (await findToken(tx, caller.person.id, id))!;
        const change = { verb: 'created', target: targetOf(made), after: asSet(made) };
        await audit(tx, caller, change, now);
        return made;
      });
      return { id: row.id, ...asSet(row), token, created_at: isoTime(row.created_at) };
    },

    /**
     * Revokes a token and those that it created. Tokens of others are not found. Requires the permission to delete, except
     * for the token that makes the call.
     */
    async revokeToken({ principal, id }: Call) {
      // Holders of a leaked token that may only read can still make it useless.
      if (!isOwnToken(principal, id)) holdPermission(principal, 'delete');
      const personId = principal.person.id;
      await database.transaction(async (tx) => {
        const row = await lockToken(tx, personId, id);
        if (row === undefined) throw new Problem('not_found', 'There is no such token of yours.');
        await deleteToken(tx, personId, id);
        const change = { verb: 'deleted', target: targetOf(row), before: asSet(row) };
        await audit(tx, principal, change, clock.now());
      });
      forget({ personId });
    },
  };
}

function isOwnToken({ credential }: Principal, id: number): boolean {
  return credential.kind === 'token' && credential.id === id;
}

/** The token that makes the call, locked: revoking it must also revoke the new one. Null without a token. */
async function parentOf(tx: Transaction<Schema>, { credential, person }: Caller) {
  if (credential.kind === 'grant') {
    throw new Problem(
      'forbidden',
      'A connected application can create no tokens: create them in your account.',
    );
  }
  if (credential.kind !== 'token') return null;
  const parent = await lockToken(tx, person.id, credential.id);
  if (parent === undefined) throw new Problem('unauthenticated', 'Unauthenticated.');
  return parent;
}

/** Settings that a body asks for. Missing permissions are refused before invalid fields (contract 2.18). */
function settingsAfter(caller: Caller, body: unknown, now: number): TokenSettings {
  const findings = new Findings();
  const settings = readSettings(body, null, findings);
  for (const permission of settings.permissions) authorizeGiving(caller, permission);
  if (settings.expires_at !== null && settings.expires_at <= now)
    findings.add('expires_at', 'must be in the future');
  findings.throwIfAny();
  return settings;
}

/** Throws unless the caller has the permission (contract 36.31). */
function authorizeGiving(caller: Caller, permission: Permission): void {
  if (may(caller, permission)) return;
  if (caller.permissions.includes(permission)) return authorize(caller, permission);
  throw new Problem(
    'forbidden',
    `This token lacks the "${permission}" permission, so that it can't give it to another: leave it out, or use a token that has it.`,
  );
}

async function checkLimit(tx: Transaction<Schema>, personId: number): Promise<void> {
  await lockAccount(tx, personId);
  if ((await countTokens(tx, personId)) < MAX_TOKENS) return;
  const findings = new Findings();
  findings.add(
    'tokens',
    `must not be more than ${MAX_TOKENS} for one person: revoke one that is no longer used`,
  );
  throw findings.asError();
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** The settings of a token as answers and the audit log show them. */
function asSet(row: TokenRow) {
  return viewSettings(TOKEN_FIELDS, settingsOf(TOKEN_FIELDS, row));
}

function viewToken(row: TokenRow) {
  return {
    id: row.id,
    ...asSet(row),
    last_used_at: isoOrNull(row.last_used_at),
    created_at: isoTime(row.created_at),
  };
}

function targetOf({ id, name }: TokenRow) {
  return { type: 'token', id, name } as const;
}
