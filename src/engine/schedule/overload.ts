import type { ProbeLoad } from '../../model/probe-load.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';
import { probeHealth, probeHealthChanges } from '../../store/engine/probe-health.ts';

/**
 * Overload of this process's probes, decided once a second from how long checks wait for a slot and how many checks of
 * the last minute were late. Times are epoch milliseconds.
 */
export interface OverloadState {
  since: number | null;
  /** Cause and remedy, a sentence without its full stop; empty without an overload. */
  reason: string;
  recoveringSince: number | null;
}

export const NOT_OVERLOADED: OverloadState = { since: null, reason: '', recoveringSince: null };

export interface Observation {
  loads: readonly ProbeLoad[];
  punctuality: Punctuality;
}

/** Shorter waits for a slot are bursts, not overload. */
const WAIT_MS = 1_000;
/** Share and number of late checks in the last minute from which the probes are overloaded; one hiccup stays below. */
const LATE_SHARE = 0.05;
const MIN_LATE = 20;
/** An overload ends after this time without a sign of it. */
const RECOVERY_MS = 60_000;

export function nextOverload(
  state: OverloadState,
  observation: Observation,
  now: number,
): OverloadState {
  const reason = overloadReason(observation);
  if (reason !== null) return { since: state.since ?? now, reason, recoveringSince: null };
  if (state.since === null) return state;
  const wellSince = state.recoveringSince ?? now;
  return now - wellSince >= RECOVERY_MS ? NOT_OVERLOADED : { ...state, recoveringSince: wellSince };
}

function overloadReason({ loads, punctuality }: Observation): string | null {
  const longestWaitMs = Math.max(0, ...loads.map((load) => load.longestWaitMs));
  if (longestWaitMs >= WAIT_MS) return waitingReason(loads, longestWaitMs);
  const { due, late } = punctuality;
  if (late < MIN_LATE || late < LATE_SHARE * due) return null;
  return `${shown(late)} of the ${shown(due)} checks of the last minute started more than ${LATE_MS / 1_000} s late: ${SLOW}`;
}

function waitingReason(loads: readonly ProbeLoad[], longestWaitMs: number): string {
  const waiting = sum(loads.map((load) => load.waiting));
  const wait = `${shown(waiting)} checks wait for a slot, the first one for ${Math.round(longestWaitMs / 1_000)} s`;
  const full = loads.find(({ running, capacity }) => running >= capacity);
  return full === undefined
    ? `${wait}: ${SLOW}`
    : `${wait}, as ${shown(full.capacity)} checks run in one probe process, which is as many as its limit of open files allows. Raise the limit (ulimit -n, or LimitNOFILE= of systemd) or PROBE_WORKERS, or lower request_timeout of targets that hang`;
}

const SLOW =
  'the machine is too slow for them. Give it more processors, raise PROBE_WORKERS, or check less often';

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}

/** Detects overload of this process's probes; logs and stores each change, so that admins are notified. */

const INTERVAL_MS = 1_000;

export function createOverloadDetector(dependencies: {
  database: Database;
  clock: Clock;
  log: Log;
  /** Name of this process in notifications, stable across restarts. */
  probe: string;
  observe(): Observation;
}) {
  const { database, clock, log, probe, observe } = dependencies;
  let state: OverloadState = NOT_OVERLOADED;
  let unsaved: { changedAt: number } | null = null;
  let isSaving = false;
  let timer: Timer | null = null;

  function update(): void {
    timer = clock.after(INTERVAL_MS, update);
    const before = state;
    const observation = observe();
    state = nextOverload(before, observation, clock.now());
    if ((before.since === null) !== (state.since === null)) report(before, observation);
    if (unsaved !== null) void save();
  }

  function report(before: OverloadState, observation: Observation): void {
    unsaved = { changedAt: clock.now() };
    if (state.since === null) {
      // Log: Checks start in time.
      log.info({ overloaded_since: before.since }, 'The probe keeps up again.');
      return;
    }
    const { loads, punctuality } = observation;
    const fields = { reason: state.reason, loads: loads.map(loadFields), ...punctuality };
    // Log: Checks start late. See docs/probe-load.md.
    log.warn(fields, 'The probe is overloaded.');
  }

  /** Stores the last change; retried at the next update while the database is unavailable. */
  async function save(): Promise<void> {
    if (isSaving || unsaved === null) return;
    isSaving = true;
    const { changedAt } = unsaved;
    const { since: overloadedAt, reason } = state;
    try {
      await database.transaction((tx) =>
        probeHealthChanges(tx).writeOverload({ probe, overloadedAt, reason, changedAt }),
      );
      if (unsaved?.changedAt === changedAt) unsaved = null;
    } catch (error) {
      // Log: Admins may be notified late.
      log.warn({ error }, 'The overload state of the probe could not be stored; retrying.');
    } finally {
      isSaving = false;
    }
  }

  return {
    /** Resumes the state stored by an earlier process of the same name, so that the end of its overload is reported. */
    async load() {
      const row = await probeHealth(database.read).overload(probe);
      const since = row?.overloaded_at ?? null;
      if (since !== null)
        state = { since, reason: row?.reason ?? '', recoveringSince: clock.now() };
    },
    start() {
      timer ??= clock.after(INTERVAL_MS, update);
    },
    stop: () => clock.clear(timer),
    /** Current overload with its start (epoch ms); null without one. */
    overload: () => (state.since === null ? null : { since: state.since, reason: state.reason }),
  };
}

/** Number of checks that came due in the last minute, and how many of them were late. */
export interface Punctuality {
  due: number;
  late: number;
}

/** A check is late when its first packet leaves more than this after it was due, or when it is skipped. */
export const LATE_MS = 500;

const SECONDS = 60;

/** Counts over the last 60 seconds of monotonic time. */
export class PunctualityWindow {
  readonly #due = new Uint32Array(SECONDS);
  readonly #late = new Uint32Array(SECONDS);
  #second = -Infinity;

  add({ due, late }: Punctuality, now: number): void {
    const at = this.#moveTo(now);
    this.#due[at]! += due;
    this.#late[at]! += late;
  }

  totals(now: number): Punctuality {
    this.#moveTo(now);
    return { due: sum(this.#due), late: sum(this.#late) };
  }

  #moveTo(now: number): number {
    const second = Math.floor(now / 1_000);
    const from = Math.max(this.#second + 1, second - SECONDS + 1);
    for (let passed = from; passed <= second; passed++) {
      this.#due[index(passed)] = 0;
      this.#late[index(passed)] = 0;
    }
    this.#second = second;
    return index(second);
  }
}

function index(second: number): number {
  return ((second % SECONDS) + SECONDS) % SECONDS;
}

function loadFields({ running, waiting, longestWaitMs, capacity }: ProbeLoad) {
  return { running, waiting, longest_wait_ms: Math.round(longestWaitMs), capacity };
}
