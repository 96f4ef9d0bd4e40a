/** A stretch of time in which a zone's clocks keep one distance from UTC. Instants in epoch milliseconds. */
export interface Stretch {
  from: number;
  /** Not part of it. */
  to: number;
  /** Milliseconds to add to an instant for the wall time, written as if it were UTC. */
  offset: number;
}

const SECOND = 1000;
/** No zone has changed twice within less. */
const STRIDE = 12 * 3600 * SECOND;

/** By lower-case name, so that spellings of one name don't add up. A formatter takes 50 times longer to make than to use. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Whether a name is one of the IANA database, links such as Asia/Calcutta included, in any case. Offsets are none. */
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

/** Milliseconds by which the zone's wall clock is ahead of UTC at an instant. Throws RangeError for an unknown zone. */
export function offsetAt(zone: string, instant: number): number {
  const text = formatterOf(zone).format(instant);
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = '0'] = match;
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * SECOND;
  return sign === '-' ? -size : size;
}

/** The stretches of equal offset that cover a window, in order; the first and the last are cut off at its edges. */
export function stretches(zone: string, from: number, to: number): Stretch[] {
  const found: Stretch[] = [];
  let open: Stretch = { from, to, offset: offsetAt(zone, from) };
  for (let before = from; before < to; before += STRIDE) {
    const after = Math.min(before + STRIDE, to);
    const offset = offsetAt(zone, after);
    if (offset === open.offset) continue;
    const change = changeBetween(zone, before, after, offset);
    found.push({ ...open, to: change });
    open = { from: change, to, offset };
  }
  found.push(open);
  return found;
}

/** The first instant with the offset that the later of two instants has. */
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
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(key, made);
  return made;
}
