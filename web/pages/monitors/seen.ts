/** Which lines of a long list are rendered. Pure. */

/** Lines from the first to the last, by their indexes, both included. */
export interface Lines {
  first: number;
  last: number;
}

/** Lines beyond the edges of the window that are kept rendered. */
const BEYOND = 7;

/** Where each line of these heights begins, and at the end where the last one ends, in pixels. */
export function startsOf(heights: readonly number[]): Float64Array {
  const starts = new Float64Array(heights.length + 1);
  for (const [index, height] of heights.entries()) starts[index + 1] = starts[index]! + height;
  return starts;
}

/** Index of the line at a distance from the beginning of the list: the first one before it, the last one after it. */
export function lineAt(starts: Float64Array, top: number): number {
  let [low, high] = [0, starts.length - 2];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= top) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Lines to render: those that are seen, and some beyond the edges. What was not near a moment ago comes later.
 *
 * @param before lines that were seen when the lines beyond the edges were rendered
 */
export function rendered(seen: Lines, before: Lines, count: number): Lines {
  // A list that became shorter has not been looked at yet.
  const missing = Math.max(0, seen.last - count + 1);
  const [first, last] = [Math.max(0, seen.first - missing), seen.last - missing];
  const from = Math.max(first, before.first) - BEYOND;
  const to = Math.min(last, before.last) + BEYOND;
  if (from > to) return { first, last };
  return {
    first: Math.max(0, Math.min(first, from)),
    last: Math.min(count - 1, Math.max(last, to)),
  };
}
