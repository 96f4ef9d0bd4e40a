import type { Database } from '../../store/database/contract.ts';
import {
  markOverloadNotified,
  pendingProbeOverloads,
  type ProbeOverloadRow,
} from '../../store/engine/probe-overload.ts';
import { oldestTeam } from '../../store/engine/region-health.ts';
import { tellAdmins, type AdminNotice } from './admins.ts';

/** An overload that ends sooner is logged and shown in the metrics; nobody is notified of it. */
const LASTED_MS = 60_000;

/**
 * Notifies those who run the installation, who are taken to be the admins of its oldest team, that a probe can't keep
 * up, and later that it can again: one notice each.
 *
 * @param now epoch milliseconds.
 * @returns how many notices were written.
 */
export async function notifyOfOverloads(
  database: Database,
  now: number,
  mail: boolean,
): Promise<number> {
  const pending = await pendingProbeOverloads(database.read, now - LASTED_MS);
  if (pending.length === 0) return 0;
  return database.transaction(async (tx) => {
    const teamId = await oldestTeam(tx);
    let written = 0;
    for (const row of pending) {
      const isOurs = await markOverloadNotified(tx, row, now);
      if (!isOurs || teamId === null) continue;
      await tellAdmins(tx, { ...noticeOf(row), teamId }, { now, mail });
      written += 1;
    }
    return written;
  });
}

/** Pure. */
export function noticeOf(row: ProbeOverloadRow): Omit<AdminNotice, 'teamId'> {
  const { probe, overloaded_at: since, reason, changed_at: changedAt } = row;
  if (since === null) {
    return {
      severity: 'info',
      headline: `The probe of ${probe} has kept up again since ${minuteOf(changedAt)}`,
      text: 'Checks start on time again. You need not do anything.',
    };
  }
  return {
    severity: 'warning',
    headline: `The probe of ${probe} has been overloaded since ${minuteOf(since)}`,
    text: [
      ...(reason === null ? [] : [`${reason}.`]),
      'Until it keeps up again, checks start late, and outages are noticed later than their interval says.',
    ].join(' '),
  };
}

/** `2030-01-31 08:02 UTC`: readers may be in any zone. */
function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
