import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { deleting, dropDeleted, isDeleted, readOrKeep } from './deleted.ts';

let queries: QueryClient;
/** Times that the server was asked. */
let reads: number;
let id = 0;

beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
  dropDeleted(queries);
  reads = 0;
  id += 1;
});

/** Shows a thing as `useRead` does, until what it returns is called. */
function show(key: readonly unknown[], answer: () => Promise<string>) {
  const observer = new QueryObserver(queries, {
    queryKey: key,
    queryFn: () =>
      readOrKeep(queries, key, () => {
        reads += 1;
        return answer();
      }),
  });
  return observer.subscribe(() => {});
}

test('a page that is still shown reads nothing of what it deletes, whatever the live stream says', async () => {
  const key = ['monitor', id, 'days'];
  const hide = show(key, async () => 'days');
  await expect.poll(() => queries.getQueryData(key)).toBe('days');
  await deleting(queries, ['monitor', id], async () => {
    await queries.invalidateQueries({ queryKey: ['monitor', id] });
  });
  await queries.invalidateQueries();
  expect(queries.getQueryData(key)).toBe('days');
  expect(reads).toBe(1);
  hide();
});

test('reads that are under way end before anything is deleted', async () => {
  const key = ['monitor', id];
  const { promise, resolve } = Promise.withResolvers<string>();
  const hide = show(key, () => promise);
  await expect.poll(() => reads).toBe(1);
  let isRun = false;
  const done = deleting(queries, key, async () => {
    isRun = true;
  });
  await Promise.resolve();
  expect(isRun).toBe(false);
  resolve('monitor');
  await done;
  expect(isRun).toBe(true);
  hide();
});

test('a thing whose deletion failed is read again', async () => {
  const key = ['monitor', id];
  const hide = show(key, async () => `answer ${reads}`);
  await expect.poll(() => queries.getQueryData(key)).toBe('answer 1');
  const refusal = new Error('You may not delete it.');
  await expect(deleting(queries, key, () => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(isDeleted(key)).toBe(false);
  await expect.poll(() => queries.getQueryData(key)).toBe('answer 2');
  hide();
});

test('its data goes with its page, and that of others stays', async () => {
  const [key, other] = [
    ['monitor', id],
    ['monitor', -id],
  ];
  const hide = show(key, async () => 'monitor');
  const hideOther = show(other, async () => 'other');
  await expect.poll(() => queries.isFetching()).toBe(0);
  await deleting(queries, key, async () => {});
  hide();
  hideOther();
  expect(queries.getQueryData(key)).toBeUndefined();
  expect(queries.getQueryData(other)).toBe('other');
});
