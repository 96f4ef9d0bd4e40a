import { expect, test } from 'vitest';
import { LastMinute } from './last-minute.ts';

test('counts what happened in the last sixty seconds, and forgets what is older', () => {
  const counts = new LastMinute();
  counts.add({ due: 4, late: 1 }, 100_000);
  counts.add({ due: 2, late: 0 }, 100_900);
  counts.add({ due: 1, late: 1 }, 130_000);
  expect(counts.totals(159_999)).toEqual({ due: 7, late: 2 });
  expect(counts.totals(160_000)).toEqual({ due: 1, late: 1 });
  expect(counts.totals(189_999)).toEqual({ due: 1, late: 1 });
  expect(counts.totals(10_000_000)).toEqual({ due: 0, late: 0 });
  counts.add({ due: 3, late: 0 }, 10_000_000);
  expect(counts.totals(10_000_001)).toEqual({ due: 3, late: 0 });
});
