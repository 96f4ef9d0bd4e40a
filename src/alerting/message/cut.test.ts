import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, cutLines, cutWritten } from '../../lib/text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

test.each([
  ['fits', 4, 'fits'],
  ['too long', 5, 'too…'],
  ['ab', 1, '…'],
  ['ab', 0, ''],
  ['a😀b', 3, 'a…'],
  ['a😀bc', 4, 'a😀…'],
])('cuts %j to %i: %j', (text, maximum, expected) => {
  expect(cut(text, maximum)).toBe(expected);
});

test('no cut is longer than it may be, nor breaks a character', () => {
  fc.assert(
    fc.property(anyText, fc.nat(70), (text, maximum) => {
      const result = cut(text, maximum);
      expect(result.length).toBeLessThanOrEqual(maximum);
      expect(result.isWellFormed()).toBe(true);
      if (text.length <= maximum) expect(result).toBe(text);
    }),
  );
});

test('escapes are whole and count', () => {
  expect(cutWritten('<<<<', 16, escaped)).toBe('&lt;&lt;&lt;&lt;');
  expect(cutWritten('<<<<', 15, escaped)).toBe('&lt;&lt;…');
  expect(cutWritten('<<<<', 3, escaped)).toBe('…');
  expect(cutWritten('<', 0, escaped)).toBe('');
});

test('keeps whole lines and says how many it left out [34.21]', () => {
  const lines = ['one', 'two', 'three', 'four'];
  expect(cutLines(lines, 18)).toBe('one\ntwo\nthree\nfour');
  expect(cutLines(lines, 50, { mostLines: 3 })).toBe('one\ntwo\n… and 2 more lines');
  expect(cutLines(['first', 'x'.repeat(50)], 40)).toBe('first\n… and 1 more line');
  expect(cutLines(['x'.repeat(50)], 40)).toMatch(/^x+…$/);
  expect(cutLines([], 40)).toBe('');
});

test('cut lines fit, whatever is escaped in them', () => {
  const lines = fc.array(fc.oneof(anyText, fc.stringMatching(/^[&<a]{0,30}$/)), { maxLength: 12 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 25, max: 200 }), (given, maximum) => {
      const result = cutLines(given, maximum, { write: escaped });
      expect(result.length).toBeLessThanOrEqual(maximum);
      expect(result.isWellFormed()).toBe(true);
      expect(result).not.toMatch(/&(?!amp;|lt;)/);
    }),
  );
});
