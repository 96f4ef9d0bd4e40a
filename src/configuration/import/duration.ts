/** Seconds of each unit of Go, and of those that Prometheus adds: days, weeks and years of 365 days. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};
const PART = /(\d{1,12}(?:\.\d{1,9})?)(ns|us|[µμ]s|ms|[smhdwy])/y;

/** Seconds of a duration such as `1h30m` or `500ms`; undefined for anything else. Go takes a bare 0, too. */
export function secondsOf(value: unknown): number | undefined {
  if (value === 0 || value === '0') return 0;
  if (typeof value !== 'string') return undefined;
  const text = value.trim().replace(/^\+/, '');
  let seconds = 0;
  let at = 0;
  while (at < text.length) {
    PART.lastIndex = at;
    const part = PART.exec(text);
    if (part === null) return undefined;
    seconds += Number(part[1]) * UNITS[part[2]!]!;
    at = PART.lastIndex;
  }
  return at === 0 ? undefined : seconds;
}
