import type { Db } from '../database/contract.ts';
import { ALIVE_AT, type ObservationRow } from '../engine/process-marks.ts';

export interface ProbeFilter {
  /** Null for all teams. */
  teamId: number | null;
  tag: string | null;
}

/** A monitor that is not paused, with its newest results as JSON. */
export interface ProbedMonitorRow extends ObservationRow {
  id: number;
  name: string | null;
  type: string;
  host: string | null;
  teamId: number;
  lastCheckedAt: number | null;
  /** The newest result by region (store/engine/monitor-state.ts). */
  newest: string;
}

/** Reads a page of monitors of any team by id, those after `after`. */
export function readProbedMonitors(
  db: Db,
  filter: ProbeFilter,
  page: { after: number; limit: number },
): Promise<ProbedMonitorRow[]> {
  return selectMonitors(db, filter, page)
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .select([
      'monitor.is_paused',
      'monitor.check_interval',
      'monitor_state.status',
      'monitor_state.observed_until',
      ALIVE_AT,
      'monitor_state.last_checked_at as lastCheckedAt',
      'monitor_state.newest',
    ])
    .execute();
}

/** A monitor whose certificate is inspected. */
export type CertifiedMonitorRow = Pick<
  ProbedMonitorRow,
  'id' | 'name' | 'type' | 'host' | 'teamId'
> & {
  /** JSON of `SslFacts`. */
  facts: string;
};

/** Reads a page of monitors with the newest facts of their certificates. */
export async function readCertifiedMonitors(
  db: Db,
  filter: ProbeFilter,
  page: { after: number; limit: number },
): Promise<CertifiedMonitorRow[]> {
  const rows = await selectMonitors(db, filter, page)
    .innerJoin('monitor_inspection', 'monitor_inspection.monitor_id', 'monitor.id')
    .innerJoin('inspection', (join) =>
      join
        .onRef('inspection.kind', '=', 'monitor_inspection.kind')
        .onRef('inspection.target', '=', 'monitor_inspection.target'),
    )
    .where('monitor_inspection.kind', '=', 'ssl')
    .where('inspection.facts', 'is not', null)
    .select('inspection.facts')
    .execute();
  return rows.map((row) => ({ ...row, facts: row.facts! }));
}

function selectMonitors(
  db: Db,
  { teamId, tag }: ProbeFilter,
  { after, limit }: { after: number; limit: number },
) {
  return db
    .selectFrom('monitor')
    .where('monitor.id', '>', after)
    .where('monitor.deleted_at', 'is', null)
    .where('monitor.is_paused', '=', 0)
    .$if(teamId !== null, (query) => query.where('monitor.team_id', '=', teamId!))
    .$if(tag !== null, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('monitor_tag')
            .select('monitor_tag.monitor_id')
            .whereRef('monitor_tag.monitor_id', '=', 'monitor.id')
            .where('monitor_tag.tag', '=', tag!),
        ),
      ),
    )
    .orderBy('monitor.id')
    .limit(limit)
    .select([
      'monitor.id',
      'monitor.friendly_name as name',
      'monitor.type',
      'monitor.host',
      'monitor.team_id as teamId',
    ]);
}
