import {
  availability,
  availabilityBy,
  type Availability,
  type Period,
  type StoredHistory,
  type Unit,
} from './availability.ts';
import { timesOf, type StoredTimes } from './times.ts';
import {
  uptime,
  observedParts,
  unobservedIn,
  type Uptime,
  type Interval,
  type ObservedTime,
} from './uptime.ts';
import { isInScope } from '../maintenance/window.ts';
import { MARK_HOLDS_MS } from '../../model/heartbeat.ts';
import { listGaps, readMark } from '../../store/engine/process-marks.ts';
import type { Database, Db } from '../../store/database/contract.ts';
import { type MaintenanceOccurrence, windowOccurrences } from '../../store/engine/maintenance.ts';
import { isPushType } from '../../monitor-types/registry.ts';
import { createTurns } from '../../lib/turns.ts';
import { correctionsWithin } from '../../store/resources/corrections.ts';
import { readRounds } from '../../store/engine/result-history.ts';
import {
  readRolledUpUntil,
  readRollups,
  readRollupsIn,
  type Rollup,
} from '../../store/engine/rollups.ts';
import { scopedMonitors } from '../../store/resources/scoped-monitors.ts';
import { listSpans, readObserved, type ObservedMonitor } from '../../store/engine/spans.ts';

/** Monitors per batch: a month of one costs a few milliseconds of the main thread. */
const BATCH_SIZE = 10;

/** Monitors per batch where no results are read, and above which a batch is read away from the main thread. */
const BATCH_WITHOUT_RESULTS = 1_000;
const QUICK_BATCH = 100;

interface Figures {
  whole: Availability;
  pieces: Availability[] | null;
}

export interface MonitorUptime extends Figures {
  monitorId: number;
  /** The figures as recorded, where corrections of the period were applied; else null. */
  uncorrected: Figures | null;
}

/** Whether corrections apply, as they do by default. */
interface HistoryOptions {
  corrected?: boolean;
}

/** Uptime of monitors during a period, in the order given. Does not check permissions. */
export async function uptimeOf(
  database: Database,
  monitorIds: readonly number[],
  period: Period,
  unit: Unit | null = null,
  options: HistoryOptions = {},
): Promise<MonitorUptime[]> {
  const found: MonitorUptime[] = [];
  for (let index = 0; index < monitorIds.length; index += BATCH_SIZE) {
    const slice = monitorIds.slice(index, index + BATCH_SIZE);
    const histories = await readHistories(database, slice, { ...period, unit }, options);
    for (const [monitorId, { uncorrected, createdAt, ...history }] of histories) {
      const own = sinceCreation(period, createdAt);
      const recorded = uncorrected && figures({ ...history, ...uncorrected }, own, unit);
      found.push({ monitorId, ...figures(history, own, unit), uncorrected: recorded });
    }
  }
  return found;
}

/**
 * Uptime of monitors during a period, without outages and response times: reads no results, so that thousands of monitors
 * take little. Does not check permissions.
 */
export async function timesOnlyUptimeOf(
  database: Database,
  monitorIds: readonly number[],
  period: Period,
): Promise<Map<number, Uptime>> {
  const found = new Map<number, Uptime>();
  const turns = createTurns();
  for (let index = 0; index < monitorIds.length; index += BATCH_WITHOUT_RESULTS) {
    const slice = monitorIds.slice(index, index + BATCH_WITHOUT_RESULTS);
    const times = await readTimes(database, slice, period);
    for (const [id, own] of times)
      found.set(id, uptime({ ...own, ...sinceCreation(period, own.createdAt) }));
    await turns();
  }
  return found;
}

/** Long reads run away from the main thread. */
function readerFor({ read, scan }: Pick<Database, 'read' | 'scan'>, monitorIds: readonly number[]) {
  return monitorIds.length > QUICK_BATCH ? scan : read;
}

function figures(history: StoredHistory, period: Period, unit: Unit | null): Figures {
  if (unit !== null) return availabilityBy(unit, history, period);
  return { whole: availability(history, period), pieces: null };
}

/** Cuts off the time before the monitor was created, which counts as nothing (contract 24.11). */
function sinceCreation(period: Period, createdAt: number | null): Period {
  const from = Math.max(period.from, createdAt ?? period.from);
  return { ...period, from: Math.min(from, period.to) };
}

/**
 * Reads the times of monitors during a period, without their results: cheap, since a status that lasts is one row.
 * Reads maintenance by the current groups and tags of the monitors. Does not check permissions.
 */
