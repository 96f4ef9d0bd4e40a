import { useMemo } from 'react';
import { readingEvery, unknownSince, withoutNews } from '../lib/observed.ts';
import { useRead } from './api.ts';
import { type MonitorOverview, type OverviewMonitor } from './client.ts';
import { useFromNow } from './clock.ts';
import { useLive } from './live.ts';

/**
 * All monitors, with `observed_until` on those of which nothing is known now. No event says that nothing happens, so they are
 * read again and again; while the server is away, none of them is known.
 */
export function useOverview() {
  const read = useRead(
    'getMonitorOverview',
    {},
    {
      refetchInterval: ({ state }) => readingEvery(state.data?.monitors.length ?? 0),
      refetchIntervalInBackground: true,
      refetchOnWindowFocus: 'always',
    },
  );
  const { data, dataUpdatedAt, isError, failureCount } = read;
  const { state, lastNewsAt } = useLive();
  const reading = {
    readAt: dataUpdatedAt,
    isFailing: isError || failureCount > 0,
    everyMs: readingEvery(data?.monitors.length ?? 0),
    isLive: state === 'live',
    lastNewsAt,
  };
  const since = useFromNow((now) => unknownSince(reading, now));
  const overview = useMemo(
    () => (data === undefined || since === null ? data : withoutNews(data, since)),
    [data, since],
  );
  return { ...read, data: overview };
}

/** What the list of monitors says of one: since when, votes of the regions, maintenance, whether it is observed. */
export function useSummary(id: number): {
  summary: OverviewMonitor | undefined;
  overview: MonitorOverview | undefined;
  isPending: boolean;
} {
  const { data, isPending } = useOverview();
  return {
    isPending,
    overview: data,
    summary: data?.monitors.find((monitor) => monitor.id === id),
  };
}

/** When a monitor was last observed, in milliseconds; null while it is. */
export function useLastObserved(id: number): number | null {
  const until = useSummary(id).summary?.observed_until;
  return until === undefined ? null : until * 1_000;
}
