import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { ClockSetbackDetector } from '../lib/clock-setback.ts';
import { rescheduleQueues, type HeldRows } from '../store/engine/clock-setback.ts';
import type { Database } from '../store/database/contract.ts';
import { isBusy } from '../store/database/errors.ts';

export interface SetbackReschedulerDependencies {
  database: Database;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Log;
  /** Runs after each batch, so that other work gets in. */
  between(): Promise<void>;
}

/** Rows that another session held are tried again after this time. */
const HELD_AGAIN_MS = 1_000;
/** A pass that was too much for the database is tried again after this time. */
const BUSY_AGAIN_MS = 10_000;

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
