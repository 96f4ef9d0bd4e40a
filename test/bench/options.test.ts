import { describe, expect, test } from 'vitest';
import { numberOption, readCommand, textOption, type Command } from '../../bench/options.ts';

const KNOWN = ['checks', 'engine'];
const NOTHING: Command = { names: [], options: [], runs: null, compare: null, quick: false };

describe('the command line', () => {
  const rows: [words: string, command: Partial<Command>][] = [
    ['', {}],
    ['engine --seconds=5', { names: ['engine'], options: ['--seconds=5'] }],
    ['--runs=3 checks', { names: ['checks'], runs: 3 }],
    ['--compare main', { compare: 'main', runs: 3 }],
    ['--compare=main checks engine', { compare: 'main', names: ['checks', 'engine'], runs: 3 }],
    ['--compare v1 engine --runs=5 --history', compareOf('v1', 5)],
    ['--quick', { quick: true }],
  ];
  test.each(rows)('%s', (words, command) => {
    expect(readCommand(words.split(' ').filter(Boolean), KNOWN)).toEqual({
      ...NOTHING,
      ...command,
    });
  });

  test.each([
    ['rounds', 'No benchmark named rounds; there are checks, engine.'],
    ['--compare', '--compare needs a revision.'],
    ['--compare --runs=3', '--compare needs a revision.'],
    ['--runs=many checks', '--runs needs a number.'],
    ['--runs=1.5 checks', '--runs needs a count.'],
    ['--compare main --runs=2', 'A comparison needs at least 3 runs of each revision.'],
  ])('%s is refused', (words, message) => {
    expect(() => readCommand(words.split(' '), KNOWN)).toThrow(message);
  });
});

function compareOf(compare: string, runs: number): Partial<Command> {
  return { compare, runs, names: ['engine'], options: ['--history'] };
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
