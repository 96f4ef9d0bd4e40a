import { earlier } from '../lib/clock.ts';
import { z } from 'zod';
import { CHANGING } from './common/changing.ts';
import { ADMIN_TOKEN_NAME } from '../identity/bootstrap.ts';
import { may, PERMISSIONS, type Caller, type Permission } from '../identity/caller.ts';
import { hashToken, newToken } from '../identity/token.ts';
import { json } from '../lib/columns.ts';
import { nameText, oneOf } from '../lib/schemas.ts';
import { auditTarget } from '../model/audit.ts';
import { engineOf, forUpdate } from '../store/database/dialect.ts';
import type { Db, Tx } from '../store/database/contract.ts';
import { lockAccount } from '../store/people/accounts.ts';
import { type TokenColumns, type TokenRow, tokenStore } from '../store/people/tokens.ts';
import { recordChange } from './common/change.ts';
import { authorize, holdPermission, invalidField, Problem } from './common/errors.ts';
import {
  answerShape,
  columnsOf,
  fieldTable,
  requestSchema,
  settingsOf,
  settingsReader,
  TIME,
  viewSettings,
  type SettingsOf,
} from './common/fields.ts';
import { Findings } from './common/input.ts';
import { noun, type Call } from './common/operation.ts';
import { notYours, revokeOwn, type OwnDeps } from './common/own.ts';
import { time } from './common/reference-schemas.ts';
import { dateTime } from './common/time-input.ts';
import { isoOrNull, isoTime } from './common/time.ts';

/** Maximum number of tokens per person, expired ones included. */
export const MAX_TOKENS = 100;

const LIST = `must be a list of one or more of ${PERMISSIONS.join(', ')}, each at most once`;

/** Settings of an API token (contract 36.29). */
export const tokenFields = fieldTable({
  name: {
    input: nameText(100).refine((name) => name !== ADMIN_TOKEN_NAME, {
      error: `must not be ${ADMIN_TOKEN_NAME}: that is the one which the operator sets`,
    }),
    required: 'give the token a name for lists',
  },
  permissions: {
    codec: json,
    input: z
      .array(oneOf(PERMISSIONS), { error: LIST })
      .min(1, { error: LIST })
      .refine((list) => new Set(list).size === list.length, { error: LIST })
      .meta({ override: { uniqueItems: true } }),
    unset: [],
    required: `it ${LIST}`,
  },
  expires_at: {
    ...TIME,
    input: dateTime(),
    meaning: 'The token is valid until then; null for no expiry. Without a zone, UTC.',
  },
});

type Settings = SettingsOf<typeof tokenFields>;

const readSettings = settingsReader<Settings>(tokenFields);

const ofPerson = (db: Db, personId: number) =>
  db.selectFrom('token').selectAll().where('person_id', '=', personId);

/** Also locks it, so that it is not revoked before the transaction ends. */
const lock = (tx: Tx, personId: number, id: number) =>
  ofPerson(tx, personId)
    .where('id', '=', id)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();

