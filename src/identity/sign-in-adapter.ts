import {
  type CleanedWhere,
  type CustomAdapter,
  type DBTransactionAdapter,
  createAdapterFactory,
} from 'better-auth/adapters';
import {
  type SignInCondition,
  type SignInRow,
  type SignInTable,
  signInRows,
} from '../store/people/sign-in-rows.ts';
import type { SignInStore } from './sign-in-store.ts';
import { hashToken } from './token.ts';

const OPERATORS: Partial<
  Record<NonNullable<CleanedWhere['operator']>, SignInCondition['operator']>
> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: 'in',
};

type Fields = Record<string, unknown>;

/**
 * Adapter of better-auth to our tables: times are epoch milliseconds, booleans 0 and 1, ids numbers. Session tokens are
 * stored hashed; a row read by its token contains that token, any other none.
 */
export function signInAdapter(store: SignInStore): ReturnType<typeof createAdapterFactory> {
  const adapter: CustomAdapter = {
    async create({ model: name, data }) {
      const model = modelOf(name);
      const row = toRow(model, data);
      const made = await store.write(async (tx) => {
        const complete = await store.complete(tx, model.table, row);
        const inserted = await signInRows(tx).insert(model.table, complete);
        await store.created(tx, model.table, inserted);
        return inserted;
      });
      return fromRow(model, made, tokensOf([data['token']])) as typeof data;
    },
    async findOne({ model: name, where }) {
      const [found] = await select(name, where, { limit: 1 });
      return (found ?? null) as never;
    },
    async findMany({ model: name, where, limit, sortBy, offset }) {
      return (await select(name, where ?? [], { limit, sortBy, offset })) as never;
    },
    async update({ model: name, where, update }) {
      const [changed] = await change(name, where, update as Fields);
      return (changed ?? null) as never;
    },
    async updateMany({ model: name, where, update }) {
      return (await change(name, where, update)).length;
    },
    async delete({ model: name, where }) {
      await remove(name, where);
    },
    async deleteMany({ model: name, where }) {
      return modelOf(name).isMany ? removeUnread(name, where) : (await remove(name, where)).length;
    },
    async consumeOne({ model: name, where }) {
      const [consumed] = await remove(name, where);
      return (consumed ?? null) as never;
    },
    async incrementOne({ model: name, where, increment, set }) {
      const [changed] = await change(name, where, set ?? {}, increment);
      return (changed ?? null) as never;
    },
    async count({ model: name, where }) {
      const query = { table: modelOf(name).table, where: conditions(modelOf(name), where ?? []) };
      return await store.read((db) => signInRows(db).count(query));
    },
  };

  async function select(
    name: string,
    where: CleanedWhere[],
    page: {
      limit: number;
      sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
      offset?: number | undefined;
    },
  ): Promise<Fields[]> {
    const model = modelOf(name);
    const { limit, sortBy, offset } = page;
    const orderBy = sortBy && {
      column: columnOf(model, sortBy.field)[0],
      direction: sortBy.direction,
    };
    const query = { table: model.table, where: conditions(model, where), limit, offset, orderBy };
    const rows = await store.read((db) => signInRows(db).select(query));
    return rows.map((row) => fromRow(model, row, tokensIn(model, where)));
  }

  async function change(
    name: string,
    where: CleanedWhere[],
    update: Fields,
    increment: Record<string, number> = {},
  ): Promise<Fields[]> {
    const model = modelOf(name);
    const set = toRow(model, update);
    // Nothing to store, such as for new tokens of a provider.
    if (Object.keys(set).length === 0 && Object.keys(increment).length === 0) {
      return select(name, where, { limit: 1 });
    }
    const added = Object.fromEntries(
      Object.entries(increment).map(([field, by]) => [columnOf(model, field)[0], by]),
    );
    const query = { table: model.table, where: conditions(model, where), set, increment: added };
    const rows = await store.write(async (tx) => {
      const changed = await signInRows(tx).update(query);
      store.invalidate(model.table, changed);
      return changed;
    });
    return rows.map((row) => fromRow(model, row, tokensIn(model, where)));
  }

  async function remove(name: string, where: CleanedWhere[]): Promise<Fields[]> {
    const model = modelOf(name);
    const query = { table: model.table, where: conditions(model, where) };
    const rows = await store.write(async (tx) => {
      const removed = await signInRows(tx).delete(query);
      store.invalidate(model.table, removed);
      return removed;
    });
    return rows.map((row) => fromRow(model, row, tokensIn(model, where)));
  }

  async function removeUnread(name: string, where: CleanedWhere[]): Promise<number> {
    const model = modelOf(name);
    const query = { table: model.table, where: conditions(model, where) };
    return store.write(async (tx) => {
      const { count, people } = await signInRows(tx).deleteUnread(query);
      store.invalidate(model.table, people);
      return count;
    });
  }

  return (options) => {
    const made: DBTransactionAdapter = createAdapterFactory({
      config: {
        adapterId: 'tocsin',
        supportsDates: true,
        supportsBooleans: true,
        supportsNumericIds: true,
        transaction: (work) => store.transaction(() => work(made)),
      },
      adapter: () => adapter,
    })(options);
    return made as ReturnType<ReturnType<typeof createAdapterFactory>>;
  };
}

