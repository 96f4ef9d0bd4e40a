/**
 * Tells how late messages of a sender are, though its clock and ours have nothing in common: the message that took the
 * least time is the measure for all others.
 */
export class Delays {
  /** By sender, our time minus its time of its quickest message of each period. */
  readonly #quickest = new Map<string, { before: number; current: number; since: number }>();

  /**
   * How much longer than the quickest one this message took, in milliseconds. 0 for the first one of a sender.
   *
   * @param sentAt by the sender's monotonic clock. @param now by ours.
   */
  lateness(sender: string, sentAt: number, now: number): number {
    const offset = now - sentAt;
    const known = this.#quickest.get(sender);
    if (known === undefined) {
      this.#remember(sender, { before: offset, current: offset, since: now });
      return 0;
    }
    const lateMs = offset - Math.min(known.before, known.current);
    // Clocks drift apart: what counts is the quickest one of the last two periods.
    if (now - known.since > PERIOD_MS)
      this.#remember(sender, { before: known.current, current: offset, since: now });
    else known.current = Math.min(known.current, offset);
    return Math.max(0, lateMs);
  }

  #remember(sender: string, quickest: { before: number; current: number; since: number }): void {
    this.#quickest.delete(sender);
    this.#quickest.set(sender, quickest);
    if (this.#quickest.size > MAX_SENDERS)
      this.#quickest.delete(this.#quickest.keys().next().value!);
  }
}

const PERIOD_MS = 600_000;
const MAX_SENDERS = 1_000;
