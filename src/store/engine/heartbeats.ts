import { sql } from 'kysely';
import type { Heartbeat } from '../../model/heartbeat.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import { engineOf, forUpdate, idList, jsonTable, rowTable } from '../database/dialect.ts';
import { prepareUpdate, findRows, updateRows } from '../database/rows.ts';
import { existingStates, type StateChange } from './monitor-state.ts';
import type { Db, Row, Schema, Tx } from '../database/contract.ts';
import { prepareJsonStatement } from '../database/prepared-statements.ts';

/** A push monitor, whose settings say when its job is to call. */
export type HeartbeatRow = Row<'monitor'>;

type PingTokenRow = HeartbeatRow & {
  token_hash: string;
  /** End of a former token, epoch ms; null for the current one. */
  expires_at: number | null;
  /** Of an address of another service; null for a ping token. */
  alias_id: number | null;
  /** When that was last noted as called, epoch ms; null for never. */
  alias_used_at: number | null;
};

/**
 * Finds push monitors by the hashes of their ping tokens, former ones too, and of addresses of other services. Unknown ones
 * and deleted monitors are missing.
 */
export async function findByPingToken(db: Db, hashes: readonly string[]) {
  const values = hashes.map((hash) => [hash]);
  const wanted = db.selectFrom(rowTable(db, values, { hash: 'text' }).as('wanted')).select('hash');
  const { rows } = await sql<PingTokenRow>`
    select monitor.*, ping_token_hash as token_hash, ${NO_NUMBER} as expires_at, ${NO_NUMBER} as alias_id,
      ${NO_NUMBER} as alias_used_at
    from monitor where ping_token_hash in (${wanted}) and deleted_at is null
    union all
    select monitor.*, former.token_hash, former.expires_at, null, null from former_ping_token as former
    join monitor on monitor.id = former.monitor_id
    where former.token_hash in (${wanted}) and deleted_at is null
    union all
    select monitor.*, alias.token_hash, null, alias.id, alias.last_used_at from ping_alias as alias
    join monitor on monitor.id = alias.monitor_id
    where alias.token_hash in (${wanted}) and deleted_at is null`.execute(db);
  return rows;
}

/** Null of a type: Postgres takes a bare one in a union for text. */
const NO_NUMBER = sql`cast(null as bigint)`;

/** Maximum number of former ping URLs of a monitor that work at once. */
export const MAX_FORMER_PING_TOKENS = 10;

/**
 * Lets the current ping token of a monitor work until then (epoch ms), and former ones no longer than that. To be called
 * before it is replaced.
 *
 * @returns false, having changed nothing, when too many former ones would work.
 */
export async function keepFormerPingToken(
  tx: Tx,
  { id, tokenHash }: { id: number; tokenHash: string },
  { until, now }: { until: number; now: number },
): Promise<boolean> {
  const ofMonitor = tx.selectFrom('former_ping_token').where('monitor_id', '=', id);
  if (until > now) {
    const { kept } = await ofMonitor
      .where('expires_at', '>', now)
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .executeTakeFirstOrThrow();
    if (Number(kept) >= MAX_FORMER_PING_TOKENS) return false;
    await tx
      .updateTable('former_ping_token')
      .set({ expires_at: until })
      .where('monitor_id', '=', id)
      .where('expires_at', '>', until)
      .execute();
    const row = { token_hash: tokenHash, monitor_id: id, expires_at: until };
    await tx.insertInto('former_ping_token').values(row).execute();
  } else await tx.deleteFrom('former_ping_token').where('monitor_id', '=', id).execute();
  return true;
}

export async function readHeartbeatSettings(db: Db, ids: readonly number[]) {
  return findRows(db, 'monitor', { id: ['in', idList(db, ids)], deleted_at: null });
}

/** Locks the states of the jobs that no other session has locked; `heldIds` are the others. */
export async function lockFreeHeartbeats(tx: Tx, ids: readonly number[]) {
  const states = await lockHeartbeats(tx, ids);
  const missing = ids.filter((id) => !states.has(id));
  return { states, heldIds: await existingStates(tx, missing) };
}

/** Locks the states of these jobs in the order of their ids. Skips what another session has locked. */
export async function lockHeartbeats(tx: Tx, ids: readonly number[]) {
  const { rows } = await lockStates(tx, JSON.stringify(ids.map((id) => [id])));
  return new Map(rows.map((row) => [row.monitor_id, heartbeatOf(row)]));
}

/** Whether the silence of a job is to be evaluated by then (epoch ms). */
export async function isAnyDue(db: Db, by: number): Promise<boolean> {
  const { rows } = await sql`
    select monitor_id from monitor_state where due_at <= ${by} limit 1`.execute(db);
  return rows.length > 0;
}

/** Locks jobs whose silence is to be evaluated by then, the longest due first. Skips what another session has locked. */
export async function lockDueHeartbeats(tx: Tx, by: number, limit: number) {
  const rows = await selectDue(tx, by, limit).select(STATE).execute();
  return new Map(rows.map((row) => [row.monitor_id, heartbeatOf(row)]));
}

/** Locks the job that `lockDueHeartbeats` finds first, and reads its id alone: the rest of the row may be damaged. */
export async function lockFirstDue(tx: Tx, by: number): Promise<number | null> {
  const row = await selectDue(tx, by, 1).select('monitor_id').executeTakeFirst();
  return row?.monitor_id ?? null;
}

