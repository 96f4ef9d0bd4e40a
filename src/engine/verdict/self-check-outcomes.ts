import type { Region } from '../../model/monitor.ts';
import type { Scope } from './recent-results.ts';

/** An answer of the operator's own targets, asked every 15 s, counts no longer than this. */
const COUNTS_MS = 45_000;
/** The operator's targets were asked this long before they were found silent. */
const TIMEOUT_MS = 5_000;

/** When the operator's own targets (SELF_CHECK_TARGETS) answered or fell silent, by region. Epoch milliseconds. */
export class SelfCheckOutcomes {
  readonly #answeredAt = new Map<Region, number>();
  /** Since when they have been silent. */
  readonly #silentSince = new Map<Region, number>();

  answered(region: Region, now: number): void {
    this.#answeredAt.set(region, now);
    this.#silentSince.delete(region);
  }

  /** @returns since when they have been silent. */
  silent(region: Region, now: number): number {
    const since = this.#silentSince.get(region) ?? now - TIMEOUT_MS;
    this.#silentSince.set(region, since);
    return since;
  }

  /** The newest answer that still counts; -Infinity when there is none. */
  newestAnswer(scope: Scope, now: number): number {
    const times = scope === null ? [...this.#answeredAt.values()] : [this.#answeredAt.get(scope)];
    const fresh = times.filter((at) => at !== undefined && at > now - COUNTS_MS && at <= now);
    return Math.max(-Infinity, ...(fresh as number[]));
  }
}
