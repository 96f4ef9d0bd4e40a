import { describe, expect, it } from 'vitest';
import { moved } from './order.ts';

describe('moving by some places', () => {
  it.each([
    [0, 1, ['b', 'a', 'c']],
    [2, -1, ['a', 'c', 'b']],
    [0, -1, ['a', 'b', 'c']],
    [2, 1, ['a', 'b', 'c']],
    [0, 2, ['b', 'c', 'a']],
    [2, -2, ['c', 'a', 'b']],
  ] as const)('%i by %i', (index, by, order) => {
    expect(moved(['a', 'b', 'c'], index, by)).toEqual(order);
  });
});
