import { commitOf, ROOT } from './base.ts';
import { compared, repeated, type ComparedFigure, type RepeatedFigure } from './figures.ts';
import type { Report } from './report.ts';
import { runInTree } from './run-in-tree.ts';
import { median, spread } from './statistics.ts';
import { shown, table } from './table.ts';
import { BENCHMARKS, checkOut } from './trees.ts';

const LEGEND = 'spread: (greatest - least) / median of the runs';

/** Runs a benchmark several times and prints median and spread of its figures. */
export async function repeatBenchmark(words: readonly string[], runs: number): Promise<void> {
  const reports: Report[][] = [];
  for (let run = 1; run <= runs; run++) {
    console.log(`run ${run} of ${runs}`);
    reports.push(await runInTree(ROOT, words));
  }
  const figures = repeated(reports);
  printByTable(figures, [`median of ${runs}`, 'spread', 'to reach', 'reached'], (figure) => [
    shown(median(figure.values), figure.unit),
    percent(spread(figure.values)),
    figure.target,
    reachedIn(figure),
  ]);
  console.log(JSON.stringify({ command: words, runs, figures }));
}

function reachedIn({ reached, values }: RepeatedFigure): string {
  if (reached === null) return '';
  if (reached === values.length) return 'yes';
  return reached === 0 ? 'NO' : `${reached} of ${values.length}`;
}

/**
 * Runs benchmarks in the tree of another revision and in this one in turn, and prints their figures beside each other.
 * A benchmark that the other revision can't run is reported and left out.
 *
 * @throws if this clone does not have the revision.
 */
export async function compareRevisions(
  revision: string,
  names: readonly string[],
  options: readonly string[],
  pairs: number,
): Promise<void> {
  const commit = await commitOf(revision);
  if (commit === null) throw new Error(`This clone has no revision ${revision}.`);
  const base = await checkOut(commit, { replaced: BENCHMARKS });
  try {
    for (const name of names) {
      const figures = await runPairs(base.folder, [name, ...options], pairs);
      if (figures === null) continue;
      printCompared(figures, [commit.slice(0, 8), 'this tree']);
      console.log(JSON.stringify({ command: [name, ...options], base: commit, pairs, figures }));
    }
  } finally {
    await base.remove();
  }
}

async function runPairs(folder: string, words: readonly string[], pairs: number) {
  const [before, after]: [Report[][], Report[][]] = [[], []];
  for (let pair = 1; pair <= pairs; pair++) {
    console.log(`${words[0]}, pair ${pair} of ${pairs}`);
    try {
      before.push(await runInTree(folder, words));
    } catch (error) {
      console.log(`The other revision can't run this benchmark. ${(error as Error).message}`);
      return null;
    }
    after.push(await runInTree(ROOT, words));
  }
  return compared(repeated(before), repeated(after));
}

/** Prints the figures of two revisions. */
export function printCompared(
  figures: readonly ComparedFigure[],
  [base, head]: readonly [string, string],
): void {
  printByTable(figures, [base, head, 'ratio', 'spread', ''], (figure) => [
    shown(figure.base, figure.unit),
    shown(figure.head, figure.unit),
    figure.ratio.toFixed(2),
    `${percent(figure.baseSpread)} and ${percent(figure.headSpread)}`,
    figure.isApart ? '' : 'within the noise',
  ]);
}

function printByTable<Named extends { table: string; name: string }>(
  figures: readonly Named[],
  header: readonly string[],
  cells: (figure: Named) => string[],
): void {
  for (const [name, rows] of Map.groupBy(figures, (figure) => figure.table)) {
    console.log(table([[name, ...header], ...rows.map((row) => [row.name, ...cells(row)])]));
  }
  console.log(`  ${LEGEND}`);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
