import { expect, test } from 'vitest';
import type { ContentCheck } from '../../model/content.ts';
import { isSmall } from './size.ts';

const KIB = 1024;
const keyword = (target: 'html' | 'text'): ContentCheck => ({
  kind: 'keyword',
  target,
  keywords: [{ phrase: 'a', mode: 'must_contain', caseSensitive: false }],
});
const patterns = (...values: string[]): ContentCheck => ({
  kind: 'json',
  assertions: [
    { path: 'a', operator: 'equals', value: '(?i)no pattern'.repeat(20) },
    ...values.map((value) => ({ path: 'a', operator: 'regex' as const, value })),
  ],
});

test.each<[string, ContentCheck, number]>([
  ['html', keyword('html'), 64 * KIB],
  ['text', keyword('text'), 16 * KIB],
  ['json', patterns(), 32 * KIB],
  ['json with a short pattern', patterns('^v\\d+\\.\\d+$'), 32 * KIB],
])('%s is small up to its limit', (_, check, limit) => {
  expect([isSmall(check, 0), isSmall(check, limit), isSmall(check, limit + 1)]).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  [['(?i)ok']],
  [['a{1000}']],
  [['\\pL+']],
  [['[Ā-￿]']],
  [['x'.repeat(101)]],
  [['x'.repeat(60), 'x'.repeat(60)]],
])('patterns that are slow to compile are never small: %j', (values) => {
  expect(isSmall(patterns(...values), 10)).toBe(false);
});
