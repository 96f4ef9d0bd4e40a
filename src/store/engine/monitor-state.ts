import { sql } from 'kysely';
import type { Confirmations } from '../../model/condition.ts';
import type { MonitorState, NewestResult } from '../../model/state.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import { forUpdate, idList, jsonTable } from '../database/dialect.ts';
import { prepareUpdate, findRows } from '../database/rows.ts';
import type { Schema, Tx } from '../database/contract.ts';
import { prepareJsonStatement } from '../database/prepared-statements.ts';

/**
 * Locks the states of these monitors until the transaction ends, in the order of their ids so that two nodes never wait
 * for each other. Deleted monitors are missing.
 */
export async function lockStates(
  tx: Tx,
  monitorIds: number[],
  wait: 'wait' | 'skipLocked' = 'wait',
): Promise<Map<number, MonitorState>> {
  const { rows } = await LOCKING[wait](tx, JSON.stringify(monitorIds.map((id) => [id])));
  return new Map(rows.map((row) => [row.monitor_id, stateOf(row)]));
}

/** Locks the states that no other session has locked; `heldIds` are the others. */
export async function lockFreeStates(tx: Tx, monitorIds: number[]) {
  const states = await lockStates(tx, monitorIds, 'skipLocked');
  const missing = monitorIds.filter((id) => !states.has(id));
  return { states, heldIds: await existingStates(tx, missing) };
}

/** Finds which of these monitors have a state, locked or not. */
export async function existingStates(tx: Tx, monitorIds: readonly number[]): Promise<Set<number>> {
  if (monitorIds.length === 0) return new Set();
  const rows = await findRows(tx, 'monitor_state', { monitor_id: ['in', idList(tx, monitorIds)] }, [
    'monitor_id',
  ]);
  return new Set(rows.map((row) => row.monitor_id));
}

export interface StateChange<State> {
  before: State;
  after: State;
}

/**
 * Replaces the states. The status, which an index holds, is written only where it changed: SQLite writes the index with
 * each update that names its columns.
 */
export async function writeStates(tx: Tx, changes: readonly StateChange<MonitorState>[]) {
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
    confirmationsText(state.confirmations),
    newestText(state.newest),
  ];
}

/** Confirmations of a monitor that nothing is counted of, as of nearly all. */
const NO_CONFIRMATIONS = '{}';

function confirmationsText(confirmations: Confirmations): string {
  return Object.keys(confirmations).length === 0 ? NO_CONFIRMATIONS : JSON.stringify(confirmations);
}

function parseConfirmations(text: string): Confirmations {
  return text === NO_CONFIRMATIONS ? {} : (JSON.parse(text) as Confirmations);
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
] as const satisfies (keyof Schema['monitor_state'])[];

type StateRow = Pick<Schema['monitor_state'], (typeof STATE_COLUMNS)[number]>;

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
    confirmations: parseConfirmations(row.tracks),
    newest: parseNewest(row.newest),
  };
}

/**
 * Newest results as the column `newest` holds them: each round writes it, so that it is short. First the time of the first
 * result (epoch ms), then each region with its response time in microseconds, the milliseconds since that time, status
 * code and failure; times are numbers to the base of 36. Empty parts at the end of a region are left out; no status code
 * means 200, and `-` none:
 *
 *     mubb3pc0 ash,2n9c pdx,23rs,1 nbg,,,- sin,4i1c,3,503,http_status
 *
 * Results of manual checks, and what this format can't hold, are stored as JSON.
 */
export function newestText(newest: MonitorState['newest']): string {
  let text = '';
  let first: number | null = null;
  for (const region in newest) {
    const result = newest[region]!;
    first ??= result.checkedAt;
    const parts = partsOf(result, first);
    if (parts === null || !REGION.test(region)) return JSON.stringify(newest);
    text += ` ${region}${parts}`;
  }
  return first === null ? NONE : `${first.toString(36)}${text}`;
}

const NONE = '{}';
const REGION = /^[\w-]+$/;
const USUAL_STATUS = 200;

function partsOf(result: NewestResult, first: number): string | null {
  const { responseTimeMs, checkedAt, statusCode, failure, isManual } = result;
  const microseconds = responseTimeMs === null ? null : Math.round(responseTimeMs * 1_000);
  const isExact = microseconds === null || microseconds / 1_000 === responseTimeMs;
  if (isManual || !isExact || !Number.isSafeInteger(checkedAt)) return null;
  const time = microseconds === null ? ',' : `,${microseconds.toString(36)}`;
  const after = checkedAt === first ? '' : (checkedAt - first).toString(36);
  const status = statusCode === USUAL_STATUS ? '' : String(statusCode ?? '-');
  if (failure !== null) return `${time},${after},${status},${failure}`;
  if (status !== '') return `${time},${after},${status}`;
  return after === '' ? time : `${time},${after}`;
}

/** Reads the column `newest`. */
export function parseNewest(text: string): MonitorState['newest'] {
  if (text === NONE) return {};
  if (text.startsWith('{')) return JSON.parse(text) as MonitorState['newest'];
  const newest: MonitorState['newest'] = {};
  let end = text.indexOf(' ');
  const first = numberOf(text.slice(0, end));
  while (end !== -1) {
    const begin = end + 1;
    end = text.indexOf(' ', begin);
    const comma = text.indexOf(',', begin);
    const parts = text.slice(comma + 1, end === -1 ? undefined : end);
    newest[text.slice(begin, comma)] = resultOf(parts, first);
  }
  return newest;
}

function resultOf(parts: string, first: number): NewestResult {
  const afterTime = parts.indexOf(',');
  const time = afterTime === -1 ? parts : parts.slice(0, afterTime);
  const responseTimeMs = time === '' ? null : numberOf(time) / 1_000;
  if (afterTime === -1)
    return { responseTimeMs, statusCode: USUAL_STATUS, checkedAt: first, failure: null };
  const [after, status, failure] = parts.slice(afterTime + 1).split(',');
  return {
    responseTimeMs,
    statusCode: status === undefined || status === '' ? USUAL_STATUS : statusOf(status),
    checkedAt: first + numberOf(after!),
    failure: (failure ?? null) as NewestResult['failure'],
  };
}

/** A number to the base of 36, 0 without digits. Takes less time than `parseInt`. */
function numberOf(digits: string): number {
  const isNegative = digits.startsWith('-');
  let value = 0;
  for (let index = isNegative ? 1 : 0; index < digits.length; index += 1) {
    const code = digits.charCodeAt(index);
    value = value * 36 + (code <= NINE ? code - ZERO : code - A + 10);
  }
  return isNegative ? -value : value;
}

const [ZERO, NINE, A] = ['0', '9', 'a'].map((digit) => digit.charCodeAt(0)) as [
  number,
  number,
  number,
];

function statusOf(text: string): number | null {
  return text === '-' ? null : Number(text);
}
