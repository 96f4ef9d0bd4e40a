import {
  QueryClient,
  useMutation,
  useQuery,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { ApiError } from './client.ts';
import { deleting, dropDeleted, readOrKeep } from './deleted.ts';

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

/**
 * Reads data and keeps it.
 *
 * @param key its first element is the noun that the live stream invalidates, such as 'monitors' or 'incidents'
 * (app/live-changes.ts has them all)
 */
export function useRead<Data>(
  key: QueryKey,
  read: () => Promise<Data>,
  options: Pick<
    UseQueryOptions<Data, ApiError>,
    'enabled' | 'refetchInterval' | 'refetchIntervalInBackground' | 'refetchOnWindowFocus'
  > = {},
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

/** A change that shows whether it is under way, and reads again what it concerns. */
export function useChange<Input, Data>(
  change: (input: Input) => Promise<Data>,
  concerns: readonly string[],
) {
  return useMutation<Data, ApiError, Input>({
    mutationFn: change,
    onSuccess: () => reread(...concerns),
  });
}

/**
 * Deletes a thing whose page is shown, and reads nothing of it any more. Throws an ApiError.
 *
 * @param key the beginning of the keys of its data, such as `['incident', 7]`
 */
export function deleteShown<Data>(key: QueryKey, remove: () => Promise<Data>): Promise<Data> {
  return deleting(queries, key, remove);
}
