import { OrderedSet } from '../../lib/ordered-set.ts';
import { createRoundRobin } from '../../lib/round-robin.ts';
import type { Entry } from './entry.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { FailureCode } from '../../model/failure.ts';
import type { Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import type { Round } from '../../model/round.ts';
import type { Bus } from '../bus/contract.ts';

/**
 * Entries whose round is due and waits. First rounds of monitors, and those that make up for a gap, come by the ten
 * thousand: after a restart, or when monitors are imported. Each round in flight takes some kilobytes here and in the
 * probe, and memory that such a burst takes is not given back. Teams are served in turn. Rounds of the grid and rechecks
 * never wait.
 */
export type Backlog = ReturnType<typeof createBacklog>;

/** @param limit number of such rounds that are in flight at once. */
export function createBacklog(limit: number) {
  const waiting = createRoundRobin<Entry>();
  const started = new Set<Entry>();
  const held = new OrderedSet<Entry>();

  return {
    /** Entry that has waited for longest; undefined if none waits. */
    first: () => held.first(),
    /** Whether the round may start, and is counted from now on. Otherwise the entry waits. */
    admit(entry: Entry) {
      if (!isBackfill(entry)) return true;
      if (started.size < limit) {
        started.add(entry);
        return true;
      }
      waiting.add(entry.plan.teamId, entry);
      held.add(entry);
      return false;
    },
    release(entry: Entry) {
      started.delete(entry);
    },
    /** Removes and returns the next entry whose round may start; undefined without one. */
    next() {
      if (started.size >= limit) return undefined;
      const entry = waiting.next();
      if (entry !== undefined) held.delete(entry);
      return entry;
    },
    /** Takes an entry out. Returns whether it waited. */
    remove(entry: Entry) {
      if (!held.delete(entry)) return false;
      waiting.remove(entry.plan.teamId, entry);
      return true;
    },
  };
}

function isBackfill({ due, lastSlot }: Entry): boolean {
  return due.kind === 'catch_up' || lastSlot === null;
}

/** Monitors whose last round no probe made. It runs again, once, when one of its regions has a probe. */
export type UnprobedRounds = ReturnType<typeof createUnprobedRounds>;

interface Unprobed {
  finishedAt: number;
  regions: Region[];
}

/** Probes announce themselves this often. */
const CHECK_EVERY_MS = 2_000;
/** Failures of checks without a result of any kind: no probe took them, it did not answer, or this process ends. */
const NOT_RUN: ReadonlySet<FailureCode> = new Set(['no_probe', 'probe_lost', 'aborted']);

export function createUnprobedRounds(options: {
  bus: Pick<Bus, 'lastSeen'>;
  /** Recognizes the regions of other teams, whose probes do not count. */
  regions: Pick<Regions, 'isForeign'>;
  clock: Clock;
  /** Makes the monitor due again. Returns false if its next round comes as soon. */
  repeat(monitorId: number): boolean;
}) {
  const { bus, regions, clock, repeat } = options;
  const waiting = new Map<number, Unprobed>();
  /** Those that were made due again: a probe that loses every check is alive, too. */
  const repeated = new Set<number>();
  let timer: Timer | null = null;

  function checkRegions(): void {
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
    checkLater();
  }

  function checkLater(): void {
    if (waiting.size > 0) timer ??= clock.after(CHECK_EVERY_MS, checkRegions);
  }

  function forget(monitorId: number): void {
    waiting.delete(monitorId);
    repeated.delete(monitorId);
  }

  return {
    note(round: Pick<Round, 'monitorId' | 'teamId' | 'finishedAt' | 'results'>) {
      const { monitorId, teamId, finishedAt } = round;
      const wasRepeated = repeated.has(monitorId);
      forget(monitorId);
      if (wasRepeated || !isUnprobed(round)) return;
      const own = round.results.map(({ region }) => region);
      const open = own.filter((region) => !regions.isForeign(teamId, region));
      waiting.set(monitorId, { finishedAt, regions: open });
      checkLater();
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
