import type { Clock } from '../lib/clock.ts';

/** Runs jobs a few at a time and lets other work of the process run between them. */
export interface PacedQueue {
  /** Runs a job; urgent ones, which somebody waits for, come before all others. Settles as the job does. */
  run<Value>(job: () => Promise<Value>, isUrgent: boolean): Promise<Value>;
  readonly length: number;
}

/** @param atOnce jobs that run at a time. */
export function createPacedQueue(clock: Pick<Clock, 'soon'>, atOnce: number): PacedQueue {
  const urgent: (() => Promise<void>)[] = [];
  const others: (() => Promise<void>)[] = [];
  let running = 0;

  function next(): void {
    if (running >= atOnce) return;
    const job = urgent.shift() ?? others.shift();
    if (job === undefined) return;
    running += 1;
    void job().finally(() =>
      clock.soon(() => {
        running -= 1;
        next();
      }),
    );
  }

  return {
    run<Value>(job: () => Promise<Value>, isUrgent: boolean) {
      const done = Promise.withResolvers<Value>();
      (isUrgent ? urgent : others).push(() => job().then(done.resolve, done.reject));
      next();
      return done.promise;
    },
    get length() {
      return urgent.length + others.length;
    },
  };
}
