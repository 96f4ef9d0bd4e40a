import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonShape } from './json-size.ts';

const LIMITS = { levels: 3, parts: 10 };
const excessOf = (text: string) => jsonShape(Buffer.from(text), LIMITS).excess;

describe('the size of a JSON document', () => {
  test.each([
    ['', null],
    ['1', null],
    ['[[[1]]]', null],
    ['[[[[1]]]]', 'too deep'],
    ['{"a":{"b":[{}]}}', 'too deep'],
    ['[[],[[]],[[]],[]]', null],
    // Brackets and commas inside of texts are text.
    ['"[[[[[[,,,,,,,,,,,,"', null],
    [String.raw`["a\"[[[[", "\\", [[1]]]`, null],
    [String.raw`["\\\\\"[[[[[[[[[,,,,,,,,,,,,,,"]`, null],
    [String.raw`["\\",[[[`, 'too deep'],
    ['[1,2,3,4,5,6,7,8,9,10]', null],
    ['[1,2,3,4,5,6,7,8,9,10,11]', 'too many parts'],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', null],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', 'too many parts'],
    ['[{},{},{},{},{},{}]', 'too many parts'],
    // What is no JSON is measured, too: as far as it goes.
    ['[[[[', 'too deep'],
    [']]]]', null],
    ['"never closed [[[[', null],
    ['"\\', null],
  ])('%s is %j', (text, excess) => {
    expect(excessOf(text)).toBe(excess);
  });

  test('is that of the parsed value, whatever it holds', () => {
    const levels = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(levels))
        : 0;
    const parts = (value: unknown): number => {
      if (typeof value !== 'object' || value === null) return 0;
      const values = Object.values(value);
      const names = Array.isArray(value) ? 0 : values.length;
      const within = values.reduce((sum: number, one) => sum + parts(one), 0);
      return 1 + names + Math.max(0, values.length - 1) + within;
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const exact = { levels: levels(value), parts: parts(value) };
        expect(jsonShape(bytes, exact).excess).toBeNull();
        if (exact.parts > 0) {
          expect(jsonShape(bytes, { ...exact, levels: exact.levels - 1 }).excess).not.toBeNull();
          expect(jsonShape(bytes, { ...exact, parts: exact.parts - 1 }).excess).not.toBeNull();
        }
      }),
    );
  });
});

const isOdd = (text: string) =>
  jsonShape(Buffer.from(`{"a":[${text}]}`), { levels: 9, parts: 99 }).hasOddNumbers;

describe('numbers that JavaScript writes differently', () => {
  test.each([
    '9007199254740993',
    '1.0',
    '1.50',
    '-0',
    '-0.0',
    '1e2',
    '1E2',
    '0.0000001',
    '1e400',
    '1,2.0,3',
  ])('%s', (text) => expect(isOdd(text)).toBe(true));

  test.each([
    '0',
    '10',
    '-10',
    '0.5',
    '-0.25',
    '0.000001',
    '0.123456789',
    '123456789012345',
    '"1.0 9007199254740993"',
    '',
  ])('not %s', (text) => expect(isOdd(text)).toBe(false));

  test('are all found', () => {
    const digits = fc.string({
      unit: fc.constantFrom(...'0012345678990'),
      minLength: 1,
      maxLength: 20,
    });
    const number = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.constantFrom('', 'e5', 'E-7'))
      .map(
        ([sign, whole, part, power]) =>
          `${sign}${whole.replace(/^0+(?=\d)/, '')}${part === null ? '' : `.${part}`}${power}`,
      );
    fc.assert(
      fc.property(number, (text) => {
        if (!isOdd(text)) expect(String(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
