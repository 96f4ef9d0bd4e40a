import { shown, table } from './table.ts';

/** One row of a benchmark's table: a figure, its target, and whether it was reached. */
export interface Figure {
  name: string;
  value: number | string;
  unit?: string;
  /** Quality target, in words; without one the row is informative. */
  target?: string;
  reached?: boolean;
}

/** One table of a benchmark, as its JSON line holds it. */
export interface Report {
  benchmark: string;
  figures: Figure[];
}

/** Prints one table and one JSON line. */
export function report(name: string, figures: Figure[], notes: string[] = []): void {
  const rows = figures.map((figure) => [
    figure.name,
    shown(figure.value, figure.unit),
    figure.target ?? '',
    figure.reached === undefined ? '' : figure.reached ? 'yes' : 'NO',
  ]);
  console.log(table([[name, 'measured', 'to reach', 'reached'], ...rows]));
  for (const note of notes) console.log(`  ${note}`);
  console.log(JSON.stringify({ benchmark: name, figures } satisfies Report));
}

export { percentile } from './statistics.ts';

/** A figure that must not exceed `most`. */
export function atMost(name: string, value: number, most: number, unit?: string): Figure {
  return {
    name,
    value,
    ...(unit === undefined ? {} : { unit }),
    target: `≤ ${most.toLocaleString('en')}`,
    reached: value <= most,
  };
}

/** A figure that must reach `least`. */
export function atLeast(name: string, value: number, least: number, unit?: string): Figure {
  return {
    name,
    value,
    ...(unit === undefined ? {} : { unit }),
    target: `≥ ${least.toLocaleString('en')}`,
    reached: value >= least,
  };
}

/** A count that must be that number. */
export function exactly(name: string, value: number, wanted: number): Figure {
  return { name, value, target: String(wanted), reached: value === wanted };
}

/** A count that must be zero. */
export const none = (name: string, value: number) => exactly(name, value, 0);

/** A duration in milliseconds. @param most the longest that is allowed, if any. */
export function ms(name: string, value: number, most?: number): Figure {
  return most === undefined ? { name, value, unit: 'ms' } : atMost(name, value, most, 'ms');
}

/** The ratio to a peer's figure, or a remark that the peer is missing. */
export function ratio(name: string, ours: number, peer: number | null | undefined, least: number) {
  if (!peer) return { name, value: 'peer not installed', target: `≥ ${least}` };
  return atLeast(name, ours / peer, least);
}
