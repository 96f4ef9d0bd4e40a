import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, fixedRandom } from './random.ts';

const draw = (random = createRandom(5)) => Array.from({ length: 20 }, () => random.next());

describe('seeded randomness', () => {
  test('the same seed draws the same numbers, a fork others', () => {
    expect(draw()).toEqual(draw());
    expect(draw(createRandom(6))).not.toEqual(draw());
    expect(draw(createRandom(5).fork('a'))).toEqual(draw(createRandom(5).fork('a')));
    expect(draw(createRandom(5).fork('a'))).not.toEqual(draw(createRandom(5).fork('b')));
  });

  test('draws of one fork do not shift another one', () => {
    const one = createRandom(9);
    one.fork('a').next();
    one.next();
    expect(one.fork('b').next()).toBe(createRandom(9).fork('b').next());
  });

  test('numbers stay within their bounds and fill them', () => {
    const random = createRandom(1);
    const drawn = Array.from({ length: 3_000 }, () => random.integer(3, 7));
    expect(new Set(drawn)).toEqual(new Set([3, 4, 5, 6, 7]));
    const mean =
      Array.from({ length: 3_000 }, () => random.next()).reduce((sum, one) => sum + one, 0) / 3_000;
    expect(mean).toBeGreaterThan(0.45);
    expect(mean).toBeLessThan(0.55);
  });

  test('samples are distinct, in order and of the size asked for', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(6), (seed, count) => {
        const sample = createRandom(seed).sample([1, 2, 3, 4], count);
        expect(sample).toEqual([...new Set(sample)].toSorted());
        expect(sample).toHaveLength(Math.min(4, count));
      }),
    );
  });

  test('keys with weight zero are never drawn', () => {
    const random = createRandom(2);
    const drawn = Array.from({ length: 500 }, () =>
      random.weighted({ never: 0, seldom: 1, often: 9 }),
    );
    expect(new Set(drawn)).toEqual(new Set(['seldom', 'often']));
  });

  test('a fixed number depends on its arguments alone', () => {
    expect(fixedRandom(1, 2, 'a')).toBe(fixedRandom(1, 2, 'a'));
    expect(fixedRandom(1, 2, 'a')).not.toBe(fixedRandom(1, 2, 'b'));
  });
});
