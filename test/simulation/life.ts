import type { Bus } from '../../src/engine/bus/contract.ts';
import type { Clock, Timer } from '../../src/lib/clock.ts';

/** One run of the process, from its start to its death. What is dead stays dead: nothing it asked for ever settles. */
export interface Life {
  readonly name: string;
  /** Its wall clock, epoch milliseconds. */
  now(): number;
  /** Settles when it goes on; null unless it stands still. */
  asleep(): Promise<void> | null;
  /** Since when it stands still, in milliseconds since the world began; null when it does not. */
  asleepSince(): number | null;
  isAlive(): boolean;
  /** A step between two awaits; at one of them the process may be killed. */
  touch(): void;
  /** Dies at the step after that many others; the call is made once, at death. */
  dieAfter(touches: number, died: () => void): void;
  kill(): void;
}

/** What a process runs on. */
export interface Machine {
  /** Epoch milliseconds. */
  now(): number;
  asleep(): Promise<void> | null;
  asleepSince(): number | null;
  /** Called at each step of the process. */
  touch(): void;
}

/** Thrown into the open transaction of a process that was killed, so that it rolls back. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export function createLife(name: string, machine: Machine): Life {
  let alive = true;
  let left = Infinity;
  let died: (() => void) | null = null;
  const life: Life = {
    name,
    now: () => machine.now(),
    asleep: () => machine.asleep(),
    asleepSince: () => machine.asleepSince(),
    isAlive: () => alive,
    touch() {
      machine.touch();
      left -= 1;
      if (left < 0) life.kill();
    },
    dieAfter(touches, call) {
      left = touches;
      died = call;
    },
    kill() {
      if (!alive) return;
      alive = false;
      died?.();
    },
  };
  return life;
}

/** A machine that never stands still while others go on. */
export function wakeful(clock: Pick<Clock, 'now'>): Machine {
  return { now: clock.now, asleep: () => null, asleepSince: () => null, touch: () => undefined };
}

export function never<Value>(): Promise<Value> {
  return new Promise<Value>(() => undefined);
}

/** The clock as a process has it: its timers die with it. */
export function mortalClock(clock: Clock, life: Life): Clock {
  const call = (work: () => void) => () => {
    life.touch();
    if (life.isAlive()) work();
  };
  const stillborn: Timer = {};
  return {
    now: clock.now,
    monotonic: clock.monotonic,
    after: (milliseconds, work) =>
      life.isAlive() ? clock.after(milliseconds, call(work)) : stillborn,
    clear: clock.clear,
    soon: (work) => (life.isAlive() ? clock.soon(call(work)) : undefined),
  };
}

export function mortalBus(bus: Bus, life: Life): Bus {
  return {
    async check(region, request) {
      life.touch();
      if (!life.isAlive()) return never();
      const result = await bus.check(region, request);
      life.touch();
      if (life.asleep()) await life.asleep();
      return life.isAlive() ? result : never();
    },
    async inspect(request) {
      life.touch();
      if (!life.isAlive()) return never();
      const result = await bus.inspect(request);
      life.touch();
      if (life.asleep()) await life.asleep();
      return life.isAlive() ? result : never();
    },
    lastSeen: bus.lastSeen,
    vantageOf: bus.vantageOf,
    close: bus.close,
  };
}
