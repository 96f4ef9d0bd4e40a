import type { Random } from './random.ts';

/** A value that holds from `from` (milliseconds since the world began) until the next segment. */
export interface Segment<Value> {
  from: number;
  value: Value;
}

export function valueAt<Value>(segments: Segment<Value>[], at: number): Value {
  return segments.findLast((segment) => segment.from <= at)!.value;
}

/** Alternates between the usual value and a faulty one. */
export function alternate<Value>(
  random: Random,
  until: number,
  usual: () => Value,
  faulty: () => Value,
  usualMs: [number, number],
  faultMs: [number, number],
): Segment<Value>[] {
  const segments: Segment<Value>[] = [{ from: 0, value: usual() }];
  let at = random.chance(0.1) ? 1 : random.skewed(...usualMs);
  for (let isFault = true; at < until; isFault = !isFault) {
    segments.push({ from: at, value: isFault ? faulty() : usual() });
    at += random.skewed(...(isFault ? faultMs : usualMs));
  }
  return segments;
}