/** A person's own API tokens. */
function createTokens(deps: OwnDeps) {
  const { database, clock } = deps;

  return {
    async listTokens({ principal: { person } }: Call) {
      const rows = await ofPerson(database.read, person.id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      const data = rows.map((row) => ({
        id: row.id,
        ...asSet(row),
        last_used_at: isoOrNull(row.last_used_at),
        created_at: isoTime(row.created_at),
      }));
      return { data };
    },

    async createToken({ caller, body }: Call) {
      const now = clock.now();
      const settings = settingsAfter(caller, body, now);
      const token = newToken();
      const row = await database.transaction(async (tx) => {
        const { id: personId } = caller.person;
        await checkLimit(tx, personId);
        const parent = await parentOf(tx, caller);
        const expires_at = earlier(settings.expires_at, parent?.expires_at ?? null);
        const columns = {
          ...columnsOf<Settings, TokenColumns>(tokenFields, { ...settings, expires_at }),
          person_id: personId,
          team_id: caller.team.id,
          hash: hashToken(token),
          parent_id: parent?.id ?? null,
        };
        const id = await tokenStore(tx).insert(columns, now);
        const made = await ofPerson(tx, personId).where('id', '=', id).executeTakeFirstOrThrow();
        const change = { verb: 'created', target: auditTarget('token', made), after: asSet(made) };
        await recordChange(tx, caller, change, now);
        return made;
      });
      return { id: row.id, ...asSet(row), token, created_at: isoTime(row.created_at) };
    },

    async revokeToken({ principal, id }: Call) {
      const { kind, id: ownId } = principal.credential;
      // Holders of a leaked token that may only read can still make it useless.
      if (kind !== 'token' || ownId !== id) holdPermission(principal, 'delete');
      await revokeOwn(deps, principal, async (tx, personId) => {
        const row = await lock(tx, personId, id);
        if (row === undefined) throw notYours('token');
        await tx.deleteFrom('token').where('id', '=', id).execute();
        return { verb: 'deleted', target: auditTarget('token', row), before: asSet(row) };
      });
    },
  };
}

/** The token that makes the call, locked: revoking it must also revoke the new one. Null without a token. */
async function parentOf(tx: Tx, { credential, person }: Caller) {
  if (credential.kind === 'grant') {
    throw new Problem(
      'forbidden',
      'A connected application can create no tokens: create them in your account.',
    );
  }
  if (credential.kind !== 'token') return null;
  const parent = await lock(tx, person.id, credential.id);
  if (parent === undefined) throw new Problem('unauthenticated', 'Unauthenticated.');
  return parent;
}

/** Settings that a body asks for. Missing permissions are refused before invalid fields (contract 2.18). */
function settingsAfter(caller: Caller, body: unknown, now: number): Settings {
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

async function checkLimit(tx: Tx, personId: number): Promise<void> {
  await lockAccount(tx, personId);
  if ((await tokenStore(tx).count(personId)) < MAX_TOKENS) return;
  throw invalidField(
    'tokens',
    `must not be more than ${MAX_TOKENS} for one person: revoke one that is no longer used`,
  );
}

/** The settings of a token as answers and the audit log show them. */
const asSet = (row: TokenRow) =>
  viewSettings<Settings>(tokenFields, settingsOf<Settings>(tokenFields, row));

const shape = answerShape(tokenFields);

const EXAMPLE_TIME = '2030-01-01T00:00:00.000Z';

export const tokens = noun({ Tokens: 'Your own tokens.' }, createTokens, {
  listTokens: {
    at: 'GET /tokens',
    needs: 'token',
    summary: 'List your tokens',
    description: 'Your tokens for all teams, the newest first.',
    answer: z
      .object({
        data: z.array(
          z
            .object({
              id: z.int(),
              ...shape,
              last_used_at: time
                .nullable()
                .meta({ description: 'To the minute; null if it has never been used.' }),
              created_at: time,
            })
            .meta({ id: 'Token', description: 'An API token, without the token itself.' })
            .register(CHANGING, { fields: ['last_used_at'] }),
        ),
      })
      .meta({ id: 'TokenList', description: 'The tokens of the caller.' }),
    example: {
      answer: {
        data: [
          {
            id: 1,
            name: 'First start',
            permissions: [...PERMISSIONS],
            last_used_at: EXAMPLE_TIME,
            expires_at: null,
            created_at: EXAMPLE_TIME,
          },
        ],
      },
    },
  },
  createToken: {
    at: 'POST /tokens',
    role: null,
    summary: 'Create a token',
    description: `
Creates a token for the team that you act on. Only this answer contains the token itself: Tocsin stores its hash.

Permissions that you lack yourself are refused with 403. A token that is created with another token expires with it at
the latest, and is revoked with it.`.trim(),
    body: requestSchema(tokenFields),
    answer: z
      .object({
        id: z.int(),
        ...shape,
        token: z.string().meta({ description: 'The token itself, which is shown only once.' }),
        created_at: time,
      })
      .meta({ id: 'NewToken', description: 'An API token that was just created.' })
      .register(CHANGING, { fields: ['token'] }),
    example: {
      body: {
        name: 'Deployment',
        permissions: ['read', 'update'],
        expires_at: '2031-01-01T00:00:00Z',
      },
      answer: {
        id: 5,
        name: 'Deployment',
        permissions: ['read', 'update'],
        token: 'tocsin_…',
        expires_at: '2031-01-01T00:00:00.000Z',
        created_at: EXAMPLE_TIME,
      },
    },
  },
  revokeToken: {
    at: 'DELETE /tokens/:id',
    needs: 'token',
    summary: 'Revoke a token',
    description:
      'Revokes the token and those that were created with it. Every token may revoke itself; for another one it needs the permission `delete`.',
    refusals: ['forbidden'],
  },
});
