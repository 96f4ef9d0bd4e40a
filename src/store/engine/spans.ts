import { sql } from 'kysely';
import type { SpanChange, SpanStatus } from '../../model/incident.ts';
import { idTable, jsonTable } from '../database/dialect.ts';
import type { Db, Schema, Tx } from '../database/contract.ts';
import { prepareInsert, prepareUpdate } from '../database/rows.ts';
import { idsParameter, prepareQuery } from '../database/prepared-statements.ts';

/** The status of a monitor from `fromAt` until `toAt` (epoch ms); `toAt` is null while it lasts. */
export interface StoredSpan {
  monitorId: number;
  status: SpanStatus;
  fromAt: number;
  toAt: number | null;
}

/** A span that is being changed; `id` is null until it is stored. */
interface PendingSpan extends StoredSpan {
  id: number | null;
  teamId: number;
}

/**
 * Closes each monitor's open span and opens the next. Changes are ordered by time per monitor. A change to the current
 * status does nothing, a change before the open span began takes effect at its start. A span of no length is replaced,
 * unless the one before it has the new status: then it stays between them, so that each span begins with what caused it.
 * The caller has locked the monitors' states.
 */
export async function changeSpans(tx: Tx, changes: readonly SpanChange[]) {
  if (changes.length === 0) return;
  const newest = await newestSpans(tx, [...new Set(changes.map((c) => c.monitorId))]);
  const { changed, added } = mergeChanges(newest, changes);
  await updateSpans(
    tx,
    changed.map(({ id, status, toAt }) => [id, status, toAt]),
  );
  await insertSpans(
    tx,
    added.map((s) => [s.teamId, s.monitorId, s.status, s.fromAt, s.toAt]),
  );
}

/** Decides which stored spans change and which are added; `newest` holds the newest spans of each monitor, in order. */
function mergeChanges(newest: ReadonlyMap<number, PendingSpan[]>, changes: readonly SpanChange[]) {
  const lines = new Map(newest);
  const changed = new Set<PendingSpan>();
  const added: PendingSpan[] = [];
  for (const { monitorId, teamId, status, at } of changes) {
    const line = lines.get(monitorId) ?? [];
    lines.set(monitorId, line);
    const last = line.at(-1);
    if (last?.status === status && last.toAt === null) continue;
    const fromAt = last ? Math.max(at, last.toAt ?? last.fromAt) : at;
    if (last && last.id !== null) changed.add(last);
    if (last?.fromAt === fromAt && line.at(-2)?.status !== status) {
      last.status = status;
      last.toAt = null;
      continue;
    }
    if (last) last.toAt ??= fromAt;
    const next = { id: null, monitorId, teamId, status, fromAt, toAt: null };
    line.push(next);
    added.push(next);
  }
  return { changed: [...changed], added };
}

/** The two newest spans of each monitor, in order. */
async function newestSpans(tx: Tx, monitorIds: number[]) {
  const wanted = idTable(tx, monitorIds);
  const nth = (offset: 0 | 1) => sql`
    select span.* from ${wanted} as wanted join status_span as span on span.id = (
      select newest.id from status_span as newest where newest.monitor_id = wanted.id
      order by newest.from_at desc, newest.id desc limit 1 offset ${sql.lit(offset)})`;
  const { rows } = await sql<Schema['status_span'] & { id: number }>`
    ${nth(1)} union all ${nth(0)}`.execute(tx);
  const lines = new Map<number, PendingSpan[]>();
  const inOrder = rows.toSorted((a, b) => a.from_at - b.from_at || a.id - b.id);
  for (const row of inOrder) {
    const line = lines.get(row.monitor_id) ?? [];
    line.push({ id: row.id, teamId: row.team_id, ...spanOf(row) });
    lines.set(row.monitor_id, line);
  }
  return lines;
}

const updateSpans = prepareUpdate('status_span', {
  id: 'integer',
  status: 'text',
  to_at: 'integer',
});

const insertSpans = prepareInsert('status_span', {
  team_id: 'integer',
  monitor_id: 'integer',
  status: 'text',
  from_at: 'integer',
  to_at: 'integer',
});

/**
 * Reads the spans that overlap `[from, to)`, uncut, by monitor and time. Begins at the last span that started before the
 * period, so that the history before it is not stepped over: the spans of a monitor follow each other without overlaps.
 * Those of a monitor come as one row, as thousands of rows take longer on their way than in the database.
 */
export async function listSpans(db: Db, monitorIds: readonly number[], from: number, to: number) {
  if (monitorIds.length === 0) return [];
  const ids = idsParameter(new Set(monitorIds));
  const rows = await packedSpans(db, { ids, from, to });
  return rows.flatMap(({ monitorId, packed }) =>
    packed === null ? [] : packed.split(',').map((span) => unpackSpan(monitorId, span)),
  );
}

/** A subquery of each monitor, so that Postgres reads the spans by their index and not all of them. */
const packedSpans = prepareQuery<
  { monitorId: number; packed: string | null },
  'ids' | 'from' | 'to'
>(
  ['ids', 'from', 'to'],
  ({ ids, from, to }, engine) => sql`
    select listed.id as "monitorId", (
      select string_agg(span.status || ' ' || span.from_at || ' ' || coalesce(cast(span.to_at as text), ''),
        ',' order by span.from_at, span.id)
      from status_span as span
      where span.monitor_id = listed.id and span.from_at < ${to} and (span.to_at is null or span.to_at > ${from})
        and span.from_at >= coalesce((select max(earlier.from_at) from status_span as earlier
          where earlier.monitor_id = listed.id and earlier.from_at <= ${from}), ${from})
    ) as packed
    from ${jsonTable(engine, ids, { id: 'integer' })} as listed order by listed.id`,
);

function unpackSpan(monitorId: number, packed: string): StoredSpan {
  const [status, from, to] = packed.split(' ') as [SpanStatus, string, string];
  return { monitorId, status, fromAt: Number(from), toAt: to === '' ? null : Number(to) };
}

export interface ObservedMonitor {
  id: number;
  teamId: number;
  type: string;
  createdAt: number;
  observedUntil: number | null;
}

/** Reads monitors and until when they are observed. Unknown ids are missing. */
export async function readObserved(
  db: Db,
  monitorIds: readonly number[],
): Promise<Map<number, ObservedMonitor>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await observedMonitors(db, { ids: idsParameter(monitorIds) });
  return new Map(rows.map((row) => [row.id, row]));
}

const observedMonitors = prepareQuery<ObservedMonitor, 'ids'>(
  ['ids'],
  ({ ids }, engine) => sql`
    select monitor.id, monitor.team_id as "teamId", monitor.type, monitor.created_at as "createdAt",
      state.observed_until as "observedUntil"
    from monitor left join monitor_state as state on state.monitor_id = monitor.id
    where monitor.id in (select id from ${jsonTable(engine, ids, { id: 'integer' })} as listed)`,
);

function spanOf({ monitor_id, status, from_at, to_at }: Schema['status_span']): StoredSpan {
  return { monitorId: monitor_id, status: status as SpanStatus, fromAt: from_at, toAt: to_at };
}
