import type { ProbeLoad } from '../../model/probe-load.ts';
import { LATE_MS, type Punctuality } from './last-minute.ts';

/**
 * Whether the probes of this process keep up: decided once a second from how long checks wait for a slot, and how many
 * of the last minute's checks were late. Pure; times are epoch milliseconds.
 */
export interface OverloadState {
  /** Since when they can't keep up; null while they can. */
  since: number | null;
  /** A sentence for people without its full stop: what is wrong, and what to do. Empty while all is well. */
  reason: string;
  /** Since when there has been no sign of it; null while there is one. */
  wellSince: number | null;
}

export const KEEPING_UP: OverloadState = { since: null, reason: '', wellSince: null };

export interface Observation {
  /** Of each probe process that has reported. */
  loads: readonly ProbeLoad[];
  punctuality: Punctuality;
}

/** A check that waits for a slot for less than that is no sign of overload: a burst passes. */
const WAIT_MS = 1_000;
/** Lateness counts from that share of the last minute's checks, and from that number, so that one hiccup does not. */
const LATE_SHARE = 0.05;
const LATE_LEAST = 20;
/** An overload is over when there was no sign of it for this time. */
const WELL_FOR_MS = 60_000;

export function stepOverload(
  state: OverloadState,
  observation: Observation,
  now: number,
): OverloadState {
  const reason = signOf(observation);
  if (reason !== null) return { since: state.since ?? now, reason, wellSince: null };
  if (state.since === null) return state;
  const wellSince = state.wellSince ?? now;
  return now - wellSince >= WELL_FOR_MS ? KEEPING_UP : { ...state, wellSince };
}

function signOf({ loads, punctuality }: Observation): string | null {
  const longestWaitMs = Math.max(0, ...loads.map((load) => load.longestWaitMs));
  if (longestWaitMs >= WAIT_MS) return waitingReason(loads, longestWaitMs);
  const { due, late } = punctuality;
  if (late < LATE_LEAST || late < LATE_SHARE * due) return null;
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
