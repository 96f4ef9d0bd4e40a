/** A period in which a time zone keeps one offset from UTC. Instants in epoch milliseconds. */
export interface OffsetPeriod {
  from: number;
  /** Exclusive. */
  to: number;
  /** Milliseconds to add to an instant to get the wall time, represented as if it were UTC. */
  offset: number;
}

const SECOND = 1000;
/** Shorter than the time between any two changes of a zone's offset. */
const STEP_MS = 12 * 3600 * SECOND;
const LAST_DATE = 8.64e15;

/**
 * By lower-case name, so that spellings of one name share an entry. Creating a formatter takes 50 times longer than
 * using it.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** `2030-01-31 08:02 UTC`: readers may be in any zone. */
export function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Whether a name is in the IANA database, in any case and including links such as Asia/Calcutta. Offsets such as +01:00
 * are not.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Offset of the zone from UTC at an instant, in milliseconds. Throws RangeError for an unknown zone. */
export function offsetAt(zone: string, instant: number): number {
  const text = formatterOf(zone).format(instant);
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = '0'] = match;
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * SECOND;
  return sign === '-' ? -size : size;
}

const DAY_MS = 24 * 3600 * SECOND;

/**
 * Instant of a wall time, represented as if it were UTC. Of a repeated time the first one; a skipped one is moved by the
 * length of the gap, as if the clock had not been set forward yet (`compatible` of Temporal).
 */
export function instantOfWall(zone: string, wall: number): number {
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((at) => offsetAt(zone, at)) as [
    number,
    number,
  ];
  const instants = [wall - before, wall - after].filter((at) => offsetAt(zone, at) === wall - at);
  return instants.length === 0 ? wall - before : Math.min(...instants);
}

/** Periods of equal offset that cover a time range, in order; the first and last are cut at its edges. */
export function offsetPeriods(zone: string, from: number, to: number): OffsetPeriod[] {
  const found: OffsetPeriod[] = [];
  const first = Math.floor(from / STEP_MS) * STEP_MS;
  let open: OffsetPeriod = { from, to, offset: stepOf(zone, first).offset };
  for (let step = first; step < to; step += STEP_MS) {
    const { change } = stepOf(zone, step);
    if (change === null || change.at >= to) continue;
    if (change.at > from) found.push({ ...open, to: change.at });
    open = { from: Math.max(from, change.at), to, offset: change.offset };
  }
  found.push(open);
  return found;
}

/** The offset at the beginning of a step, and its change within the step, if there is one. */
interface Step {
  offset: number;
  change: { at: number; offset: number } | null;
}

/** By zone and beginning. Jobs ask for the same days again and again, and a formatter takes microseconds. */
const steps = new Map<string, Step>();
const MAX_STEPS = 10_000;

function stepOf(zone: string, begin: number): Step {
  const key = `${zone} ${begin}`;
  const known = steps.get(key);
  if (known !== undefined) return known;
  if (steps.size >= MAX_STEPS) steps.clear();
  const offset = offsetAt(zone, begin);
  const end = Math.min(begin + STEP_MS, LAST_DATE);
  const after = offsetAt(zone, end);
  const isChanged = after !== offset;
  const change = isChanged ? { at: changeBetween(zone, begin, end, after), offset: after } : null;
  steps.set(key, { offset, change });
  return { offset, change };
}

function changeBetween(zone: string, before: number, after: number, offset: number): number {
  let low = Math.floor(before / SECOND);
  let high = Math.ceil(after / SECOND);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * SECOND) === offset) high = middle;
    else low = middle;
  }
  return high * SECOND;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const key = zone.toLowerCase();
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
  });
  formatters.set(key, formatter);
  return formatter;
}
