const MINUTE = 60_000;

/** Writes a time as a clock on the wall of a time zone shows it, "2026-11-23T14:02:11", for fields of type `datetime-local`. */
export function toWallTime(at: number, zone: string): string {
  return partsAt(at, zone).replace(' ', 'T');
}

/** Like `toWallTime` without seconds, "2026-11-23T14:02". */
export function toWallMinute(at: number, zone: string): string {
  return toWallTime(at, zone).slice(0, 16);
}

/**
 * Time in ISO 8601 that the clock on the wall of a time zone shows; null if the text is no time. A time that occurs twice is the
 * first one; a time that a change of clocks skips is as much after the change as the text is after its beginning.
 *
 * @param text as fields of type `datetime-local` have it, with or without seconds
 */
export function fromWallTime(text: string, zone: string): string | null {
  const shown = Date.parse(`${text}Z`);
  if (Number.isNaN(shown)) return null;
  // The offset of a zone changes by the hour at most: the time is within a day of the one at UTC.
  const offsets = [shown - 1_440 * MINUTE, shown + 1_440 * MINUTE].map((at) => offsetAt(at, zone));
  const [before, after] = offsets as [number, number];
  const candidates = [shown - before, shown - after].toSorted((one, other) => one - other);
  const found = candidates.find((at) => at + offsetAt(at, zone) === shown);
  return new Date(found ?? shown - before).toISOString();
}

/** Milliseconds that the clock of a zone is ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  return Date.parse(`${partsAt(at, zone).replace(' ', 'T')}Z`) - Math.floor(at / 1_000) * 1_000;
}

/** "2026-11-23 14:02:11". */
function partsAt(at: number, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(at);
}
