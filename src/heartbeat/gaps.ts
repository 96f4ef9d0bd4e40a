import type { ServiceGap } from '../model/heartbeat.ts';

/** The newest of our gaps that a time touches, `to` included; null when we listened all the time. */
export function lastGapWithin(
  gaps: readonly ServiceGap[],
  from: number,
  to: number,
): ServiceGap | null {
  let last: ServiceGap | null = null;
  for (const gap of gaps) {
    const touches = gap.from <= to && gap.to > from;
    if (touches && (last === null || gap.to > last.to)) last = gap;
  }
  return last;
}
