import type { ProbeLoad } from '../../model/probe-load.ts';
import { LATE_MS, type Punctuality } from './punctuality.ts';

/**
 * Overload of this process's probes, decided once a second from how long checks wait for a slot and how many checks of
 * the last minute were late. Times are epoch milliseconds.
 */
export interface OverloadState {
  /** Start of the overload; null without one. */
  since: number | null;
  /** Cause and remedy, a sentence without its full stop; empty without an overload. */
  reason: string;
  /** Time since which no sign of overload was seen; null while there is one. */
  recoveringSince: number | null;
}

export const NOT_OVERLOADED: OverloadState = { since: null, reason: '', recoveringSince: null };

export interface Observation {
  /** Load of each probe process that has reported. */
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

/** Computes the next overload state from an observation. */
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
