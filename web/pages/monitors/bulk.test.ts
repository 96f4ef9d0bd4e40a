import { expect, test } from 'vitest';
import { byGroup, inSlices, slicesOf } from './bulk.ts';

test.each([
  [0, []],
  [1, [1]],
  [500, [500]],
  [501, [500, 1]],
  [1_200, [500, 500, 200]],
])('%i ids are sent in requests of %j', async (count, sizes) => {
  const ids = Array.from({ length: count }, (_, index) => index);
  const sent: number[][] = [];
  const progress: number[] = [];
  await inSlices(ids, async (slice) => sent.push(slice), {
    onProgress: (done) => progress.push(done) > 0,
  });
  expect(sent.map((slice) => slice.length)).toEqual(sizes);
  expect(sent.flat()).toEqual(ids);
  expect(progress.at(-1) ?? 0).toBe(count);
});

/** Fails for the third. */
const send = async (ids: number[]) => {
  if (ids.includes(3)) throw new Error('No.');
  return ids.length;
};

test('a request that fails does not keep the others from being sent', async () => {
  const { answers, failures } = await inSlices([1, 2, 3, 4, 5], send, { size: 2 });
  expect(answers).toEqual([2, 1]);
  expect(failures).toEqual([{ ids: [3, 4], error: new Error('No.') }]);
});

test('what is left is not sent once it is stopped', async () => {
  const sent: number[][] = [];
  const { answers, failures } = await inSlices([1, 2, 3], async (slice) => sent.push(slice), {
    size: 1,
    onProgress: (done) => done < 2,
  });
  expect([sent, answers.length, failures]).toEqual([[[1], [2]], 2, []]);
});

test('slices have all items once', () => {
  expect(slicesOf(['a', 'b', 'c'], 2)).toEqual([['a', 'b'], ['c']]);
});

test('monitors that were moved are known by the group they were in', () => {
  const monitors = [
    { id: 1, group_id: 7 },
    { id: 2 },
    { id: 3, group_id: 7 },
    { id: 4, group_id: 8 },
  ];
  const groups = byGroup(monitors, new Set([1, 2, 3]));
  expect([...groups]).toEqual([
    [7, [1, 3]],
    [null, [2]],
  ]);
});
