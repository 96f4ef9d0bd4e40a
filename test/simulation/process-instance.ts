import type { Bus } from '../../src/engine/bus/contract.ts';
import type { Clock, Timer } from '../../src/lib/clock.ts';

/**
 * One instance of the process, from its start until it is killed. After that no promise that it awaits ever settles.
 */
export interface ProcessInstance {
  readonly name: string;
  /** The wall clock of its machine, epoch milliseconds. */
  now(): number;
  /** Settles when a frozen instance resumes; null unless it is frozen. */
  frozen(): Promise<void> | null;
  /** When it was frozen, in milliseconds since the world began; null unless it is frozen. */
  frozenSince(): number | null;
  isAlive(): boolean;
  /** Marks a point between two awaits at which the instance may be killed. */
  crashPoint(): void;
  /** Kills the instance after that many further crash points, and calls `onKilled` once. */
  killAfter(crashPoints: number, onKilled: () => void): void;
  kill(): void;
}

/** The machine that a process runs on: its clock, and whether it is frozen. */
export interface Machine {
  /** Epoch milliseconds. */
  now(): number;
  frozen(): Promise<void> | null;
  frozenSince(): number | null;
  /** Called at each crash point of the process. */
  crashPoint(): void;
}

/** Thrown into the open transaction of a killed process, so that it rolls back. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export function createInstance(name: string, machine: Machine): ProcessInstance {
  let alive = true;
  let left = Infinity;
  let onKilled: (() => void) | null = null;
  const instance: ProcessInstance = {
    name,
    now: () => machine.now(),
    frozen: () => machine.frozen(),
    frozenSince: () => machine.frozenSince(),
    isAlive: () => alive,
    crashPoint() {
      machine.crashPoint();
      left -= 1;
      if (left < 0) instance.kill();
    },
    killAfter(crashPoints, call) {
      left = crashPoints;
      onKilled = call;
    },
    kill() {
      if (!alive) return;
      alive = false;
      onKilled?.();
    },
  };
  return instance;
}

/** A machine that is only frozen together with the whole world. */
export function neverFrozen(clock: Pick<Clock, 'now'>): Machine {
  return {
    now: clock.now,
    frozen: () => null,
    frozenSince: () => null,
    crashPoint: () => undefined,
  };
}

export function never<Value>(): Promise<Value> {
  return new Promise<Value>(() => undefined);
}

/** The clock of one process instance: its timers never fire after it was killed. */
export function crashableClock(clock: Clock, instance: ProcessInstance): Clock {
  const call = (work: () => void) => () => {
    instance.crashPoint();
    if (instance.isAlive()) work();
  };
  const deadTimer: Timer = {};
  return {
    now: clock.now,
    monotonic: clock.monotonic,
    after: (milliseconds, work) =>
      instance.isAlive() ? clock.after(milliseconds, call(work)) : deadTimer,
    clear: clock.clear,
    soon: (work) => (instance.isAlive() ? clock.soon(call(work)) : undefined),
  };
}

export function crashableBus(bus: Bus, instance: ProcessInstance): Bus {
  return {
    async check(region, request) {
      instance.crashPoint();
      if (!instance.isAlive()) return never();
      const result = await bus.check(region, request);
      instance.crashPoint();
      if (instance.frozen()) await instance.frozen();
      return instance.isAlive() ? result : never();
    },
    async inspect(request) {
      instance.crashPoint();
      if (!instance.isAlive()) return never();
      const result = await bus.inspect(request);
      instance.crashPoint();
      if (instance.frozen()) await instance.frozen();
      return instance.isAlive() ? result : never();
    },
    lastSeen: bus.lastSeen,
    vantageOf: bus.vantageOf,
    close: bus.close,
  };
}
