import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './process.ts';

/** Requests `/healthz` until stopped, one request at a time: the slowest shows how long the service was blocked. */
export function watchHealth(service: Service, everyMs: number) {
  const over = new AbortController();
  const times: number[] = [];
  const ask = async () => {
    while (!over.signal.aborted) {
      const askedAt = performance.now();
      await (await service.get('/healthz')).text();
      times.push(performance.now() - askedAt);
      await pause(everyMs);
    }
  };
  // A failed benchmark stops the service, and with it this request.
  const asking = ask().catch(() => {});
  return {
    /** @returns milliseconds of each request. */
    async stop() {
      over.abort();
      await asking;
      return times;
    },
  };
}
