import type { PublishedOccurrence } from './facts.ts';

/** Joins occurrences of a window that follow each other without a gap. */
export function withoutGaps(occurrences: readonly PublishedOccurrence[]): PublishedOccurrence[] {
  const joined: PublishedOccurrence[] = [];
  const last = new Map<number, PublishedOccurrence>();
  for (const occurrence of occurrences.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const before = last.get(occurrence.windowId);
    if (before !== undefined && occurrence.from <= before.to) {
      before.to = Math.max(before.to, occurrence.to);
      before.monitors = [...new Set([...before.monitors, ...occurrence.monitors])];
      continue;
    }
    const copy = { ...occurrence };
    last.set(copy.windowId, copy);
    joined.push(copy);
  }
  return joined;
}
