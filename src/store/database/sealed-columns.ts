import { sql } from 'kysely';
import type { SealedKind } from '../../lib/secret-box.ts';
import type { Db, Schema, Tx } from './contract.ts';

/** How a column is encrypted: by the secret box (`lib/secret-box.ts`), or by better-auth. */
export type Cipher = 'secret box' | 'sign-in';

export type SealedTable = {
  key: 'id' | 'name';
  /** Encrypted columns, with words for people. */
  columns: Readonly<Record<string, string>>;
  /** Restricts the table to rows with encrypted columns. */
  where?: 'mails' | 'web push keys';
} & (
  | {
      cipher: 'secret box';
      table: keyof Schema & SealedKind;
      /** SQL for the owner that the values of a row are bound to (`SecretBox.of`). It never changes. */
      owner: string;
    }
  | { cipher: 'sign-in'; table: keyof Schema }
);

/** Owner that the settings of a channel are bound to. */
export function channelOwner({
  team_id: teamId,
  person_id: personId,
}: {
  team_id: number | null;
  person_id: number | null;
}): string {
  return personId === null ? `team ${teamId}` : `person ${personId}`;
}

export const WEB_PUSH_SETTING = 'web_push_keys';

/**
 * All encrypted columns. Rotation encrypts them with the first key, and the start checks that their keys are there: a
 * column that is missing here is lost when its key is removed (sealed-columns.test.ts looks for such columns).
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    table: 'monitor',
    key: 'id',
    cipher: 'secret box',
    owner: 'team_id',
    columns: {
      auth_username: 'user names of monitors',
      auth_password: 'passwords of monitors',
      request_headers: 'request headers of monitors',
      request_body: 'request bodies of monitors',
      ping_token: 'ping URLs',
    },
  },
  {
    table: 'webhook_endpoint',
    key: 'id',
    cipher: 'secret box',
    owner: 'team_id',
    columns: {
      url: 'URLs of webhook endpoints',
      auth_token: 'tokens of webhook endpoints',
      signing_secret: 'signing secrets of webhook endpoints',
      previous_signing_secret: 'former signing secrets of webhook endpoints',
    },
  },
  {
    table: 'alert_channel',
    key: 'id',
    cipher: 'secret box',
    owner: "case when person_id is null then 'team ' || team_id else 'person ' || person_id end",
    columns: { settings: 'settings of channels' },
  },
  {
    table: 'subscriber',
    key: 'id',
    cipher: 'secret box',
    owner: 'page_id',
    columns: {
      address: 'addresses of subscribers',
      signing_secret: 'signing secrets of subscribers',
    },
  },
  {
    table: 'idempotency_key',
    key: 'id',
    cipher: 'secret box',
    owner: 'id',
    columns: { answer: 'answers kept for Idempotency-Key' },
  },
  {
    table: 'delivery',
    key: 'id',
    cipher: 'secret box',
    owner: 'message_id',
    columns: { body: 'queued mails' },
    where: 'mails',
  },
  {
    table: 'setting',
    key: 'name',
    cipher: 'secret box',
    owner: 'name',
    columns: { value: 'Web Push keys' },
    where: 'web push keys',
  },
  {
    table: 'two_factor',
    key: 'id',
    cipher: 'sign-in',
    columns: { secret: 'authenticators', backup_codes: 'recovery codes' },
  },
];

/** Number of values of one column whose texts begin alike. */
interface PrefixCount {
  of: SealedTable;
  what: string;
  prefix: string;
  count: number;
}

/** Counts the encrypted values of a table by their beginning, in one pass over the table. */
export async function countPrefixes(db: Db, of: SealedTable, prefixLength: number) {
  const columns = Object.keys(of.columns);
  const prefixes = columns.map(
    (name) => sql`substr(${sql.ref(name)}, 1, ${sql.lit(prefixLength)})`,
  );
  const named = prefixes.map((prefix, index) => sql`${prefix} as ${sql.ref(columns[index]!)}`);
  const { rows } = await sql<Record<string, string | null> & { total: number }>`
    select ${sql.join(named)}, count(*) as total from ${sql.table(of.table)}
    where ${restriction(of)} and (${anyOf(columns, (name) => sql`${sql.ref(name)} is not null`)})
    group by ${sql.join(prefixes)}`.execute(db);
  const counts = new Map<string, PrefixCount>();
  for (const row of rows) {
    for (const name of columns) {
      const prefix = row[name];
      if (typeof prefix !== 'string') continue;
      const what = of.columns[name]!;
      const found = counts.get(`${what} ${prefix}`) ?? { of, what, prefix, count: 0 };
      found.count += row.total;
      counts.set(`${what} ${prefix}`, found);
    }
  }
  return [...counts.values()];
}

/** A row of a sealed table: its key, its owner, and its encrypted columns. */
export interface SealedRow {
  key: string | number;
  /** Null where better-auth encrypts. */
  owner: string | number | null;
  sealed: Readonly<Record<string, string | null>>;
}

/** Reads the next rows after a key that have a value which does not begin with `prefix`. */
export async function readSealedRows(
  db: Db,
  of: SealedTable,
  options: { prefix: string; after: string | number | null; limit: number },
): Promise<SealedRow[]> {
  const { prefix, after, limit } = options;
  const columns = Object.keys(of.columns);
  const key = sql.ref(of.key);
  const owner = of.cipher === 'secret box' ? sql.raw(of.owner) : sql`null`;
  const later = after === null ? sql`true` : sql`${key} > ${after}`;
  const { rows } = await sql<Record<string, string | null>>`
    select ${key} as row_key, ${owner} as row_owner, ${sql.join(columns.map((name) => sql.ref(name)))}
    from ${sql.table(of.table)}
    where ${later} and ${restriction(of)} and (${anyOf(
      columns,
      (name) => sql`substr(${sql.ref(name)}, 1, ${sql.lit(prefix.length)}) <> ${prefix}`,
    )})
    order by ${key} limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ row_key: rowKey, row_owner: rowOwner, ...sealed }) => ({
    key: rowKey as string | number,
    owner: rowOwner as string | number | null,
    sealed,
  }));
}

/**
 * Replaces an encrypted value.
 *
 * @returns false when it changed since it was read; the change encrypted it with the first key.
 */
export async function replaceSealed(
  tx: Tx,
  of: SealedTable,
  change: { key: string | number; column: string; from: string; to: string },
): Promise<boolean> {
  const { key, column, from, to } = change;
  const { numAffectedRows } = await sql`
    update ${sql.table(of.table)} set ${sql.ref(column)} = ${to}
    where ${sql.ref(of.key)} = ${key} and ${sql.ref(column)} = ${from}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

function anyOf(columns: readonly string[], condition: (name: string) => ReturnType<typeof sql>) {
  return sql.join(columns.map(condition), sql` or `);
}

function restriction({ where }: SealedTable) {
  switch (where) {
    case 'mails':
      return sql`destination_id in (select id from destination where kind in ('mail', 'subscriber_mail'))`;
    case 'web push keys':
      return sql`name = ${sql.lit(WEB_PUSH_SETTING)}`;
    default:
      return sql`true`;
  }
}
