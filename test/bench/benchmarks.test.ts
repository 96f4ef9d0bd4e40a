import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BENCHMARKS } from '../../bench/benchmarks.ts';
import { helpText } from '../../bench/options.ts';

const READ_OPTION =
  /(?:numberOption|textOption)\(\s*options,\s*'(--[a-z]+)'|options\.includes\('(--[a-z]+)'\)/g;
const IMPORT = /^import (?!type )[^;]*? from '(\.\/[a-z-]+\.ts)';$/gm;

/** Options that a file of bench reads by itself or by those that it imports. */
function optionsReadBy(file: string, seen = new Set<string>()): Set<string> {
  const read = new Set<string>();
  if (seen.has(file)) return read;
  seen.add(file);
  const text = readFileSync(new URL(`../../bench/${file}`, import.meta.url), 'utf8');
  for (const [, value, flag] of text.matchAll(READ_OPTION)) read.add((value ?? flag)!);
  for (const [, other] of text.matchAll(IMPORT))
    for (const option of optionsReadBy(other!, seen)) read.add(option);
  return read;
}

test.each(Object.entries(BENCHMARKS))('%s has the options that it reads', (name, { options }) => {
  const named = options.map((form) => form.split('=', 1)[0]);
  expect(named.toSorted()).toEqual([...optionsReadBy(`${name}.ts`)].toSorted());
});

test.each([
  [['--help'], { status: 0, stdout: `${helpText(BENCHMARKS)}\n`, stderr: '' }],
  [
    ['checks', '--seconds=1'],
    {
      status: 1,
      stdout: '',
      stderr: 'The benchmark checks has no option --seconds. It has none; --help says more.\n',
    },
  ],
])('%j ends without a measurement', (words, ending) => {
  const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual(ending);
});

test('benchmarks read their options by these functions alone', () => {
  for (const name of Object.keys(BENCHMARKS)) {
    const text = readFileSync(new URL(`../../bench/${name}.ts`, import.meta.url), 'utf8');
    expect([name, text]).toEqual([
      name,
      expect.not.stringMatching(/options\.(?:find|some|filter|map)\(|of options\)/),
    ]);
  }
});

test('the help names all benchmarks with their options', () => {
  const text = helpText(BENCHMARKS);
  for (const [name, { about, options }] of Object.entries(BENCHMARKS)) {
    const line = `  ${name.padEnd(16)}  ${about}`;
    const below = options.length === 0 ? '' : `\n${' '.repeat(22)}${options.join(' ')}`;
    expect(text).toContain(`\n${line}${below}\n`);
  }
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});
