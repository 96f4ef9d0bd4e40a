import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test.each([
  ['issued by R11', 'issued by R11'],
  ['a\0b\r\n\tc', 'a b c'],
  ['\u009b31m red', ' 31m red'],
  ['half \ud83d', 'half \ufffd'],
  ['größe 😀', 'größe 😀'],
])('%j is told as %j', (text, plain) => {
  expect(plainText(text)).toBe(plain);
});
