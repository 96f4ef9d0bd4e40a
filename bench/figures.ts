import type { Report } from './report.ts';
import { median, spread } from './statistics.ts';

/** A figure over several runs. */
export interface RepeatedFigure {
  /** The benchmark's table, and the figure in it, with the row that it is indented below. */
  table: string;
  name: string;
  unit: string;
  /** One value for each run that has the figure, in their order. */
  values: number[];
  target: string;
  /** Runs in which the target was reached; null without a target. */
  reached: number | null;
}

/** Collects the same figures of several runs; those whose values are words are left out. */
export function repeated(runs: readonly (readonly Report[])[]): RepeatedFigure[] {
  const found = new Map<string, RepeatedFigure>();
  for (const reports of runs) {
    for (const { benchmark, figures } of reports) {
      let parent = '';
      for (const { name, value, unit = '', target = '', reached } of figures) {
        const isPart = name.startsWith('  ');
        if (!isPart) parent = name;
        if (typeof value !== 'number') continue;
        const fullName = isPart ? `${parent}: ${name.trim()}` : name;
        const key = `${benchmark}\n${fullName}`;
        const figure = found.get(key) ?? {
          table: benchmark,
          name: fullName,
          unit,
          values: [],
          target,
          reached: reached === undefined ? null : 0,
        };
        found.set(key, figure);
        figure.values.push(value);
        if (figure.reached !== null && reached === true) figure.reached += 1;
      }
    }
  }
  return [...found.values()];
}

/** A figure of two revisions. */
export interface ComparedFigure {
  table: string;
  name: string;
  unit: string;
  base: number;
  head: number;
  /** Head divided by base, of their medians. */
  ratio: number;
  /** Spread of the runs of each. */
  baseSpread: number;
  headSpread: number;
  /** Whether the runs of one revision are all above or below those of the other one. */
  isApart: boolean;
}

/** Compares the figures that both revisions have. */
export function compared(
  base: readonly RepeatedFigure[],
  head: readonly RepeatedFigure[],
): ComparedFigure[] {
  return head.flatMap((ours) => {
    const theirs = base.find(({ table, name }) => table === ours.table && name === ours.name);
    if (theirs === undefined) return [];
    const [from, to] = [median(theirs.values), median(ours.values)];
    return [
      {
        table: ours.table,
        name: ours.name,
        unit: ours.unit,
        base: from,
        head: to,
        ratio: from === to ? 1 : to / from,
        baseSpread: spread(theirs.values),
        headSpread: spread(ours.values),
        isApart:
          Math.min(...ours.values) > Math.max(...theirs.values) ||
          Math.max(...ours.values) < Math.min(...theirs.values),
      },
    ];
  });
}

/** Increase of a cost that counts as a loss. */
export const LOSS = 1.3;

/**
 * The costs that grew by more than 30 %. Noise of a shared machine makes single runs more expensive: only costs whose
 * runs don't overlap count.
 */
export function losses(figures: readonly ComparedFigure[]): ComparedFigure[] {
  return figures.filter(({ ratio, isApart }) => ratio > LOSS && isApart);
}
