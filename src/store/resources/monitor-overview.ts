import { sql } from 'kysely';
import type { Correction } from '../../model/correction.ts';
import type { SpanStatus } from '../../model/incident.ts';
import { idList, idTable } from '../database/dialect.ts';
import type { Db } from '../database/contract.ts';
import { type ScopedOccurrence, windowOccurrences } from '../engine/maintenance.ts';
import type { StoredSpan } from '../engine/spans.ts';
import { namesOfGroups } from './groups.ts';
import { ACKNOWLEDGER } from './incidents.ts';

/** Counters that change with what people change. */
export interface EditStamp {
  /** Sum of the versions of all shards: incremented by each edit of a monitor. */
  edits: number;
  /** Newest entry in the audit log of the team; null without any. */
  audited: number | null;
}

/** What the overview reads of a team. */
export function overviewStore(db: Db) {
  return {
    /** Reads in a fraction of a millisecond whether people changed anything of a team, or any monitor at all. */
    async editStamp(teamId: number): Promise<EditStamp> {
      const { rows } = await sql<EditStamp>`
    select (select sum(version) from shard) as edits, (select id from audit_entry where team_id = ${teamId}
      order by created_at desc, id desc limit 1) as audited`.execute(db);
      return { edits: Number(rows[0]?.edits ?? 0), audited: rows[0]?.audited ?? null };
    },

    /** Reads the versions of the monitors of a team by id, without deleted ones. */
    async versions(teamId: number): Promise<Map<number, number>> {
      const { rows } = await sql<{ packed: string | null }>`
    select string_agg(id || ' ' || version, ',') as packed from monitor
    where team_id = ${teamId} and deleted_at is null`.execute(db);
      const packed = rows[0]?.packed ?? '';
      if (packed === '') return new Map();
      return new Map(
        packed.split(',').map((one) => one.split(' ').map(Number) as [number, number]),
      );
    },

    /** Reads the settings of monitors that the overview shows. @param ids of monitors that are not deleted. */
    settings(ids: readonly number[]) {
      return db
        .selectFrom('monitor')
        .select(['id', 'version', 'type', 'url', 'port', 'friendly_name', 'group_id', 'tags'])
        .select(['check_types', 'monitored_regions', 'is_paused', 'check_interval'])
        .select('created_at')
        .select(['heartbeat_interval', 'heartbeat_cron_expression', 'heartbeat_timezone'])
        .where('id', 'in', idList(db, ids))
        .where('deleted_at', 'is', null)
        .execute();
    },

    /**
     * Reads the states of a team's monitors in one packed row, `<id> <stamp>` joined by commas: two equal stamps are of equal
     * states. Thousands of rows would take longer on their way than in the database.
     */
    async stateStamps(teamId: number) {
      const { rows } = await sql<{ packed: string | null }>`
    select string_agg(monitor_id || ' ' || status || ' ' || coalesce(last_slot, 0) || ' ' || coalesce(last_checked_at, 0)
      || ' ' || coalesce(observed_until, 0) || ' ' || coalesce(heartbeat_expected_at, 0) || ' ' || ping_count, ',') as packed
    from monitor_state where team_id = ${teamId}`.execute(db);
      return rows[0]?.packed ?? '';
    },

    /** Reads the states of monitors that the overview shows; `newest` is the newest result by region. */
    states(ids: readonly number[]) {
      return db
        .selectFrom('monitor_state')
        .select(['monitor_id as id', 'status', 'newest', 'observed_until as observedUntil'])
        .select(['last_heartbeat_at as lastPingAt', 'heartbeat_expected_at as nextExpectedAt'])
        .select('ping_count as pingCount')
        .where('monitor_id', 'in', idList(db, ids))
        .execute();
    },

    /** Reads how long the last run of jobs took, in milliseconds. Those without a known duration are missing. */
    async lastDurations(ids: readonly number[]): Promise<Map<number, number>> {
      if (ids.length === 0) return new Map();
      const { rows } = await sql<{ id: number; duration: number | null }>`
    select wanted.id, (select ping.duration_ms from ping where ping.monitor_id = wanted.id
      and ping.number > monitor_state.ping_count - ${sql.lit(PINGS_WITH_DURATION)}
      and ping.duration_ms is not null order by ping.number desc limit 1) as duration
    from ${idTable(db, ids)} as wanted join monitor_state on monitor_state.monitor_id = wanted.id`.execute(
        db,
      );
      return new Map(
        rows.flatMap(({ id, duration }) => (duration === null ? [] : [[id, duration]])),
      );
    },

    /** Reads the newest id of a span, of any team; 0 without any. */
    async newestSpan() {
      const row = await db
        .selectFrom('status_span')
        .select((eb) => eb.fn.max('id').as('newest'))
        .executeTakeFirst();
      return row?.newest ?? 0;
    },

    /** Reads the spans of monitors that ended after that time or last, in the order of time. */
    async spansSince(ids: readonly number[], since: number): Promise<IdentifiedSpan[]> {
      if (ids.length === 0) return [];
      const { rows } = await sql<PackedSpans>`
    select wanted.id as monitor_id, string_agg(${PACKED_SPAN}, ',' order by span.from_at, span.id) as packed
    from ${idTable(db, new Set(ids))} as wanted cross join status_span as span
    where span.monitor_id = wanted.id and (span.to_at is null or span.to_at > ${since})
    group by wanted.id`.execute(db);
      return unpackSpans(rows);
    },

    /** Reads which spans of a team have a greater id than that. */
    async spanKeysAfter(teamId: number, afterId: number): Promise<SpanKey[]> {
      const { rows } = await sql<{ packed: string | null }>`
    select string_agg(id || ' ' || monitor_id, ',') as packed from status_span
    where id > ${afterId} and team_id = ${teamId}`.execute(db);
      const packed = rows[0]?.packed ?? '';
      if (packed === '') return [];
      return packed.split(',').map((one) => {
        const space = one.indexOf(' ');
        return { id: Number(one.slice(0, space)), monitorId: Number(one.slice(space + 1)) };
      });
    },

    /** Reads spans by their ids, in the order of time for each monitor. */
    async spans(ids: readonly number[]): Promise<IdentifiedSpan[]> {
      if (ids.length === 0) return [];
      const { rows } = await sql<PackedSpans>`
    select span.monitor_id, string_agg(${PACKED_SPAN}, ',' order by span.from_at, span.id) as packed
    from ${idTable(db, ids)} as wanted cross join status_span as span
    where span.id = wanted.id group by span.monitor_id`.execute(db);
      return unpackSpans(rows);
    },

    /** Reads the open incidents of a team, the oldest first. */
    openIncidents(teamId: number) {
      return db
        .selectFrom('incident')
        .select(['id', 'monitor_id', 'severity', 'root_cause', 'started_at', 'acknowledged_at'])
        .select(ACKNOWLEDGER)
        .where('team_id', '=', teamId)
        .where('ended_at', 'is', null)
        .orderBy('started_at')
        .orderBy('id')
        .execute();
    },

    /** Reads what decides how the time after `from` counts for the monitors of a team (epoch ms). */
    async countingFacts(
      teamId: number,
      ids: readonly number[],
      { from, to }: { from: number; to: number },
    ): Promise<CountingFacts> {
      const [groups, occurrences, corrections] = await Promise.all([
        namesOfGroups(db, teamId),
        windowOccurrences(db).within(ids.slice(0, 1), { from, to }),
        sql<Correction & { monitorId: number }>`
      select correction.monitor_id as "monitorId", correction.id, from_at as "from", to_at as "to", counts_as as "as"
      from ${idTable(db, ids)} as wanted cross join correction
      where correction.monitor_id = wanted.id and to_at > ${from} and from_at < ${to} and removed_at is null
      order by correction.monitor_id, correction.id`.execute(db),
      ]);
      const byMonitor = Map.groupBy(corrections.rows, ({ monitorId }) => monitorId);
      return { groups, occurrences, corrections: byMonitor };
    },
  };
}

