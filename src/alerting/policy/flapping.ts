/** So many incidents of one kind within so long make a monitor a flapping one. */
export const FLAPPING_AT = 4;
export const FLAPPING_MS = 60 * 60_000;

/** @param incidents of the monitor and of its type that began within FLAPPING_MS, the newest counted. */
export function isFlapping(incidents: number): boolean {
  return incidents >= FLAPPING_AT;
}
