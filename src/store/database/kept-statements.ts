import type { Fields } from './postgres-statement.ts';

/** Statements that a connection keeps. One takes 20 to 170 kB of the server's memory; about 40 are named. */
const MAX_KEPT = 100;

/**
 * Time after which a statement is prepared anew, milliseconds. Its plan is made for the tables as they were: one for a small
 * table reads all of it, and tables such as those of a new day grow quickly.
 */
const MAX_AGE_MS = 10_000;

interface Kept {
  fields: Fields;
  at: number;
}

/** The statements that one connection keeps, by their names. The one that has not been used for longest makes room. */
export class KeptStatements {
  readonly #kept = new Map<string, Kept>();
  readonly #max: number;

  constructor(max = MAX_KEPT) {
    this.#max = max;
  }

  /**
   * The columns of a statement; null if the connection does not keep it, or kept it for long.
   *
   * @param now in milliseconds of a clock that never goes back.
   * @param changedAt when tables were seen to have changed: what was prepared until then may have other columns now.
   */
  use(name: string, now: number, changedAt = -Infinity): Fields | null {
    const kept = this.#kept.get(name);
    if (kept === undefined) return null;
    this.#kept.delete(name);
    if (now - kept.at > MAX_AGE_MS || kept.at <= changedAt) return null;
    this.#kept.set(name, kept);
    return kept.fields;
  }

  /**
   * Makes room for a statement. @returns the names to discard: that of the statement itself, too, as the server may keep
   * what this connection knows nothing of.
   */
  makeRoomFor(name: string): string[] {
    const discarded = [name];
    while (this.#kept.size >= this.#max) {
      const oldest = this.#kept.keys().next().value!;
      this.#kept.delete(oldest);
      discarded.push(oldest);
    }
    return discarded;
  }

  keep(name: string, fields: Fields, now: number): void {
    this.#kept.set(name, { fields, at: now });
  }

  forgetAll(): void {
    this.#kept.clear();
  }
}

/** Losses that may happen before it matters how many there are. */
const TOLERATED_LOSSES = 5;
/** Uses that there must be for each further loss. */
const USES_FOR_A_LOSS = 100;
/** Kept statements in a row that connections must still have had before one is used where its loss would end a transaction. */
export const HELD_TO_TRUST = 100;

/**
 * Whether connections of a pool keep statements at all. An old pooler hands each transaction to another connection of its
 * own, which does not have them: then it is cheaper to do without.
 */
export class KeepingPolicy {
  isOn: boolean;
  /** When a statement was found to have other columns; milliseconds of a clock that never goes back. */
  changedAt = -Infinity;
  readonly #onTurnedOff: () => void;
  #uses = 0;
  #losses = 0;
  #heldInARow = 0;

  constructor(isOn: boolean, onTurnedOff: () => void) {
    this.isOn = isOn;
    this.#onTurnedOff = onTurnedOff;
  }

  /** Whether a statement may be used inside a transaction, which its loss would end: the caller would have to try again. */
  get isTrusted(): boolean {
    return this.#heldInARow >= HELD_TO_TRUST;
  }

  noteUse(): void {
    this.#uses += 1;
  }

  noteHeld(): void {
    this.#heldInARow += 1;
  }

  /** A migration by another process is no loss: other connections of the pool then prepare their statements anew. */
  noteChange(now: number): void {
    this.changedAt = now;
  }

  noteLoss(): void {
    this.#losses += 1;
    this.#heldInARow = 0;
    const allowed = TOLERATED_LOSSES + this.#uses / USES_FOR_A_LOSS;
    if (!this.isOn || this.#losses <= allowed) return;
    this.isOn = false;
    this.#onTurnedOff();
  }
}
