import type { Transaction } from 'kysely';
import { z } from 'zod';
import { ADMIN_TOKEN_NAME } from '../../identity/admin-token.ts';
import type { Authenticator } from '../../identity/authenticate.ts';
import {
  may,
  PERMISSIONS,
  type Caller,
  type Permission,
  type Principal,
} from '../../identity/caller.ts';
import { hashToken, newToken } from '../../identity/token.ts';
import type { Clock } from '../../lib/clock.ts';
import { holdAccount } from '../../store/people/accounts.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  countTokens,
  deleteToken,
  findToken,
  holdToken,
  insertToken,
  listTokens,
  type TokenRow,
} from '../../store/people/tokens.ts';
import { audit } from '../audit-log/entry.ts';
import { authorise, Problem } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { nameText, oneOf } from '../../lib/schemas.ts';
import { isoOrNull, isoTime, parseTime } from '../common/time.ts';

/** So many a person may have, expired ones too. */
export const MOST_TOKENS = 100;

const SOME_PERMISSIONS = `must be a list of one or more of ${PERMISSIONS.join(', ')}, each at most once`;

/** What people send to make a token (contract 36.29). */
export const tokenInput = z.object({
  name: nameText(100),
  permissions: z
    .array(oneOf(PERMISSIONS), { error: SOME_PERMISSIONS })
    .min(1, { error: SOME_PERMISSIONS })
    .refine((list) => new Set(list).size === list.length, { error: SOME_PERMISSIONS })
    .meta({ override: { uniqueItems: true } }),
  expires_at: expiry().nullish(),
});

/** As it is read: what is required is looked for afterwards, so that all errors are told at once. */
const incompleteInput = tokenInput.extend({
  name: tokenInput.shape.name.nullish(),
  permissions: tokenInput.shape.permissions.nullish(),
});

/** A person's own API tokens. */
export interface TokenService {
  list(principal: Principal): Promise<object>;
  /**
   * A token for the team that the caller acts on, with at most what the caller may do itself; the answer alone holds it.
   * What a token made expires and is revoked with it.
   */
  create(caller: Caller, body: unknown): Promise<object>;
  /** It opens nothing any more, and neither does what it made. Tokens of others are not found. */
  revoke(principal: Principal, id: number): Promise<void>;
}

export function createTokenService(deps: {
  database: Database;
  clock: Clock;
  forget: Authenticator['forget'];
}): TokenService {
  const { database, clock, forget } = deps;

  return {
    async list({ person }) {
      const rows = await listTokens(database.read, person.id);
      return { data: rows.map(viewToken) };
    },

    async create(caller, body) {
      const now = clock.now();
      const wanted = readToken(caller, body, now);
      const token = newToken();
      const row = await database.transaction(async (tx) => {
        await leaveRoom(tx, caller.person.id);
        const parent = await parentOf(tx, caller);
        const columns = {
          personId: caller.person.id,
          teamId: caller.team.id,
          name: wanted.name,
          hash: hashToken(token),
          permissions: wanted.permissions,
          expiresAt: earlier(wanted.expiresAt, parent?.expires_at ?? null),
          parentId: parent?.id ?? null,
        };
        const id = await insertToken(tx, columns, now);
        const made = (await findToken(tx, caller.person.id, id))!;
        await audit(tx, caller, { verb: 'created', target: target(made), after: shown(made) }, now);
        return made;
      });
      const { id, name, permissions, expires_at, created_at } = viewToken(row);
      return { id, name, permissions, token, expires_at, created_at };
    },

    async revoke(principal, id) {
      const personId = principal.person.id;
      await database.transaction(async (tx) => {
        const row = await holdToken(tx, personId, id);
        if (row === undefined) throw new Problem('not_found', 'There is no such token of yours.');
        await deleteToken(tx, personId, id);
        const change = { verb: 'deleted', target: target(row), before: shown(row) };
        await audit(tx, principal, change, clock.now());
      });
      forget({ personId });
    },
  };
}

/** The token that asks for another, held until that is there: revoked meanwhile, it could not take it along. */
async function parentOf(tx: Transaction<Schema>, { credential, person }: Caller) {
  if (credential.kind !== 'token') return null;
  const parent = await holdToken(tx, person.id, credential.id);
  if (parent === undefined) throw new Problem('unauthenticated', 'Unauthenticated.');
  return parent;
}

interface WantedToken {
  name: string;
  permissions: Permission[];
  /** Epoch milliseconds. */
  expiresAt: number | null;
}

/** What is lacking comes before what is wrong (contract 2.18). */
function readToken(caller: Caller, body: unknown, now: number): WantedToken {
  const findings = new Findings();
  const given = readBody(incompleteInput, body, findings) as z.output<typeof incompleteInput>;
  const { name, permissions, expires_at: expiresAt = null } = given;
  for (const permission of permissions ?? []) authoriseGiving(caller, permission);
  if (name === ADMIN_TOKEN_NAME)
    findings.add(
      'name',
      `must not be ${ADMIN_TOKEN_NAME}: that is the one which the operator sets`,
    );
  if (name == null && !findings.has('name'))
    findings.add('name', 'is required: tokens are told apart by it');
  if (permissions == null && !findings.has('permissions'))
    findings.add('permissions', `is required: it ${SOME_PERMISSIONS}`);
  if (expiresAt !== null && expiresAt <= now) findings.add('expires_at', 'must be in the future');
  findings.throwIfAny();
  return { name: name!, permissions: permissions!, expiresAt };
}

/** Nobody gives what they don't have (contract 36.31). */
function authoriseGiving(caller: Caller, permission: Permission): void {
  if (may(caller, permission)) return;
  if (caller.permissions.includes(permission)) return authorise(caller, permission);
  throw new Problem(
    'forbidden',
    `This token lacks the "${permission}" permission, so that it can't give it to another: leave it out, or use a token that has it.`,
  );
}

async function leaveRoom(tx: Transaction<Schema>, personId: number): Promise<void> {
  await holdAccount(tx, personId);
  if ((await countTokens(tx, personId)) < MOST_TOKENS) return;
  const findings = new Findings();
  findings.add(
    'tokens',
    `must not be more than ${MOST_TOKENS} for one person: revoke one that is no longer used`,
  );
  throw findings.asError();
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function expiry() {
  const error = 'must be a date and time such as 2030-01-31T12:00:00Z';
  return z
    .string({ error })
    .transform((value, context) => {
      const at = parseTime(value);
      if (at !== null) return at;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      description: 'From then on it opens nothing; without a zone in UTC. Never, if left out.',
      override: { type: 'string', format: 'date-time' },
    });
}

function viewToken(row: TokenRow) {
  return {
    id: row.id,
    name: row.name,
    permissions: JSON.parse(row.permissions) as Permission[],
    last_used_at: isoOrNull(row.last_used_at),
    expires_at: isoOrNull(row.expires_at),
    created_at: isoTime(row.created_at),
  };
}

/** What the audit log tells of it. */
function shown(row: TokenRow) {
  const { name, permissions, expires_at } = viewToken(row);
  return { name, permissions, expires_at };
}

function target({ id, name }: TokenRow) {
  return { type: 'token', id, name } as const;
}
