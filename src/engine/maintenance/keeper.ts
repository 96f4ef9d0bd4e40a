import type { Transaction } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import { loadRecurrences, parseRecurrence, type Recurrences } from '../../lib/recurrence.ts';
import type { Database } from '../../store/database/contract.ts';
import { isAway, isBusy, isUnavailable } from '../../store/database/errors.ts';
import {
  endRunningTimes,
  insertTimes,
  newestStart,
  releaseHeld,
  timesToCome,
} from '../../store/engine/maintenance.ts';
import {
  dueWindows,
  lockDueWindow,
  setNextLook,
  type MaintenanceWindowRow,
} from '../../store/resources/maintenance-windows.ts';
import type { Schema } from '../../store/database/schema.ts';
import { createGoodRounds, type GoodRounds } from './good-rounds.ts';
import { begunAndNext, nextLook, stateOf, timesAfter } from './window.ts';

export interface MaintenanceKeeperDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Called after a time of maintenance of a team ended early: what was held may be told. */
  onEnd(teamId: number): void;
}

export interface MaintenanceKeeper {
  /** Looks once a second from now on. */
  start(): void;
  /** Looks once at all that is due; rejects when the database is away. */
  look(): Promise<void>;
  /** Waits for the look that is under way. Never rejects. */
  stop(): Promise<void>;
  readonly counters: Readonly<MaintenanceKeeperCounters>;
}

export interface MaintenanceKeeperCounters {
  /** Looks at a window that began or ended, or might have ended early. */
  looks: number;
  /** Times that good rounds ended early. */
  endedEarly: number;
  /** Windows that could not be looked at. */
  failures: number;
}

const EVERY_MS = 1_000;
const AT_ONCE = 100;
const POSTPONE_MS = 300_000;
/** Times that are written in one go, after this service was away for long. */
const MOST_BEGUN = 500;

/**
 * Keeps maintenance windows: as a time begins, the next one of its window is written down, so that those who hold alerts
 * and count uptime read rows and know of no rules; and a window that waits for good rounds ends when they are there.
 */
export function createMaintenanceKeeper(
  dependencies: MaintenanceKeeperDependencies,
): MaintenanceKeeper {
  const { database, clock, log, onEnd } = dependencies;
  const goodRounds = createGoodRounds(database);
  const counters: MaintenanceKeeperCounters = { looks: 0, endedEarly: 0, failures: 0 };

  const poller = createPoller({
    run: look,
    clock,
    intervalMs: EVERY_MS,
    isUnavailable,
    onFailure: (error) => log.error({ error }, 'Maintenance windows could not be looked at.'),
  });

  async function look(): Promise<void> {
    for (;;) {
      const due = await dueWindows(database.read, clock.now(), AT_ONCE);
      for (const window of due) {
        if (poller.isStopped) return;
        await lookAt(window);
      }
      if (due.length < AT_ONCE) return;
    }
  }

  /** One that something is wrong with is put off: the others must not suffer. */
  async function lookAt(window: MaintenanceWindowRow): Promise<void> {
    try {
      // Rounds are read, and programs loaded, before the transaction: others wait for it.
      const recurrences = window.rrule === null ? null : await loadRecurrences();
      const isGood = await isRecovered(window, goodRounds);
      const hasEnded = await database.transaction((tx) => step(tx, window, recurrences, isGood));
      counters.looks += 1;
      if (!hasEnded) return;
      counters.endedEarly += 1;
      onEnd(window.team_id);
    } catch (error) {
      if (isAway(error)) throw error;
      // Another session holds a row of it: the next look finds it due.
      if (isBusy(error)) return;
      counters.failures += 1;
      log.error({ error, windowId: window.id }, 'A maintenance window could not be looked at.');
      await database.transaction((tx) => setNextLook(tx, window.id, clock.now() + POSTPONE_MS));
    }
  }

  async function isRecovered(window: MaintenanceWindowRow, rounds: GoodRounds): Promise<boolean> {
    const now = clock.now();
    if (window.good_rounds === null) return false;
    const times = (await timesToCome(database.read, [window.id], now)).get(window.id) ?? [];
    const running = times.filter(({ from }) => from <= now);
    if (running.length === 0) return false;
    const since = Math.max(...running.map(({ from }) => from));
    return rounds.areThere(window, window.good_rounds, since, now);
  }

  /** @returns whether what ran was ended early. */
  async function step(
    tx: Transaction<Schema>,
    seen: MaintenanceWindowRow,
    recurrences: Recurrences | null,
    isGood: boolean,
  ): Promise<boolean> {
    const now = clock.now();
    const window = await lockDueWindow(tx, seen.id, now);
    // Another process looked, or a person changed it meanwhile: then it is looked at again.
    if (window === undefined || window.updated_at !== seen.updated_at) return false;
    const isFull = await writeBegun(tx, window, recurrences, now);
    let times = (await timesToCome(tx, [window.id], now)).get(window.id) ?? [];
    const endsNow = isGood && stateOf(times, now).activeUntil !== null;
    if (endsNow) {
      await endRunningTimes(tx, window.id, now);
      await releaseHeld(tx, window.team_id, now);
      times = times.filter(({ from }) => from > now);
    }
    const nextAt = isFull ? now : nextLook(times, now, window.good_rounds !== null);
    await setNextLook(tx, window.id, nextAt);
    return endsNow;
  }

  return {
    look,
    start: () => poller.start(),
    stop: () => poller.stop(),
    counters,
  };
}

/** The times that have begun since it was looked at last, and the next one. @returns whether there are more. */
async function writeBegun(
  tx: Transaction<Schema>,
  window: MaintenanceWindowRow,
  recurrences: Recurrences | null,
  now: number,
): Promise<boolean> {
  if (window.rrule === null) return false;
  const newest = await newestStart(tx, window.id);
  if (newest !== null && newest > now) return false;
  const parsed = parseRecurrence(window.rrule);
  if ('fault' in parsed) throw new Error(`The stored recurrence rule ${parsed.fault}.`);
  const { starts_at: startsAt, ends_at: endsAt, timezone } = window;
  const schedule = { startsAt, endsAt, timezone, rule: parsed.rule };
  const after = newest ?? now - (endsAt - startsAt);
  const times = begunAndNext(timesAfter(schedule, after, recurrences), now, MOST_BEGUN);
  await insertTimes(tx, window.id, times);
  return times.length === MOST_BEGUN && times.at(-1)!.from <= now;
}
