import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problemsOf } from '../scripts/security-document.ts';

const DOCUMENT = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8');
const HEAD = '| Section | State | How, and what is missing | Shown by |';

test('docs/security.md names files, pages and tests that exist', () => {
  expect(problemsOf(DOCUMENT)).toEqual([]);
  expect(DOCUMENT.split(HEAD)).toHaveLength(18);
});

test.each<[row: string, problem: string]>([
  ['| 1.1 A | Met | x | `src/api/gone.test.ts` › "x" |', 'src/api/gone.test.ts does not exist.'],
  ['| 1.1 A | Met | x | `src/api/url.test.ts` › "x" |', 'src/api/url.test.ts has no test "x".'],
  ['| 1.1 A | Met | x | `src/api/url.test.ts` |', '1.1 A is met, and names no test that shows it.'],
  ['| 1.1 A | Partly | [x](gone.md) | |', 'docs/gone.md does not exist.'],
  ['| 1.1 A | Mostly | x | |', '1.1 A: "Mostly" is no state.'],
  ['| 1.1 A | Not yet | | |', '1.1 A says nothing.'],
])('a wrong row is reported: %s', (row, problem) => {
  expect(problemsOf(row)).toContain(problem);
});

const rowOf = (section: string) =>
  `| ${section} | Met | x | \`src/api/url.test.ts\` › "percent-encoded letters are decoded" |`;

test('a row that is met names a test of its own', () => {
  expect(problemsOf(rowOf('1.1 A'))).toEqual([]);
  expect(problemsOf(`${rowOf('1.1 A')}\n${rowOf('1.2 B')}`)).toEqual([
    '1.1 A is met, and names no test that other rows do not name.',
    '1.2 B is met, and names no test that other rows do not name.',
  ]);
});

test('rows about documents need no test', () => {
  expect(problemsOf('| 8.1 Documentation | Met | [access.md](access.md) | |')).toEqual([]);
});
