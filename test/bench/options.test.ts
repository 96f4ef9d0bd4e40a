import { describe, expect, test } from 'vitest';
import {
  numberOption,
  readCommand,
  textOption,
  type Command,
  type Described,
} from '../../bench/options.ts';

const KNOWN: Record<string, Described> = {
  quick: { about: 'short', options: ['--data=FOLDER'] },
  checks: { about: 'checks', options: ['--seconds=N'] },
  engine: { about: 'all', options: ['--seconds=N', '--engine=sqlite|postgres', '--history'] },
};
const NOTHING: Command = {
  names: [],
  options: [],
  runs: null,
  compare: null,
  quick: false,
  help: false,
};

describe('the command line', () => {
  const rows: [words: string, command: Partial<Command>][] = [
    ['', {}],
    ['engine --seconds=5', { names: ['engine'], options: ['--seconds=5'] }],
    ['--runs=3 checks', { names: ['checks'], runs: 3 }],
    ['--compare main', { compare: 'main', names: ['quick'], runs: 3 }],
    ['--compare=main checks engine', { compare: 'main', names: ['checks', 'engine'], runs: 3 }],
    ['--compare v1 engine --runs=5 --history', compareOf('v1', 5)],
    ['--compare main --data=x', compareOf('main', 3, ['quick'], ['--data=x'])],
    ['engine checks --seconds=5', { names: ['engine', 'checks'], options: ['--seconds=5'] }],
    ['engine --engine=sqlite', { names: ['engine'], options: ['--engine=sqlite'] }],
    ['--quick', { quick: true }],
    ['--help', { help: true }],
    ['-h', { help: true }],
    ['rounds --many --help', { help: true }],
  ];
  test.each(rows)('%s', (words, command) => {
    expect(readCommand(words.split(' ').filter(Boolean), KNOWN)).toEqual({
      ...NOTHING,
      ...command,
    });
  });

  test.each([
    ['rounds', 'No benchmark named rounds; there are quick, checks, engine.'],
    ['--compare', '--compare needs a revision.'],
    ['--compare --runs=3', '--compare needs a revision.'],
    ['--runs=many checks', '--runs needs a number.'],
    ['--runs 5 checks', 'No benchmark named 5; there are quick, checks, engine.'],
    ['checks --runs', '--runs needs a count, such as --runs=5.'],
    ['--runs=1.5 checks', '--runs needs a count.'],
    ['--compare main --runs=2', 'A comparison needs at least 3 runs of each revision.'],
    [
      'engine --second=5',
      'The benchmark engine has no option --second. It has --seconds=N, --engine=sqlite|postgres, --history; --help says more.',
    ],
    [
      'checks engine --history',
      'The benchmark checks has no option --history. It has --seconds=N;',
    ],
    ['--seconds=5', 'The benchmark quick has no option --seconds.'],
    ['-v checks', 'The benchmark checks has no option -v.'],
    ['--compare main --seconds=5', 'The benchmark quick has no option --seconds.'],
    ['checks --quick=yes', 'The benchmark checks has no option --quick.'],
    ['checks --helpful', 'The benchmark checks has no option --helpful.'],
    ['checks --runsome=3', 'The benchmark checks has no option --runsome.'],
    ['checks --seconds=soon', 'The benchmark checks takes --seconds=N, not --seconds=soon.'],
    ['checks --seconds', 'The benchmark checks takes --seconds=N, not --seconds.'],
    [
      'engine --engine=mysql',
      'The benchmark engine takes --engine=sqlite|postgres, not --engine=mysql.',
    ],
    ['engine --history=no', 'The benchmark engine takes --history, not --history=no.'],
    ['quick --data=', 'The benchmark quick takes --data=FOLDER, not --data=.'],
    ['--quick engine', '--quick takes nothing else.'],
  ])('%s is refused', (words, message) => {
    expect(() => readCommand(words.split(' '), KNOWN)).toThrow(message);
  });
});

function compareOf(
  compare: string,
  runs: number,
  names = ['engine'],
  options = ['--history'],
): Partial<Command> {
  return { compare, runs, names, options };
}

test('options of a benchmark are read by name', () => {
  const options = ['--seconds=2.5', '--engine=postgres', '--empty='];
  expect(numberOption(options, '--seconds', 10)).toBe(2.5);
  expect(numberOption(options, '--monitors', 10)).toBe(10);
  expect(textOption(options, '--engine')).toBe('postgres');
  expect(textOption(options, '--eng')).toBeNull();
  expect(() => numberOption(options, '--engine', 1)).toThrow('--engine needs a number.');
  expect(() => numberOption(options, '--empty', 1)).toThrow('--empty needs a number.');
});
