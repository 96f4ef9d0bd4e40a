import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import { loadRecurrences, type Recurrences } from '../../lib/recurrence.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { isAway, isBusy, isUnavailable } from '../../store/database/errors.ts';
import { updateRow } from '../../store/database/rows.ts';
import { occurrenceChanges, windowOccurrences } from '../../store/engine/maintenance.ts';
import {
  nextRunAt,
  occurrencesAfter,
  scheduleOf,
  startedAndNext,
  stateOf,
  hasGoodRounds,
  isInScope,
} from './window.ts';
import { readRounds } from '../../store/engine/result-history.ts';
import { scopedMonitorRows } from '../../store/resources/scoped-monitors.ts';

type WindowRow = Awaited<ReturnType<ReturnType<typeof windowOccurrences>['dueWindows']>>[number];

const INTERVAL_MS = 1_000;
const BATCH_SIZE = 100;
const POSTPONE_MS = 300_000;
/** Maximum number of occurrences written at once, after a long downtime of this service. */
const MAX_STARTED = 500;

/**
 * Schedules maintenance windows. When an occurrence starts, it stores the next one, so that alerting and uptime read
 * rows instead of evaluating recurrence rules. It ends windows early once their monitors have recovered.
 */
export function createMaintenanceScheduler(dependencies: {
  database: Database;
  clock: Clock;
  log: Log;
  /** Called after an occurrence of a team's window ended early, so that held alerts can be sent. */
  onEnd(teamId: number): void;
}) {
  const { database, clock, log, onEnd } = dependencies;
  const recovery = createRecoveryDetector(database);
  const counters = {
    processed: 0,
    endedEarly: 0,
    failures: 0,
  };

  const poller = createPoller({
    run,
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    // Log: They are tried again.
    onFailure: (error) => log.error({ error }, 'Maintenance windows could not be processed.'),
  });

  /** Processes all due windows once; rejects when the database is unavailable. */
  async function run(): Promise<void> {
    for (;;) {
      const due = await windowOccurrences(database.read).dueWindows(clock.now(), BATCH_SIZE);
      for (const window of due) {
        if (poller.isStopped) return;
        await processWindow(window);
      }
      if (due.length < BATCH_SIZE) return;
    }
  }

  /** Processes one window; a failing one is postponed so that it does not block the others. */
  async function processWindow(window: WindowRow): Promise<void> {
    try {
      // Slow work comes before the transaction, which blocks other writers.
      const recurrences = window.rrule === null ? null : await loadRecurrences();
      const isRecovered = await hasRecovered(window);
      const hasEnded = await database.transaction((tx) =>
        advance(tx, window, recurrences, isRecovered),
      );
      counters.processed += 1;
      if (!hasEnded) return;
      counters.endedEarly += 1;
      onEnd(window.team_id);
    } catch (error) {
      if (isAway(error)) throw error;
      // Another session holds a row lock: the window is still due at the next run.
      if (isBusy(error)) return;
      counters.failures += 1;
      // Log: It is tried again later.
      log.error({ error, window_id: window.id }, 'A maintenance window could not be processed.');
      const postponed = { next_at: clock.now() + POSTPONE_MS };
      await database.transaction((tx) => updateRow(tx, 'maintenance_window', window.id, postponed));
    }
  }

  async function hasRecovered(window: WindowRow): Promise<boolean> {
    const now = clock.now();
    if (window.good_rounds === null) return false;
    const times =
      (await windowOccurrences(database.read).open([window.id], now)).get(window.id) ?? [];
    const running = times.filter(({ from }) => from <= now);
    if (running.length === 0) return false;
    const since = Math.max(...running.map(({ from }) => from));
    return recovery.hasRecovered(window, window.good_rounds, since, now);
  }

  /** Stores the next occurrences. @returns whether an active occurrence was ended early. */
  async function advance(
    tx: Tx,
    seen: WindowRow,
    recurrences: Recurrences | null,
    isRecovered: boolean,
  ): Promise<boolean> {
    const now = clock.now();
    const window = await occurrenceChanges(tx).lockDueWindow(seen.id, now);
    // Another process or a user changed the window in between: the next run sees the new state.
    if (window === undefined || window.updated_at !== seen.updated_at) return false;
    const hasMore = await writeStarted(tx, window, recurrences, now);
    let times = (await windowOccurrences(tx).open([window.id], now)).get(window.id) ?? [];
    const endsNow = isRecovered && stateOf(times, now).activeUntil !== null;
    if (endsNow) {
      await occurrenceChanges(tx).endActive(window.id, now);
      await occurrenceChanges(tx).releaseHeld(window.team_id, now);
      times = times.filter(({ from }) => from > now);
    }
    const nextAt = hasMore ? now : nextRunAt(times, now, window.good_rounds !== null);
    await updateRow(tx, 'maintenance_window', window.id, { next_at: nextAt });
    return endsNow;
  }

  return {
    run,
    start: () => poller.start(),
    /** Waits for a run in progress. Never rejects. */
    stop: () => poller.stop(),
    counters,
  };
}

