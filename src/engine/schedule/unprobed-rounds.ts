import type { Clock, Timer } from '../../lib/clock.ts';
import type { FailureCode } from '../../model/failure.ts';
import type { Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import type { Round } from '../../model/round.ts';
import type { Bus } from '../bus/contract.ts';

/** Monitors whose last round no probe made. It runs again, once, when one of its regions has a probe. */
export type UnprobedRounds = ReturnType<typeof createUnprobedRounds>;

export interface UnprobedRoundsOptions {
  bus: Pick<Bus, 'lastSeen'>;
  /** Tells the regions of other teams, whose probes do not count. */
  regions: Pick<Regions, 'isForeign'>;
  clock: Clock;
  /** Makes the monitor due again. Returns false if its next round comes as soon. */
  repeat(monitorId: number): boolean;
}

interface Unprobed {
  finishedAt: number;
  regions: Region[];
}

/** Probes announce themselves this often. */
const LOOK_EVERY_MS = 2_000;
/** Failures of checks without a result of any kind: no probe took them, it did not answer, or this process ends. */
const NOT_RUN: ReadonlySet<FailureCode> = new Set(['no_probe', 'probe_lost', 'aborted']);

export function createUnprobedRounds(options: UnprobedRoundsOptions) {
  const { bus, regions, clock, repeat } = options;
  const waiting = new Map<number, Unprobed>();
  /** Those that were made due again: a probe that loses every check is alive, too. */
  const repeated = new Set<number>();
  let timer: Timer | null = null;

  function look(): void {
    timer = null;
    const seen = new Map<Region, number>();
    const seenAt = (region: Region) => {
      const known = seen.get(region) ?? bus.lastSeen(region) ?? -Infinity;
      seen.set(region, known);
      return known;
    };
    for (const [monitorId, unprobed] of waiting) {
      if (!unprobed.regions.some((region) => seenAt(region) > unprobed.finishedAt)) continue;
      waiting.delete(monitorId);
      if (repeat(monitorId)) repeated.add(monitorId);
    }
    lookLater();
  }

  function lookLater(): void {
    if (waiting.size > 0) timer ??= clock.after(LOOK_EVERY_MS, look);
  }

  /** The monitor is no longer checked by this process. */
  function forget(monitorId: number): void {
    waiting.delete(monitorId);
    repeated.delete(monitorId);
  }

  return {
    /** Takes note of a round that has ended. */
    note(round: Pick<Round, 'monitorId' | 'teamId' | 'finishedAt' | 'results'>) {
      const { monitorId, teamId, finishedAt } = round;
      const wasRepeated = repeated.has(monitorId);
      forget(monitorId);
      if (wasRepeated || !isUnprobed(round)) return;
      const own = round.results.map(({ region }) => region);
      const open = own.filter((region) => !regions.isForeign(teamId, region));
      waiting.set(monitorId, { finishedAt, regions: open });
      lookLater();
    },
    forget,
    stop() {
      clock.clear(timer);
      waiting.clear();
    },
  };
}

/** Whether no check of the round has a result. */
export function isUnprobed({ results }: Pick<Round, 'results'>): boolean {
  return (
    results.length > 0 &&
    results.every(({ failure }) => failure !== null && NOT_RUN.has(failure.code))
  );
}
