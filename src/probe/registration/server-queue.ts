import type { Clock } from '../../lib/clock.ts';

/** Rate limit per registry server: one query at a time, with a pause in between. */
export type ServerQueue = ReturnType<typeof createServerQueue>;

export class ServerBusy {
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number) {
    this.retryAfterMs = retryAfterMs;
  }
}

/** Pause between the end of a response and the next query. */
const GAP_MS = 1_000;
const MINUTE_MS = 60_000;

export function createServerQueue(clock: Clock) {
  const queues = new Map<string, Set<() => void>>();

  /** Resolves when it is the caller's turn, who must then call `leave`. */
  function enter(server: string, signal: AbortSignal): Promise<ServerBusy | null> {
    const waiting = queues.get(server);
    if (waiting === undefined) {
      queues.set(server, new Set());
      return Promise.resolve(null);
    }
    return new Promise((resolve) => {
      const proceed = (): void => {
        waiting.delete(proceed);
        signal.removeEventListener('abort', giveUp);
        resolve(null);
      };
      const giveUp = (): void => {
        waiting.delete(proceed);
        resolve(new ServerBusy(MINUTE_MS + waiting.size * GAP_MS));
      };
      waiting.add(proceed);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  function leave(server: string): void {
    clock.after(GAP_MS, () => {
      const [next] = queues.get(server) ?? [];
      if (next === undefined) queues.delete(server);
      else next();
    });
  }

  return {
    get size() {
      return queues.size;
    },
    /**
     * Runs `ask` when it is the caller's turn. If the signal is aborted before, returns `ServerBusy` with the time after
     * which to try again.
     */
    async run<T>(server: string, signal: AbortSignal, ask: () => Promise<T>) {
      if (signal.aborted) return new ServerBusy(MINUTE_MS);
      const refused = await enter(server, signal);
      if (refused !== null) return refused;
      try {
        return await ask();
      } finally {
        leave(server);
      }
    },
  };
}
