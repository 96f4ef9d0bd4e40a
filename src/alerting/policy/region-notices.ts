import type { SoleVantage } from '../../model/vantage.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  markRegionTold,
  oldestTeam,
  readRegionHealth,
  untoldRegionChanges,
  type RegionHealthRow,
} from '../../store/engine/region-health.ts';
import { tellAdmins, type AdminNotice } from './admins.ts';

/** What does not last so long is not told. */
const STOOD_FOR_MS = 60_000;

/**
 * Tells those who run the installation, who are taken to be the admins of its oldest team, which regions were
 * quarantined and which are no more: one notice for each of the two, however many regions it is about.
 *
 * @param now epoch milliseconds.
 * @param vantage the machine that probes for all regions; null when there are several.
 * @returns how many notices were written.
 */
export async function tellRegionChanges(
  database: Database,
  now: number,
  mail: boolean,
  vantage: SoleVantage | null = null,
): Promise<number> {
  const untold = await untoldRegionChanges(database.read, now - STOOD_FOR_MS);
  if (untold.length === 0) return 0;
  return database.transaction(async (tx) => {
    const { news, known } =
      vantage === null
        ? { news: untold, known: [] }
        : changesOfOnePlace(untold, await readRegionHealth(tx), vantage);
    const changed: RegionHealthRow[] = [];
    for (const row of news) if (await markRegionTold(tx, row, now)) changed.push(row);
    for (const row of known) await markRegionTold(tx, row, now);
    const teamId = await oldestTeam(tx);
    if (teamId === null) return 0;
    const notices = noticesOf(changed, vantage?.name ?? null);
    for (const notice of notices) await tellAdmins(tx, { ...notice, teamId }, { now, mail });
    return notices.length;
  });
}

/**
 * Regions of one machine are one place to people. Its network is in doubt from the first region that is quarantined until
 * the last one is not.
 *
 * @returns `known`: people were notified of the same through another region, or the installation has it no more.
 */
function changesOfOnePlace(
  untold: readonly RegionHealthRow[],
  all: readonly RegionHealthRow[],
  { regions }: SoleVantage,
): { news: readonly RegionHealthRow[]; known: readonly RegionHealthRow[] } {
  const isCurrent = ({ region }: RegionHealthRow) => regions.includes(region);
  const current = all.filter(isCurrent);
  const changed = untold.filter(isCurrent);
  const former = untold.filter((row) => !isCurrent(row));
  const doubted = current.filter(({ quarantined_at }) => quarantined_at !== null);
  if (doubted.length > 0) {
    const begun = changed.filter(({ quarantined_at }) => quarantined_at !== null);
    const isKnown = doubted.some(({ told_at }) => told_at !== null);
    return isKnown ? { news: [], known: [...begun, ...former] } : { news: begun, known: former };
  }
  // One that ended a moment ago belongs to the same notice.
  const isSettled = current.filter(({ told_at }) => told_at === null).length <= changed.length;
  return { news: isSettled ? changed : [], known: former };
}

/** Pure. @param vantage name of the machine that probes for all regions; null when there are several. */
export function noticesOf(
  changed: readonly RegionHealthRow[],
  vantage: string | null,
): Omit<AdminNotice, 'teamId'>[] {
  const doubted = changed.filter(({ quarantined_at }) => quarantined_at !== null);
  const well = changed.filter(({ quarantined_at }) => quarantined_at === null);
  return [
    ...(doubted.length > 0 ? [doubtOf(doubted, vantage)] : []),
    ...(well.length > 0 ? [relief(well, vantage)] : []),
  ];
}

function doubtOf(
  rows: readonly RegionHealthRow[],
  vantage: string | null,
): Omit<AdminNotice, 'teamId'> {
  const since = Math.min(...rows.map(({ quarantined_at }) => quarantined_at!));
  const reasons = [...new Set(rows.flatMap(({ reason }) => reason ?? []))];
  const isOne = rows.length === 1 || vantage !== null;
  return {
    severity: 'warning',
    headline: `The network of ${placeOf(rows, vantage)} has been in doubt since ${minuteOf(since)}`,
    text: [
      ...reasons.map((reason) => `${reason}.`),
      `Until ${isOne ? 'it recovers' : 'they recover'}, targets that can't be reached from there are unknown and open no incident; targets that answer count as usual.`,
      'Check the connection, the DNS resolver and the firewall of the probes there. If the targets are really down, this ends by itself once one in twenty answers.',
    ].join(' '),
  };
}

function relief(
  rows: readonly RegionHealthRow[],
  vantage: string | null,
): Omit<AdminNotice, 'teamId'> {
  const at = Math.max(...rows.map(({ changed_at }) => changed_at));
  const votes = rows.length === 1 || vantage !== null ? 'Its votes count' : 'Their votes count';
  return {
    severity: 'info',
    headline: `The network of ${placeOf(rows, vantage)} has worked again since ${minuteOf(at)}`,
    text: `${votes} again. Nothing is to be done.`,
  };
}

function placeOf(rows: readonly RegionHealthRow[], vantage: string | null): string {
  if (vantage !== null) return vantage;
  const names = rows.map(({ region }) => region);
  const last = names.at(-1)!;
  if (names.length === 1) return `region ${last}`;
  return `regions ${names.slice(0, -1).join(', ')} and ${last}`;
}

/** `2030-01-31 08:02 UTC`: those who are told may be in any zone. */
function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
