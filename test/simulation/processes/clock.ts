import type { Clock, Timer } from '../../../src/lib/clock.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { Machine } from '../process-instance.ts';

/**
 * The clock of one of two processes. Time passes for both, but each has its own wall clock and can be frozen while the
 * other runs.
 */
export interface ProcessClock extends Clock, Machine {
  /** Sets the wall clock ahead of the world's by that many milliseconds. */
  step(offset: number): void;
  /**
   * Freezes the process after that many crash points: work that falls due meanwhile is done late. `isSuspended` stops
   * its monotonic clock, too.
   */
  freezeAfter(crashPoints: number, freeze: Freeze): void;
  /** Freezes the process at its next renewal of leases, after it was stored and before it is answered. */
  freezeAtRenewal(freeze: Freeze): void;
  /** Called when leases were renewed in a transaction that is still open. */
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
  /** Total time in which the monotonic clock stood still. */
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
