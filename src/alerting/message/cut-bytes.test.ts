import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutBytes } from '../../lib/text.ts';

test.each([
  ['site is down', 12, 'site is down'],
  ['site is down', 11, 'site is …'],
  ['äöü', 6, 'äöü'],
  ['äöü', 5, 'ä…'],
  ['🔥🔥', 7, '🔥…'],
  ['🔥🔥', 6, '…'],
  ['site', 2, ''],
])('%j in %i bytes is %j', (text, maximum, expected) => {
  expect(cutBytes(text, maximum)).toBe(expected);
});

test('nothing is longer than its bound, and what stays is the beginning', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed());
  fc.assert(
    fc.property(texts, fc.integer({ min: 3, max: 80 }), (text, maximum) => {
      const cut = cutBytes(text, maximum);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maximum);
      expect(cut === text || text.startsWith(cut.slice(0, -1))).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});