function selectDue(tx: Tx, by: number, limit: number) {
  return tx
    .selectFrom('monitor_state')
    .where('due_at', '<=', by)
    .orderBy('due_at')
    .limit(limit)
    .$call(forUpdate(engineOf(tx), 'skipLocked'));
}

export async function setDue(tx: Tx, monitorId: number, dueAt: number) {
  await updateRows(tx, 'monitor_state', { monitor_id: monitorId }, { due_at: dueAt });
}

/**
 * Makes jobs due that are expected, or run, since a time after that one (epoch ms), as the clock was set back. A job that
 * another session has locked is skipped: that session writes it anew, or the job's next ping corrects it.
 */
export async function wakeArmedAfter(tx: Tx, after: number, now: number) {
  const ahead = tx
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('due_at', '>', now)
    .where((eb) => eb.or([eb('armed_at', '>', after), eb('runs', '<>', '[]')]))
    .$call(forUpdate(engineOf(tx), 'skipLocked'));
  await updateRows(tx, 'monitor_state', { monitor_id: ['in', ahead] }, { due_at: now });
}

/** Replaces the states of these jobs. Columns of indexes are written only where they changed, which pings rarely do. */
export async function writeHeartbeats(tx: Tx, changes: readonly StateChange<Heartbeat>[]) {
  await updatePingColumns(
    tx,
    changes.map(({ after }) => pingColumnsOf(after)),
  );
  const moved = changes.filter(isMoved).map(({ after }) => statusColumnsOf(after));
  await updateStatusColumns(tx, moved);
}

function isMoved({ before, after }: StateChange<Heartbeat>): boolean {
  return (
    before.status !== after.status ||
    before.observedUntil !== after.observedUntil ||
    before.confirmations !== after.confirmations ||
    before.dueAt !== after.dueAt
  );
}

/** Columns that nearly every ping changes, and no index holds. */
const PING_COLUMNS = {
  last_checked_at: 'integer',
  last_heartbeat_at: 'integer',
  heartbeat_expected_at: 'integer',
  armed_at: 'integer',
  first_ping_at: 'integer',
  is_missed: 'integer',
  is_postponed: 'integer',
  ping_count: 'integer',
  ping_window_at: 'integer',
  ping_window_count: 'integer',
  runs: 'text',
} as const;

/** Columns that change with the status of the job, and `due_at`, which an index holds. */
const STATUS_COLUMNS = {
  status: 'text',
  observed_until: 'integer',
  tracks: 'text',
  due_at: 'integer',
} as const;

const updatePingColumns = prepareUpdate('monitor_state', {
  monitor_id: 'integer',
  ...PING_COLUMNS,
});
const updateStatusColumns = prepareUpdate('monitor_state', {
  monitor_id: 'integer',
  ...STATUS_COLUMNS,
});

const columnsOf = <Columns extends object>(columns: Columns) =>
  Object.keys(columns) as (keyof Columns)[];

const STATE = [
  'monitor_id',
  'team_id',
  'revision',
  'is_paused',
  ...columnsOf(PING_COLUMNS),
  ...columnsOf(STATUS_COLUMNS),
] as const satisfies (keyof Schema['monitor_state'])[];

type StateRow = Pick<Row<'monitor_state'>, (typeof STATE)[number]>;

const lockStates = prepareJsonStatement<StateRow>((tx, engine, ids) => {
  const wanted = jsonTable(engine, ids, { id: 'integer' });
  return tx
    .selectFrom('monitor_state')
    .select(STATE)
    .where('monitor_id', 'in', (eb) => eb.selectFrom(wanted.as('wanted')).select('id'))
    .orderBy('monitor_id')
    .$call(forUpdate(engine, 'skipLocked'))
    .compile();
});

function heartbeatOf(row: StateRow): Heartbeat {
  const expectedAt = row.heartbeat_expected_at;
  if (expectedAt === null) throw new Error(`Monitor ${row.monitor_id} expects no pings.`);
  return {
    monitorId: row.monitor_id,
    teamId: row.team_id,
    revision: row.revision,
    status: row.status as MonitorStatus,
    isPaused: row.is_paused === 1,
    confirmations: JSON.parse(row.tracks),
    observedUntil: row.observed_until,
    lastPingAt: row.last_checked_at,
    lastHeartbeatAt: row.last_heartbeat_at,
    expectedAt,
    armedAt: row.armed_at ?? expectedAt,
    firstPingAt: row.first_ping_at,
    isMissed: row.is_missed === 1,
    isPostponed: row.is_postponed === 1,
    pingCount: row.ping_count,
    window:
      row.ping_window_at === null
        ? null
        : { from: row.ping_window_at, count: row.ping_window_count },
    runs: JSON.parse(row.runs),
    dueAt: row.due_at,
  };
}

/** @returns the key and the values of `PING_COLUMNS`. */
function pingColumnsOf(state: Heartbeat): unknown[] {
  return [
    state.monitorId,
    state.lastPingAt,
    state.lastHeartbeatAt,
    state.expectedAt,
    state.armedAt,
    state.firstPingAt,
    Number(state.isMissed),
    Number(state.isPostponed),
    state.pingCount,
    state.window?.from ?? null,
    state.window?.count ?? 0,
    JSON.stringify(state.runs),
  ];
}

/** @returns the key and the values of `STATUS_COLUMNS`. */
function statusColumnsOf(state: Heartbeat): unknown[] {
  const { monitorId, status, observedUntil, confirmations, dueAt } = state;
  return [monitorId, status, observedUntil, JSON.stringify(confirmations), dueAt];
}
