import { sql, type Transaction } from 'kysely';
import type { Tracks } from '../../model/condition.ts';
import type { MonitorState } from '../../model/state.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import { forUpdate, idList, jsonTable } from '../database/dialect.ts';
import { prepareUpdate } from '../database/rows.ts';
import type { MonitorStateTable, Schema } from '../database/schema.ts';
import { newestText, parseNewest } from './newest-text.ts';
import { prepareJsonStatement } from '../database/prepared-statements.ts';

/**
 * Locks the states of these monitors until the transaction ends, in the order of their ids so that two nodes never wait
 * for each other. Deleted monitors are missing.
 */
export async function lockStates(
  tx: Transaction<Schema>,
  monitorIds: number[],
  wait: 'wait' | 'skipLocked' = 'wait',
): Promise<Map<number, MonitorState>> {
  const { rows } = await LOCKING[wait](tx, JSON.stringify(monitorIds.map((id) => [id])));
  return new Map(rows.map((row) => [row.monitor_id, stateOf(row)]));
}

/** Locks the states that no other session has locked; `heldIds` are the others. */
export async function lockFreeStates(
  tx: Transaction<Schema>,
  monitorIds: number[],
): Promise<{ states: Map<number, MonitorState>; heldIds: Set<number> }> {
  const states = await lockStates(tx, monitorIds, 'skipLocked');
  const missing = monitorIds.filter((id) => !states.has(id));
  return { states, heldIds: await existingStates(tx, missing) };
}

/** Finds which of these monitors have a state, locked or not. */
export async function existingStates(
  tx: Transaction<Schema>,
  monitorIds: readonly number[],
): Promise<Set<number>> {
  if (monitorIds.length === 0) return new Set();
  const rows = await tx
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('monitor_id', 'in', idList(tx, monitorIds))
    .execute();
  return new Set(rows.map((row) => row.monitor_id));
}

/** A monitor's state before and after a change. */
export interface StateChange<State> {
  before: State;
  after: State;
}

/**
 * Replaces the states. The status, which an index holds, is written only where it changed: SQLite writes the index with
 * each update that names its columns.
 */
export async function writeStates(
  tx: Transaction<Schema>,
  changes: readonly StateChange<MonitorState>[],
): Promise<void> {
  const [still, moved]: unknown[][][] = [[], []];
  for (const { before, after } of changes) {
    const row = roundColumnsOf(after);
    if (before.status === after.status) still!.push(row);
    else moved!.push([...row, after.status]);
  }
  await updateStates(tx, still!);
  await updateStatesAndStatus(tx, moved!);
}

/** Columns that rounds change, and no index holds. */
const ROUND_COLUMNS = {
  monitor_id: 'integer',
  last_slot: 'integer',
  last_checked_at: 'integer',
  run_at: 'integer',
  observed_until: 'integer',
  evaluated_revision: 'integer',
  tracks: 'text',
  newest: 'text',
} as const;

const updateStates = prepareUpdate('monitor_state', ROUND_COLUMNS);
const updateStatesAndStatus = prepareUpdate('monitor_state', { ...ROUND_COLUMNS, status: 'text' });

function roundColumnsOf(state: MonitorState): unknown[] {
  return [
    state.monitorId,
    state.lastSlot,
    state.lastCheckedAt,
    state.runAt,
    state.observedUntil,
    state.evaluatedRevision,
    tracksText(state.tracks),
    newestText(state.newest),
  ];
}

/** Tracks of a monitor that nothing is counted of, as of nearly all. */
const NO_TRACKS = '{}';

function tracksText(tracks: Tracks): string {
  return Object.keys(tracks).length === 0 ? NO_TRACKS : JSON.stringify(tracks);
}

function parseTracks(text: string): Tracks {
  return text === NO_TRACKS ? {} : (JSON.parse(text) as Tracks);
}

/** Columns that rounds read; heartbeats.ts reads those of push monitors. */
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

type StateRow = Pick<MonitorStateTable, (typeof STATE_COLUMNS)[number]>;

const LOCKING = { wait: prepareLocking('wait'), skipLocked: prepareLocking('skipLocked') };

function prepareLocking(wait: 'wait' | 'skipLocked') {
  return prepareJsonStatement<StateRow>((db, engine, json) => {
    const wanted = jsonTable(engine, json, { id: 'integer' });
    return db
      .selectFrom('monitor_state')
      .select(STATE_COLUMNS)
      .where('monitor_id', 'in', sql<number>`(select id from ${wanted} as listed)`)
      .orderBy('monitor_id')
      .$call(forUpdate(engine, wait))
      .compile();
  });
}

export function stateOf(row: StateRow): MonitorState {
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
    tracks: parseTracks(row.tracks),
    newest: parseNewest(row.newest),
  };
}
