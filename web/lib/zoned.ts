/** Times as fields of the type `datetime-local` hold them: "2026-11-23T14:02", in a time zone. */

/** Writes a time for such a field. */
export function toZoned(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return parts.replace(' ', 'T');
}

/**
 * Reads such a field as ISO 8601 in UTC; an incomplete text as it is, for the API to refuse. In the hour that a clock change
 * repeats, its first occurrence counts; a time that a change leaves out is moved on by the change.
 */
export function fromZoned(text: string, zone: string): string {
  const wall = Date.parse(`${text}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) || Number.isNaN(wall)) return text;
  const offset = (at: number) =>
    Date.parse(`${toZoned(at, zone)}Z`) - Math.floor(at / 60_000) * 60_000;
  const candidates = [wall - offset(wall - 86_400_000), wall - offset(wall + 86_400_000)];
  const exact = candidates.filter((at) => toZoned(at, zone) === text);
  return new Date(exact.length > 0 ? Math.min(...exact) : candidates[0]!).toISOString();
}
