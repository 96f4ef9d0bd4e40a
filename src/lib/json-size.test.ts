import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonExcess } from './json-size.ts';

const LIMITS = { levels: 3, parts: 10 };
const excessOf = (text: string) => jsonExcess(Buffer.from(text), LIMITS);

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
        expect(jsonExcess(bytes, exact)).toBeNull();
        if (exact.parts > 0) {
          expect(jsonExcess(bytes, { ...exact, levels: exact.levels - 1 })).not.toBeNull();
          expect(jsonExcess(bytes, { ...exact, parts: exact.parts - 1 })).not.toBeNull();
        }
      }),
    );
  });
});
