import type { Log } from '../lib/log.ts';
import type { IncidentFact } from '../model/incident.ts';
import type { DatabaseObserver, SlowQuery } from '../store/database/observer.ts';

/** Counts since the start of this process. */
export interface Observed {
  /** Incidents that were opened, by `type severity`. */
  readonly opened: ReadonlyMap<string, number>;
  readonly ended: ReadonlyMap<string, number>;
  /** Slow statements by use. */
  readonly slow: Readonly<Record<SlowQuery['use'], number>>;
}

export interface Observation extends DatabaseObserver {
  readonly counts: Observed;
}

/** Maximum length of a logged statement in characters. */
const MAX_STATEMENT = 1_000;

/** Logs and counts what the database reports: committed changes of incidents, and slow statements. */
export function createObservation(
  { slowQueryMs, engine }: { slowQueryMs: number; engine: 'sqlite' | 'postgres' },
  log: Log,
): Observation {
  const opened = new Map<string, number>();
  const ended = new Map<string, number>();
  const slow = { read: 0, scan: 0, write: 0 };
  return {
    counts: { opened, ended, slow },
    slowMs: slowQueryMs === 0 ? Infinity : slowQueryMs,
    onSlow({ statement, durationMs, use }) {
      slow[use] += 1;
      const fields = {
        duration_ms: Math.round(durationMs),
        statement: statement.slice(0, MAX_STATEMENT),
        use,
        database: engine,
      };
      log.warn(fields, 'A query was slow.');
    },
    onIncidents(facts) {
      for (const fact of facts) {
        if (fact.change === 'opened') count(opened, fact);
        if (fact.change === 'ended') count(ended, fact);
        logIncident(log, fact);
      }
    },
    onCheckpointFailed(error) {
      log.warn({ error }, 'The write-ahead log could not be copied into the database file.');
    },
    onStatementsLost() {
      log.warn({}, 'Connections to Postgres no longer prepare statements: a pooler loses them.');
    },
  };
}

function count(counts: Map<string, number>, { type, severity }: IncidentFact): void {
  const key = `${type} ${severity}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function logIncident(log: Log, fact: IncidentFact): void {
  const { type, severity, startedAt, endedAt, reason } = fact;
  const common = {
    incident_id: fact.incidentId,
    monitor_id: fact.monitorId,
    team_id: fact.teamId,
    type,
    severity,
    root_cause_class: fact.rootCauseClass,
    started_at: new Date(startedAt).toISOString(),
  };
  if (fact.change === 'opened') {
    const reportedBy = type === 'manual' ? 'person' : 'checks';
    const fields = { ...common, is_regional: fact.isRegional, reported_by: reportedBy };
    log.info(fields, 'An incident was opened.');
  } else if (fact.change === 'ended') {
    const at = endedAt ?? startedAt;
    const end = {
      ended_at: new Date(at).toISOString(),
      duration_seconds: Math.round((at - startedAt) / 1_000),
    };
    log.info({ ...common, ...end, reason }, 'An incident ended.');
  } else if (fact.change === 'reopened') {
    log.info(common, 'An incident was reopened.');
  } else {
    log.info(common, 'An incident was deleted.');
  }
}
