import type { Clock } from '../../lib/clock.ts';
import { foundBy, INCIDENT_TYPES } from '../../model/condition.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  deleteHistory,
  deleteUnusedClients,
  expire,
  listDeletedMonitors,
  purgeMonitor,
} from '../../store/engine/expiry.ts';
import { keepRounds, listIncidentsOfDay, rangesAround } from '../../store/engine/kept-rounds.ts';
import { findOldPings, type OldPings, pingChanges } from '../../store/engine/pings.ts';
import {
  DAY_MS,
  dropSomeOfDay,
  ensureDays,
  listDays,
  listRetiredDays,
  retireDay,
  startOf,
  type Day,
} from '../../store/engine/results.ts';
import { monitorsAfter, readCursor, rollupChanges } from '../../store/engine/rollups.ts';
import { deleteMonitorsOfDeletedTeams, purgeDeletedTeams } from '../../store/people/purge-teams.ts';
import { HOURLY } from './rollup.ts';

export interface RetentionDependencies {
  database: Database;
  clock: Clock;
  /** Days for which single results are kept, today not counted. */
  rawRetentionDays: number;
  rollupRetentionDays: number;
  auditRetentionDays: number;
}

const MINUTE_MS = 60_000;

/** Time for which events are kept (contract 24.26): by then they have been handed on, or are of no more use. */
export const EVENT_MS = 24 * 3_600_000;

/** Longest wait for a job's ping, for which gaps are needed: a month, a day of grace, and one day more. */
const GAP_MS = 32 * 24 * 3_600_000;

/** Between the moment from which nobody begins to read a day and its end. */
export const RETIRED_MS = 60_000;

/** One small step of what keeps the database from growing: `idle` when nothing is left to do. */
export async function runRetentionSlice(dependencies: RetentionDependencies) {
  const { database, clock } = dependencies;
  const now = clock.now();
  await ensureDays(database, [now, now + DAY_MS]);
  for (const step of STEPS) if (await step(dependencies, now)) return 'more';
  return 'idle';
}

type Step = (dependencies: RetentionDependencies, now: number) => Promise<boolean>;

/** A day goes out of use when it is old enough, its hours are rolled up, and incidents have what they need of it. */
const retireDays: Step = async ({ database, rawRetentionDays }, now) => {
  const end = Math.min(await rolledUpUntil(database), now - rawRetentionDays * DAY_MS);
  for (const day of await listDays(database)) {
    if (startOf(day) + DAY_MS > end) continue;
    if (await keepSomeRounds(database, day, now)) return true;
    await retireDay(database, day, now);
  }
  return false;
};

const KEPT = 'kept_rounds';
const INCIDENTS_AT_ONCE = 100;

/** Keeps the rounds of a day with some of the incidents that they explain. @returns false when all have them. */
async function keepSomeRounds(database: Database, day: Day, now: number): Promise<boolean> {
  const period = startOf(day);
  const from = await readCursor(database.read, KEPT);
  const after = from?.period === period ? from.monitor : 0;
  const incidents = await listIncidentsOfDay(database, day, {
    types: INCIDENT_TYPES.filter((type) => foundBy(type) === 'rounds'),
    after,
    limit: INCIDENTS_AT_ONCE,
  });
  const last = incidents.at(-1);
  if (last === undefined) return false;
  const ranges = incidents.flatMap((incident) =>
    rangesAround(incident, (incident.checkInterval ?? 0) * MINUTE_MS, now).map((range) => ({
      incidentId: incident.id,
      monitorId: incident.monitorId,
      ...range,
    })),
  );
  const ofDay = ranges.filter((range) => range.from < period + DAY_MS && range.to > period);
  await database.transaction(async (tx) => {
    if (!(await rollupChanges(tx).moveCursor(KEPT, { from, to: { period, monitor: last.id } })))
      return;
    await keepRounds(tx, database, day, ofDay);
  });
  return true;
}

async function rolledUpUntil(database: Database): Promise<number> {
  return (await readCursor(database.read, HOURLY))?.period ?? 0;
}

