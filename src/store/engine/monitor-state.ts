import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { MonitorState } from '../../model/state.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import { engineOf, forUpdate, jsonTable, idTable } from '../database/dialect.ts';
import type { MonitorStateTable, Schema } from '../database/schema.ts';

/**
 * The states of these monitors, locked until the transaction ends, in the order of their ids so that two nodes never
 * wait for each other. Monitors that are gone are missing.
 */
export async function lockStates(
  tx: Transaction<Schema>,
  monitorIds: number[],
  wait: 'wait' | 'skipLocked' = 'wait',
): Promise<Map<number, MonitorState>> {
  const engine = engineOf(tx);
  const wanted = jsonTable(engine, JSON.stringify(monitorIds.map((id) => [id])), { id: 'integer' });
  const rows = await tx
    .selectFrom('monitor_state')
    .select(STATE_COLUMNS)
    .where('monitor_id', 'in', (eb) => eb.selectFrom(wanted.as('wanted')).select('id'))
    .orderBy('monitor_id')
    .$call(forUpdate(engine, wait))
    .execute();
  return new Map(rows.map((row) => [row.monitor_id, stateOf(row)]));
}

/** The same without waiting for any: `heldIds` are those that another session holds. */
export async function lockFreeStates(
  tx: Transaction<Schema>,
  monitorIds: number[],
): Promise<{ states: Map<number, MonitorState>; heldIds: Set<number> }> {
  const states = await lockStates(tx, monitorIds, 'skipLocked');
  const missing = monitorIds.filter((id) => !states.has(id));
  return { states, heldIds: await existingStates(tx, missing) };
}

/** Those of these monitors whose state exists, held by another session or not. */
export async function existingStates(
  tx: Transaction<Schema>,
  monitorIds: readonly number[],
): Promise<Set<number>> {
  if (monitorIds.length === 0) return new Set();
  const wanted = idTable(tx, monitorIds);
  const rows = await tx
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('monitor_id', 'in', (eb) => eb.selectFrom(wanted.as('wanted')).select('id'))
    .execute();
  return new Set(rows.map((row) => row.monitor_id));
}

/** A monitor's state as it was and as it is. */
export interface StateChange<State> {
  before: State;
  after: State;
}

/** Replaces the states whole: one statement for any number of rows. */
export async function writeStates(
  tx: Transaction<Schema>,
  changes: readonly StateChange<MonitorState>[],
): Promise<void> {
  if (changes.length === 0) return;
  const values = changes.map(({ after }) => columnsOf(after));
  const rows = jsonTable(engineOf(tx), JSON.stringify(values), {
    id: 'integer',
    status: 'text',
    last_slot: 'integer',
    last_checked_at: 'integer',
    run_at: 'integer',
    observed_until: 'integer',
    evaluated_revision: 'integer',
    tracks: 'text',
    newest: 'text',
  });
  await sql`
    update monitor_state set
      status = v.status, last_slot = v.last_slot, last_checked_at = v.last_checked_at, run_at = v.run_at,
      observed_until = v.observed_until, evaluated_revision = v.evaluated_revision, tracks = v.tracks, newest = v.newest
    from ${rows} as v where monitor_state.monitor_id = v.id`.execute(tx);
}

/** What rounds know of a monitor; what is known of a job that must call us is read by heartbeats.ts. */
const STATE_COLUMNS = [
  'monitor_id',
  'team_id',
  'revision',
  'status',
  'last_slot',
  'last_checked_at',
  'run_at',
  'observed_until',
  'is_paused',
  'evaluated_revision',
  'tracks',
  'newest',
] as const satisfies (keyof MonitorStateTable)[];

export function stateOf(
  row: Pick<MonitorStateTable, (typeof STATE_COLUMNS)[number]>,
): MonitorState {
  return {
    monitorId: row.monitor_id,
    teamId: row.team_id,
    revision: row.revision,
    status: row.status as MonitorStatus,
    lastSlot: row.last_slot,
    lastCheckedAt: row.last_checked_at,
    runAt: row.run_at,
    observedUntil: row.observed_until,
    isPaused: row.is_paused === 1,
    evaluatedRevision: row.evaluated_revision,
    tracks: JSON.parse(row.tracks),
    newest: JSON.parse(row.newest),
  };
}

function columnsOf(state: MonitorState): unknown[] {
  return [
    state.monitorId,
    state.status,
    state.lastSlot,
    state.lastCheckedAt,
    state.runAt,
    state.observedUntil,
    state.evaluatedRevision,
    JSON.stringify(state.tracks),
    JSON.stringify(state.newest),
  ];
}
