/** The number of `--name=N`, else `otherwise`. @throws for anything but a number. */
export function numberOption(options: readonly string[], name: string, otherwise: number): number {
  const text = textOption(options, name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new Error(`${name} needs a number.`);
  return value;
}

/** The whole numbers of `--name=N,N`, the least first, else null. @throws for anything but such numbers. */
export function numbersOption(options: readonly string[], name: string): number[] | null {
  const numbers = textOption(options, name)?.split(',').map(Number) ?? null;
  if (numbers?.every((one) => Number.isInteger(one) && one > 0) === false)
    throw new Error(`${name} needs numbers of monitors, separated by commas.`);
  return numbers && numbers.toSorted((a, b) => a - b);
}

/** The text of `--name=TEXT`, else null. */
export function textOption(options: readonly string[], name: string): string | null {
  const found = options.find((option) => option.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

/** What `--help` shows of a benchmark, and what it takes. */
export interface Described {
  about: string;
  /** Forms of its options: `--history`, `--seconds=N` for a number, `--only=http|https` for one of these, or any text. */
  options: readonly string[];
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
  help: boolean;
}

const LEAST_PAIRS = 3;
/** Benchmark that a comparison runs if none is named. */
const COMPARED = 'quick';
const GENERAL = /^(--help|-h|--quick|--runs=.*|--compare=.*)$/;
const NOTHING: Command = {
  names: [],
  options: [],
  runs: null,
  compare: null,
  quick: false,
  help: false,
};

/**
 * Reads the words after `npm run bench --`. Each benchmark to run must take each of the options.
 *
 * @throws an error for people.
 */
export function readCommand(
  words: readonly string[],
  benchmarks: Readonly<Record<string, Described>>,
): Command {
  if (words.includes('--help') || words.includes('-h')) return { ...NOTHING, help: true };
  const left = [...words];
  const compareAt = left.indexOf('--compare');
  const next = left[compareAt + 1];
  if (compareAt >= 0 && next !== undefined && !next.startsWith('-')) {
    left.splice(compareAt, 2, `--compare=${next}`);
  }
  const known = Object.keys(benchmarks);
  const named = left.filter((word) => !word.startsWith('-'));
  const unknown = named.filter((name) => !Object.hasOwn(benchmarks, name));
  if (unknown.length > 0) {
    throw new Error(`No benchmark named ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  }
  const compare = textOption(left, '--compare');
  if (left.includes('--compare') || compare === '') throw new Error('--compare needs a revision.');
  if (left.includes('--runs')) throw new Error('--runs needs a count, such as --runs=5.');
  const runs = numberOption(left, '--runs', 0);
  if (runs !== 0 && (!Number.isInteger(runs) || runs < 1)) throw new Error('--runs needs a count.');
  if (compare !== null && runs !== 0 && runs < LEAST_PAIRS) {
    throw new Error(`A comparison needs at least ${LEAST_PAIRS} runs of each revision.`);
  }
  const options = left.filter((word) => word.startsWith('-') && !GENERAL.test(word));
  if (left.includes('--quick')) {
    if (left.length > 1) throw new Error('--quick takes nothing else.');
    return { ...NOTHING, quick: true };
  }
  const names = named.length > 0 || compare === null ? named : [COMPARED];
  for (const name of names.length > 0 ? names : known)
    for (const option of options) requireOption(option, name, benchmarks[name]!.options);
  return {
    ...NOTHING,
    names,
    options,
    runs: compare === null ? runs || null : runs || LEAST_PAIRS,
    compare,
  };
}

const nameOf = (option: string) => option.split('=', 1)[0]!;

/** @throws an error for people if a benchmark does not take this option with this value. */
function requireOption(option: string, benchmark: string, forms: readonly string[]): void {
  const name = nameOf(option);
  const form = forms.find((one) => nameOf(one) === name);
  if (form === undefined) {
    const known = forms.length === 0 ? 'It has none' : `It has ${forms.join(', ')}`;
    throw new Error(
      `The benchmark ${benchmark} has no option ${name}. ${known}; --help says more.`,
    );
  }
  if (!isOfForm(option, form))
    throw new Error(`The benchmark ${benchmark} takes ${form}, not ${option}.`);
}

function isOfForm(option: string, form: string): boolean {
  const wanted = form.slice(nameOf(form).length + 1);
  const value = option.slice(nameOf(option).length + 1);
  if (wanted === '') return option === form;
  if (wanted === 'N') return value !== '' && Number.isFinite(Number(value));
  if (wanted.includes('|')) return wanted.split('|').includes(value);
  return value !== '';
}

/** The text for `--help`, without a line end. */
export function helpText(benchmarks: Readonly<Record<string, Described>>): string {
  const width = Math.max(...Object.keys(benchmarks).map((name) => name.length));
  const lines = Object.entries(benchmarks).flatMap(([name, { about, options }]) => [
    `  ${name.padEnd(width)}  ${about}`,
    ...(options.length === 0 ? [] : [`  ${' '.repeat(width)}    ${options.join(' ')}`]),
  ]);
  return `Usage: npm run bench -- [NAME …] [OPTION …]

Runs the named benchmarks, or all of them, which takes long. Each prints a table and a JSON line.

  --runs=N       prints the median and the spread of N runs
  --compare REV  runs REV and this tree in turn, and prints the figures of both (default: ${COMPARED})
  --quick        compares short measurements with the base revision; fails if one lost over 30 %
  --help, -h     prints this text

Benchmarks, with the options of each:

${lines.join('\n')}

Examples:

  npm run bench -- checks
  npm run bench -- engine --monitors=1000 --seconds=60 --engine=postgres
  npm run bench -- api history --runs=5
  npm run bench -- --compare main engine --seconds=60

bench/NAME.ts says what a benchmark measures, what its options mean, and their defaults.
Method and results are in docs/performance.md.`;
}
