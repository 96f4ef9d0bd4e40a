/**
 * The grid of a monitor: the instants at which its periodic checks are due. It is a pure function of id and interval,
 * so nothing is stored to schedule a check, and every node and every restart computes the same one.
 */

/** 2^32 divided by the golden ratio: consecutive multiples fall into the largest gap left, so ids in a row lie flat. */
const GOLDEN = 0x9e3779b9;
/** 2^32 times the fraction of the square root of 2: a second flat sequence that is unrelated to the first one. */
const SILVER = 0x6a09e667;
const TWO_POW_32 = 2 ** 32;

/** Multiplicative hash of an id to [0, 1). */
function fraction(id: number, multiplier: number): number {
  return (Math.imul(id, multiplier) >>> 0) / TWO_POW_32;
}

/** Whole milliseconds in [0, intervalMs) by which the grid of that monitor is shifted from the epoch. */
export function phase(id: number, intervalMs: number): number {
  return Math.floor(fraction(id, GOLDEN) * intervalMs);
}

/** A share in [0, 1) of a stretch over which monitors that are due together are spread; it is unrelated to `phase`. */
export function spread(id: number): number {
  return fraction(id, SILVER);
}

/** The first instant later than `after` (epoch milliseconds) that is on the grid. */
export function nextSlot(id: number, intervalMs: number, after: number): number {
  const shift = phase(id, intervalMs);
  return (Math.floor((after - shift) / intervalMs) + 1) * intervalMs + shift;
}

/** The last instant not later than `at` (epoch milliseconds) that is on the grid. */
export function latestSlot(id: number, intervalMs: number, at: number): number {
  return nextSlot(id, intervalMs, at) - intervalMs;
}

/** How many instants of the grid lie in (after, upTo]; 0 when that is no stretch. */
export function slotsBetween(id: number, intervalMs: number, after: number, upTo: number): number {
  if (upTo <= after) return 0;
  const shift = phase(id, intervalMs);
  return Math.floor((upTo - shift) / intervalMs) - Math.floor((after - shift) / intervalMs);
}
