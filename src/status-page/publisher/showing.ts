import type { PageRules } from './facts.ts';

/** When pages show the incidents of monitors. */
export interface Showing {
  /** Minutes by page, null for never, for the pages that show a monitor. */
  minutesOf(monitorId: number): ReadonlyMap<number, number | null>;
  /** Whether each page that shows both monitors shows their incidents after the same time. */
  isAlike(one: number, other: number): boolean;
}

const NOWHERE: ReadonlyMap<number, number | null> = new Map();

/** Indexes the services of pages by their monitors. */
export function showingOf(pages: readonly PageRules[]): Showing {
  const byMonitor = new Map<number, Map<number, number | null>>();
  for (const { id, services } of pages)
    for (const { monitorId, afterMinutes } of services) {
      const minutes = byMonitor.get(monitorId) ?? new Map<number, number | null>();
      byMonitor.set(monitorId, minutes.set(id, afterMinutes));
    }
  const minutesOf = (monitorId: number) => byMonitor.get(monitorId) ?? NOWHERE;
  return {
    minutesOf,
    isAlike: (one, other) =>
      [...minutesOf(one)].every(([page, minutes]) => {
        const others = minutesOf(other).get(page);
        return others === undefined || others === minutes;
      }),
  };
}
