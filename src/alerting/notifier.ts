import { ClockSetbackDetector, type Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import type { SoleProbeHost } from '../model/check.ts';
import { dueAlerts, isAlertDue, postponeAlert } from '../store/alerting/alerts.ts';
import type { Database } from '../store/database/contract.ts';
import { isAway, isBusy, isUnavailable } from '../store/database/errors.ts';
import { firstDueEvent, holdEvents, isEventDue } from '../store/engine/events.ts';
import { stepAlerts } from './notify/step-alerts.ts';
import { fanOut } from './notify/fan-out.ts';
import { notifyOfOverloads, notifyRegionChanges } from './notify/system-messages.ts';
import { rescheduleQueues, type HeldRows } from '../store/engine/clock-setback.ts';

export interface NotifierDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Whether mail can be sent. */
  mail: boolean;
  /** The machine that probes for all regions; null, as without it, when there are several. */
  vantage?(): SoleProbeHost | null;
  /** Deliveries were enqueued. */
  onDeliveries(): void;
  /** Milliseconds between two looks, unless the usual ones. */
  everyMs?: number;
}

interface Notifier {
  start(): void;
  /** Ends after the transaction that is under way. Never rejects. */
  stop(): Promise<void>;
  readonly counters: Readonly<NotifierCounters>;
}

interface NotifierCounters {
  /** Events that were handed on, or held, or dropped. */
  events: number;
  alerts: number;
  /** Times that something went wrong; it is tried again. */
  failures: number;
}

const EVERY_MS = 250;
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
export function createNotifier(dependencies: NotifierDependencies): Notifier {
  const { database, clock, log, mail, onDeliveries, everyMs = EVERY_MS } = dependencies;
  const counters: NotifierCounters = { events: 0, alerts: 0, failures: 0 };
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
  const redater = new SetbackRescheduler({ database, clock, log, between: yieldToNetwork });

  async function handOn(): Promise<void> {
    if (await redater.run()) onDeliveries();
    while (mayGoOn() && (await isEventDue(database.read, clock.now()))) {
      const handedOn = await isolating(handOnEvents, postponeEvent);
      counters.events += handedOn;
      onDeliveries();
      // Those that are left are held by another session.
      if (handedOn === 0) break;
      await yieldToNetwork();
    }
    while (mayGoOn() && (await isAlertDue(database.read, clock.now()))) {
      const stepped = await isolating(handOnAlerts, postponeFirstAlert);
      counters.alerts += stepped;
      onDeliveries();
      if (stepped === 0) break;
    }
    if (clock.monotonic() < regionsAt) return;
    regionsAt = clock.monotonic() + REGIONS_EVERY_MS;
    await notifyRegionChanges(database, clock.now(), mail, dependencies.vantage?.() ?? null);
    await notifyOfOverloads(database, clock.now(), mail);
  }

  const handOnEvents = async (limit?: number) =>
    (await fanOut(database, { now: clock.now(), mail, ...(limit !== undefined && { limit }) }))
      .events;
  const handOnAlerts = (limit?: number) =>
    stepAlerts(database, { now: clock.now(), mail, ...(limit !== undefined && { limit }) });

  /** Many at once; when something about one of them is wrong, one after another, and that one later. */
  async function isolating(
    work: (limit?: number) => Promise<number>,
    postpone: (byMs: number) => Promise<void>,
  ): Promise<number> {
    try {
      return await work();
    } catch (error) {
      if (isAway(error)) throw error;
      // Log: One of many events has a fault. The others go on.
      log.error({ error }, 'What happened could not be handed on; one after another is tried.');
    }
    let done = 0;
    for (let turn = 0; turn < ONE_BY_ONE && mayGoOn(); turn += 1) {
      try {
        const count = await work(1);
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
      const id = await firstDueEvent(tx, clock.now());
      if (id === null) return;
      await holdEvents(tx, [{ id, until: clock.now() + byMs }]);
    });
  }

  function postponeFirstAlert(byMs: number): Promise<void> {
    return database.transaction(async (tx) => {
      const [first] = await dueAlerts(tx, clock.now(), 1);
      if (first !== undefined) await postponeAlert(tx, first.id, clock.now() + byMs);
    });
  }

  return {
    start: () => poller.start(),
    stop: () => poller.stop(),
    counters,
  };
}

interface SetbackReschedulerDependencies {
  database: Database;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Log;
  /** Runs after each batch, so that other work gets in. */
  between(): Promise<void>;
}

/** Rows that another session held are tried again after this time. */
const HELD_AGAIN_MS = 1_000;

/**
 * Redates all queues when the wall clock was set back, and once at the start, as it may have been set back before. What
 * is still to be done is kept in memory only: the next start begins with a whole pass.
 */
export class SetbackRescheduler {
  readonly #dependencies: SetbackReschedulerDependencies;
  readonly #watch: ClockSetbackDetector;
  #held: HeldRows = new Map();
  /** Monotonic milliseconds. */
  #notBefore = -Infinity;

  constructor(dependencies: SetbackReschedulerDependencies) {
    this.#dependencies = dependencies;
    this.#watch = new ClockSetbackDetector(dependencies.clock);
  }

  /**
   * Redates what is left to redate.
   *
   * @returns whether rows may have become due.
   * @throws DatabaseUnavailable when the database is away; a busy one is tried again by a later call.
   */
  async run(): Promise<boolean> {
    const { clock, log } = this.#dependencies;
    if (clock.monotonic() < this.#notBefore) return false;
    if (!this.#watch.isSetBack() && this.#held.size === 0) return false;
    try {
      await this.#redate();
    } catch (error) {
      if (!isBusy(error)) throw error;
      this.#notBefore = clock.monotonic() + BUSY_AGAIN_MS;
      // Log: After the clock was set back, waiting deliveries get new times a little later.
      log.warn({ error }, 'The database was too busy to redate queues. This is retried.');
    }
    return true;
  }

  async #redate(): Promise<void> {
    const { database, clock, between } = this.#dependencies;
    const offset = this.#watch.offset();
    const only = this.#watch.isSetBack() ? undefined : this.#held;
    this.#held = await rescheduleQueues(database, clock.now(), between, only);
    this.#watch.acknowledge(offset);
    if (this.#held.size > 0) this.#notBefore = clock.monotonic() + HELD_AGAIN_MS;
  }
}
