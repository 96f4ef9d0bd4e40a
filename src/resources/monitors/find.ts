import type { Kysely } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import type { Schema } from '../../store/database/schema.ts';
import { findMonitor, type MonitorRow } from '../../store/resources/monitors.ts';
import { orNotFound } from '../common/errors.ts';

/** A monitor of the caller's team. Throws `not_found` for deleted monitors and those of other teams. */
export async function requireMonitor(
  db: Kysely<Schema>,
  { team }: Caller,
  id: number,
): Promise<MonitorRow> {
  return orNotFound(await findMonitor(db, team.id, id), 'monitor');
}
