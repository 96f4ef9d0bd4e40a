import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, singleLine, storableText, withoutAddresses, plainName } from './text.ts';

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

test.each([
  ['The server answered with status 503.', 'The server answered with status 503.'],
  ['550 5.1.1 <bob@example.com>: unknown user', '550 5.1.1 <…@example.com>: unknown user'],
  ["The 'To' number +1 (555) 010-0199 is invalid.", "The 'To' number +… is invalid."],
  [
    'It redirects to https://user:pass@hooks.example.com/T0/secret?token=1.',
    'It redirects to https://hooks.example.com/…',
  ],
  ['two\r\nlines', 'two lines'],
  ['It failed at 2026-11-22T10:00:00.000Z.', 'It failed at 2026-11-22T10:00:00.000Z.'],
  [null, null],
])('a reason %j is logged as %j', (reason, logged) => {
  expect(withoutAddresses(reason)).toBe(logged);
});

test('a long reason is cut', () => {
  expect(withoutAddresses('x'.repeat(5_000))).toHaveLength(300);
});

test.for([
  ['Harbour', 'Harbour'],
  ['Büro 🎉', 'Büro 🎉'],
  ['Nina & Co', 'Nina & Co'],
  ['v1.2, 3.5 %', 'v1.2, 3.5 %'],
  ['Dr. Who: doctors', 'Dr. Who: doctors'],
  ['Ends. ', 'Ends.'],
  ['Node.js', 'Node js'],
  ['https://evil.example/claim?x=1', 'https evil example claim?x=1'],
  ['You won: HTTPS://EVIL.example', 'You won: HTTPS EVIL example'],
  ['www.evil.example', 'www evil example'],
  ['evil.com', 'evil com'],
  ['evil。com', 'evil com'],
  ['evil．com', 'evil com'],
  ['ｅｖｉｌ．ｃｏｍ', 'evil com'],
  ['evil\u200b.\u2060com', 'evil com'],
  ['evil.xn--p1ai', 'evil xn--p1ai'],
  ['evil.рф', 'evil рф'],
  ['evil..com', 'evil com'],
  ['192.0.2.1:8080', '192 0 2 1 8080'],
  ['[2001:db8::1]', '[2001 db8 1]'],
  ['mailto:sam@evil.example', 'mailto sam evil example'],
  ['\\\\evil\\share', 'evil share'],
  ['x" on Tocsin, or “y', "x' on Tocsin, or 'y"],
  ['a\r\nBcc: x', 'a Bcc: x'],
  ['a\u202eb', 'a b'],
  ['\u200b\u2060', ''],
  ['', ''],
] as const)('%j becomes %j', ([name, plain]) => {
  expect(plainName(name, 60)).toBe(plain);
});

test('is truncated by characters', () => {
  expect(plainName('🎉'.repeat(50), 10)).toBe(`${'🎉'.repeat(9)}…`);
});

test('holds nothing that is linked, whatever the name [39.51]', () => {
  const part = fc.constantFrom(
    'evil',
    'www',
    'http',
    '.',
    ':',
    '/',
    '@',
    '。',
    '\u200b',
    ' ',
    '1',
    'com',
    '-',
  );
  const anyName = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(anyName, (name) => {
      const plain = plainName(name, 40);
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Bidi_Control}\\/]|[:@]\S|[\p{L}\p{N}-]\.\p{L}/u);
      expect([...plain].length).toBeLessThanOrEqual(40);
      expect(plain.isWellFormed()).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