const dropDays: Step = async ({ database }, now) => {
  for (const { day, retiredAt } of await listRetiredDays(database)) {
    if (now - retiredAt < RETIRED_MS && now >= retiredAt) continue;
    await dropSomeOfDay(database, day);
    return true;
  }
  return false;
};

const EXPIRY = 'expiry';
const MONITORS_AT_ONCE = 25;
const ALL_DONE = Number.MAX_SAFE_INTEGER;

/**
 * Once a day over all monitors: what is older than roll-ups are kept. Our own gaps go last, as spans are read with them.
 * After a long absence it waits for the roll-ups of that time, which may be too old themselves.
 */
const expireHistory: Step = async ({ database, rollupRetentionDays }, now) => {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const from = await readCursor(database.read, EXPIRY);
  const done = from?.period === today ? from.monitor : 0;
  if (done === ALL_DONE) return false;
  const before = today - rollupRetentionDays * DAY_MS;
  if ((await rolledUpUntil(database)) < before) return false;
  const monitors = await monitorsAfter(database, done, MONITORS_AT_ONCE);
  const to = { period: today, monitor: monitors.at(-1) ?? ALL_DONE };
  await database.transaction(async (tx) => {
    if (!(await rollupChanges(tx).moveCursor(EXPIRY, { from, to }))) return;
    for (const table of ['rollup_hour', 'rollup_day', 'rollup_recent_day'] as const) {
      await rollupChanges(tx).delete(table, monitors, { from: 0, to: before });
    }
    const isLast = to.monitor === ALL_DONE;
    const gapsBefore = isLast ? Math.min(before, today - GAP_MS) : null;
    await deleteHistory(tx, { monitorIds: monitors, before, gapsBefore });
  });
  return true;
};

/** Time for which an application that was disconnected may be connected again without registering anew. */
const DISCONNECTED_MS = 90 * DAY_MS;
/** Time for which notifications and their recipients are shown. */
const DELIVERY_MS = 30 * DAY_MS;
/** Time for which mailings that are over are kept: an update has at most one for each page. */
const MAILING_MS = 30 * DAY_MS;
/** Time after which no cache of status pages has a use for a recorded change: pages are read again each minute. */
const PAGE_CHANGE_MS = 3_600_000;
/** Time for which event streams can be resumed. */
const LIVE_CHANGE_MS = 3_600_000;
const TOMBSTONES_AT_ONCE = 10;

/** A deleted monitor goes once no event can speak of it any more and no round of it can be under way. */
const purgeTombstones: Step = async ({ database }, now) => {
  const monitors = await listDeletedMonitors(database, now - EVENT_MS, TOMBSTONES_AT_ONCE);
  for (const monitorId of monitors) await purgeMonitor(database, monitorId);
  return monitors.length > 0;
};

