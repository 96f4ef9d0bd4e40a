import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chooseBase, readRevisions, ROOT } from './base.ts';
import { compared, losses, LOSS, repeated, type ComparedFigure } from './figures.ts';
import { printCompared } from './repeat.ts';
import type { Report } from './report.ts';
import { runInTree } from './run-in-tree.ts';
import { BENCHMARKS, checkOut } from './trees.ts';

const PAIRS = 3;
/** Time for everything but the removal of what was made. */
const DEADLINE_MS = 220_000;

/**
 * Compares the costs of this tree with those of its base revision on this machine, and returns whether it may pass. It
 * fails only if a cost grew by more than 30 % in two comparisons, one after the other. Whatever prevents the comparison
 * is reported in one line, and passes.
 */
export async function guardAgainstLosses(): Promise<boolean> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    if (process.platform !== 'linux') return skip('it needs /proc');
    const base = chooseBase(await readRevisions());
    if ('missing' in base) return skip(base.missing);
    return await compareWith(base.revision, signal);
  } catch (error) {
    if (signal.aborted) return skip('the machine is too busy for it');
    return skip((error as Error).message);
  }
}

function skip(reason: string): boolean {
  console.log(`Costs were not compared: ${reason}.`);
  return true;
}

async function compareWith(revision: string, signal: AbortSignal): Promise<boolean> {
  const tree = await checkOut(revision, { replaced: BENCHMARKS, signal });
  const data = await mkdtemp(path.join(os.tmpdir(), 'tocsin-quick-'));
  try {
    const places: Place[] = [
      { folder: tree.folder, data: path.join(data, 'base') },
      { folder: ROOT, data: path.join(data, 'head') },
    ];
    for (const place of places) await mkdir(place.data);
    const first = await measurePairs(places, [], signal);
    printCompared(first, [revision.slice(0, 8), 'this tree']);
    const suspected = losses(first);
    if (suspected.length === 0) return true;
    console.log(`Measured again: ${suspected.map(({ name }) => name).join(', ')}.`);
    const second = await measurePairs(places, partOf(suspected), signal);
    printCompared(second, [revision.slice(0, 8), 'this tree']);
    return passes(confirmed(suspected, second));
  } finally {
    await tree.remove();
    await rm(data, { recursive: true, force: true });
  }
}

interface Place {
  folder: string;
  /** Where the prepared database is kept. */
  data: string;
}

async function measurePairs(
  places: readonly Place[],
  options: readonly string[],
  signal: AbortSignal,
): Promise<ComparedFigure[]> {
  const reports: Report[][][] = places.map(() => []);
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const [index, { folder, data }] of places.entries()) {
      const words = ['quick', `--data=${data}`, ...options];
      reports[index]!.push(await runInTree(folder, words, signal));
    }
  }
  const [base, head] = reports.map((runs) => repeated(runs));
  return compared(base!, head!);
}

const isCheck = ({ name }: ComparedFigure) => name.startsWith('CPU per check');

/** Options that leave out the part of the measurements in which nothing is suspected. */
export function partOf(suspected: readonly ComparedFigure[]): string[] {
  if (suspected.every(isCheck)) return ['--only=checks'];
  return suspected.some(isCheck) ? [] : ['--only=requests'];
}

/** The losses of the second comparison that the first one found, too. */
export function confirmed(suspected: readonly ComparedFigure[], second: readonly ComparedFigure[]) {
  return losses(second).filter(({ name }) => suspected.some((one) => one.name === name));
}

function passes(lost: readonly ComparedFigure[]): boolean {
  if (lost.length === 0) return true;
  const most = Math.round((LOSS - 1) * 100);
  for (const { name, ratio } of lost) {
    console.log(
      `${name} grew by ${Math.round((ratio - 1) * 100)} %; at most ${most} % is allowed.`,
    );
  }
  return false;
}
