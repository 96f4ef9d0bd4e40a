import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { ApiError, ask, type Answer } from './ask.ts';
import { deleting, dropDeleted, readOrKeep } from './deleted.ts';

export { ApiError, ask, askAuth } from './ask.ts';

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
  read: () => Answer<Data>,
  options: Pick<
    UseQueryOptions<NonNullable<Data>, ApiError>,
    'enabled' | 'refetchInterval' | 'refetchIntervalInBackground' | 'refetchOnWindowFocus'
  > = {},
): UseQueryResult<NonNullable<Data>, ApiError> {
  return useQuery<NonNullable<Data>, ApiError>({
    queryKey: key,
    queryFn: () => readOrKeep(queries, key, () => ask(read())),
    ...options,
  });
}

/**
 * Changes data, then reads what the change concerns again.
 *
 * @param concerns first elements of the keys
 */
export function useChange<Input, Data>(
  change: (input: Input) => Answer<Data>,
  concerns: readonly string[],
): UseMutationResult<NonNullable<Data>, ApiError, Input> {
  const cache = useQueryClient();
  return useMutation<NonNullable<Data>, ApiError, Input>({
    mutationFn: (input) => ask(change(input)),
    onSuccess: async () => {
      await Promise.all(concerns.map((noun) => cache.invalidateQueries({ queryKey: [noun] })));
    },
  });
}

/**
 * Deletes a thing whose page is shown, and reads nothing of it any more. Throws an ApiError.
 *
 * @param key the beginning of the keys of its data, such as `['incident', 7]`
 */
export function deleteShown<Data>(
  key: QueryKey,
  remove: () => Answer<Data>,
): Promise<NonNullable<Data>> {
  return deleting(queries, key, () => ask(remove()));
}
