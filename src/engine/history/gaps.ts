import { union } from './uptime.ts';
import type { Interval, Span } from './uptime.ts';

/**
 * The same spans, with what of them lies in a gap `unobserved`: a job's silence tells nothing while nobody listens.
 * `spans` are in the order of time, the gaps in any, and they may overlap.
 */
export function withGaps(spans: readonly Span[], gaps: readonly Interval[]): Span[] {
  const windows = union(gaps);
  return windows.length === 0 ? [...spans] : spans.flatMap((span) => divide(span, windows));
}

/** `windows` are in order and don't overlap. */
function divide(span: Span, windows: readonly Interval[]): Span[] {
  if (span.status === 'unobserved') return [span];
  const end = span.toAt ?? Infinity;
  const parts: Span[] = [];
  let at = span.fromAt;
  for (let index = firstEndingAfter(windows, at); index < windows.length; index++) {
    const { from, to } = windows[index]!;
    if (from >= end) break;
    if (at < from) parts.push({ ...span, fromAt: at, toAt: from });
    const fromAt = Math.max(at, from);
    at = Math.min(to, end);
    parts.push({ ...span, status: 'unobserved', fromAt, toAt: at });
  }
  if (at < end) parts.push({ ...span, fromAt: at });
  return parts;
}

function firstEndingAfter(windows: readonly Interval[], at: number): number {
  let [low, high] = [0, windows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (windows[middle]!.to > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
