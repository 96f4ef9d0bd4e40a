import { expect, test } from 'vitest';
import { patternSize } from './content-settings.ts';

test.for([
  ['', 0],
  ['abc', 3],
  ['a{3}', 3],
  ['a{3}b', 4],
  ['a{2,5}', 5],
  ['a{7,}', 7],
  ['a{0,1000}', 1000],
  ['a{0}', 1],
  ['ab{10}', 11],
  ['(ab){10}', 30],
  ['((a{10}){10}){10}', 1110],
  ['a{10}{10}', 100],
  ['[a-z]{50}', 50],
  ['[]{3}a]{50}', 50],
  ['[^\\]x]{5}', 5],
  ['\\d{20}', 20],
  ['\\{20}', 4],
  ['\\Qa{9}\\E', 8],
  ['a|b{4}', 6],
  ['a{x}', 4],
  ['{5}', 0],
  ['(((', 0],
  [')))', 3],
  ['a{0,1000}'.repeat(110), 110_000],
] as const)('%s has %i steps', ([pattern, size]) => {
  expect(patternSize(pattern)).toBe(size);
});