export type OverviewSettings = Awaited<
  ReturnType<ReturnType<typeof overviewStore>['settings']>
>[number];

export type OverviewState = Awaited<ReturnType<ReturnType<typeof overviewStore>['states']>>[number];

/** Number of newest pings of a job among which its last duration is looked for. */
const PINGS_WITH_DURATION = 20;

/** A status of a monitor from `fromAt` until `toAt` (epoch ms), null while it lasts. */
export type IdentifiedSpan = StoredSpan & { id: number };

/** A span, and the monitor that has it. */
export interface SpanKey {
  id: number;
  monitorId: number;
}

const PACKED_SPAN = sql`span.id || ' ' || span.status || ' ' || span.from_at || ' ' || coalesce(cast(span.to_at as text), '')`;

interface PackedSpans {
  monitor_id: number;
  packed: string;
}

function unpackSpans(rows: readonly PackedSpans[]): IdentifiedSpan[] {
  return rows.flatMap(({ monitor_id: monitorId, packed }) =>
    packed.split(',').map((one) => {
      const [id, status, from, to] = one.split(' ') as [string, SpanStatus, string, string];
      const toAt = to === '' ? null : Number(to);
      return { id: Number(id), monitorId, status, fromAt: Number(from), toAt };
    }),
  );
}

export type OverviewIncident = Awaited<
  ReturnType<ReturnType<typeof overviewStore>['openIncidents']>
>[number];

/** What decides together with the spans how time counts. */
export interface CountingFacts {
  groups: Awaited<ReturnType<typeof namesOfGroups>>;
  occurrences: ScopedOccurrence[];
  /** Corrections in force, by monitor. */
  corrections: Map<number, Correction[]>;
}
