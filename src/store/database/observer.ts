import type { IncidentResolution } from '../../model/incident.ts';
import type { Row, Tx } from './contract.ts';

/** What a committed transaction did to an incident, and the incident after that. */
export interface IncidentFact extends Omit<
  Row<'incident'>,
  'root_cause' | 'region' | 'created_at' | 'updated_at' | `acknowledged_${string}`
> {
  change: 'opened' | 'ended' | 'reopened' | 'deleted';
  /** Why it ended; null unless it did. */
  reason: IncidentResolution['reason'] | 'by_hand' | null;
}

export interface SlowQuery {
  /** Text with placeholders, without values. */
  statement: string;
  durationMs: number;
  use: 'read' | 'scan' | 'write';
}

export interface DatabaseObserver {
  /** Statements that take this long are reported, milliseconds. */
  slowMs: number;
  onSlow(query: SlowQuery): void;
  /** Called once, after a transaction that changed incidents was committed; never for one that was rolled back. */
  onIncidents(facts: readonly IncidentFact[]): void;
  /** Called when SQLite's write-ahead log could not be copied into the file. It grows until a later copy succeeds. */
  onCheckpointFailed(error: unknown): void;
  /** Called when connections to Postgres stop preparing statements, as a pooler loses them. */
  onStatementsLost(): void;
}

export const NO_OBSERVER: DatabaseObserver = {
  slowMs: Infinity,
  onSlow() {},
  onIncidents() {},
  onCheckpointFailed() {},
  onStatementsLost() {},
};

const facts = new WeakMap<object, IncidentFact[]>();

/** Keeps what this transaction did to incidents until it is committed. */
export function noteIncidents(tx: Tx, noted: readonly IncidentFact[]): void {
  const before = facts.get(tx);
  if (before === undefined) facts.set(tx, [...noted]);
  else for (const fact of noted) before.push(fact);
}

export function notedIncidents(tx: Tx): readonly IncidentFact[] {
  return facts.get(tx) ?? [];
}