/** Stores the occurrences that started since the last run, and the next one. @returns whether there are more. */
async function writeStarted(
  tx: Tx,
  window: WindowRow,
  recurrences: Recurrences | null,
  now: number,
): Promise<boolean> {
  if (window.rrule === null) return false;
  const newest = await windowOccurrences(tx).newestStart(window.id);
  if (newest !== null && newest > now) return false;
  const schedule = scheduleOf(window);
  const after = newest ?? now - (schedule.endsAt - schedule.startsAt);
  const times = startedAndNext(occurrencesAfter(schedule, after, recurrences), now, MAX_STARTED);
  await occurrenceChanges(tx).insert(window.id, times);
  return times.length === MAX_STARTED && times.at(-1)!.from <= now;
}

const MONITORS_AT_ONCE = 20;
const MAX_REMEMBERED = 1_000;
const MINUTE_MS = 60_000;

function createRecoveryDetector(database: Database) {
  /** By window, the monitor that had not recovered last time: checked first, since it most likely still has not. */
  const pending = new Map<number, number>();

  async function firstUnrecovered(
    ids: readonly number[],
    goodRounds: number,
    range: { from: number; to: number },
  ): Promise<number | null> {
    const rounds = await readRounds(database, ids, range);
    const voted = Map.groupBy(
      rounds.filter(({ kind }) => kind === 'voted'),
      ({ monitorId }) => monitorId,
    );
    return ids.find((id) => !hasGoodRounds(voted.get(id) ?? [], goodRounds)) ?? null;
  }

  return {
    /**
     * True when every active pull monitor of the window had `goodRounds` good rounds in a row since `since` (epoch ms).
     * False for a window without such monitors, which ends at its scheduled time.
     */
    async hasRecovered(window: WindowRow, goodRounds: number, since: number, now: number) {
      const scope = {
        monitors: JSON.parse(window.monitors) as number[],
        groups: JSON.parse(window.groups) as number[],
        tags: JSON.parse(window.tags) as string[],
      };
      const monitors = (await scopedMonitorRows(database.read, window.team_id).checked()).filter(
        (one) => isInScope(scope, one),
      );
      if (monitors.length === 0) return false;
      const first = pending.get(window.id);
      const sorted = monitors.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
      for (let index = 0; index < sorted.length; index += MONITORS_AT_ONCE) {
        const batch = sorted.slice(index, index + MONITORS_AT_ONCE);
        // There is at least one round per interval; reading twice as far leaves room for unknown rounds.
        const longest = Math.max(...batch.map(({ checkInterval }) => checkInterval)) * MINUTE_MS;
        const from = Math.max(since, now - 2 * (goodRounds + 1) * longest);
        const ids = batch.map(({ id }) => id);
        const unrecovered = await firstUnrecovered(ids, goodRounds, { from, to: now + 1 });
        if (unrecovered === null) continue;
        // Windows that ended at their scheduled time leave entries behind.
        if (pending.size >= MAX_REMEMBERED) pending.clear();
        pending.set(window.id, unrecovered);
        return false;
      }
      pending.delete(window.id);
      return true;
    },
  };
}
