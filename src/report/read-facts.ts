import {
  unobservedOf,
  readTimes,
  uptimeOf,
  type MonitorUptime,
} from '../engine/history/stored-uptime.ts';
import { uptime } from '../engine/history/uptime.ts';
import { emptyHistogram, mergeInto, type Histogram } from '../engine/history/summary.ts';
import type { StoredTimes } from '../engine/history/times.ts';
import { singleLine } from '../lib/text.ts';
import { hostOf } from '../lib/url-host.ts';
import type { Database } from '../store/database/contract.ts';
import { listGroups } from '../store/resources/groups.ts';
import {
  incidentsWithin,
  monitorsInScope,
  teamName,
  type ReportedMonitor,
  type ReportScope,
} from '../store/resources/report-facts.ts';
import {
  figuresOf,
  measuredOf,
  otherFiguresOf,
  percentilesOf,
  sumOf,
  sumOfDurations,
  type Measured,
} from './figures.ts';
import type {
  Compared,
  DayFacts,
  IncidentFacts,
  MonitorFacts,
  PartFacts,
  ReportFacts,
  ResponseDay,
} from './model.ts';
import { publicCause } from './cause.ts';
import { readExclusions } from './exclusions.ts';
import { readObjectives } from './objectives.ts';
import { daysOf, type Interval } from './period.ts';
import type { ReportLanguage } from './words/words.ts';

/** What a report is about. */
export interface ReportRequest {
  reportId: number | null;
  name: string | null;
  teamId: number;
  scope: ReportScope;
  period: Interval;
  timezone: string;
  language: ReportLanguage;
  isCorrected: boolean;
}

/** Monitors read at once: between two slices the main thread serves others. */
const SLICE = 5;
/** Maximum number of incidents and of exclusions that a report lists; it counts all. */
export const MAX_LISTED = 1_000;

/** Number of monitors of a report times its days, by which its cost grows. */
export async function sizeOf(
  database: Database,
  { teamId, scope, period, timezone }: ReportRequest,
): Promise<number> {
  const monitors = await monitorsInScope(database.read, teamId, scope);
  return monitors.length * daysOf(timezone, period).length;
}

/**
 * Reads the facts of a report. Does not check permissions.
 *
 * @param onProgress called between slices of monitors with the share that was read, 0 to 1. It may throw to end the work.
 */
export async function readReportFacts(
  database: Database,
  request: ReportRequest,
  now: number,
  onProgress: (share: number) => Promise<void> | void = () => undefined,
): Promise<ReportFacts> {
  const { teamId, scope, period, timezone, isCorrected } = request;
  const days = daysOf(timezone, period);
  const chosen = byName(await monitorsInScope(database.read, teamId, scope));
  const ids = chosen.map(({ id }) => id);
  const objectives = await readObjectives(database, ids, Math.min(period.to, now));
  const read: ReadMonitor[] = [];
  const responseDays = new Map<number, Histogram>();
  for (let index = 0; index < chosen.length; index += SLICE) {
    const slice = chosen.slice(index, index + SLICE);
    const sliceIds = slice.map(({ id }) => id);
    const found = await uptimeOf(database, sliceIds, { ...period, now }, 'day');
    const times = await readTimes(database, sliceIds, { ...period, now });
    for (const [position, monitor] of slice.entries()) {
      const figures = found[position]!;
      addResponses(responseDays, figures);
      const monitorTimes = chosenTimes(times.get(monitor.id)!, isCorrected);
      const own = days.map((day) => dayOf(monitorTimes, monitor, day, now));
      read.push({ monitor, days: own, ...chosenFigures(figures, isCorrected) });
    }
    await onProgress(Math.min(1, (index + SLICE) / chosen.length));
  }
  const { incidents, total } = await incidentsWithin(database, ids, {
    ...period,
    limit: MAX_LISTED,
  });
  const nameOf = new Map(chosen.map((monitor) => [monitor.id, monitorName(monitor)]));
  const urlOf = new Map(chosen.map(({ id: monitorId, url }) => [monitorId, url]));
  const exclusions = await readExclusions(database, chosen, nameOf, period);
  const listed = incidents.map((incident) => ({
    incidentId: incident.id,
    monitorId: incident.monitorId,
    startedAt: Math.max(incident.startedAt, period.from),
    endedAt: Math.min(incident.endedAt ?? now, period.to),
  }));
  const unobserved = await unobservedOf(database, listed, now);
  return {
    reportId: request.reportId,
    name: request.name,
    team: singleLine(await teamName(database.read, teamId)),
    period,
    timezone,
    language: request.language,
    generatedAt: now,
    isCorrected,
    days,
    monitors: read.map((one): MonitorFacts => ({
      id: one.monitor.id,
      name: monitorName(one.monitor),
      groupId: one.monitor.groupId,
      tags: one.monitor.tags,
      days: one.days,
      objective: objectives.get(one.monitor.id) ?? null,
      ...comparedOf([one]),
    })),
    groups: await groupsOf(database, teamId, read),
    tags: tagsOf(read),
    total: comparedOf(read),
    responseDays: responseDaysOf(responseDays),
    incidents: incidents.map((incident, index): IncidentFacts => {
      const { startedAt, endedAt } = listed[index]!;
      return {
        ...incident,
        cause:
          incident.cause === null
            ? null
            : publicCause(incident.cause, hostOf(urlOf.get(incident.monitorId)!)),
        monitor: nameOf.get(incident.monitorId)!,
        durationMs: Math.max(0, endedAt - startedAt - (unobserved([incident.id]) ?? 0)),
      };
    }),
    incidentsTotal: total,
    exclusions: exclusions.slice(0, MAX_LISTED),
    exclusionsTotal: exclusions.length,
  };
}

