import { expect, it } from 'vitest';
import { memoize } from './memoize.ts';

it('computes each value once, until there are too many', () => {
  const computed: string[] = [];
  const lengthOf = memoize((text) => {
    computed.push(text);
    return text === '' ? undefined : text.length;
  }, 2);

  expect(['a', 'a', '', ''].map(lengthOf)).toEqual([1, 1, undefined, undefined]);
  expect(computed).toEqual(['a', '']);
  expect(lengthOf('third')).toBe(5);
  expect(lengthOf('a')).toBe(1);
  expect(computed).toEqual(['a', '', 'third', 'a']);
});
