import { expect, test } from 'vitest';
import { counted, nameOf, shownUrl } from './common.ts';

test.each([
  ['https://user:hush@example.com/a?key=hush#hush', 'https://example.com/a?…'],
  ['https://example.com', 'https://example.com/'],
  ['example.com', 'example.com'],
  ['2001:db8::1', '2001:db8::1'],
  ['https://up.example.com/ping/hush', 'https://up.example.com/ping/…'],
  ['https://example.com/tocsin/ping/hush/fail?hush', 'https://example.com/tocsin/ping/…?…'],
  ['https://example.com/ping', 'https://example.com/ping'],
  ['https://[', null],
  [null, null],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});

test.each([
  [{ friendly_name: 'Shop\u202E', url: 'https://example.com' }, 'Shop'],
  [{ friendly_name: null, url: 'https://example.com/?hush' }, 'https://example.com/?…'],
  [
    { friendly_name: null, url: 'https://example.com/tocsin/ping/hush' },
    'https://example.com/tocsin/ping/…',
  ],
  [{ friendly_name: null, url: null }, 'unnamed'],
])('the name of %j is %s', (monitor, name) => {
  expect(nameOf(monitor)).toBe(name);
});

test('nouns follow their number', () => {
  expect([0, 1, 2].map((count) => counted(count, 'monitor'))).toEqual([
    '0 monitors',
    '1 monitor',
    '2 monitors',
  ]);
});
