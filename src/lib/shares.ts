/** Spreads work that each id has once in `everyMs` over that time. @returns the next time of an id, epoch ms. */
export function nextShare(id: number, everyMs: number, now: number): number {
  const offset = (id * 7_919) % everyMs;
  return Math.floor((now - offset) / everyMs + 1) * everyMs + offset;
}
