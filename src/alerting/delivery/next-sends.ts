import { isDue } from '../../store/alerting/deliveries.ts';

/** Requests of one webhook endpoint that may be in flight at once. */
export const MOST_IN_FLIGHT = 16;

/** An event that waits for a webhook endpoint. Times are epoch milliseconds. */
export interface WaitingEvent {
  id: number;
  /** Null for an event that belongs to no monitor's order. */
  monitorId: number | null;
  attempts: number;
  nextAt: number;
  expiresAt: number;
}

export interface EndpointState {
  now: number;
  isActive: boolean;
  /** Failed rounds of requests in a row. */
  failures: number;
  /** No event is sent before then, and after it one at a time until the endpoint answers; null while it works. */
  heldUntil: number | null;
  /** Requests that may be in flight: grows with each answer. */
  limit: number;
  inFlight: number;
  /** Monitors with an event in flight, or with an outcome that is not recorded yet. */
  busyMonitors: ReadonlySet<number>;
}

/**
 * Events that may be sent now. Of each monitor that is its oldest one, and none while an earlier one is in flight,
 * unrecorded or waiting for its next attempt. An endpoint whose hold is over gets one probe.
 *
 * @param waiting the oldest first; the ones in flight are not among them.
 */
export function nextSends<Event extends WaitingEvent>(
  waiting: readonly Event[],
  state: EndpointState,
): Event[] {
  const places = placesOf(state);
  if (places <= 0) return [];
  const isProbe = state.heldUntil !== null;
  const passed = new Set<number>();
  const found: Event[] = [];
  for (const event of waiting) {
    const { monitorId } = event;
    if (monitorId !== null) {
      if (state.busyMonitors.has(monitorId) || passed.has(monitorId)) continue;
      passed.add(monitorId);
    }
    if (!isDue(event.nextAt, state.now) || event.expiresAt <= state.now) continue;
    found.push(event);
    if (!isProbe && found.length === places) break;
  }
  return isProbe ? found.toSorted(probeOrder(state.failures)).slice(0, 1) : found;
}

/** Events that may be sent beside those in flight. */
export function placesOf({
  now,
  isActive,
  heldUntil,
  limit,
  inFlight,
}: Omit<EndpointState, 'failures' | 'busyMonitors'>): number {
  if (!isActive) return 0;
  if (heldUntil === null) return Math.min(limit, MOST_IN_FLIGHT) - inFlight;
  return isDue(heldUntil, now) && inFlight === 0 ? 1 : 0;
}

/**
 * Probes alternate between an event that was hardly tried and the oldest one: an event that the endpoint always answers
 * with an error does not keep the others back, and the oldest gets the attempts that its 24 hours allow.
 */
function probeOrder(failures: number): (a: WaitingEvent, b: WaitingEvent) => number {
  const isForOldest = failures > 0 && failures % 2 === 0;
  return (a, b) => (isForOldest ? 0 : a.attempts - b.attempts) || a.id - b.id;
}