export async function readTimes(
  database: Pick<Database, 'read' | 'scan'>,
  ids: readonly number[],
  { from, to, now }: Period,
  { corrected = true }: HistoryOptions = {},
): Promise<Map<number, MonitorTimes>> {
  const db = readerFor(database, ids);
  // Read before the spans: an older end of coverage is safe, a newer one would claim more than the spans show.
  const observed = await readObserved(db, ids);
  const [spans, excluded, corrections] = await Promise.all([
    listSpans(db, ids, from, to),
    maintenanceOf(db, ids, { from, to }),
    corrected ? correctionsWithin(db, ids, from, to) : null,
  ]);
  // Read after the spans, for the same reason.
  const gaps = [...observed.values()].some(isPush) ? await readGaps(database, from, now) : [];
  const spansOf = byMonitor(spans);
  return new Map(
    ids.map((id) => {
      const monitor = observed.get(id);
      const facts = {
        spans: spansOf(id),
        observedUntil: monitor?.observedUntil ?? null,
        excluded: excluded.get(id) ?? [],
        gaps: monitor && isPush(monitor) ? gaps : [],
        corrections: corrections?.get(id) ?? [],
      };
      return [id, { ...timesOf(facts), createdAt: monitor?.createdAt ?? null }];
    }),
  );
}

/** Times of a monitor, and when it was created (epoch milliseconds); null for an unknown one. */
type MonitorTimes = StoredTimes & { createdAt: number | null };

const isPush = ({ type }: ObservedMonitor) => isPushType(type);

async function readHistories(
  database: Database,
  ids: readonly number[],
  { unit, ...period }: Period & { unit: Unit | null },
  options: HistoryOptions,
): Promise<Map<number, StoredHistory & Pick<MonitorTimes, 'uncorrected' | 'createdAt'>>> {
  const { from, to } = period;
  const rolledUpUntil = await readRolledUpUntil(database.read);
  const firstRaw = Math.max(from, rolledUpUntil ?? from);
  const [times, { hours, days }, rounds] = await Promise.all([
    readTimes(database, ids, period, options),
    readRollupsWithin(database, ids, { from, to, rolledUpUntil, isHourly: unit === 'hour' }),
    firstRaw < to ? readRounds(database, ids, { from: firstRaw, to }) : [],
  ]);
  const voted = rounds.filter((round) => round.kind === 'voted');
  const [hoursOf, daysOf, roundsOf] = [
    byMonitor(hours),
    byMonitor(days),
    byMonitor(voted),
  ] as const;
  return new Map(
    ids.map((id) => [
      id,
      { ...times.get(id)!, hours: hoursOf(id), days: daysOf(id), rounds: roundsOf(id) },
    ]),
  );
}

/** Maintenance of each monitor, by its current groups and tags. */
async function maintenanceOf(
  db: Db,
  ids: readonly number[],
  range: MaintenanceOccurrence,
): Promise<Map<number, MaintenanceOccurrence[]>> {
  const times = await windowOccurrences(db).within(ids, range);
  const monitors = times.length === 0 ? [] : await scopedMonitors(db, ids);
  // A recurring window has many occurrences with one scope.
  const byScope = Map.groupBy(times, ({ teamId, monitors: of, groups, tags }) =>
    JSON.stringify([teamId, of, groups, tags]),
  );
  const scopes = [...byScope.values()];
  return new Map(
    monitors.map((monitor) => [
      monitor.id,
      scopes.filter(([one]) => one!.teamId === monitor.teamId && isInScope(one!, monitor)).flat(),
    ]),
  );
}

/** Times after `from` in which no pings were received. One that still lasts is not stored yet and is added. */
export async function readGaps(database: Pick<Database, 'read'>, from: number, now: number) {
  const mark = await readMark(database.read);
  const gaps = await listGaps(database.read, from);
  const isDown = mark !== null && now - mark > MARK_HOLDS_MS;
  return isDown ? [...gaps, { from: mark, to: now }] : gaps;
}

