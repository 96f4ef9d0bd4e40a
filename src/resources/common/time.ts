/** ISO 8601 in UTC with milliseconds and `Z` (contract 1.4), from epoch milliseconds. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))?$/;

/**
 * Epoch milliseconds of an ISO 8601 date and time, separated by `T` or a space, with optional seconds, and in UTC
 * without a time zone. Null for anything else and for invalid dates and times, such as 30 February or 24:00.
 */
export function parseTime(text: string): number | null {
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
  const zone = (zoneHour * 60 + zoneMinute) * (parts[9] === '-' ? -1 : 1);
  return date.getTime() + ((hour * 60 + minute - zone) * 60 + second) * 1_000 + milliseconds;
}

type Six = [number, number, number, number, number, number];