function modelOf(name: string): Model {
  const model = MODELS[name];
  if (model === undefined) throw new Error(`Sign-in accessed the unknown model ${name}.`);
  return model;
}

function columnOf(model: Model, field: string): readonly [column: string, kind: Kind] {
  const column = model.fields[field];
  if (column === undefined) {
    throw new Error(`Sign-in accessed ${field} of ${model.table}, which is not allowed.`);
  }
  return column;
}

function toRow(model: Model, data: Fields): SignInRow {
  const kept = Object.entries(data).filter(
    ([field, value]) => value !== undefined && model.dropped?.includes(field) !== true,
  );
  return Object.fromEntries(
    kept.map(([field, value]) => {
      const [column, kind] = columnOf(model, field);
      return [column, toColumn(kind, value)];
    }),
  );
}

function toColumn(kind: Kind, value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (kind === 'token') return hashToken(String(value));
  if (kind === 'number') return Number(value);
  return typeof value === 'number' ? value : String(value);
}

/** @param tokens requested tokens by their hash. */
function fromRow(model: Model, row: SignInRow, tokens: ReadonlyMap<string, string>): Fields {
  return Object.fromEntries(
    Object.entries(model.fields).map(([field, [column, kind]]) => {
      const value = row[column] ?? null;
      if (value === null) return [field, null];
      if (kind === 'date') return [field, new Date(value)];
      if (kind === 'boolean') return [field, value === 1];
      if (kind === 'number') return [field, String(value)];
      return [field, kind === 'token' ? (tokens.get(String(value)) ?? '') : value];
    }),
  );
}

function conditions(model: Model, where: readonly CleanedWhere[]): SignInCondition[] {
  return where.map(({ field, operator: name = 'eq', value, connector, mode }) => {
    const operator = OPERATORS[name];
    if (operator === undefined || connector === 'OR' || mode === 'insensitive') {
      throw new Error(`Sign-in queried ${field} of ${model.table} with an unsupported condition.`);
    }
    // No row has a value of what is not stored.
    if (model.dropped?.includes(field)) return { column: 'id', operator: 'in', value: [] };
    const [column, kind] = columnOf(model, field);
    if (Array.isArray(value)) {
      return { column, operator, value: value.map((one) => toColumn(kind, one)!) };
    }
    // An id that is not a number matches no row.
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      return { column, operator: 'in', value: [] };
    }
    return { column, operator, value: toColumn(kind, value) };
  });
}

function tokensIn(model: Model, where: readonly CleanedWhere[]): ReadonlyMap<string, string> {
  const isToken = ({ field }: CleanedWhere) => model.fields[field]?.[1] === 'token';
  return tokensOf(where.filter(isToken).flatMap(({ value }) => value as string | string[]));
}

function tokensOf(tokens: readonly unknown[]): ReadonlyMap<string, string> {
  const texts = tokens.filter((token) => typeof token === 'string');
  return new Map(texts.map((token) => [hashToken(token), token]));
}

/** Representation of a value in better-auth, where it differs from the column; a `number` is text there. */
type Kind = 'plain' | 'boolean' | 'date' | 'token' | 'number';

interface Model {
  table: SignInTable;
  /** Field of better-auth → our column. */
  fields: Record<string, readonly [column: string, kind: Kind]>;
  /** Fields that better-auth writes and we do not store. */
  dropped?: readonly string[];
  /** True for rows of people of which there may be many: they are deleted without being read. */
  isMany?: boolean;
}

