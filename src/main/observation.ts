import type { Log } from '../lib/log.ts';
import type { DatabaseObserver, IncidentFact } from '../store/database/observer.ts';

export type Observation = ReturnType<typeof createObservation>;

const MAX_STATEMENT = 1_000;

/** Logs and counts what the database reports: committed changes of incidents, and slow statements. */
export function createObservation(
  { slowQueryMs, engine }: { slowQueryMs: number; engine: 'sqlite' | 'postgres' },
  log: Log,
) {
  const opened = new Map<string, number>();
  const ended = new Map<string, number>();
  const slow = { read: 0, scan: 0, write: 0 };
  return {
    /** Since the start of this process: incidents by `type severity`, slow statements by use. */
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
      // Log: A statement took the database SLOW_QUERY_MS or longer; time in which this process was
      // busy does not count. The statement holds placeholders and no values. Look for a slow disk,
      // or a busy Postgres.
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
      // Log: SQLite only. The log, tocsin.db-wal, grows until a later copy succeeds. Look for a
      // full or failing disk, or a program that holds the file.
      log.warn({ error }, 'The write-ahead log could not be copied into the database file.');
    },
    onStatementsLost() {
      // Log: The pooler hands transactions to connections that do not have them. Set
      // DATABASE_PREPARED_STATEMENTS to false, or use a pooler that supports prepared statements.
      // Restart to try again.
      log.warn({}, 'Connections to Postgres no longer prepare statements: a pooler loses them.');
    },
  } satisfies DatabaseObserver & { counts: object };
}

function count(counts: Map<string, number>, { type, severity }: IncidentFact): void {
  const key = `${type} ${severity}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function logIncident(log: Log, fact: IncidentFact): void {
  const { type, started_at: startedAt, reason } = fact;
  const common = {
    incident_id: fact.id,
    monitor_id: fact.monitor_id,
    team_id: fact.team_id,
    type,
    severity: fact.severity,
    root_cause_class: fact.failure_code,
    started_at: new Date(startedAt).toISOString(),
  };
  if (fact.change === 'opened') {
    const reportedBy = type === 'manual' ? 'person' : 'checks';
    const fields = { ...common, is_regional: fact.is_regional === 1, reported_by: reportedBy };
    // Log: One line for each incident, after its transaction is committed.
    log.info(fields, 'An incident was opened.');
  } else if (fact.change === 'ended') {
    const at = fact.ended_at ?? startedAt;
    const end = {
      ended_at: new Date(at).toISOString(),
      duration_seconds: Math.round((at - startedAt) / 1_000),
    };
    // Log: One line for each incident. `reason`: `recovered`, `switched_off`, `changed_over` to
    // another type, `target_changed`, or `by_hand`.
    log.info({ ...common, ...end, reason }, 'An incident ended.');
  } else if (fact.change === 'reopened') {
    // Log: A person set a resolved incident to open.
    log.info(common, 'An incident was reopened.');
  } else {
    // Log: A person deleted it. The audit log says who.
    log.info(common, 'An incident was deleted.');
  }
}
