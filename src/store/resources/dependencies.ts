import { sql, type RawBuilder } from 'kysely';
import { CONDITIONS, type ConfirmationName, type Confirmations } from '../../model/condition.ts';
import type { MonitorState, ParentState } from '../../model/state.ts';
import { idList } from '../database/dialect.ts';
import { prepareInsert, lockRows } from '../database/rows.ts';
import type { Db, Tx } from '../database/contract.ts';
import { parseNewest } from '../engine/monitor-state.ts';

interface NamedParent extends ParentState {
  monitorId: number;
  /** Its friendly name, else its url. */
  name: string;
}

/** One monitor depends on another one. */
export interface Dependency {
  monitorId: number;
  dependsOnId: number;
}

/** A recovery before that is none that anybody still waits for. */
const RECENT_MS = 10 * 60_000;
/** Ids in one statement. */
const AT_ONCE = 500;
/** Confirmations whose running confirmation can soon end in a critical condition. */
const CRITICAL_CONFIRMATIONS: readonly ConfirmationName[] = [
  'reachability',
  'content',
  'heartbeat',
];

/** SQL expression for a statement about monitors: the ids of the monitors that one depends on, joined by commas. */
export function dependsOnOf(monitorId: string): RawBuilder<string | null> {
  return sql`(select string_agg(cast(depends_on_id as text), ',' order by position, depends_on_id)
    from monitor_dependency where monitor_dependency.monitor_id = ${sql.ref(monitorId)})`;
}

/** The monitors of a team among these ids, deleted ones left out, with what people call them. */
export function namesOfMonitors(db: Db, teamId: number, ids: readonly number[]) {
  return db
    .selectFrom('monitor')
    .select(['id', sql<string>`coalesce(friendly_name, url)`.as('name')])
    .where('id', 'in', ids)
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Changes of what monitors depend on. */
export function dependencyChanges(tx: Tx) {
  return {
    /** Until the transaction ends nobody deletes one of these. */
    async lockMonitors(teamId: number, ids: readonly number[]) {
      await lockRows(tx, 'monitor', { id: ['in', ids], team_id: teamId }, ['id'], ['id']);
    },

    /** From now on a monitor depends on these, in this order, and on no others. */
    async set(teamId: number, monitorId: number, ids: readonly number[]) {
      await tx.deleteFrom('monitor_dependency').where('monitor_id', '=', monitorId).execute();
      await this.add(teamId, [{ monitorId, ids }]);
    },

    /** New monitors depend on these, in this order. */
    async add(
      teamId: number,
      dependents: readonly { monitorId: number; ids: readonly number[] }[],
    ) {
      await insertDependencies(
        tx,
        dependents.flatMap(({ monitorId, ids }) =>
          ids.map((id, position) => [monitorId, id, teamId, position]),
        ),
      );
    },

    /** Nothing depends on monitors that are gone, and they depend on nothing. */
    async removeMonitors(monitorIds: readonly number[]) {
      for (const column of ['monitor_id', 'depends_on_id'] as const) {
        const rows = tx.deleteFrom('monitor_dependency');
        await rows.where(column, 'in', idList(tx, monitorIds)).execute();
      }
    },
  };
}

/** Every dependency that is met on the way up from these monitors, each once, however they are tangled. */
export async function dependenciesAbove(db: Db, ids: readonly number[]): Promise<Dependency[]> {
  const found = new Map<string, Dependency>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = sql.join(ids.slice(from, from + AT_ONCE));
    const { rows } = await sql<Dependency>`
      with recursive above (id) as (
        select depends_on_id from monitor_dependency where monitor_id in (${some})
        union
        select depends_on_id from monitor_dependency join above on monitor_dependency.monitor_id = above.id
      )
      select monitor_id as "monitorId", depends_on_id as "dependsOnId" from monitor_dependency
      where monitor_id in (select id from above) or monitor_id in (${some})
      order by monitor_id, position, depends_on_id`.execute(db);
    for (const row of rows) found.set(`${row.monitorId} ${row.dependsOnId}`, row);
  }
  return [...found.values()];
}

const insertDependencies = prepareInsert('monitor_dependency', {
  monitor_id: 'integer',
  depends_on_id: 'integer',
  team_id: 'integer',
  position: 'integer',
});

