import { queueOf, type QueuedDelivery } from '../../store/alerting/deliveries.ts';
import { isDue } from '../../store/alerting/claims.ts';
import type { Db } from '../../store/database/contract.ts';

const PAGE = 500;
const MAX_TESTS = 20;
/** Events that are kept in memory while they wait behind others of their monitors. */
const MAX_KEPT = 2_000;

type SendState = Omit<EndpointState, 'inFlight' | 'busyMonitors'>;

/**
 * Pending deliveries of one webhook endpoint while one process sends to it: read in pages, kept until they are sent. A
 * monitor whose oldest event waits for its next attempt, or is overdue, is left to the next time the endpoint is served.
 */
export function createEndpointQueue(db: Db, destinationId: number) {
  /** Sent, and not recorded yet; by id. */
  const sent = new Map<number, QueuedDelivery>();
  const busyMonitors = new Set<number>();
  const deferredMonitors = new Set<number>();
  let waiting: QueuedDelivery[] = [];
  let tests: QueuedDelivery[] = [];
  let inFlight = 0;
  let lastReadId = 0;
  let mayHaveMore = true;
  let mayHaveTests = true;

  async function readTests(now: number): Promise<void> {
    mayHaveTests = false;
    const known = new Set([...sent.keys(), ...tests.map(({ id }) => id)]);
    const found = await queueOf(db, destinationId).pendingTests(MAX_TESTS);
    tests.push(...found.filter(({ id, expiresAt }) => !known.has(id) && expiresAt > now));
  }

  async function readEvents(now: number): Promise<void> {
    const known = new Set(sent.keys());
    const page = await queueOf(db, destinationId).pending({ after: lastReadId, limit: PAGE });
    lastReadId = page.at(-1)?.id ?? lastReadId;
    mayHaveMore = page.length === PAGE;
    const started = new Set(waiting.map(({ monitorId }) => monitorId));
    for (const one of page) {
      const { id, monitorId, nextAt, expiresAt } = one;
      if (known.has(id) || deferredMonitors.has(monitorId ?? 0)) continue;
      const isHead = monitorId === null || !(started.has(monitorId) || busyMonitors.has(monitorId));
      const isSendable = isDue(nextAt, now) && expiresAt > now;
      if (isHead && !isSendable) {
        if (monitorId !== null) deferredMonitors.add(monitorId);
        continue;
      }
      started.add(monitorId);
      waiting.push(one);
    }
  }

  return {
    inFlight: () => inFlight,
    /** Deliveries that may be sent now, tests first; reads on where these are fewer than may be sent. */
    async next(state: SendState): Promise<QueuedDelivery[]> {
      const sends = () => nextSends(waiting, { ...state, inFlight, busyMonitors });
      if (mayHaveTests) await readTests(state.now);
      const capacity = capacityOf({ ...state, inFlight });
      let events = sends();
      const wanted = state.heldUntil === null ? capacity : Math.min(capacity, 1);
      while (events.length < wanted && waiting.length < MAX_KEPT && mayHaveMore) {
        await readEvents(state.now);
        events = sends();
      }
      return [...tests, ...events];
    },
    start(delivery: QueuedDelivery): void {
      inFlight += 1;
      sent.set(delivery.id, delivery);
      if (delivery.monitorId !== null) busyMonitors.add(delivery.monitorId);
      const list = delivery.kind === 'test' ? tests : waiting;
      list.splice(list.indexOf(delivery), 1);
    },
    /** A request ended, and its outcome is not recorded yet. */
    end(): void {
      inFlight -= 1;
    },
    /** The next events of their monitors may follow. */
    recorded(deliveries: readonly Pick<QueuedDelivery, 'id' | 'monitorId'>[]): void {
      for (const { id, monitorId } of deliveries) {
        sent.delete(id);
        if (monitorId !== null) busyMonitors.delete(monitorId);
      }
    },
    wake(): void {
      mayHaveMore = true;
      mayHaveTests = true;
    },
    /** Reads all that is pending again: what waited for its next attempt is due now. */
    restart(): void {
      waiting = [];
      deferredMonitors.clear();
      lastReadId = 0;
      mayHaveMore = true;
    },
  };
}

/** Requests of one webhook endpoint that may be in flight at once. */
export const MAX_IN_FLIGHT = 16;

/** An event that waits for a webhook endpoint. */
export type WaitingEvent = Pick<
  QueuedDelivery,
  'id' | 'monitorId' | 'attempts' | 'nextAt' | 'expiresAt'
>;

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
  const capacity = capacityOf(state);
  if (capacity <= 0) return [];
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
    if (!isProbe && found.length === capacity) break;
  }
  return isProbe ? found.toSorted(probeOrder(state.failures)).slice(0, 1) : found;
}

/** Events that may be sent beside those in flight. */
function capacityOf(state: Omit<EndpointState, 'failures' | 'busyMonitors'>): number {
  const { now, isActive, heldUntil, limit, inFlight } = state;
  if (!isActive) return 0;
  if (heldUntil === null) return Math.min(limit, MAX_IN_FLIGHT) - inFlight;
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
