/** The number of `--name=N`, else `otherwise`. @throws for anything but a number. */
export function numberOption(options: readonly string[], name: string, otherwise: number): number {
  const text = textOption(options, name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new Error(`${name} needs a number.`);
  return value;
}

/** The text of `--name=TEXT`, else null. */
export function textOption(options: readonly string[], name: string): string | null {
  const found = options.find((option) => option.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

/** What `npm run bench` is asked for. */
export interface Command {
  names: string[];
  /** Options of the benchmarks themselves. */
  options: string[];
  /** Runs whose median is printed; null for the tables of a single run. */
  runs: number | null;
  /** Revision to compare the work tree with; null if nothing is compared. */
  compare: string | null;
  /** Whether to compare a few short measurements with the base revision, as CI does. */
  quick: boolean;
}

const LEAST_PAIRS = 3;

/** Reads the words after `npm run bench --`. @throws an error for people. */
export function readCommand(words: readonly string[], known: readonly string[]): Command {
  const left = [...words];
  const compareAt = left.indexOf('--compare');
  const next = left[compareAt + 1];
  if (compareAt >= 0 && next !== undefined && !next.startsWith('--')) {
    left.splice(compareAt, 2, `--compare=${next}`);
  }
  const names = left.filter((word) => !word.startsWith('--'));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`No benchmark named ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  }
  const compare = textOption(left, '--compare');
  if (left.includes('--compare') || compare === '') throw new Error('--compare needs a revision.');
  const runs = numberOption(left, '--runs', 0);
  if (runs !== 0 && (!Number.isInteger(runs) || runs < 1)) throw new Error('--runs needs a count.');
  if (compare !== null && runs !== 0 && runs < LEAST_PAIRS) {
    throw new Error(`A comparison needs at least ${LEAST_PAIRS} runs of each revision.`);
  }
  return {
    names,
    options: left.filter(
      (word) => word.startsWith('--') && !/^--(compare|runs|quick)\b/.test(word),
    ),
    runs: compare === null ? runs || null : runs || LEAST_PAIRS,
    compare,
    quick: left.includes('--quick'),
  };
}
