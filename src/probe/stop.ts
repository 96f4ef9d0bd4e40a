/**
 * The end of a check as its steps see it: one listener on the signal for the whole check, and one call that the step
 * under way puts in place. Steps follow each other, so one place is enough.
 */
export interface Stop {
  readonly signal: AbortSignal;
  /** Sets what ends the step under way; null when nothing is. Called at once if the end has come already. */
  onAbort(call: (() => void) | null): void;
  /** Stops listening. */
  release(): void;
}

export function createStop(signal: AbortSignal): Stop {
  let current: (() => void) | null = null;
  const onAbort = (): void => current?.();
  signal.addEventListener('abort', onAbort);
  return {
    signal,
    onAbort(call) {
      current = call;
      if (signal.aborted) call?.();
    },
    release() {
      current = null;
      signal.removeEventListener('abort', onAbort);
    },
  };
}

export function isShutdown(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === 'shutdown';
}
