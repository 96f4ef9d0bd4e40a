import { expect, test } from 'vitest';
import { createPaces } from './paces.ts';

test('allows a burst for each key, then one at a time', () => {
  let now = 5_000;
  const paces = createPaces({ monotonic: () => now }, { burst: 10, perMinute: 60 });
  const all = Array.from({ length: 12 }, () => paces.take('a'));
  expect(all).toEqual([...Array.from({ length: 10 }, () => 0), 1_000, 1_000]);
  expect(paces.take('b')).toBe(0);
  now += 1_000;
  expect([paces.take('a'), paces.take('a')]).toEqual([0, 1_000]);
});

test('forgets keys that are at rest', () => {
  let now = 0;
  const paces = createPaces({ monotonic: () => now }, { burst: 10, perMinute: 60 });
  for (let key = 0; key < 5_000; key += 1) {
    now += 1_000;
    expect(paces.take(String(key))).toBe(0);
  }
});
