import type { Clock, Timer } from '../../../src/lib/clock.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { Machine } from '../process-instance.ts';

/**
 * The clock of one of two processes: time passes for both, but each has a wall clock of its own, and can stand still
 * while the other goes on.
 */
export interface ProcessClock extends Clock, Machine {
  /** Sets the wall clock: it is ahead of the world's by so much from now on. */
  step(offset: number): void;
  /**
   * Stands still after that many further steps, whatever is under way: what falls due meanwhile comes late.
   * `isSuspended`: its monotonic clock stands still, too.
   */
  freezeAfter(crashPoints: number, freeze: Freeze): void;
  /** The same at the next renewal of leases: stored, but not answered yet. */
  freezeAtRenewal(freeze: Freeze): void;
  /** Leases were just renewed in an open transaction. */
  renewed(): void;
}

export interface Freeze {
  forMs: number;
  isSuspended: boolean;
  began(): void;
  ended(): void;
}

interface Waiting {
  timer: Timer | null;
}

export function createProcessClock(world: FakeClock, firstOffset: number): ProcessClock {
  let offset = firstOffset;
  /** How much of the time that passed the monotonic clock did not see. */
  let suspendedMs = 0;
  let left = Infinity;
  let pendingFreeze: Freeze | null = null;
  let atRenewal: Freeze | null = null;
  let resumed: Promise<void> | null = null;
  let frozenSince: number | null = null;
  let deferred: (() => void)[] = [];

  const monotonic = () => world.monotonic() - suspendedMs;

  function freeze({ forMs, isSuspended, began, ended }: Freeze): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    resumed = promise;
    const since = world.monotonic();
    frozenSince = since;
    began();
    world.after(forMs, () => {
      if (isSuspended) suspendedMs += world.monotonic() - since;
      resumed = null;
      frozenSince = null;
      const calls = deferred;
      deferred = [];
      ended();
      resolve();
      for (const call of calls) call();
    });
  }

  const whenRunning = (call: () => void): void => void (resumed ? deferred.push(call) : call());

  function after(milliseconds: number, call: () => void): Timer {
    const dueAt = monotonic() + Math.max(1, Math.trunc(milliseconds));
    const waiting: Waiting = { timer: null };
    const fire = (): void => {
      if (waiting.timer === null) return;
      const leftMs = dueAt - monotonic();
      if (leftMs > 0) waiting.timer = world.after(leftMs, () => whenRunning(fire));
      else {
        waiting.timer = null;
        call();
      }
    };
    waiting.timer = world.after(milliseconds, () => whenRunning(fire));
    return waiting;
  }

  return {
    now: () => world.now() + offset,
    monotonic,
    after,
    clear(timer) {
      if (!timer) return;
      world.clear((timer as Waiting).timer);
      (timer as Waiting).timer = null;
    },
    soon: (call) => world.soon(() => whenRunning(call)),
    step: (ahead) => void (offset = ahead),
    freezeAfter(crashPoints, requested) {
      if (resumed) return;
      left = crashPoints;
      pendingFreeze = requested;
    },
    crashPoint() {
      left -= 1;
      if (left >= 0 || pendingFreeze === null) return;
      const next = pendingFreeze;
      pendingFreeze = null;
      left = Infinity;
      if (!resumed) freeze(next);
    },
    freezeAtRenewal(requested) {
      if (!resumed) atRenewal = requested;
    },
    renewed() {
      const next = atRenewal;
      atRenewal = null;
      if (next !== null && !resumed) freeze(next);
    },
    frozen: () => resumed,
    frozenSince: () => frozenSince,
  };
}
