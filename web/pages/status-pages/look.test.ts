import { expect, test } from 'vitest';
import { readLook, writeLook, type Look } from './look.ts';

const RULE = 'h1 { letter-spacing: -0.5px; }';
const COLORED: Look = { colors: { '--text': { light: '#5b2bd9', dark: '#b9a2ff' } }, css: RULE };

test.each<[string, string, Look]>([
  ['colors before rules', `:root{--text:light-dark(#5b2bd9,#b9a2ff)}\n${RULE}`, COLORED],
  ['rules alone', RULE, { colors: {}, css: RULE }],
  ['nothing', '', { colors: {}, css: '' }],
  [
    'a block with another token',
    ':root { --font: Georgia; }',
    { colors: {}, css: ':root { --font: Georgia; }' },
  ],
  ['a color of another form', ':root { --bg: red; }', { colors: {}, css: ':root { --bg: red; }' }],
])('reads %s', (_what, css, look) => {
  expect(readLook(css)).toEqual(look);
});

test('what was written is read as it was', () => {
  expect(readLook(writeLook(COLORED)!)).toEqual(COLORED);
  expect(writeLook({ colors: {}, css: ' \n' })).toBeNull();
});