function byMonitor<Row extends { monitorId: number }>(rows: readonly Row[]) {
  const groups = Map.groupBy(rows, (row) => row.monitorId);
  return (id: number): readonly Row[] => groups.get(id) ?? [];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Longest period of one monitor whose hours are read in the main thread. */
const QUICK_HOURS_MS = 2 * DAY_MS;

interface RollupsQuestion extends Interval {
  /** Time before which all hours are rolled up, epoch milliseconds; null if none is. */
  rolledUpUntil: number | null;
  /** Whether a day is wanted by its hours as long as they are kept. */
  isHourly: boolean;
}

/**
 * Reads the roll-ups of monitors that a period touches, each time in one of them: a day that lies in the period as one row
 * unless hours are wanted, others by their hours, or as a whole once these are deleted.
 */
export async function readRollupsWithin(
  database: Database,
  ids: readonly number[],
  { from, to, rolledUpUntil, isHourly }: RollupsQuestion,
): Promise<{ hours: Rollup[]; days: Rollup[] }> {
  const isQuick = ids.length === 1 && (!isHourly || to - from <= QUICK_HOURS_MS);
  const db = isQuick ? database.read : database.scan;
  const inHours = { from: floorTo(HOUR_MS, from), to: Math.min(to, rolledUpUntil ?? 0) };
  const whole = { from: -floorTo(DAY_MS, -from), to: floorTo(DAY_MS, inHours.to) };
  // In this order: hours that change meanwhile are in one of the two, and those that become a day in the last.
  const recent =
    isHourly || whole.from >= whole.to
      ? []
      : await readRollups(db, 'rollup_recent_day', ids, whole);
  const hours = await readRollupsIn(db, 'rollup_hour', rangesWithout(recent, ids, inHours));
  const days = await readRollups(db, 'rollup_day', ids, { from: floorTo(DAY_MS, from), to });
  const known = new Set(days.map(dayKey));
  const isNew = (rollup: Rollup) => !known.has(dayKey(rollup));
  return { hours: hours.filter(isNew), days: [...days, ...recent.filter(isNew)] };
}

/** The parts of a range that are no part of these days, for each monitor. @param days in order. */
function rangesWithout(days: readonly Rollup[], ids: readonly number[], { from, to }: Interval) {
  const daysOf = Map.groupBy(days, ({ monitorId }) => monitorId);
  return ids.flatMap((monitorId) => {
    const starts = (daysOf.get(monitorId) ?? []).map(({ at }) => at);
    const begins = [from, ...starts.map((at) => at + DAY_MS)];
    const ends = [...starts, to];
    return begins
      .map((begin, index) => ({ monitorId, from: begin, to: ends[index]! }))
      .filter((range) => range.from < range.to);
  });
}

const dayKey = ({ monitorId, at }: Rollup) => `${monitorId} ${floorTo(DAY_MS, at)}`;

const floorTo = (unit: number, at: number) => Math.floor(at / unit) * unit;

export interface Outage {
  incidentId: number;
  monitorId: number;
  startedAt: number;
  endedAt: number | null;
}

export function outageOf(row: {
  id: number;
  monitor_id: number;
  started_at: number;
  ended_at: number | null;
}): Outage {
  const { id, monitor_id: monitorId, started_at: startedAt, ended_at: endedAt } = row;
  return { incidentId: id, monitorId, startedAt, endedAt };
}

/** Milliseconds of these outages, taken together, in which nothing was observed; null if nothing is recorded of them. */
type Unobserved = (incidentIds: readonly number[]) => number | null;

/** A gap shorter than this is none: lengths of outages are shown in seconds. */
const NEGLIGIBLE_MS = 1_000;

/**
 * Reads what was observed of these outages until now, as `/uptime` counts it: whatever shows the length of an outage
 * shows it by this (contract 33.18).
 */
export async function unobservedOf(
  database: Pick<Database, 'read' | 'scan'>,
  outages: readonly Outage[],
  now: number,
): Promise<Unobserved> {
  const times = new Map<number, ObservedTime>();
  const recorded = outages.map((outage) => ({
    ...outage,
    from: outage.startedAt,
    to: Math.max(outage.startedAt, outage.endedAt ?? now),
  }));
  if (recorded.length > 0) {
    const ids = [...new Set(recorded.map(({ monitorId }) => monitorId))];
    const from = Math.min(...recorded.map((one) => one.from));
    const to = Math.max(...recorded.map((one) => one.to));
    const stored = await readTimes(database, ids, { from, to, now });
    for (const { incidentId, monitorId, ...own } of recorded) {
      const observed = observedParts({ ...stored.get(monitorId)!, ...own, now });
      if (observed.length > 0) times.set(incidentId, { from: own.from, to: own.to, observed });
    }
  }
  return (incidentIds) => {
    const known = incidentIds.flatMap((id) => times.get(id) ?? []);
    if (known.length === 0) return null;
    const milliseconds = unobservedIn(known);
    return milliseconds < NEGLIGIBLE_MS ? 0 : milliseconds;
  };
}
