import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { DatabaseUnavailable } from './errors.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

/** Work that is done once the database is back, that many tries later. */
function workAfter(failures: number, error: Error = new DatabaseUnavailable('it is away')) {
  const clock = createFakeClock();
  const triedAt: number[] = [];
  const work = () => {
    triedAt.push(clock.monotonic());
    return triedAt.length > failures ? Promise.resolve('done') : Promise.reject(error);
  };
  return { clock, triedAt, work };
}

test('Work is done once, and again each second while the database is away.', async () => {
  const { clock, triedAt, work } = workAfter(2);
  const answered = retryWhileUnavailable(clock, work, () => true);
  await clock.advance(5_000);
  expect(await answered).toBe('done');
  expect(triedAt).toEqual([0, 1_000, 2_000]);
});

test('It is given up when it may not be tried any more, never before the first try.', async () => {
  const { clock, triedAt, work } = workAfter(9);
  const answered = retryWhileUnavailable(clock, work, () => clock.monotonic() < 1_500);
  await clock.advance(5_000);
  expect(await answered).toBeNull();
  expect(triedAt).toEqual([0, 1_000, 2_000]);
});

test('Any other error is whose work it is.', async () => {
  const { clock, triedAt, work } = workAfter(1, new Error('one row is odd'));
  await expect(retryWhileUnavailable(clock, work, () => true)).rejects.toThrow('one row is odd');
  expect(triedAt).toEqual([0]);
});
