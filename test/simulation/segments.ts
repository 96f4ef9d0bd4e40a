import type { Random } from './random.ts';

/** From `from` on (milliseconds since the world began) it is so, until the next segment. */
export interface Segment<Value> {
  from: number;
  value: Value;
}

export function valueAt<Value>(segments: Segment<Value>[], at: number): Value {
  return segments.findLast((segment) => segment.from <= at)!.value;
}

/** The usual and trouble in turns. */
export function alternate<Value>(
  random: Random,
  until: number,
  usual: () => Value,
  trouble: () => Value,
  usualMs: [number, number],
  faultMs: [number, number],
): Segment<Value>[] {
  const segments: Segment<Value>[] = [{ from: 0, value: usual() }];
  let at = random.chance(0.1) ? 1 : random.skewed(...usualMs);
  for (let isFault = true; at < until; isFault = !isFault) {
    segments.push({ from: at, value: isFault ? trouble() : usual() });
    at += random.skewed(...(isFault ? faultMs : usualMs));
  }
  return segments;
}
