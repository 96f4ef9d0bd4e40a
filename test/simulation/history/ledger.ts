import type { RecordedRound } from '../../../src/store/engine/round-codec.ts';
import type { DAY, HOUR } from './scenario.ts';

/** A monitor of the history world. Times are epoch milliseconds. */
export interface HistoryMonitor {
  id: number;
  teamId: number;
  createdAt: number;
  deletedAt: number | null;
}

/** Counts of one region's results over an hour or a day. */
export interface Sums {
  up: number;
  down: number;
  unknown: number;
  /** Number of response times. */
  times: number;
}

/** All rounds that were ever recorded, and the sums that follow from them. */
export class Ledger {
  readonly monitors: HistoryMonitor[] = [];
  readonly #rounds = new Map<number, Map<number, RecordedRound>>();

  isTaken(monitorId: number, startedAt: number): boolean {
    return this.#rounds.get(monitorId)?.has(startedAt) ?? false;
  }

  add(recorded: RecordedRound): void {
    const { monitorId, startedAt } = recorded.round;
    const own = this.#rounds.get(monitorId) ?? new Map<number, RecordedRound>();
    this.#rounds.set(monitorId, own.set(startedAt, recorded));
  }

  roundsOf(monitorId: number): RecordedRound[] {
    return [...(this.#rounds.get(monitorId)?.values() ?? [])];
  }

  /** Starts of the hours, or days, in which the monitor had rounds that voted. */
  periodsOf(monitorId: number, length: typeof HOUR | typeof DAY): Set<number> {
    const voted = this.roundsOf(monitorId).filter(({ kind }) => kind === 'voted');
    return new Set(voted.map(({ round }) => floorTo(length, round.startedAt)));
  }

  /** Sums by region of the rounds that voted in `[from, to)`. */
  sums(monitorId: number, from: number, to: number): Record<string, Sums> {
    const sums: Record<string, Sums> = {};
    for (const { kind, round } of this.roundsOf(monitorId)) {
      if (kind !== 'voted' || round.startedAt < from || round.startedAt >= to) continue;
      for (const { region, vote, responseTimeMs } of round.results) {
        const sum = (sums[region] ??= { up: 0, down: 0, unknown: 0, times: 0 });
        sum[vote] += 1;
        if (vote === 'up' && responseTimeMs !== null) sum.times += 1;
      }
    }
    return sums;
  }
}

export const floorTo = (unit: number, at: number) => Math.floor(at / unit) * unit;
