import type { Database } from '../store/contract.ts';
import {
  markRegionTold,
  oldestTeam,
  untoldRegionChanges,
  type RegionHealthRow,
} from '../store/region-health.ts';
import { tellAdmins, type AdminNotice } from './admins.ts';

/** What does not last so long is not told. */
const STOOD_FOR_MS = 60_000;

/**
 * Tells those who run the installation, who are taken to be the admins of its oldest team, which regions were
 * quarantined and which are no more: one notice for each of the two, however many regions it is about.
 *
 * @param now epoch milliseconds.
 * @returns how many notices were written.
 */
export async function tellRegionChanges(
  database: Database,
  now: number,
  mail: boolean,
): Promise<number> {
  const untold = await untoldRegionChanges(database.read, now - STOOD_FOR_MS);
  if (untold.length === 0) return 0;
  return database.transaction(async (tx) => {
    const changed: RegionHealthRow[] = [];
    for (const row of untold) if (await markRegionTold(tx, row, now)) changed.push(row);
    const teamId = await oldestTeam(tx);
    if (teamId === null) return 0;
    const notices = noticesOf(changed);
    for (const notice of notices)
      await tellAdmins(tx, database.engine, { ...notice, teamId }, { now, mail });
    return notices.length;
  });
}

/** Pure. */
export function noticesOf(changed: readonly RegionHealthRow[]): Omit<AdminNotice, 'teamId'>[] {
  const doubted = changed.filter(({ quarantined_at }) => quarantined_at !== null);
  const well = changed.filter(({ quarantined_at }) => quarantined_at === null);
  return [
    ...(doubted.length > 0 ? [doubtOf(doubted)] : []),
    ...(well.length > 0 ? [relief(well)] : []),
  ];
}

function doubtOf(rows: readonly RegionHealthRow[]): Omit<AdminNotice, 'teamId'> {
  const since = Math.min(...rows.map(({ quarantined_at }) => quarantined_at!));
  const reasons = [...new Set(rows.flatMap(({ reason }) => reason ?? []))];
  const isOne = rows.length === 1;
  return {
    severity: 'warning',
    headline: `The network of ${regionsIn(rows)} has been in doubt since ${minuteOf(since)}`,
    text: [
      ...reasons.map((reason) => `${reason}.`),
      `Until ${isOne ? 'it recovers' : 'they recover'}, targets that can't be reached from there are unknown and open no incident; targets that answer count as usual.`,
      'Check the connection, the DNS resolver and the firewall of the probes there. If the targets are really down, this ends by itself once one in twenty answers.',
    ].join(' '),
  };
}

function relief(rows: readonly RegionHealthRow[]): Omit<AdminNotice, 'teamId'> {
  const at = Math.max(...rows.map(({ changed_at }) => changed_at));
  const votes = rows.length === 1 ? 'Its votes count' : 'Their votes count';
  return {
    severity: 'info',
    headline: `The network of ${regionsIn(rows)} has worked again since ${minuteOf(at)}`,
    text: `${votes} again. Nothing is to be done.`,
  };
}

function regionsIn(rows: readonly RegionHealthRow[]): string {
  const names = rows.map(({ region }) => region);
  const last = names.at(-1)!;
  if (names.length === 1) return `region ${last}`;
  return `regions ${names.slice(0, -1).join(', ')} and ${last}`;
}

/** `2030-01-31 08:02 UTC`: those who are told may be in any zone. */
function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