/**
 * All that each of these monitors depends on, directly or through others; monitors that depend on nothing are left
 * out. A handful of statements for any few hundred of them.
 *
 * @param now epoch milliseconds: recoveries are named for ten minutes.
 */
export async function parentsOf(db: Db, monitorIds: readonly number[], now: number) {
  const parents = new Map<number, NamedParent[]>();
  if (monitorIds.length === 0) return parents;
  const direct = Map.groupBy(
    await dependenciesAbove(db, [...new Set(monitorIds)]),
    ({ monitorId }) => monitorId,
  );
  if (direct.size === 0) return parents;
  const above = new Map(monitorIds.map((id) => [id, ancestorsIn(direct, id)]));
  const states = await statesOf(db, [...new Set([...above.values()].flat())], now);
  for (const [id, ancestors] of above) {
    const known = ancestors.flatMap((ancestor) => states.get(ancestor) ?? []);
    if (known.length > 0) parents.set(id, known);
  }
  return parents;
}

/** The nearest first. A circle, which there should be none of, is walked once. */
function ancestorsIn(direct: Map<number, Dependency[]>, monitorId: number): number[] {
  const seen = new Set([monitorId]);
  const walk = [monitorId];
  for (const id of walk) {
    for (const { dependsOnId } of direct.get(id) ?? []) {
      if (seen.has(dependsOnId)) continue;
      seen.add(dependsOnId);
      walk.push(dependsOnId);
    }
  }
  return walk.slice(1);
}

async function statesOf(db: Db, ids: readonly number[], now: number) {
  const states = new Map<number, NamedParent>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const [monitors, incidents] = [await readMonitors(db, some), await readTimes(db, some, now)];
    for (const row of monitors) {
      const { open, ended } = incidents.get(row.id) ?? { open: null, ended: null };
      states.set(row.id, {
        monitorId: row.id,
        name: row.name,
        status: row.status,
        isPaused: row.is_paused === 1,
        isSuspected:
          isSuspected(JSON.parse(row.tracks) as Confirmations) ||
          hasFailedByHand(parseNewest(row.newest)),
        lastCheckedAt: row.last_checked_at,
        downSince: open,
        recoveredAt: ended,
      });
    }
  }
  return states;
}

function readMonitors(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .select([
      'monitor.id',
      sql<string>`coalesce(monitor.friendly_name, monitor.url)`.as('name'),
      'monitor_state.status',
      'monitor.is_paused',
      'monitor_state.tracks',
      'monitor_state.newest',
      'monitor_state.last_checked_at',
    ])
    .where('monitor.id', 'in', ids)
    .where('monitor.deleted_at', 'is', null)
    .execute();
}

/** A manual incident and a burning error budget say nothing of whether the monitor works (contract 26.16). */
async function readTimes(db: Db, ids: readonly number[], now: number) {
  const rows = await db
    .selectFrom('incident')
    .select((select) => [
      'monitor_id',
      select.fn.min<number | null>('started_at').filterWhere('ended_at', 'is', null).as('open'),
      select.fn.max<number | null>('ended_at').as('ended'),
    ])
    .where('monitor_id', 'in', ids)
    .where('severity', '=', 'critical')
    .where('type', 'not in', ['manual', 'error_budget'])
    .where((or) => or.or([or('ended_at', 'is', null), or('ended_at', '>', now - RECENT_MS)]))
    .groupBy('monitor_id')
    .execute();
  return new Map(rows.map((row) => [row.monitor_id, row]));
}

/** A manual check failed, and the round that it brought forward has not ended. */
function hasFailedByHand(newest: MonitorState['newest']): boolean {
  return Object.values(newest).some(({ failure, isManual }) => isManual && failure !== null);
}

/** A bad run is being counted, and nothing critical is confirmed. */
function isSuspected(confirmations: Confirmations): boolean {
  const isDown = Object.values(confirmations).some(
    ({ open }) => open !== null && CONDITIONS[open].severity === 'critical',
  );
  return !isDown && CRITICAL_CONFIRMATIONS.some((name) => (confirmations[name]?.badRun ?? 0) > 0);
}
