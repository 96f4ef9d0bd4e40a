import { instantOfWall } from '../../lib/time-zone.ts';

/** ISO 8601 in UTC with milliseconds and `Z` (contract 1.4), from epoch milliseconds. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

/** Milliseconds to one decimal, as responses show response times and the phases of a check. */
export function tenths<Ms extends number | null>(ms: Ms): Ms {
  return (ms === null ? null : Math.round(ms * 10) / 10) as Ms;
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))?$/;

/**
 * Epoch milliseconds of an ISO 8601 date and time, separated by `T` or a space, with optional seconds, and in `zone`
 * without an offset. Null for anything else and for invalid dates and times, such as 30 February or 24:00.
 */
export function parseTime(text: string, zone = 'UTC'): number | null {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as Six;
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const [zoneHour, zoneMinute] = [Number(parts[10] ?? 0), Number(parts[11] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const wall = date.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000 + milliseconds;
  const hasOffset = parts[8] !== undefined || parts[9] !== undefined;
  if (!hasOffset) return zone === 'UTC' ? wall : instantOfWall(zone, wall);
  return wall - (zoneHour * 60 + zoneMinute) * (parts[9] === '-' ? -60_000 : 60_000);
}

type Six = [number, number, number, number, number, number];
