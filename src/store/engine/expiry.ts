import { sql } from 'kysely';
import type { Database, Schema, Tx } from '../database/contract.ts';
import {
  BATCH_ROWS,
  type Batch,
  deleteBatch,
  deleteSome,
  hasRow,
  inBatch,
  findRows,
  unreferred,
  type Where,
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

/** Rows that are over by then. */
const rowsOf =
  <Table extends keyof Schema>(
    table: Table,
    over: (before: number) => Where<Table>,
    ...by: readonly [order?: Batch<Table>[2], key?: Batch<Table>[3]]
  ): Expire =>
  (database, before) =>
    deleteBatch(database, table, over(before), ...by);

const each =
  (...kinds: readonly Expire[]): Expire =>
  async (database, before) => {
    let isMore = false;
    for (const expireSome of kinds) isMore = (await expireSome(database, before)) || isMore;
    return isMore;
  };

const isPast = (before: number) => ({ expires_at: ['<=', before] }) as const;
const isOld = (before: number) => ({ created_at: ['<', before] }) as const;

/** What is deleted by its age alone, by what it is. */
export const expire = {
  /** Those that are fanned out. */
  events: rowsOf('event', (before) => ({ ...isOld(before), fan_out_at: null }), ['created_at']),

  auditEntries: rowsOf('audit_entry', isOld, ['created_at']),

  idempotencyKeys: rowsOf('idempotency_key', isOld, ['created_at']),

  /** Each has its own time, and its file goes with it. */
  reportRuns: rowsOf('report_run', isPast),

  /** Those that are over. */
  mailings: rowsOf('mailing', (before) => ({ next_at: null, ...isOld(before) }), ['id']),

  pageChanges: rowsOf('status_page_change', (before) => ({ at: ['<', before] })),

  liveChanges: rowsOf('live_change', (before) => ({ at: ['<', before] }), ['at']),

  corrections: rowsOf('correction', (before) => ({ to_at: ['<', before] })),

  /** Those of monitors whose newest imported day is older. */
  importedDays: rowsOf(
    'imported_days',
    (before) => ({ last_day: ['<', Math.floor(before / DAY_MS)] }),
    [],
    'monitor_id',
  ),

  /** Occurrences that ended, and windows that were deleted. */
  maintenance: each(
    rowsOf('maintenance_occurrence', (before) => ({ to_at: ['<', before] })),
    rowsOf('maintenance_window', (before) => ({ deleted_at: ['<', before] })),
  ),

  /** Sessions, verifications and used codes. */
  signIns: each(
    rowsOf('session', isPast),
    rowsOf('verification', isPast),
    rowsOf('used_code', isPast, [], 'code'),
  ),

  /** Tokens that expired, and refresh tokens that were used a day before. */
  oauthTokens: each(
    rowsOf('oauth_refresh_token', (before) => ({ revoked_at: ['<=', before - USED_MS] })),
    rowsOf('oauth_access_token', isPast),
    rowsOf('oauth_refresh_token', isPast),
  ),

  rateLimits: rowsOf('rate_limit', (before) => ({ expire: ['<', before] }), [], 'key'),

  budgets: rowsOf('budget', (before) => ({ ends_at: ['<=', before] }), [], 'key'),

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

  /** Former ones. */
  pingTokens: rowsOf('former_ping_token', isPast, [], 'token_hash'),
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
  return database.transaction((tx) => {
    const unused = tx
      .selectFrom('oauth_client')
      .select('id')
      .where((its) =>
        its.or([
          its('connected_at', '<', connected),
          its.and([its('connected_at', 'is', null), its('created_at', '<', registered)]),
        ]),
      )
      .where(unreferred('oauth_grant', 'client_id', 'oauth_client.client_id'));
    return deleteSome(tx, 'oauth_client', { id: ['in', unused] });
  });
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
    (tx) => {
      const incidents = tx.selectFrom('incident').select('id').where('monitor_id', '=', monitorId);
      return deleteSome(tx, 'activity', { incident_id: ['in', incidents] });
    },
    (tx) => deleteSome(tx, 'incident', { monitor_id: monitorId }),
    (tx) => deleteSome(tx, 'status_span', { monitor_id: monitorId }),
    (tx) => deleteSome(tx, 'monitor_activity', { monitor_id: monitorId }),
    async (tx) => (await pingChanges(tx).deleteOf(monitorId, BATCH_ROWS)) >= BATCH_ROWS,
  ];
}
