import type { Log } from '../lib/log.ts';
import type { StopSummary } from './summary.ts';

/** A process ends within 10 s of a signal (contract 39.18). */
const DRAIN_MS = 9_000;

/** What a process did since its start: all that is counted, or what a probe counts. */
type EndSummary = StopSummary | Pick<StopSummary, 'uptime_seconds' | 'checks'>;

/** Stops the service on the first signal; exits at once on the second, or when stopping takes too long. */
export function endOnSignal(stop: () => Promise<EndSummary>, log: Log): void {
  let ending = false;
  const end = (signal: string) => {
    if (ending) process.exit(1);
    ending = true;
    // Log: The process got a signal to end.
    log.info({ signal }, 'Tocsin is stopping.');
    setTimeout(() => {
      // Log: The process exits after 9 s. Look for a database or a disk that hangs.
      log.error({}, 'Stopping took too long; unstored data is lost.');
      process.exit(1);
    }, DRAIN_MS).unref();
    const stoppingAt = performance.now();
    stop().then(
      (summary) => {
        const fields = { duration_ms: Math.round(performance.now() - stoppingAt), ...summary };
        // Log: The process ended in order. The counts are those of this process since its start; a
        // process that is a probe only has checks.
        log.info(fields, 'Tocsin has stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        // Log: The process exits; unstored data may be lost.
        log.error({ error }, 'Stopping failed.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
