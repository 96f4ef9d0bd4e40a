import { OrderedSet } from '../../lib/ordered-set.ts';
import { createRoundRobin } from '../../lib/round-robin.ts';
import type { Entry } from './entry.ts';

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
      if (!isPatient(entry)) return true;
      if (started.size < limit) {
        started.add(entry);
        return true;
      }
      waiting.add(entry.plan.teamId, entry);
      held.add(entry);
      return false;
    },
    /** The round of the entry has ended. */
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

function isPatient({ due, lastSlot }: Entry): boolean {
  return due.kind === 'catch_up' || lastSlot === null;
}
