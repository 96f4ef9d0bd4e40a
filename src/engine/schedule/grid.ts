/**
 * Grid of a monitor: the instants at which its periodic checks are due. It is a pure function of id and interval, so
 * no schedule is stored, and every node and every restart computes the same one.
 */

/** 2^32 divided by the golden ratio: each multiple falls into the largest remaining gap, so consecutive ids spread evenly. */
const GOLDEN = 0x9e3779b9;
/** 2^32 times the fraction of the square root of 2: a second even sequence, uncorrelated with the first. */
const SILVER = 0x6a09e667;
const TWO_POW_32 = 2 ** 32;

/** Multiplicative hash of an id to [0, 1). */
function fraction(id: number, multiplier: number): number {
  return (Math.imul(id, multiplier) >>> 0) / TWO_POW_32;
}

/** Offset of the monitor's grid from the epoch: whole milliseconds in [0, intervalMs). */
export function phase(id: number, intervalMs: number): number {
  return Math.floor(fraction(id, GOLDEN) * intervalMs);
}

/** Fraction in [0, 1) that spreads monitors due together over a period; uncorrelated with `phase`. */
export function spread(id: number): number {
  return fraction(id, SILVER);
}

/** First grid slot later than `after` (epoch milliseconds). */
export function nextSlot(id: number, intervalMs: number, after: number): number {
  const shift = phase(id, intervalMs);
  return (Math.floor((after - shift) / intervalMs) + 1) * intervalMs + shift;
}

/** Last grid slot not later than `at` (epoch milliseconds). */
export function latestSlot(id: number, intervalMs: number, at: number): number {
  return nextSlot(id, intervalMs, at) - intervalMs;
}

/** Number of grid slots in (after, upTo]; 0 for an empty range. */
export function slotsBetween(id: number, intervalMs: number, after: number, upTo: number): number {
  if (upTo <= after) return 0;
  const shift = phase(id, intervalMs);
  return Math.floor((upTo - shift) / intervalMs) - Math.floor((after - shift) / intervalMs);
}
