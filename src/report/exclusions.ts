import { isInScope } from '../engine/maintenance/window.ts';
import { singleLine } from '../lib/text.ts';
import type { Database } from '../store/database/contract.ts';
import { occurrencesWithin } from '../store/engine/maintenance.ts';
import {
  reportedCorrections,
  windowNames,
  type ReportedMonitor,
} from '../store/resources/report-facts.ts';
import type { ExclusionFacts } from './model.ts';
import type { Interval } from './period.ts';

/** Reads why time of these monitors does not count: maintenance windows, and corrections with their reasons; oldest first. */
export async function readExclusions(
  database: Database,
  monitors: readonly ReportedMonitor[],
  nameOf: ReadonlyMap<number, string>,
  period: Interval,
): Promise<ExclusionFacts[]> {
  if (monitors.length === 0) return [];
  const found = [
    ...(await maintenanceOf(database, monitors, nameOf, period)),
    ...(await correctionsOf(database, monitors, nameOf, period)),
  ];
  return found.toSorted((a, b) => a.from - b.from);
}

async function maintenanceOf(
  database: Database,
  monitors: readonly ReportedMonitor[],
  nameOf: ReadonlyMap<number, string>,
  period: Interval,
): Promise<ExclusionFacts[]> {
  const ids = monitors.map(({ id }) => id);
  const occurrences = await occurrencesWithin(database.read, ids, period);
  const windows = await windowNames(
    database.read,
    occurrences.map(({ windowId }) => windowId),
  );
  return occurrences.flatMap((occurrence) => {
    const covered = monitors.filter((monitor) => isInScope(occurrence, monitor));
    if (covered.length === 0) return [];
    return {
      kind: 'maintenance' as const,
      reason: singleLine(windows.get(occurrence.windowId) ?? ''),
      author: null,
      ...within(occurrence, period),
      monitors: covered.map(({ id }) => nameOf.get(id)!),
    };
  });
}

function within({ from, to }: Interval, period: Interval): Interval {
  return { from: Math.max(from, period.from), to: Math.min(to, period.to) };
}

async function correctionsOf(
  database: Database,
  monitors: readonly ReportedMonitor[],
  nameOf: ReadonlyMap<number, string>,
  period: Interval,
): Promise<ExclusionFacts[]> {
  const ids = monitors.map(({ id }) => id);
  const corrections = await reportedCorrections(database.read, ids, period);
  return corrections.map(({ monitorId, kind, reason, author, ...times }) => ({
    kind: kind as ExclusionFacts['kind'],
    reason: singleLine(reason),
    author: author === null ? null : singleLine(author),
    ...within(times, period),
    monitors: [nameOf.get(monitorId)!],
  }));
}