const snakeCase = (field: string) =>
  field.replaceAll(/(?<=[a-z])[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);

/** Fields, with spaces between them, whose column has their name in snake case. */
function of(kind: Kind, fields: string): Model['fields'] {
  return Object.fromEntries(fields.split(' ').map((field) => [field, [snakeCase(field), kind]]));
}

const TIMES = of('date', 'createdAt updatedAt');
const OWNED: Model['fields'] = { ...of('plain', 'id'), userId: ['person_id', 'plain'] };

/** What a grant covers; its id is the reference of better-auth. */
const ISSUED: Model['fields'] = {
  ...OWNED,
  ...of('plain', 'clientId resources scopes'),
  referenceId: ['grant_id', 'number'],
};
const ISSUED_TOKEN: Model['fields'] = {
  ...ISSUED,
  token: ['hash', 'plain'],
  ...of('plain', 'authorizationCodeId'),
  ...of('date', 'expiresAt createdAt'),
};
/** Sessions, proofs of possession and claims of OpenID Connect. */
const UNUSED_OF_TOKENS = ['sessionId', 'confirmation', 'requestedUserInfoClaims'];

/** Allowlist of what better-auth may read and write. */
const MODELS: Record<string, Model> = {
  user: {
    table: 'person',
    fields: {
      ...of('plain', 'id name email image timezone'),
      ...of('boolean', 'emailVerified'),
      twoFactorEnabled: ['mfa_enabled', 'boolean'],
      ...TIMES,
    },
  },
  session: {
    table: 'session',
    fields: {
      ...OWNED,
      ...of('plain', 'ipAddress userAgent'),
      ...of('date', 'expiresAt'),
      token: ['hash', 'token'],
      ...TIMES,
    },
  },
  account: {
    table: 'credential',
    fields: { ...OWNED, ...of('plain', 'accountId providerId scope password'), ...TIMES },
    // Providers are never called on a person's behalf, so storing their tokens would only be a risk.
    dropped: [
      'accessToken',
      'refreshToken',
      'idToken',
      'accessTokenExpiresAt',
      'refreshTokenExpiresAt',
    ],
  },
  verification: {
    table: 'verification',
    fields: { ...of('plain', 'id identifier value'), ...of('date', 'expiresAt'), ...TIMES },
  },
  twoFactor: {
    table: 'two_factor',
    fields: {
      ...OWNED,
      ...of('plain', 'secret backupCodes failedVerificationCount'),
      ...of('date', 'lockedUntil'),
      ...of('boolean', 'verified'),
    },
  },
  passkey: {
    table: 'passkey',
    fields: {
      ...OWNED,
      ...of('plain', 'name publicKey credentialID counter deviceType transports aaguid'),
      ...of('boolean', 'backedUp'),
      ...of('date', 'createdAt'),
    },
  },
  oauthClient: {
    table: 'oauth_client',
    fields: {
      ...of(
        'plain',
        'id clientId name uri redirectUris grantTypes responseTypes tokenEndpointAuthMethod applicationType scopes',
      ),
      ...TIMES,
    },
  },
  oauthResource: {
    table: 'oauth_resource',
    fields: { ...of('plain', 'id identifier name'), ...TIMES },
    // All resources have the same rules, those of the configuration.
    dropped: [
      'accessTokenTtl',
      'refreshTokenTtl',
      'signingAlgorithm',
      'signingKeyId',
      'allowedScopes',
      'customClaims',
      'dpopBoundAccessTokensRequired',
      'disabled',
      'policyVersion',
      'metadata',
    ],
  },
  oauthConsent: {
    table: 'oauth_consent',
    fields: { ...ISSUED, ...TIMES },
    dropped: ['requestedUserInfoClaims'],
  },
  oauthRefreshToken: {
    table: 'oauth_refresh_token',
    isMany: true,
    fields: { ...ISSUED_TOKEN, revoked: ['revoked_at', 'date'] },
    // A grant outlives the session in which it was given.
    dropped: [...UNUSED_OF_TOKENS, 'authTime', 'rotatedAt'],
  },
  oauthAccessToken: {
    table: 'oauth_access_token',
    isMany: true,
    fields: { ...ISSUED_TOKEN, ...of('plain', 'refreshId') },
    dropped: [...UNUSED_OF_TOKENS, 'revoked'],
  },
};
