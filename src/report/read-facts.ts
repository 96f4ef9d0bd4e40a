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
import { teamStore } from '../store/people/teams.ts';
import type { Database } from '../store/database/contract.ts';
import { namesOfGroups } from '../store/resources/groups.ts';
import {
  reportFacts,
  type ReportedMonitor,
  type ReportScope,
} from '../store/resources/report-facts.ts';
import {
  durationsOf,
  figuresOf,
  measuredOf,
  otherFiguresOf,
  percentilesOf,
  percentsOf,
  sumOf,
  sumOfDurations,
  type Measured,
} from './figures.ts';
import type {
  Compared,
  Durations,
  IncidentFacts,
  MonitorFacts,
  PartFacts,
  ReportFacts,
  ResponseDay,
  ExclusionFacts,
  ObjectiveFacts,
} from './model.ts';
import { publicCause } from './cause.ts';
import { daysOf, periodBefore, type Interval } from './period.ts';
import { isInScope } from '../engine/maintenance/window.ts';
import { windowOccurrences } from '../store/engine/maintenance.ts';
import { errorBudget, type Objective, type ObservedTime } from '../engine/history/error-budget.ts';
import { sloRows } from '../store/resources/slos.ts';

export interface ReportRequest extends Pick<
  ReportFacts,
  'reportId' | 'name' | 'period' | 'timezone' | 'language' | 'isCorrected'
> {
  teamId: number;
  scope: ReportScope;
}

/** Share of a period, in percent, without which its uptime says too little of it. */
const LEAST_OBSERVED = 90;
/** Monitors read at once: between two slices the main thread serves others. */
const SLICE = 5;
/** Maximum number of incidents and of exclusions that a report lists; it counts all. */
const MAX_LISTED = 1_000;

/** Number of monitors of a report times its days, by which its cost grows. */
export async function sizeOf(
  database: Database,
  { teamId, scope, period, timezone }: ReportRequest,
): Promise<number> {
  const monitors = await reportFacts(database.read).monitorsInScope(teamId, scope);
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
  const before = periodBefore(timezone, period);
  const chosen = byName(await reportFacts(database.read).monitorsInScope(teamId, scope));
  const ids = chosen.map(({ id }) => id);
  const objectives = await readObjectives(database, ids, Math.min(period.to, now));
  const read: ReadMonitor[] = [];
  const responseDays = new Map<number, Histogram>();
  for (let index = 0; index < chosen.length; index += SLICE) {
    const slice = chosen.slice(index, index + SLICE);
    const sliceIds = slice.map(({ id }) => id);
    const found = await uptimeOf(database, sliceIds, { ...period, now }, 'day');
    const times = await readTimes(database, sliceIds, { from: before.from, to: period.to, now });
    for (const [position, monitor] of slice.entries()) {
      const figures = found[position]!;
      addResponses(responseDays, figures);
      const monitorTimes = chosenTimes(times.get(monitor.id)!, isCorrected);
      const own = days.map((day) => dayOf(monitorTimes, monitor, day, now));
      const durationsBefore = dayOf(monitorTimes, monitor, before, now);
      read.push({
        monitor,
        days: own,
        before: durationsBefore,
        ...chosenFigures(figures, isCorrected),
      });
    }
    await onProgress(Math.min(1, (index + SLICE) / chosen.length));
  }
  const isOldEnough = chosen.some(({ createdAt }) => createdAt <= before.from);
  const earlier = percentsOf(sumOfDurations(read.flatMap((one) => one.before ?? [])));
  const { incidents, total } = await reportFacts(database.scan).incidentsWithin(ids, {
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
    team: singleLine(await teamStore(database.read).nameOf(teamId)),
    period,
    timezone,
    language: request.language,
    generatedAt: now,
    isCorrected,
    days,
    before: isOldEnough ? comparableOf(before, earlier) : null,
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

/** A period that others can be compared with: most of it was observed. */
function comparableOf(
  period: Interval,
  { uptimePercent, observedPercent }: ReturnType<typeof percentsOf>,
) {
  const isObserved = (observedPercent ?? 0) >= LEAST_OBSERVED;
  return isObserved && uptimePercent !== null ? { ...period, uptimePercent } : null;
}

interface ReadMonitor {
  monitor: ReportedMonitor;
  days: (Durations | null)[];
  main: Measured;
  other: Measured;
  before: Durations | null;
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
): Durations | null {
  const from = Math.max(day.from, createdAt);
  if (from >= day.to) return null;
  return durationsOf(uptime({ ...times, from, to: day.to, now }));
}

function addResponses(days: Map<number, Histogram>, { pieces }: Pick<MonitorUptime, 'pieces'>) {
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

async function groupsOf(database: Database, teamId: number, read: readonly ReadMonitor[]) {
  const groups = await namesOfGroups(database.read, teamId);
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

/** Reads why time of these monitors does not count: maintenance windows, and corrections with their reasons; oldest first. */
async function readExclusions(
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
  const occurrences = await windowOccurrences(database.read).within(ids, period);
  const windows = await reportFacts(database.read).windowNames(
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
  const corrections = await reportFacts(database.read).corrections(ids, period);
  return corrections.map(({ monitorId, kind, reason, author, ...times }) => ({
    kind: kind as ExclusionFacts['kind'],
    reason: singleLine(reason),
    author: author === null ? null : singleLine(author),
    ...within(times, period),
    monitors: [nameOf.get(monitorId)!],
  }));
}

const DAY_MS = 86_400_000;

/**
 * Reads the error budgets of monitors that have an objective (SLO), each over its own days until `until`, with
 * corrections: the budget is what a team owes its customers.
 */
async function readObjectives(database: Database, monitorIds: readonly number[], until: number) {
  const found = new Map<number, ObjectiveFacts>();
  const slos = await sloRows(database.read).read(monitorIds);
  const byDays = Map.groupBy(slos, ([, { windowDays }]) => windowDays);
  for (const [windowDays, ones] of byDays) {
    const period = { from: until - windowDays * DAY_MS, to: until, now: until };
    const ids = ones.map(([monitorId]) => monitorId);
    const times = await readTimes(database, ids, period);
    for (const [monitorId, { targetPercent }] of ones) {
      const figures = uptime({ ...times.get(monitorId)!, ...period });
      found.set(monitorId, objectiveOf(figures, { targetPercent, windowDays }));
    }
  }
  return found;
}

function objectiveOf(figures: ObservedTime, objective: Objective): ObjectiveFacts {
  const { budgetMs, leftMs, leftPercent } = errorBudget(figures, objective);
  const rounded = leftPercent === null ? null : Math.round(leftPercent * 10) / 10;
  return { ...objective, allowedMs: budgetMs, leftMs, leftPercent: rounded };
}
