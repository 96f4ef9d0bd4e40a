import { expect, test } from 'vitest';
import { createGatheredReads } from './gathered-reads.ts';

/** Statements that end when the test says so, each with the squares of what it was asked for. */
function controlled(maxAtOnce = 100) {
  const statements: { wanted: readonly number[]; gate: PromiseWithResolvers<void> }[] = [];
  const reads = createGatheredReads<number, number>({
    keyOf: String,
    async read(wanted) {
      const gate = Promise.withResolvers<void>();
      statements.push({ wanted, gate });
      await gate.promise;
      return wanted.map((each) => (each < 0 ? undefined : each * each));
    },
    maxAtOnce,
  });
  return { reads, statements };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what is wanted during four statements shares the next one, which begins after it', async () => {
  const { reads, statements } = controlled();
  const first = [1, 2, 3, 4].map((each) => reads.of(each));
  const later = [1, 5, 5, -1].map((each) => reads.of(each));
  await turn();
  expect(statements.map(({ wanted }) => wanted)).toEqual([[1], [2], [3], [4]]);
  statements[1]!.gate.resolve();
  await turn();
  expect(statements[4]!.wanted).toEqual([1, 5, -1]);
  // This one arrives after the fifth began.
  const last = reads.of(5);
  for (const { gate } of statements) gate.resolve();
  await turn();
  expect(statements[5]!.wanted).toEqual([5]);
  statements[5]!.gate.resolve();
  expect(await Promise.all(first)).toEqual([1, 4, 9, 16]);
  expect(await Promise.all(later)).toEqual([1, 25, 25, undefined]);
  expect(await last).toBe(25);
});

test('a failed statement fails what it was asked for only', async () => {
  const { reads, statements } = controlled(2);
  const first = [1, 2, 3, 4].map((each) => reads.of(each));
  const [fifth, sixth, seventh] = [5, 6, 7].map((each) => reads.of(each));
  await turn();
  statements[0]!.gate.reject(new Error('Away.'));
  await expect(first[0]).rejects.toThrow('Away.');
  await turn();
  expect(statements[4]!.wanted).toEqual([5, 6]);
  statements[4]!.gate.reject(new Error('Away again.'));
  const failed = await Promise.allSettled([fifth, sixth]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  for (const { gate } of statements) gate.resolve();
  expect(await seventh).toBe(49);
});
