import type { Bus } from '../../src/engine/bus/contract.ts';
import type { Clock, Timer } from '../../src/lib/clock.ts';

/** One run of the process, from its start to its death. What is dead stays dead: nothing it asked for ever settles. */
export interface ProcessInstance {
  readonly name: string;
  /** Its wall clock, epoch milliseconds. */
  now(): number;
  /** Settles when it goes on; null unless it stands still. */
  frozen(): Promise<void> | null;
  /** Since when it stands still, in milliseconds since the world began; null when it does not. */
  frozenSince(): number | null;
  isAlive(): boolean;
  /** A step between two awaits; at one of them the process may be killed. */
  crashPoint(): void;
  /** Dies at the step after that many others; the call is made once, at death. */
  killAfter(crashPoints: number, onKilled: () => void): void;
  kill(): void;
}

/** What a process runs on. */
export interface Machine {
  /** Epoch milliseconds. */
  now(): number;
  frozen(): Promise<void> | null;
  frozenSince(): number | null;
  /** Called at each step of the process. */
  crashPoint(): void;
}

/** Thrown into the open transaction of a process that was killed, so that it rolls back. */
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

/** A machine that never stands still while others go on. */
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

/** The clock as a process has it: its timers die with it. */
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
