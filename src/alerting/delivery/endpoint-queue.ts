import type { Kysely } from 'kysely';
import { isDue, readPending } from '../../store/alerting/deliveries.ts';
import type { QueuedDelivery } from '../../store/alerting/deliveries.ts';
import { readPendingTests } from '../../store/alerting/endpoint-queue.ts';
import type { Schema } from '../../store/database/schema.ts';
import { nextSends, placesOf } from './next-sends.ts';
import type { EndpointState } from './next-sends.ts';

/** Deliveries per read. */
const PAGE = 500;
const MOST_TESTS = 20;
/** Events that are kept in memory while they wait behind others of their monitors. */
const MOST_KEPT = 2_000;

type SendState = Omit<EndpointState, 'inFlight' | 'busyMonitors'>;

/**
 * Pending deliveries of one webhook endpoint while one process sends to it: read in pages, kept until they are sent. A
 * monitor whose oldest event waits for its next attempt, or is overdue, is left to the next time the endpoint is served.
 */
export function createEndpointQueue(db: Kysely<Schema>, destinationId: number) {
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
    const found = await readPendingTests(db, destinationId, MOST_TESTS);
    tests.push(...found.filter(({ id, expiresAt }) => !known.has(id) && expiresAt > now));
  }

  async function readEvents(now: number): Promise<void> {
    const known = new Set(sent.keys());
    const page = await readPending(db, destinationId, { after: lastReadId, limit: PAGE });
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
    /** Deliveries that may be sent now, tests first; reads on where these are fewer than there are places. */
    async next(state: SendState): Promise<QueuedDelivery[]> {
      const sends = () => nextSends(waiting, { ...state, inFlight, busyMonitors });
      if (mayHaveTests) await readTests(state.now);
      const places = placesOf({ ...state, inFlight });
      let events = sends();
      const wanted = state.heldUntil === null ? places : Math.min(places, 1);
      while (events.length < wanted && waiting.length < MOST_KEPT && mayHaveMore) {
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
    /** Something may have been enqueued. */
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

export type EndpointQueue = ReturnType<typeof createEndpointQueue>;
