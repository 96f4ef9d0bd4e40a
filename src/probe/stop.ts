/**
 * Abort handling of a check: one listener on the signal for the whole check, and one handler, set by the current step.
 * Steps run one after the other, so one handler is enough.
 */
export type Stop = ReturnType<typeof createStop>;

export function createStop(signal: AbortSignal) {
  let current: (() => void) | null = null;
  const onAbort = (): void => current?.();
  signal.addEventListener('abort', onAbort);
  return {
    signal,
    /**
     * Sets the handler that ends the current step; null for none. It is called at once if the signal is already aborted.
     */
    onAbort(call: (() => void) | null) {
      current = call;
      if (signal.aborted) call?.();
    },
    /** Removes the listener. */
    release() {
      current = null;
      signal.removeEventListener('abort', onAbort);
    },
  };
}

export function isShutdown(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === 'shutdown';
}
