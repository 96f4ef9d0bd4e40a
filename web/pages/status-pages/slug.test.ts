import { expect, test } from 'vitest';
import { slugOf } from './slug.ts';

test.each([
  ['Northwind status', 'northwind-status'],
  ['  API & Checkout!  ', 'api-checkout'],
  ['Größe', 'grosse'],
  ['日本', ''],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
])('suggests the address of %j', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});
