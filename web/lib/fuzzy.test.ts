import { expect, test } from 'vitest';
import { bestFits, fit } from './fuzzy.ts';

test.each([
  ['Checkout API', 'che', true],
  ['Checkout API', 'api check', true],
  ['Checkout API', 'chx', false],
  ['Checkout API', '', true],
])('%s fits "%s": %s', (text, typed, fits) => {
  expect(fit(text, typed) !== null).toBe(fits);
});

test('a match at the start comes before one at a word, and that before one inside', () => {
  const items = ['Rapid', 'Public API', 'API gateway'].map((text) => ({ text }));
  expect(bestFits(items, 'api', 3).map(({ text }) => text)).toEqual([
    'API gateway',
    'Public API',
    'Rapid',
  ]);
});

test('further words of an item are found too, and at most `limit` items are returned', () => {
  const items = [
    { text: 'Shop', also: 'shop.example.com prod' },
    { text: 'Blog', also: 'blog.example.com prod' },
  ];
  expect(bestFits(items, 'blog.example', 5).map(({ text }) => text)).toEqual(['Blog']);
  expect(bestFits(items, 'prod', 1)).toHaveLength(1);
});