const STEPS: readonly Step[] = [
  // The monitors of a deleted team stop with the next slice, whatever else is to be done.
  ({ database }, now) => deleteMonitorsOfDeletedTeams(database, now),
  retireDays,
  dropDays,
  expireHistory,
  ({ database }, now) => expire.events(database, now - EVENT_MS),
  purgeTombstones,
  // By then no call that was let in before the team was deleted can add a monitor to it.
  ({ database }, now) => purgeDeletedTeams(database, now - EVENT_MS),
  ({ database }, now) => deleteOldPings(database, now),
  ({ database }, now) => expire.signIns(database, now),
  ({ database }, now) => expire.oauthTokens(database, now),
  ({ database }, now) =>
    deleteUnusedClients(database, { registered: now - DAY_MS, connected: now - DISCONNECTED_MS }),
  ({ database, auditRetentionDays }, now) =>
    expire.auditEntries(database, now - auditRetentionDays * DAY_MS),
  ({ database }, now) => expire.deliveries(database, now - DELIVERY_MS),
  ({ database }, now) => expire.alerts(database, now - DELIVERY_MS),
  // Occurrences are kept as long as the roll-ups that leave them out, corrections as long as the spans that they correct.
  ({ database, rollupRetentionDays }, now) =>
    expire.maintenance(database, now - rollupRetentionDays * DAY_MS),
  ({ database, rollupRetentionDays }, now) =>
    expire.corrections(database, now - rollupRetentionDays * DAY_MS),
  ({ database, rollupRetentionDays }, now) =>
    expire.importedDays(database, now - rollupRetentionDays * DAY_MS),
  ({ database }, now) => expire.mailings(database, now - MAILING_MS),
  ({ database }, now) => expire.signingSecrets(database, now),
  ({ database }, now) => expire.pingTokens(database, now),
  ({ database }, now) => expire.rateLimits(database, now - DAY_MS),
  ({ database }, now) => expire.budgets(database, now),
  // Time for which a request can be repeated by its key.
  ({ database }, now) => expire.idempotencyKeys(database, now - DAY_MS),
  // Runs of reports have a time of their own until which their files are kept.
  ({ database }, now) => expire.reportRuns(database, now),
  ({ database }, now) => expire.pageChanges(database, now - PAGE_CHANGE_MS),
  ({ database }, now) => expire.liveChanges(database, now - LIVE_CHANGE_MS),
];

const HOUR_MS = 3_600_000;

/** Time for which pings are kept, the newest thousand of each monitor at most. */
export const PING_MS = 30 * 24 * HOUR_MS;

const CURSOR = 'old_pings';
const PING_MONITORS_AT_ONCE = 1_000;
/** Rows that go in one transaction: a few milliseconds of the writer. */
const ROWS_AT_ONCE = 500;
/** Transactions in one step, few enough that others do not wait long. */
const SLICES_AT_ONCE = 10;

/**
 * One step of an hourly pass over all monitors that have pings; false when this hour's is done. A pass that takes longer
 * is ended before the next begins: else the last monitors would never be reached.
 */
export async function deleteOldPings(database: Database, now: number): Promise<boolean> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  let from = await readCursor(database.read, CURSOR);
  if (from?.monitor === ALL_DONE && isDone(from.period, hour)) return false;
  const underWay = from?.monitor === ALL_DONE ? null : from;
  const { period, monitor: after } = underWay ?? { period: hour, monitor: 0 };
  const before = now - PING_MS;
  const { last, old } = await findOldPings(database, {
    after,
    count: PING_MONITORS_AT_ONCE,
    before,
  });
  let slices = 0;
  for (const { pings, done } of slicesOf(old, { after, last: last ?? ALL_DONE })) {
    const to = { period, monitor: done };
    const step = { from, to };
    const isOurs = await database.transaction(async (tx) => {
      if (!(await rollupChanges(tx).moveCursor(CURSOR, step))) return false;
      await pingChanges(tx).delete(pings);
      return true;
    });
    slices += 1;
    if (!isOurs || slices === SLICES_AT_ONCE) break;
    from = to;
  }
  return true;
}

/**
 * Whether the pass of a period is that of this hour. Around the turn of an hour another process may be in the next one
 * already; what lies further ahead is from a clock that was set back since.
 */
function isDone(period: number, hour: number): boolean {
  return period === hour || period === hour + HOUR_MS;
}

interface Slice {
  pings: { monitorId: number; number: number }[];
  /** The last monitor of which nothing is left when these are gone. */
  done: number;
}

/** Oldest first within a monitor, so that those that stay are a run without a hole whenever it ends. */
function* slicesOf(
  old: readonly OldPings[],
  monitors: { after: number; last: number },
): Generator<Slice> {
  let pings: Slice['pings'] = [];
  let done = monitors.after;
  for (const { monitorId, first, last } of old) {
    for (let number = first; number <= last; number += 1) {
      if (pings.length === ROWS_AT_ONCE) {
        yield { pings, done };
        pings = [];
      }
      pings.push({ monitorId, number });
    }
    done = monitorId;
  }
  yield { pings, done: monitors.last };
}
