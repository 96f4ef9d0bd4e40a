import type { Transaction } from 'kysely';
import type { MonitorState } from '../../model/state.ts';
import { insertEvents, subjectsOf } from '../../store/engine/incident-changes.ts';
import type { Schema } from '../../store/database/schema.ts';
import { noticePayload } from './event.ts';

/** Events that are worth telling and belong to no incident, one for each of these monitors. */
export async function insertNotices(
  tx: Transaction<Schema>,
  type: string,
  states: readonly MonitorState[],
  text: string,
  now: number,
): Promise<void> {
  const subjects = await subjectsOf(
    tx,
    states.map((state) => state.monitorId),
  );
  const rows = states.flatMap(({ teamId, monitorId, status }) => {
    const subject = subjects.get(monitorId);
    if (subject === undefined) return [];
    const payload = JSON.stringify(noticePayload(type, text, subject, status, now));
    const ids = { team_id: teamId, monitor_id: monitorId, incident_id: null };
    const weight = { kind: 'notice', severity: 'info', reason: null };
    return [{ ...ids, type, payload, ...weight, fan_out_at: now, created_at: now }];
  });
  await insertEvents(tx, rows);
}
