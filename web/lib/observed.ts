import type { MonitorOverview, OverviewMonitor } from '../app/api.gen.ts';

/** How reading the overview goes. Times in milliseconds. */
export interface Reading {
  /** When it was last read. */
  readAt: number;
  isFailing: boolean;
  /** Time from one reading to the next. */
  everyMs: number;
  isLive: boolean;
  /** Last news of the live stream; null before the first. */
  lastNewsAt: number | null;
}

/** Silence of a server that is away, and age of what can't be read again, after which it says nothing of now. */
const SILENCE_MS = 25_000;
/** Longest delay of the timers of a tab in the background. */
const THROTTLED_MS = 90_000;

/** Reading all of a large team is not done as often: 10,000 monitors take a browser a quarter of a second. */
export function readingEvery(monitors: number): number {
  return Math.max(10_000, 6 * monitors);
}

/**
 * Time since which nothing is known of any monitor; null while what was read holds. The server says which monitors are not
 * observed, so what it said holds until it can't be asked again.
 */
export function unknownSince(
  { readAt, isFailing, everyMs, isLive, lastNewsAt }: Reading,
  now: number,
): number | null {
  const age = now - readAt;
  if (age > everyMs + THROTTLED_MS || (isFailing && age > SILENCE_MS)) return readAt;
  const heardAt = Math.max(readAt, lastNewsAt ?? 0);
  return !isLive && now - heardAt > SILENCE_MS ? heardAt : null;
}

/** The overview when nothing is known since a time (milliseconds): no monitor is observed that had a status until then. */
export function withoutNews(overview: MonitorOverview, since: number): MonitorOverview {
  const until = Math.floor(since / 1_000);
  return {
    ...overview,
    monitors: overview.monitors.map((monitor) =>
      isKnown(monitor) ? { ...monitor, observed_until: until } : monitor,
    ),
  };
}

function isKnown({ is_paused, status, observed_until: until }: OverviewMonitor): boolean {
  return is_paused !== true && status !== 'pending' && until === undefined;
}
