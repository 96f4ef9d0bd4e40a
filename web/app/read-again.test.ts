import { QueryClient, QueryObserver, type QueryKey } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { readAgain, readAllAgain } from './read-again.ts';

let queries: QueryClient;

beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
});

/** Shows data whose reads wait until the test resolves them. */
function shown(queryKey: QueryKey) {
  const reads: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  };
  new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {});
  const data = () => queries.getQueryData(queryKey);
  return { reads, data };
}

test('data that was read is read once more', async () => {
  const { reads, data } = shown(['groups']);
  reads[0]!.resolve('old');
  await expect.poll(data).toBe('old');
  const done = readAgain(queries, { queryKey: ['groups'] });
  reads[1]!.resolve('new');
  await done;
  expect([data(), reads.length]).toEqual(['new', 2]);
});

test('a first read that began before the change ends, and the data is read once more', async () => {
  const { reads, data } = shown(['groups']);
  const done = readAgain(queries, { queryKey: ['groups'] });
  reads[0]!.resolve('old');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]!.resolve('new');
  await done;
  expect([data(), reads.length]).toEqual(['new', 2]);
});

test('a read that fails does not keep others waiting', async () => {
  const [bad, good] = [shown(['monitor', 1]), shown(['monitor', 2])];
  const done = readAgain(queries, { queryKey: ['monitor'] });
  bad.reads[0]!.reject(new Error('unreachable'));
  good.reads[0]!.resolve('old');
  await expect.poll(() => bad.reads.length + good.reads.length).toBe(4);
  bad.reads[1]!.reject(new Error('unreachable'));
  good.reads[1]!.resolve('new');
  await done;
  expect(good.data()).toBe('new');
});

test('all that the stream tells of is read again, and nothing that begins later', async () => {
  const told = shown(['incidents', 'open-count']);
  const untold = shown(['account', 'who']);
  for (const { reads } of [told, untold]) reads[0]!.resolve('old');
  await expect.poll(() => [told.data(), untold.data()]).toEqual(['old', 'old']);
  const done = readAllAgain(queries);
  const later = shown(['monitors', 'overview']);
  told.reads[1]!.resolve('new');
  later.reads[0]!.resolve('first');
  await done;
  await expect.poll(later.data).toBe('first');
  expect([told, untold, later].map(({ reads }) => reads.length)).toEqual([2, 1, 1]);
});
