import { MARK_HOLDS_MS } from '../../engine/heartbeat/gaps.ts';
import { availability, availabilityBy } from '../../engine/history/availability.ts';
import type {
  Availability,
  Period,
  StoredHistory,
  Unit,
} from '../../engine/history/availability.ts';
import { withGaps } from '../../engine/history/gaps.ts';
import { isInScope } from '../../engine/maintenance/window.ts';
import type { ServiceGap } from '../../model/heartbeat.ts';
import { listGaps, readMark } from '../../store/engine/process-marks.ts';
import type { Database } from '../../store/database/contract.ts';
import { occurrencesWithin, type MaintenanceOccurrence } from '../../store/engine/maintenance.ts';
import { creationTimes, pushMonitorIds } from '../../store/resources/monitors.ts';
import { readRounds } from '../../store/engine/result-history.ts';
import { readRolledUpUntil, readRollups, type Rollup } from '../../store/engine/rollups.ts';
import { scopedMonitors } from '../../store/resources/scoped-monitors.ts';
import { listSpans, readObservedUntil } from '../../store/engine/spans.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Monitors that are read and counted in one go: a few milliseconds of the main thread for each month. */
const AT_ONCE = 10;

/** The figures of the whole period, and of its hours or days if they were asked for. */
export interface MonitorUptime {
  monitorId: number;
  whole: Availability;
  pieces: Availability[] | null;
}

/** How these monitors fared during a period, in the order given. The caller has authorised them. */
export async function uptimeOf(
  database: Database,
  monitorIds: readonly number[],
  period: Period,
  unit: Unit | null = null,
): Promise<MonitorUptime[]> {
  const found: MonitorUptime[] = [];
  for (let index = 0; index < monitorIds.length; index += AT_ONCE) {
    const slice = monitorIds.slice(index, index + AT_ONCE);
    const createdAt = await creationTimes(database.read, slice);
    const histories = await readHistories(database, slice, period);
    for (const [monitorId, history] of histories) {
      const own = sinceCreation(period, createdAt.get(monitorId));
      const whole = availability(history, own);
      const pieces = unit && availabilityBy(unit, history, own);
      found.push({ monitorId, whole, pieces });
    }
  }
  return found;
}

/**
 * "A period begins no earlier than the monitor: what was before its creation is neither observed nor unobserved"
 * (contract 24.11). Empty where the monitor is younger than the period.
 */
function sinceCreation(period: Period, createdAt = period.from): Period {
  return { ...period, from: Math.min(Math.max(period.from, createdAt), period.to) };
}

async function readHistories(
  database: Database,
  ids: readonly number[],
  { from, to, now }: Period,
): Promise<Map<number, StoredHistory>> {
  const rolledUpUntil = await readRolledUpUntil(database.read);
  const isRolledUp = rolledUpUntil !== null;
  const firstRaw = Math.max(from, rolledUpUntil ?? from);
  const wholeHours = { from: floorTo(HOUR_MS, from), to: Math.min(to, rolledUpUntil ?? 0) };
  const wholeDays = { from: floorTo(DAY_MS, from), to };
  // What is written meanwhile must not look like more than there was: coverage that is older than the spans is less.
  const observed = await readObservedUntil(database.read, ids);
  const [spans, pushMonitors, excluded, hours, days, rounds] = await Promise.all([
    listSpans(database, ids, from, to),
    pushMonitorIds(database.read, ids),
    maintenanceOf(database, ids, { from, to }),
    isRolledUp ? readRollups(database.scan, 'rollup_hour', ids, wholeHours) : [],
    readRollups(database.scan, 'rollup_day', ids, wholeDays),
    firstRaw < to ? readRounds(database, ids, { from: firstRaw, to }) : [],
  ]);
  // After the spans, for the same reason.
  const gaps = pushMonitors.size === 0 ? [] : await readGaps(database, from, now);
  const voted = rounds.filter((round) => round.kind === 'voted');
  const [spansOf, hoursOf, daysOf, roundsOf] = [
    byMonitor(spans),
    // Hours that became a day between the two reads are in both.
    byMonitor(withoutDays(hours, days)),
    byMonitor(days),
    byMonitor(voted),
  ] as const;
  return new Map(
    ids.map((id) => [
      id,
      {
        spans: pushMonitors.has(id) ? withGaps(spansOf(id), gaps) : spansOf(id),
        observedUntil: observed.get(id) ?? null,
        excluded: excluded.get(id) ?? [],
        hours: hoursOf(id),
        days: daysOf(id),
        rounds: roundsOf(id),
      },
    ]),
  );
}

/** By monitor, the maintenance that was meant for it, as it lies in groups and has tags now. */
async function maintenanceOf(
  database: Database,
  ids: readonly number[],
  range: MaintenanceOccurrence,
): Promise<Map<number, MaintenanceOccurrence[]>> {
  const times = await occurrencesWithin(database.read, ids, range);
  const monitors = times.length === 0 ? [] : await scopedMonitors(database.read, ids);
  return new Map(
    monitors.map((monitor) => [
      monitor.id,
      times.filter((time) => time.teamId === monitor.teamId && isInScope(time, monitor)),
    ]),
  );
}

/**
 * The times in which nobody listened for pings, of those that end after `from`. The one that still goes on, as when
 * the database can be read but takes no mark, is not stored yet.
 */
async function readGaps(database: Database, from: number, now: number): Promise<ServiceGap[]> {
  const mark = await readMark(database.read);
  const gaps = await listGaps(database.read, from);
  const isAway = mark !== null && now - mark > MARK_HOLDS_MS;
  return isAway ? [...gaps, { from: mark, to: now }] : gaps;
}

/** The hours of days that are not among these. */
function withoutDays(hours: readonly Rollup[], days: readonly Rollup[]): Rollup[] {
  const known = new Set(days.map(dayKey));
  return hours.filter((hour) => !known.has(dayKey(hour)));
}

const dayKey = ({ monitorId, at }: Rollup) => `${monitorId} ${floorTo(DAY_MS, at)}`;

function byMonitor<Row extends { monitorId: number }>(rows: readonly Row[]) {
  const groups = Map.groupBy(rows, (row) => row.monitorId);
  return (id: number): readonly Row[] => groups.get(id) ?? [];
}

const floorTo = (unit: number, at: number) => Math.floor(at / unit) * unit;
