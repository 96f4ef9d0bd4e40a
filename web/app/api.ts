import { QueryClient, useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { ApiError, call, type AnswerOf, type Arguments, type OperationName } from './client.ts';
import { deleting, dropDeleted, readOrKeep } from './deleted.ts';
import { keyOf } from './read-key.ts';

/** Answers stay fresh until the live stream or a change says otherwise. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      retry: (failures, error) =>
        failures < 3 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
      refetchOnWindowFocus: false,
    },
  },
});
dropDeleted(queries);

type ReadOptions<Data> = Pick<
  UseQueryOptions<Data, ApiError>,
  'enabled' | 'refetchInterval' | 'refetchIntervalInBackground' | 'refetchOnWindowFocus'
>;

/** Reads what an operation answers, and keeps it under the key that follows from it (`keyOf`). */
export function useRead<Name extends OperationName>(
  name: Name,
  ...[input, options]: Arguments<Name, ReadOptions<AnswerOf<Name>>>
) {
  const read = () => call(name, ...([input] as Arguments<Name>));
  return useReadBy<AnswerOf<Name>>(keyOf(name, input), read, options);
}

/** Reads what a page will show, unless it was read. */
export function readAhead(name: 'getMonitorOverview'): Promise<void> {
  const key = keyOf(name);
  return queries.prefetchQuery({ queryKey: key, queryFn: () => call(name) });
}

/**
 * Reads what is not the answer of one operation, and keeps it.
 *
 * @param key its first element is the noun that the live stream invalidates (app/live-changes.ts has them all)
 */
export function useReadBy<Data>(
  key: QueryKey,
  read: () => Promise<Data>,
  options: ReadOptions<Data> = {},
) {
  return useQuery<Data, ApiError>({
    queryKey: key,
    queryFn: () => readOrKeep(queries, key, read),
    ...options,
  });
}

/** Reads data again after a change. @param keys their beginnings, or first elements alone */
export async function reread(...keys: readonly (string | QueryKey)[]): Promise<void> {
  await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key].flat() })));
}

/**
 * Deletes a thing whose page is shown, and reads nothing of it any more. Throws an ApiError.
 *
 * @param key the beginning of the keys of its data, such as `['incident', 7]`
 */
export function deleteShown<Data>(key: QueryKey, remove: () => Promise<Data>): Promise<Data> {
  return deleting(queries, key, remove);
}
