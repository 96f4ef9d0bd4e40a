import type { Log } from '../lib/log.ts';

/** A process that was told to end does so within 10 s (contract 39.18). */
const DRAIN_MS = 9_000;

/** The first signal drains, a second one or a drain that takes too long ends at once. */
export function endOnSignal(stop: () => Promise<void>, log: Log): void {
  let ending = false;
  const end = (signal: string) => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, 'Tocsin is stopping.');
    setTimeout(() => {
      log.error({}, 'Stopping took too long; what was not yet stored is lost.');
      process.exit(1);
    }, DRAIN_MS).unref();
    stop().then(
      () => {
        log.info({}, 'Tocsin has stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ error }, 'Stopping failed.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
