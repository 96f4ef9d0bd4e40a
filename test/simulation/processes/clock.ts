import type { Clock, Timer } from '../../../src/lib/clock.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { Machine } from '../life.ts';

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
  sleepAfter(touches: number, sleep: Sleep): void;
  /** The same at the next renewal of leases: stored, but not answered yet. */
  sleepAtRenewal(sleep: Sleep): void;
  /** Leases were just renewed in an open transaction. */
  renewed(): void;
}

export interface Sleep {
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
  let unseenMs = 0;
  let left = Infinity;
  let planned: Sleep | null = null;
  let atRenewal: Sleep | null = null;
  let sleeping: Promise<void> | null = null;
  let asleepSince: number | null = null;
  let late: (() => void)[] = [];

  const monotonic = () => world.monotonic() - unseenMs;

  function sleep({ forMs, isSuspended, began, ended }: Sleep): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    sleeping = promise;
    const since = world.monotonic();
    asleepSince = since;
    began();
    world.after(forMs, () => {
      if (isSuspended) unseenMs += world.monotonic() - since;
      sleeping = null;
      asleepSince = null;
      const calls = late;
      late = [];
      ended();
      resolve();
      for (const call of calls) call();
    });
  }

  const whenAwake = (call: () => void): void => void (sleeping ? late.push(call) : call());

  function after(milliseconds: number, call: () => void): Timer {
    const dueAt = monotonic() + Math.max(1, Math.trunc(milliseconds));
    const waiting: Waiting = { timer: null };
    const fire = (): void => {
      if (waiting.timer === null) return;
      const leftMs = dueAt - monotonic();
      if (leftMs > 0) waiting.timer = world.after(leftMs, () => whenAwake(fire));
      else {
        waiting.timer = null;
        call();
      }
    };
    waiting.timer = world.after(milliseconds, () => whenAwake(fire));
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
    soon: (call) => world.soon(() => whenAwake(call)),
    step: (ahead) => void (offset = ahead),
    sleepAfter(touches, planned_) {
      if (sleeping) return;
      left = touches;
      planned = planned_;
    },
    touch() {
      left -= 1;
      if (left >= 0 || planned === null) return;
      const next = planned;
      planned = null;
      left = Infinity;
      if (!sleeping) sleep(next);
    },
    sleepAtRenewal(planned_) {
      if (!sleeping) atRenewal = planned_;
    },
    renewed() {
      const next = atRenewal;
      atRenewal = null;
      if (next !== null && !sleeping) sleep(next);
    },
    asleep: () => sleeping,
    asleepSince: () => asleepSince,
  };
}