interface ReadMonitor {
  monitor: ReportedMonitor;
  days: (DayFacts | null)[];
  main: Measured;
  other: Measured;
}

/** The figures that the report shows first, and the others. */
function chosenFigures({ whole, uncorrected }: MonitorUptime, isCorrected: boolean) {
  const corrected = measuredOf(whole);
  const recorded = uncorrected === null ? corrected : measuredOf(uncorrected.whole);
  return isCorrected ? { main: corrected, other: recorded } : { main: recorded, other: corrected };
}

function chosenTimes(times: StoredTimes, isCorrected: boolean) {
  return isCorrected ? times : (times.uncorrected ?? times);
}

/** Figures of several monitors, the total of which is weighted by time. */
function comparedOf(parts: readonly Pick<ReadMonitor, 'main' | 'other'>[]): Compared {
  const main = sumOf(parts.map((part) => part.main));
  const other = sumOfDurations(parts.map((part) => part.other));
  return { figures: figuresOf(main), other: otherFiguresOf(main, other) };
}

function dayOf(
  times: Pick<StoredTimes, 'spans' | 'observedUntil' | 'excluded'>,
  { createdAt }: ReportedMonitor,
  day: Interval,
  now: number,
): DayFacts | null {
  const from = Math.max(day.from, createdAt);
  if (from >= day.to) return null;
  const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = uptime({
    ...times,
    from,
    to: day.to,
    now,
  });
  return { upMs, degradedMs, downMs, excludedMs, unobservedMs };
}

function addResponses(
  days: Map<number, Histogram>,
  { pieces }: Pick<MonitorUptime, 'pieces'>,
): void {
  const DAY_MS = 86_400_000;
  for (const { from, responseTimes } of pieces ?? []) {
    if (responseTimes.count === 0) continue;
    const at = Math.floor(from / DAY_MS) * DAY_MS;
    const day = days.get(at) ?? emptyHistogram();
    mergeInto(day, responseTimes);
    days.set(at, day);
  }
}

function responseDaysOf(days: ReadonlyMap<number, Histogram>): ResponseDay[] {
  return [...days]
    .toSorted(([a], [b]) => a - b)
    .map(([at, histogram]) => ({ at, ...percentilesOf(histogram) }));
}

async function groupsOf(
  database: Database,
  teamId: number,
  read: readonly ReadMonitor[],
): Promise<PartFacts[]> {
  const groups = await listGroups(database.read, teamId);
  return groups.flatMap(({ id, name }) => {
    const parts = read.filter(({ monitor }) => monitor.groupIds.includes(id));
    return parts.length === 0 ? [] : [partOf(id, name, parts)];
  });
}

function tagsOf(read: readonly ReadMonitor[]): PartFacts[] {
  const names = [...new Set(read.flatMap(({ monitor }) => monitor.tags))].toSorted();
  return names.map((name) =>
    partOf(
      null,
      name,
      read.filter(({ monitor }) => monitor.tags.includes(name)),
    ),
  );
}

function partOf(id: number | null, name: string, parts: readonly ReadMonitor[]): PartFacts {
  const monitorIds = parts.map(({ monitor }) => monitor.id);
  return { id, name: singleLine(name), monitorIds, ...comparedOf(parts) };
}

/** Name of a monitor in reports, which customers read: never its URL, which may hold a secret. */
function monitorName({ id, name, url }: ReportedMonitor): string {
  const shown = singleLine(name ?? '') || hostOf(url) || '';
  return shown === '' ? `#${id}` : shown;
}

function byName(monitors: readonly ReportedMonitor[]): ReportedMonitor[] {
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return monitors.toSorted((a, b) => compare(monitorName(a), monitorName(b)) || a.id - b.id);
}
