import type { Clock, Timer } from '../../lib/clock.ts';
import type { FailureCode } from '../../model/failure.ts';
import type { Round } from '../../model/round.ts';
import type { Bus } from '../bus/contract.ts';

/** Monitors whose last round no probe made; it runs again as soon as one of its regions has a probe. */
export interface UnprobedRounds {
  /** Takes note of a round that has ended. */
  note(round: Pick<Round, 'monitorId' | 'finishedAt' | 'results'>): void;
  stop(): void;
}

/** Probes announce themselves this often. */
const LOOK_EVERY_MS = 2_000;
/** The reasons for which a check was not run at all, as far as is known. */
const NOT_RUN: ReadonlySet<FailureCode> = new Set(['no_probe', 'probe_lost', 'aborted']);

/** @param runSoon brings the next rounds of these monitors forward. */
export function createUnprobedRounds(deps: {
  bus: Pick<Bus, 'lastSeen'>;
  clock: Clock;
  runSoon(monitorIds: number[]): void;
}): UnprobedRounds {
  const { bus, clock, runSoon } = deps;
  const waiting = new Map<number, Pick<Round, 'finishedAt' | 'results'>>();
  /** Monitors whose round was run again: once only, since a probe that loses every check is alive, too. */
  const repeated = new Set<number>();
  let timer: Timer | null = null;

  function look(): void {
    timer = null;
    const found: number[] = [];
    for (const [monitorId, { finishedAt, results }] of waiting) {
      const isProbed = results.some(({ region }) => (bus.lastSeen(region) ?? 0) > finishedAt);
      if (!isProbed) continue;
      waiting.delete(monitorId);
      repeated.add(monitorId);
      found.push(monitorId);
    }
    if (found.length > 0) runSoon(found);
    lookLater();
  }

  function lookLater(): void {
    if (waiting.size > 0) timer ??= clock.after(LOOK_EVERY_MS, look);
  }

  return {
    note({ monitorId, finishedAt, results }) {
      waiting.delete(monitorId);
      const wasRepeated = repeated.delete(monitorId);
      if (wasRepeated || !isUnprobed({ results })) return;
      waiting.set(monitorId, { finishedAt, results });
      lookLater();
    },
    stop() {
      clock.clear(timer);
      waiting.clear();
    },
  };
}

/** Whether no probe ran any check of the round, as far as is known. */
export function isUnprobed({ results }: Pick<Round, 'results'>): boolean {
  return (
    results.length > 0 &&
    results.every(({ failure }) => failure !== null && NOT_RUN.has(failure.code))
  );
}
