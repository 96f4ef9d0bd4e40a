import type { RegionResult } from '../../model/check.ts';
import type { Round } from '../../model/round.ts';
import { withoutVote } from './doubt-texts.ts';
import type { Quarantines } from './quarantines.ts';

/** Turns failures that a quarantine explains into unknown, and keeps the ids of their monitors. */
export class WithheldVotes {
  readonly #quarantines: Pick<Quarantines, 'withholding'>;
  /** Monitors with failures that do not count because of a quarantine, and those of quarantines that are over. */
  readonly #withheld = new Set<number>();
  #released = new Set<number>();

  constructor(quarantines: Pick<Quarantines, 'withholding'>) {
    this.#quarantines = quarantines;
  }

  /** Whether monitors wait to be taken by `takeReleased`. */
  get hasReleased(): boolean {
    return this.#released.size > 0;
  }

  /** The same round when all its votes count. */
  withoutDoubtfulVotes(round: Round, now: number): Round {
    const results = round.results.map((result) => this.#counted(round, result, now));
    return results.some((result, index) => result !== round.results[index])
      ? { ...round, results }
      : round;
  }

  /** A quarantine ended. Which one withheld a failure is not kept: all those monitors are checked again. */
  release(): void {
    for (const monitorId of this.#withheld) this.#released.add(monitorId);
    this.#withheld.clear();
  }

  /** Monitors whose failures were withheld by a quarantine that is over. Each once. */
  takeReleased(): number[] {
    const released = [...this.#released];
    this.#released = new Set();
    return released;
  }

  #counted({ monitorId }: Round, result: RegionResult, now: number): RegionResult {
    if (result.vote !== 'down') return result;
    const withholding = this.#quarantines.withholding(result, now);
    if (withholding === null) return result;
    (withholding.isOver ? this.#released : this.#withheld).add(monitorId);
    return withoutVote(result);
  }
}
