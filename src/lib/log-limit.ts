import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Maximum number of lines with the same message in one window: an outage of 500 monitors fits, a loop of errors doesn't. */
export const MAX_LINES = 1_000;
const WINDOW_MS = 60_000;

type Write = (fields: object, message: string) => void;

interface Window {
  startedAt: number;
  lines: number;
}

/**
 * Limits the lines of each message, so that a storm fills neither the disk nor the time of the process. The lines left out
 * are counted in a line of their own at the end of the window. `debug` is not limited.
 */
export function limitLog(log: Log, clock: Pick<Clock, 'monotonic' | 'after'>): Log {
  const windows = new Map<string, Window>();

  function endWindow(message: string): void {
    const count = windows.get(message)!.lines - MAX_LINES;
    windows.delete(message);
    const fields = { message, count, window_seconds: WINDOW_MS / 1_000 };
    if (count > 0)
      // Log: One message was logged more than 1,000 times in a minute; `count` further
      // lines were not written.
      log.warn(fields, 'Log lines were left out.');
  }

  /** @returns whether one more line of this message may be written. */
  function take(message: string): boolean {
    const now = clock.monotonic();
    let window = windows.get(message);
    const isOver = window !== undefined && now - window.startedAt >= WINDOW_MS;
    if (window === undefined || (isOver && window.lines <= MAX_LINES)) {
      window = { startedAt: now, lines: 0 };
      windows.set(message, window);
    }
    window.lines += 1;
    if (window.lines === MAX_LINES + 1) {
      const timer = clock.after(WINDOW_MS, () => endWindow(message));
      // The process may end before.
      (timer as Partial<NodeJS.Timeout>).unref?.();
    }
    return window.lines <= MAX_LINES;
  }

  const limited =
    (write: Write): Write =>
    (fields, message) => {
      if (take(message)) write(fields, message);
    };
  const lines = log as unknown as Record<keyof Log, Write>;
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: limited((fields, message) => lines.info(fields, message)),
    warn: limited((fields, message) => lines.warn(fields, message)),
    error: limited((fields, message) => lines.error(fields, message)),
  };
}
