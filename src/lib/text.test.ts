import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, singleLine, storableText } from './text.ts';

test.each([
  ['issued by R11', 'issued by R11'],
  ['a\0b\r\n\tc', 'a b c'],
  ['\u009b31m red', ' 31m red'],
  ['half \ud83d', 'half \ufffd'],
  ['größe 😀', 'größe 😀'],
])('%j is stored as %j', (text, plain) => {
  expect(storableText(text)).toBe(plain);
});

test.each([
  ['Shop', 'Shop'],
  ['  Shop \r\n  of  ours\t', 'Shop of ours'],
  ['Shop\u0000\u001b[31m', 'Shop [31m'],
  ['Shop\u2028Bcc: all', 'Shop Bcc: all'],
  ['a\u202eb', 'a b'],
  ['\ud800', '\ufffd'],
  ['\u0007', ''],
  ['Läden 🛒', 'Läden 🛒'],
])('%j is shown as %j', (text, shown) => {
  expect(singleLine(text)).toBe(shown);
});

const character = fc.oneof(
  fc.constantFrom(
    '\r',
    '\n',
    '\0',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u200f',
    '\u202e',
    '\ud83d',
    'é',
  ),
  fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
);

test('any text becomes one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      const shown = singleLine(text);
      expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      expect(singleLine(shown)).toBe(shown);
    }),
  );
});

test('markup is escaped', () => {
  expect(escapeHtml(`<a href="x" title='y'>Tom & Jerry</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;Tom &amp; Jerry&lt;/a&gt;',
  );
});
