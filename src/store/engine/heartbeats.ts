import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Heartbeat } from '../../model/heartbeat.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import { engineOf, forUpdate, jsonTable, prepareJsonStatement } from '../database/dialect.ts';
import { existingStates } from './monitor-state.ts';
import type { StateChange } from './monitor-state.ts';
import type { MonitorStateTable, MonitorTable, Schema } from '../database/schema.ts';

/** A push monitor, whose settings say when its job is to call. */
export type HeartbeatRow = Selectable<MonitorTable>;

/** The push monitors with these hashes of ping tokens; there is none for an unknown token or a deleted monitor. */
export async function findByPingToken(
  db: Kysely<Schema>,
  hashes: readonly string[],
): Promise<HeartbeatRow[]> {
  const wanted = jsonTable(engineOf(db), JSON.stringify(hashes.map((hash) => [hash])), {
    hash: 'text',
  });
  return db
    .selectFrom('monitor')
    .selectAll('monitor')
    .where('ping_token_hash', 'in', (eb) => eb.selectFrom(wanted.as('wanted')).select('hash'))
    .where('deleted_at', 'is', null)
    .execute();
}

/** Those of these monitors that are there. */
export async function readHeartbeatSettings(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<HeartbeatRow[]> {
  const wanted = jsonTable(engineOf(db), listOf(ids), { id: 'integer' });
  return db
    .selectFrom('monitor')
    .selectAll('monitor')
    .where('id', 'in', (eb) => eb.selectFrom(wanted.as('wanted')).select('id'))
    .where('deleted_at', 'is', null)
    .execute();
}

/** What is known of these jobs, locked in the order of their ids; `heldIds` are those that another session holds. */
export async function lockFreeHeartbeats(
  tx: Transaction<Schema>,
  ids: readonly number[],
): Promise<{ states: Map<number, Heartbeat>; heldIds: Set<number> }> {
  const states = await lockHeartbeats(tx, ids);
  const missing = ids.filter((id) => !states.has(id));
  return { states, heldIds: await existingStates(tx, missing) };
}

/** The same of those jobs alone that nobody else holds. */
export async function lockHeartbeats(
  tx: Transaction<Schema>,
  ids: readonly number[],
): Promise<Map<number, Heartbeat>> {
  const { rows } = await lockStates(tx, listOf(ids));
  return new Map(rows.map((row) => [row.monitor_id, heartbeatOf(row)]));
}

/** Whether silence is to be evaluated by then (epoch ms). */
export async function isAnyDue(db: Kysely<Schema>, by: number): Promise<boolean> {
  const { rows } = await sql`
    select monitor_id from monitor_state where due_at <= ${by} limit 1`.execute(db);
  return rows.length > 0;
}

/** Jobs whose silence is to be evaluated by then, the longest due first, locked; those that another one holds come later. */
export async function lockDueHeartbeats(
  tx: Transaction<Schema>,
  by: number,
  limit: number,
): Promise<Map<number, Heartbeat>> {
  const rows = await tx
    .selectFrom('monitor_state')
    .select(STATE)
    .where('due_at', '<=', by)
    .orderBy('due_at')
    .limit(limit)
    .$call(forUpdate(engineOf(tx), 'skipLocked'))
    .execute();
  return new Map(rows.map((row) => [row.monitor_id, heartbeatOf(row)]));
}

/** The job that `lockDueHeartbeats` finds first, locked, by its id alone: there may be nothing else that can be read. */
export async function lockFirstDue(tx: Transaction<Schema>, by: number): Promise<number | null> {
  const row = await tx
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('due_at', '<=', by)
    .orderBy('due_at')
    .limit(1)
    .$call(forUpdate(engineOf(tx), 'skipLocked'))
    .executeTakeFirst();
  return row?.monitor_id ?? null;
}

/** Sets when the silence of this job is evaluated (epoch ms). */
export async function setDue(
  tx: Transaction<Schema>,
  monitorId: number,
  dueAt: number,
): Promise<void> {
  await tx
    .updateTable('monitor_state')
    .set({ due_at: dueAt })
    .where('monitor_id', '=', monitorId)
    .execute();
}

/**
 * Jobs that are waited for, or run, since a time after that one (epoch ms) are evaluated now: the clock was set
 * back. What another one holds is being written anew, or is set right by its next ping.
 */
export async function wakeArmedAfter(
  tx: Transaction<Schema>,
  after: number,
  now: number,
): Promise<void> {
  const ahead = tx
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('due_at', '>', now)
    .where((eb) => eb.or([eb('armed_at', '>', after), eb('runs', '<>', '[]')]))
    .$call(forUpdate(engineOf(tx), 'skipLocked'));
  await tx
    .updateTable('monitor_state')
    .set({ due_at: now })
    .where('monitor_id', 'in', ahead)
    .execute();
}

/**
 * Replaces what is known of these jobs. Two statements: what stands in an index is written only where it changed, and
 * most pings change nothing there.
 */
export async function writeHeartbeats(
  tx: Transaction<Schema>,
  changes: readonly StateChange<Heartbeat>[],
): Promise<void> {
  if (changes.length === 0) return;
  const pulses = changes.map(({ after }) => pulseOf(after));
  await updatePulses(tx, JSON.stringify(pulses));
  const moved = changes.filter(isMoved).map(({ after }) => conditionOf(after));
  if (moved.length > 0) await updateConditions(tx, JSON.stringify(moved));
}

function isMoved({ before, after }: StateChange<Heartbeat>): boolean {
  return (
    before.status !== after.status ||
    before.observedUntil !== after.observedUntil ||
    before.tracks !== after.tracks ||
    before.dueAt !== after.dueAt
  );
}

const STATE = [
  'monitor_id',
  'team_id',
  'revision',
  'status',
  'is_paused',
  'tracks',
  'observed_until',
  'last_heartbeat_at',
  'heartbeat_expected_at',
  'armed_at',
  'first_ping_at',
  'is_missed',
  'is_postponed',
  'ping_count',
  'ping_window_at',
  'ping_window_count',
  'runs',
  'due_at',
] as const satisfies (keyof MonitorStateTable)[];

type StateRow = Pick<Selectable<MonitorStateTable>, (typeof STATE)[number]>;

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

/** What nearly every ping changes, and no index holds. */
const updatePulses = prepareJsonStatement((tx, engine, rows) => {
  const pulses = jsonTable(engine, rows, {
    id: 'integer',
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
  });
  return sql`
    update monitor_state set
      last_heartbeat_at = v.last_heartbeat_at, heartbeat_expected_at = v.heartbeat_expected_at,
      armed_at = v.armed_at, first_ping_at = v.first_ping_at, is_missed = v.is_missed, is_postponed = v.is_postponed,
      ping_count = v.ping_count, ping_window_at = v.ping_window_at, ping_window_count = v.ping_window_count,
      runs = v.runs
    from ${pulses} as v where monitor_state.monitor_id = v.id`.compile(tx);
});

/** What changes with the status of the job, and `due_at`, which an index holds. */
const updateConditions = prepareJsonStatement((tx, engine, rows) => {
  const conditions = jsonTable(engine, rows, {
    id: 'integer',
    status: 'text',
    observed_until: 'integer',
    tracks: 'text',
    due_at: 'integer',
  });
  return sql`
    update monitor_state set
      status = v.status, observed_until = v.observed_until, tracks = v.tracks, due_at = v.due_at
    from ${conditions} as v where monitor_state.monitor_id = v.id`.compile(tx);
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
    tracks: JSON.parse(row.tracks),
    observedUntil: row.observed_until,
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

function pulseOf(state: Heartbeat): unknown[] {
  return [
    state.monitorId,
    state.lastHeartbeatAt,
    state.expectedAt,
    state.armedAt,
    state.firstPingAt,
    state.isMissed ? 1 : 0,
    state.isPostponed ? 1 : 0,
    state.pingCount,
    state.window?.from ?? null,
    state.window?.count ?? 0,
    JSON.stringify(state.runs),
  ];
}

function conditionOf(state: Heartbeat): unknown[] {
  const { monitorId, status, observedUntil, tracks, dueAt } = state;
  return [monitorId, status, observedUntil, JSON.stringify(tracks), dueAt];
}

function listOf(ids: readonly number[]): string {
  return JSON.stringify(ids.map((id) => [id]));
}
