import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainName } from './plain-name.ts';

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
