import type { Transaction } from 'kysely';
import { applyIncidentChanges } from '../record/incidents.ts';
import type { Heartbeat } from '../../model/heartbeat.ts';
import type { IncidentChange, SpanChange } from '../../model/incident.ts';
import { writeHeartbeats } from '../../store/engine/heartbeats.ts';
import type { Schema } from '../../store/database/schema.ts';
import { changeSpans } from '../../store/engine/spans.ts';

/** What pings or their absence made of some jobs, whose states the transaction has locked. */
export interface Decided {
  changes: readonly { before: Heartbeat; after: Heartbeat }[];
  spans: readonly SpanChange[];
  incidents: IncidentChange[];
}

/** Stores it all, and the events that tell of it: together or not at all. */
export async function recordDecided(
  tx: Transaction<Schema>,
  { changes, spans, incidents }: Decided,
  now: number,
): Promise<void> {
  await applyIncidentChanges(tx, incidents, now);
  await changeSpans(tx, spans);
  await writeHeartbeats(tx, changes);
}
