import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDecimals, isDecimal } from './decimal.ts';

test.each(['5', '+5', '-5.25', '.5', '5.', '1e3', '1E-2', '007', '0', '-0', '1e9999', '0e0'])(
  '%s is a number',
  (text) => expect(isDecimal(text)).toBe(true),
);

test.each([
  '',
  ' 5',
  '5 ',
  '1,5',
  '1_000',
  '0x10',
  '1n',
  'NaN',
  'Infinity',
  '.',
  '-',
  'e5',
  '1e',
  '--1',
  '1.2.3',
])('the text %j is not a number', (text) => {
  expect(isDecimal(text)).toBe(false);
  expect(compareDecimals(text, '1')).toBeNull();
});

test.each([
  ['9007199254740993', '9007199254740992', 1],
  ['9007199254740993', '9007199254740993.0', 0],
  ['9007199254740993', '9007199254740992.999999999999999999', 1],
  ['1', '1.0', 0],
  ['100', '1e2', 0],
  ['1e2', '1E+2', 0],
  ['0.01', '1e-2', 0],
  ['0012', '12', 0],
  ['0', '-0', 0],
  ['0', '0e99', 0],
  ['0', '0.000', 0],
  ['1e400', '2e400', -1],
  ['1e400', '1e401', -1],
  ['-1e400', '1e-400', -1],
  ['1e-400', '0', 1],
  ['-2', '-10', 1],
  ['-2', '-2.0', 0],
  ['12', '123', -1],
  ['0.1', '0.10000000000000000001', -1],
  ['1e99999999999999999999', '1e99999999999999999998', 1],
  ['1e99999999999999999999', '10e99999999999999999998', 0],
  [`1${'0'.repeat(100_000)}1`, `1${'0'.repeat(100_000)}2`, -1],
])('%s and %s compare exactly', (left, right, order) => {
  expect(Math.sign(compareDecimals(left, right)!)).toBe(order);
  expect(Math.sign(compareDecimals(right, left)!) + order).toBe(0);
});

test('numbers compare as JavaScript compares them where it can', () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  fc.assert(
    fc.property(number, number, (left, right) => {
      const order = compareDecimals(String(left), String(right))!;
      expect(Math.sign(order)).toBe(left < right ? -1 : left > right ? 1 : 0);
    }),
  );
});
