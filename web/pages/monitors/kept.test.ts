import { expect, test } from 'vitest';
import { NO_FILTER, parseClosed, parseSaved, savedAs, withSaved } from './filter.ts';

const DOWN = { name: 'Down', search: '?status=offline' };
const SHOPS = { name: 'Shops', search: '?q=shop' };

test.each([
  ['', []],
  ['{', []],
  ['{}', []],
  ['null', []],
  [JSON.stringify([DOWN]), [DOWN]],
  [JSON.stringify([DOWN, null, 7, { name: '' }, { name: 'x', search: 1 }, SHOPS]), [DOWN, SHOPS]],
])('kept filters %s are read', (text, filters) => {
  expect(parseSaved(text)).toEqual(filters);
});

test('a filter takes the place of one with its name, and names are in order', () => {
  expect(withSaved([SHOPS], DOWN)).toEqual([DOWN, SHOPS]);
  const other = { name: 'Down', search: '?status=degraded' };
  expect(withSaved([DOWN, SHOPS], other)).toEqual([other, SHOPS]);
});

test('a filter is known by what it shows, however its address is written', () => {
  const written = { name: 'EU', search: '?tag=eu&status=offline&unknown=1' };
  expect(savedAs([SHOPS, written], { ...NO_FILTER, status: 'offline', tag: 'eu' })).toBe(written);
  expect(savedAs([SHOPS, written], { ...NO_FILTER, status: 'offline' })).toBeUndefined();
});

test.each([
  ['', []],
  ['7', []],
  ['[7,null,"x",1.5]', [7, null]],
])('closed groups %s are read', (text, ids) => {
  expect([...parseClosed(text)]).toEqual(ids);
});
