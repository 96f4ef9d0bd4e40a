import { expect, test } from 'vitest';
import { toNumber } from './numeric-text.ts';

test.each([
  [5, 5],
  [-0.5, -0.5],
  ['5', 5],
  ['+5', 5],
  ['-5.25', -5.25],
  ['.5', 0.5],
  ['5.', 5],
  ['1e3', 1000],
  ['1E-2', 0.01],
  ['007', 7],
])('%j is the number %d', (value, number) => {
  expect(toNumber(value)).toBe(number);
});

test.each(['', ' 5', '5 ', '1,5', '1_000', '0x10', '1n', 'NaN', 'Infinity', '1e9999', '.', 'e5'])(
  'the text %j is not a number',
  (text) => expect(toNumber(text)).toBeNull(),
);

test.each([null, undefined, true, [5], {}, [], new Date(5)])('%j is not a number', (value) => {
  expect(toNumber(value)).toBeNull();
});
