import type { Transaction } from 'kysely';
import type { IncidentFact } from '../../model/incident.ts';
import { noteIncidents } from '../database/observer.ts';
import type { Schema } from '../database/schema.ts';

/** Columns of the table `incident` that a fact is made of. */
export const FACT_COLUMNS = [
  'incident.id',
  'incident.monitor_id as monitorId',
  'incident.team_id as teamId',
  'incident.type',
  'incident.severity',
  'incident.failure_code as failureCode',
  'incident.is_regional as isRegional',
  'incident.started_at as startedAt',
  'incident.ended_at as endedAt',
] as const;

/** An incident as a transaction left it. */
export interface FactRow {
  id: number;
  monitorId: number;
  teamId: number;
  type: string;
  severity: string;
  failureCode: string | null;
  isRegional: number;
  startedAt: number;
  endedAt: number | null;
}

/** Notes that a transaction changed these incidents, for its observer. */
export function noteChanged<Row extends FactRow>(
  tx: Transaction<Schema>,
  change: IncidentFact['change'],
  rows: readonly Row[],
  reasonOf: (row: Row) => IncidentFact['reason'] = () => null,
): void {
  const facts = rows.map((row): IncidentFact => {
    const { id, monitorId, teamId, type, severity, startedAt, endedAt } = row;
    return {
      change,
      incidentId: id,
      monitorId,
      teamId,
      type,
      severity,
      rootCauseClass: row.failureCode,
      startedAt,
      endedAt,
      isRegional: row.isRegional === 1,
      reason: reasonOf(row),
    };
  });
  noteIncidents(tx, facts);
}
