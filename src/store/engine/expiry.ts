import { sql } from 'kysely';
import type { Database, Tx } from '../database/contract.ts';
import {
  BATCH_ROWS,
  deleteBatch,
  deleteSome,
  hasRow,
  inBatch,
  findRows,
} from '../database/rows.ts';
import { dependencyChanges } from '../resources/dependencies.ts';
import { pingChanges } from './pings.ts';
import { failureTable, listDays, listRetiredDays, roundTable } from './results.ts';

const DAY_MS = 86_400_000;
/** Time for which a used refresh token is kept, so that a second use is noticed; it bounds how many a grant has. */
const USED_MS = DAY_MS;

/**
 * Deletes what is from before a time (epoch ms): one batch, in a transaction of its own.
 *
 * @returns whether there may be more.
 */
type Expire = (database: Database, before: number) => Promise<boolean>;

/** What is deleted by its age alone, by what it is. */
export const expire = {
  /** Those that are fanned out. */
  events: (database, before) =>
    deleteBatch(database, 'event', (rows) =>
      rows.where('created_at', '<', before).where('fan_out_at', 'is', null).orderBy('created_at'),
    ),

  auditEntries: (database, before) =>
    deleteBatch(database, 'audit_entry', (rows) =>
      rows.where('created_at', '<', before).orderBy('created_at'),
    ),

  idempotencyKeys: (database, before) =>
    deleteBatch(database, 'idempotency_key', (rows) =>
      rows.where('created_at', '<', before).orderBy('created_at'),
    ),

  /** Each has its own time, and its file goes with it. */
  reportRuns: (database, before) =>
    deleteBatch(database, 'report_run', (rows) => rows.where('expires_at', '<=', before)),

  /** Those that are over. */
  mailings: (database, before) =>
    deleteBatch(database, 'mailing', (rows) =>
      rows.where('next_at', 'is', null).where('created_at', '<', before).orderBy('id'),
    ),

  pageChanges: (database, before) =>
    deleteBatch(database, 'status_page_change', (rows) => rows.where('at', '<', before)),

  liveChanges: (database, before) =>
    deleteBatch(database, 'live_change', (rows) => rows.where('at', '<', before).orderBy('at')),

  corrections: (database, before) =>
    deleteBatch(database, 'correction', (rows) => rows.where('to_at', '<', before)),

  /** Those of monitors whose newest imported day is older. */
  async importedDays(database, before) {
    const day = Math.floor(before / DAY_MS);
    if (!(await hasRow(database.read.selectFrom('imported_days').where('last_day', '<', day))))
      return false;
    return database.transaction(async (tx) => {
      const over = tx.selectFrom('imported_days').select('monitor_id').where('last_day', '<', day);
      const { numDeletedRows } = await tx
        .deleteFrom('imported_days')
        .where(inBatch('monitor_id', over.limit(BATCH_ROWS)))
        .executeTakeFirstOrThrow();
      return numDeletedRows >= BATCH_ROWS;
    });
  },

  /** Occurrences that ended, and windows that were deleted. */
  maintenance: (database, before) =>
    database.transaction(async (tx) => {
      const isMoreEnded = await deleteSome(tx, 'maintenance_occurrence', (rows) =>
        rows.where('to_at', '<', before),
      );
      const isMoreDeleted = await deleteSome(tx, 'maintenance_window', (rows) =>
        rows.where('deleted_at', '<', before),
      );
      return isMoreEnded || isMoreDeleted;
    }),

  /** Sessions, verifications and used codes. */
  signIns: (database, before) =>
    database.transaction(async (tx) => {
      let isMore = false;
      for (const table of ['session', 'verification'] as const)
        isMore =
          (await deleteSome(tx, table, (rows) => rows.where('expires_at', '<=', before))) || isMore;
      // Codes live for two minutes, and each needs a request that was counted, so there are few.
      await tx.deleteFrom('used_code').where('expires_at', '<=', before).execute();
      return isMore;
    }),

  /** Tokens that expired, and refresh tokens that were used a day before. */
  async oauthTokens(database, before) {
    let isMore = await deleteBatch(database, 'oauth_refresh_token', (rows) =>
      rows.where('revoked_at', '<=', before - USED_MS),
    );
    for (const table of ['oauth_access_token', 'oauth_refresh_token'] as const)
      isMore =
        (await deleteBatch(database, table, (rows) => rows.where('expires_at', '<=', before))) ||
        isMore;
    return isMore;
  },

  rateLimits: (database, before) =>
    database.transaction(async (tx) => {
      const ended = tx.selectFrom('rate_limit').select('key').where('expire', '<', before);
      const { numDeletedRows } = await tx
        .deleteFrom('rate_limit')
        .where(inBatch('key', ended.limit(BATCH_ROWS)))
        .where('expire', '<', before)
        .executeTakeFirstOrThrow();
      return numDeletedRows >= BATCH_ROWS;
    }),

  budgets: (database, before) =>
    database.transaction(async (tx) => {
      const ended = tx.selectFrom('budget').select('key').where('ends_at', '<=', before);
      const { numDeletedRows } = await tx
        .deleteFrom('budget')
        .where(inBatch('key', ended.limit(BATCH_ROWS)))
        .where('ends_at', '<=', before)
        .executeTakeFirstOrThrow();
      return numDeletedRows >= BATCH_ROWS;
    }),

  /** Retries end long before: one that is still pending has lost its destination. */
  deliveries: (database, before) =>
    database.transaction(async (tx) => {
      const rows = await tx
        .selectFrom('delivery')
        .select('id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(BATCH_ROWS)
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return false;
      await tx.deleteFrom('delivery_attempt').where('delivery_id', 'in', ids).execute();
      await tx.deleteFrom('delivery').where('id', 'in', ids).execute();
      return ids.length === BATCH_ROWS;
    }),

  /** Those that were over before then. */
  alerts: (database, before) =>
    database.transaction(async (tx) => {
      const rows = await findRows(tx, 'alert', { over_at: ['<', before] }, ['id'], [], BATCH_ROWS);
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return false;
      await tx.deleteFrom('alert_incident').where('alert_id', 'in', ids).execute();
      await tx.deleteFrom('alert_recipient').where('alert_id', 'in', ids).execute();
      await tx.deleteFrom('alert_recipient_incidents').where('alert_id', 'in', ids).execute();
      await tx.deleteFrom('alert').where('id', 'in', ids).execute();
      return ids.length === BATCH_ROWS;
    }),

  /** Former signing secrets, all at once. */
  async signingSecrets(database, before) {
    const over = database.read
      .selectFrom('webhook_endpoint')
      .where('previous_secret_until', '<=', before);
    if (!(await hasRow(over))) return false;
    await database.transaction((tx) =>
      tx
        .updateTable('webhook_endpoint')
        .set({ previous_signing_secret: null, previous_secret_until: null })
        .where('previous_secret_until', '<=', before)
        .execute(),
    );
    return false;
  },

  /** Former ping tokens, all at once. */
  async pingTokens(database, before) {
    const over = database.read.selectFrom('former_ping_token').where('expires_at', '<=', before);
    if (!(await hasRow(over))) return false;
    await database.transaction((tx) =>
      tx.deleteFrom('former_ping_token').where('expires_at', '<=', before).execute(),
    );
    return false;
  },
} satisfies Record<string, Expire>;

/**
 * Deletes a batch of applications that nobody has connected at present. @returns whether there may be more.
 *
 * @param registered those that nobody ever connected go when they registered before that time (epoch ms).
 * @param connected the others when they were last connected before that time.
 */
export function deleteUnusedClients(
  database: Database,
  { registered, connected }: { registered: number; connected: number },
): Promise<boolean> {
  return deleteBatch(database, 'oauth_client', (rows) =>
    rows
      .where((its) =>
        its.or([
          its('connected_at', '<', connected),
          its.and([its('connected_at', 'is', null), its('created_at', '<', registered)]),
        ]),
      )
      .where((its) =>
        its.not(
          its.exists(
            its
              .selectFrom('oauth_grant')
              .select('oauth_grant.id')
              .whereRef('oauth_grant.client_id', '=', 'oauth_client.client_id'),
          ),
        ),
      ),
  );
}

/** Deletes what ended before that time (epoch ms): spans of these monitors, and our own gaps where they are asked for. */
export async function deleteHistory(
  tx: Tx,
  {
    monitorIds,
    before,
    gapsBefore,
  }: { monitorIds: readonly number[]; before: number; gapsBefore: number | null },
): Promise<void> {
  if (monitorIds.length > 0)
    await tx
      .deleteFrom('status_span')
      .where('monitor_id', 'in', monitorIds)
      .where('from_at', '<', before)
      .where('to_at', '<', before)
      .execute();
  if (gapsBefore !== null)
    await tx.deleteFrom('service_gap').where('to_at', '<', gapsBefore).execute();
}

/** Lists monitors that were deleted before that time (epoch ms), those first that were deleted first. */
export async function listDeletedMonitors(database: Database, before: number, count: number) {
  const rows = await database.scan
    .selectFrom('monitor')
    .select('id')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(count)
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Deletes a monitor and all its rows in small transactions, the monitor last: after a crash it is still listed, and the
 * rest follows. Its events have their own, shorter retention.
 */
export async function purgeMonitor(database: Database, monitorId: number): Promise<void> {
  const retired = (await listRetiredDays(database)).map(({ day }) => day);
  for (const day of [...(await listDays(database)), ...retired]) {
    await database.transaction(async (tx) => {
      await sql`delete from ${roundTable(day)} where monitor_id = ${monitorId}`.execute(tx);
      await sql`delete from ${failureTable(day)} where monitor_id = ${monitorId}`.execute(tx);
    });
  }
  for (const deleteRows of inBatches(monitorId)) while (await database.transaction(deleteRows));
  await database.transaction(async (tx) => {
    for (const table of [
      'rollup_hour',
      'rollup_day',
      'rollup_recent_day',
      'monitor_inspection',
      'monitor_state',
    ] as const) {
      await tx.deleteFrom(table).where('monitor_id', '=', monitorId).execute();
    }
    await dependencyChanges(tx).removeMonitors([monitorId]);
    await tx.deleteFrom('monitor').where('id', '=', monitorId).execute();
  });
}

/** Deletions from tables that may have many rows of a monitor. Each deletes one batch and says whether there may be more. */
function inBatches(monitorId: number): ((tx: Tx) => Promise<boolean>)[] {
  return [
    ...['incident_evidence', 'incident_round'].map((name) => async (tx: Tx) => {
      const table = sql.table(name);
      const batch = sql`(
          select part.incident_id from ${table} as part join incident on incident.id = part.incident_id
          where incident.monitor_id = ${monitorId} limit ${BATCH_ROWS})`;
      const { numAffectedRows = 0n } = await sql`
          delete from ${table} where ${inBatch('incident_id', batch)}`.execute(tx);
      return numAffectedRows >= BATCH_ROWS;
    }),
    (tx) =>
      deleteSome(tx, 'activity', (rows) =>
        rows.where('incident_id', 'in', (eb) =>
          eb.selectFrom('incident').select('incident.id').where('monitor_id', '=', monitorId),
        ),
      ),
    (tx) => deleteSome(tx, 'incident', (rows) => rows.where('monitor_id', '=', monitorId)),
    (tx) => deleteSome(tx, 'status_span', (rows) => rows.where('monitor_id', '=', monitorId)),
    (tx) => deleteSome(tx, 'monitor_activity', (rows) => rows.where('monitor_id', '=', monitorId)),
    async (tx) => (await pingChanges(tx).deleteOf(monitorId, BATCH_ROWS)) >= BATCH_ROWS,
  ];
}
