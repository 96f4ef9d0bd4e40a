import type { Generated } from 'kysely';

/** Table of changes that event streams report. Only triggers write it (migration 0025). */
export interface LiveSchema {
  live_change: LiveChangeTable;
}

export interface LiveChangeTable {
  id: Generated<number>;
  team_id: number;
  /** status, incident, monitor, maintenance or settings. */
  kind: string;
  /** What happened to an incident or monitor, or which settings changed. */
  change: string;
  monitor_id: number | null;
  /** Incident, maintenance window or other object that changed. */
  subject_id: number | null;
  /** Epoch milliseconds by the database's clock. */
  at: Generated<number>;
  /** Id of the transaction on Postgres; 0 on SQLite. */
  txid: Generated<number>;
}
