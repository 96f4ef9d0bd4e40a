import type { Clock, Timer } from './clock.ts';

export interface PollerOptions {
  /** Finds and handles due work. May take long: runs never overlap. */
  run(): Promise<void>;
  clock: Clock;
  /** Milliseconds from the end of a run to the next one. */
  intervalMs: number;
  failureIntervalMs?: number;
  /** Returns true for temporary errors, such as an unavailable database: they are not reported, and the interval is kept. */
  isUnavailable(error: unknown): boolean;
  /** Receives any other error of a run. Must not throw. */
  onFailure(error: unknown): void;
}

/** Runs a task periodically, one run at a time, whether or not it fails. */
export type Poller = ReturnType<typeof createPoller>;

export function createPoller(options: PollerOptions) {
  const { clock, intervalMs, failureIntervalMs = intervalMs } = options;
  let timer: Timer | null = null;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isRequested = false;
  let isStarted = false;
  let isStopped = false;

  /** Runs now, or once more when the current run has ended. */
  function wake(): void {
    if (!isStarted || isStopped) return;
    clock.clear(timer);
    isRequested = true;
    if (!isRunning) running = runWhileRequested();
  }

  async function runWhileRequested(): Promise<void> {
    // Set before the first run, which may call `wake` synchronously.
    isRunning = true;
    let waitMs = intervalMs;
    while (isRequested) {
      isRequested = false;
      waitMs = intervalMs;
      try {
        await options.run();
      } catch (error) {
        if (!options.isUnavailable(error)) {
          options.onFailure(error);
          waitMs = failureIntervalMs;
        }
      }
    }
    isRunning = false;
    if (!isStopped) timer = clock.after(waitMs, wake);
  }

  return {
    /** Starts now, or after that many milliseconds. Does nothing after `stop`. */
    start(afterMs?: number) {
      if (isStarted || isStopped) return;
      isStarted = true;
      if (afterMs === undefined) wake();
      else timer = clock.after(afterMs, wake);
    },
    wake,
    /** Starts no more runs. Resolves when the current one has ended; never rejects. */
    async stop() {
      isStopped = true;
      isRequested = false;
      clock.clear(timer);
      await running;
    },
    /** Lets a long run end early. */
    get isStopped() {
      return isStopped;
    },
  };
}
