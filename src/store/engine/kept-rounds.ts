import { sql } from 'kysely';
import type { IncidentType } from '../../model/condition.ts';
import type { Region } from '../../model/monitor.ts';
import type { Database, Tx } from '../database/contract.ts';
import { jsonTable } from '../database/dialect.ts';
import type { FailureText, StoredRound } from './result-history.ts';
import {
  DAY_MS,
  failureDetails,
  failureTable,
  readRegions,
  roundTable,
  startOf,
  type Day,
} from './results.ts';
import { decodeRound } from './round-codec.ts';

/** An incident whose rounds are to be kept. Times are epoch milliseconds. */
interface KeptIncident {
  id: number;
  monitorId: number;
  startedAt: number;
  confirmedAt: number;
  endedAt: number | null;
  /** Minutes between checks, as they are now. */
  checkInterval: number | null;
}

const MINUTE_MS = 60_000;
/** Time before an incident in which its last good round is looked for, in intervals, and at least. */
const INTERVALS_BEFORE = 3;
const MIN_BEFORE_MS = 10 * MINUTE_MS;
/** Longest parts of an incident whose rounds are read: its begin and its end. */
const MAX_PART_MS = 6 * 60 * MINUTE_MS;

/** Times around the begin and the end of an incident whose rounds explain it, in order. */
export function rangesAround(
  { startedAt, confirmedAt, endedAt }: Pick<KeptIncident, 'startedAt' | 'confirmedAt' | 'endedAt'>,
  intervalMs: number,
  now: number,
): { from: number; to: number }[] {
  const beforeMs = Math.max(INTERVALS_BEFORE * intervalMs, MIN_BEFORE_MS);
  const end = (endedAt ?? now) + 1;
  const first = {
    from: startedAt - beforeMs,
    to: Math.min(end, Math.max(confirmedAt + 1, startedAt), startedAt + MAX_PART_MS),
  };
  const last = { from: Math.max(first.to, end - Math.min(beforeMs, MAX_PART_MS)), to: end };
  return last.from < last.to ? [first, last] : [first];
}

/** Longest time before an incident in which its rounds are looked for. */
const MAX_BEFORE_MS = 4 * DAY_MS;

/** Lists incidents of these types that may have rounds of that day, by id, those after `after`. */
export async function listIncidentsOfDay(
  database: Database,
  day: Day,
  { types, after, limit }: { types: readonly IncidentType[]; after: number; limit: number },
): Promise<KeptIncident[]> {
  const start = startOf(day);
  return database.scan
    .selectFrom('incident')
    .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
    .select([
      'incident.id as id',
      'incident.monitor_id as monitorId',
      'incident.started_at as startedAt',
      'incident.created_at as confirmedAt',
      'incident.ended_at as endedAt',
      'monitor.check_interval as checkInterval',
    ])
    .where('incident.id', '>', after)
    .where('incident.type', 'in', [...types])
    .where('incident.started_at', '<', start + DAY_MS + MAX_BEFORE_MS)
    .where((eb) =>
      eb.or([eb('incident.created_at', '>=', start), eb('incident.ended_at', '>=', start)]),
    )
    .orderBy('incident.id')
    .limit(limit)
    .execute();
}

/** Times of an incident of which rounds are kept, `[from, to)` in epoch milliseconds. */
interface KeptRange {
  incidentId: number;
  monitorId: number;
  from: number;
  to: number;
}

/** Rounds of a range that are kept with an incident at most, the newest ones. */
const MAX_ROUNDS = 20;

/** Copies rounds of a day to the incidents that they belong to. Those that are there stay. */
export async function keepRounds(
  tx: Tx,
  { engine }: Pick<Database, 'engine'>,
  day: Day,
  ranges: readonly KeptRange[],
): Promise<void> {
  const start = startOf(day);
  const json = JSON.stringify(
    ranges.map(({ incidentId, monitorId, from, to }, range) => [
      range,
      incidentId,
      monitorId,
      Math.ceil(from) - start,
      Math.ceil(to) - start,
    ]),
  );
  const wanted = jsonTable(engine, json, {
    range: 'integer',
    incident_id: 'integer',
    monitor_id: 'integer',
    lower: 'integer',
    upper: 'integer',
  });
  await sql`insert into incident_round (incident_id, at, data, details)
    select incident_id, at + ${sql.lit(start)}, data, details from (
      select wanted.incident_id, round.at, round.data, failed.details,
        row_number() over (partition by wanted.range order by round.at desc) as place
      from ${wanted} as wanted join incident on incident.id = wanted.incident_id
      join ${roundTable(day)} as round on round.monitor_id = wanted.monitor_id
        and round.at >= wanted.lower and round.at < wanted.upper
      left join ${failureTable(day)} as failed on failed.monitor_id = round.monitor_id and failed.at = round.at
    ) as found where place <= ${sql.lit(MAX_ROUNDS)}
    on conflict (incident_id, at) do nothing`.execute(tx);
}

export interface KeptRound extends StoredRound {
  texts: ReadonlyMap<Region, FailureText>;
}

export async function readKeptRounds(
  database: Database,
  { id, monitor_id: monitorId }: { id: number; monitor_id: number },
): Promise<KeptRound[]> {
  const rows = await database.read
    .selectFrom('incident_round')
    .select(['at', 'data', 'details'])
    .where('incident_id', '=', id)
    .orderBy('at')
    .execute();
  if (rows.length === 0) return [];
  const regions = await readRegions(database);
  return rows.flatMap(({ at: startedAt, data, details }) => {
    const round = decodeRound(data, startedAt, regions);
    const texts = details === null ? new Map<Region, FailureText>() : failureDetails(details);
    return round === null ? [] : [{ ...round, monitorId, startedAt, texts }];
  });
}
