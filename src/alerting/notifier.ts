import { ClockSetbackDetector, type Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import type { SoleProbeHost } from '../model/check.ts';
import { isAlertDue, alertStore } from '../store/alerting/alerts.ts';
import type { Database } from '../store/database/contract.ts';
import { isAway, isBusy, isUnavailable } from '../store/database/errors.ts';
import { isEventDue, eventQueue } from '../store/engine/events.ts';
import { fanOut, stepAlerts } from './index.ts';
import { notifyOfOverloads, notifyRegionChanges } from './notify/system-messages.ts';
import { rescheduleQueues, type HeldRows } from '../store/engine/clock-setback.ts';

const EVERY_MS = 250;
/** Rows that another session held are tried again after this time. */
const HELD_AGAIN_MS = 1_000;
const AFTER_FAILURE_MS = 5_000;
const REGIONS_EVERY_MS = 5_000;
const ONE_BY_ONE = 500;
const POSTPONE_MS = 5 * 60_000;
/**
 * The wait before a batch is tried again that was too large for the database, or that met a row locked by another
 * session.
 */
const BUSY_AGAIN_MS = 10_000;

/** Hands on what happened: events to endpoints and alerts, alerts to people. Any number of processes may run one. */
export function createNotifier(dependencies: {
  database: Database;
  clock: Clock;
  log: Log;
  mail: boolean;
  /** The machine that probes for all regions; null, as without it, when there are several. */
  vantage?(): SoleProbeHost | null;
  onDeliveries(): void;
  everyMs?: number;
}) {
  const { database, clock, log, mail, onDeliveries, everyMs = EVERY_MS } = dependencies;
  /** Events that were handed on, held or dropped; alerts that were evaluated; failures, which are retried. */
  const counters = { events: 0, alerts: 0, failures: 0 };
  let regionsAt = -Infinity;

  const poller = createPoller({
    run: handOn,
    clock,
    intervalMs: everyMs,
    failureIntervalMs: AFTER_FAILURE_MS,
    isUnavailable,
    onFailure(error) {
      counters.failures += 1;
      // Log: Alerts and webhooks are late.
      log.error({ error }, 'Events could not be handed on; it is tried again.');
    },
  });
  const mayGoOn = () => !poller.isStopped;
  /** Lets requests and answers through between two slices; on SQLite alone nothing else would. */
  const yieldToNetwork = () => new Promise<void>((resolve) => clock.soon(resolve));
  const rescheduler = createSetbackRescheduler({ database, clock, log, between: yieldToNetwork });

  async function handOn(): Promise<void> {
    if (await rescheduler.run()) onDeliveries();
    while (mayGoOn() && (await isEventDue(database.read, clock.now()))) {
      const handedOn = await isolating(
        async (limit) => (await fanOut(database, limit)).events,
        postponeEvent,
      );
      counters.events += handedOn;
      onDeliveries();
      // Those that are left are held by another session.
      if (handedOn === 0) break;
      await yieldToNetwork();
    }
    while (mayGoOn() && (await isAlertDue(database.read, clock.now()))) {
      const stepped = await isolating((limit) => stepAlerts(database, limit), postponeFirstAlert);
      counters.alerts += stepped;
      onDeliveries();
      if (stepped === 0) break;
    }
    if (clock.monotonic() < regionsAt) return;
    regionsAt = clock.monotonic() + REGIONS_EVERY_MS;
    await notifyRegionChanges(database, clock.now(), mail, dependencies.vantage?.() ?? null);
    await notifyOfOverloads(database, clock.now(), mail);
  }

  /** Many at once; when something about one of them is wrong, one after another, and that one later. */
  async function isolating(
    work: (options: { now: number; mail: boolean; limit?: number }) => Promise<number>,
    postpone: (byMs: number) => Promise<void>,
  ): Promise<number> {
    try {
      return await work({ now: clock.now(), mail });
    } catch (error) {
      if (isAway(error)) throw error;
      // Log: One of many events has a fault. The others go on.
      log.error({ error }, 'What happened could not be handed on; one after another is tried.');
    }
    let done = 0;
    for (let turn = 0; turn < ONE_BY_ONE && mayGoOn(); turn += 1) {
      try {
        const count = await work({ now: clock.now(), mail, limit: 1 });
        if (count === 0) break;
        done += count;
      } catch (error) {
        if (isAway(error)) throw error;
        counters.failures += 1;
        // Log: The event that has the fault.
        log.error({ error }, 'One of them could not be handed on, and is tried again later.');
        await postpone(isBusy(error) ? BUSY_AGAIN_MS : POSTPONE_MS);
      }
    }
    return done;
  }

  function postponeEvent(byMs: number): Promise<void> {
    return database.transaction(async (tx) => {
      const id = await eventQueue(tx).firstDue(clock.now());
      if (id === null) return;
      await eventQueue(tx).hold([{ id, until: clock.now() + byMs }]);
    });
  }

  function postponeFirstAlert(byMs: number): Promise<void> {
    return database.transaction(async (tx) => {
      const alerts = alertStore(tx);
      const [first] = await alerts.due(clock.now(), 1);
      if (first !== undefined) await alerts.postpone(first.id, clock.now() + byMs);
    });
  }

  return {
    start: () => poller.start(),
    /** Ends after the transaction that is under way. Never rejects. */
    stop: () => poller.stop(),
    counters,
  };
}

/**
 * Reschedules all queues when the wall clock was set back, and once at the start, as it may have been set back before. What
 * is still to be done is kept in memory only: the next start begins with a whole pass.
 */
export function createSetbackRescheduler(dependencies: {
  database: Database;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Log;
  /** Runs after each batch, so that other work gets in. */
  between(): Promise<void>;
}) {
  const { database, clock, log, between } = dependencies;
  const watch = new ClockSetbackDetector(clock);
  let held: HeldRows = new Map();
  let notBefore = -Infinity;

  async function reschedule(): Promise<void> {
    const offset = watch.offset();
    const only = watch.isSetBack() ? undefined : held;
    held = await rescheduleQueues(database, clock.now(), between, only);
    watch.acknowledge(offset);
    if (held.size > 0) notBefore = clock.monotonic() + HELD_AGAIN_MS;
  }

  return {
    /**
     * Reschedules what is left.
     *
     * @returns whether rows may have become due.
     * @throws DatabaseUnavailable when the database is away; a busy one is tried again by a later call.
     */
    async run(): Promise<boolean> {
      if (clock.monotonic() < notBefore || (!watch.isSetBack() && held.size === 0)) return false;
      try {
        await reschedule();
      } catch (error) {
        if (!isBusy(error)) throw error;
        notBefore = clock.monotonic() + BUSY_AGAIN_MS;
        // Log: After the clock was set back, waiting deliveries get new times a little later.
        log.warn({ error }, 'The database was too busy to redate queues. This is retried.');
      }
      return true;
    },
  };
}
