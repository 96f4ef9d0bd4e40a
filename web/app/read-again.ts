import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';

/** Nouns of data that the live stream says nothing of. */
const NOT_STREAMED: ReadonlySet<unknown> = new Set([
  'account',
  'installation',
  'notification-channels',
  'regions',
  'cron-preview',
  'report-runs',
]);

/**
 * Reads data again that is shown. A first read that is under way may have begun before the change: it ends, and then the data is
 * read once more. Resolves when all is read, whether or not that failed.
 */
export async function readAgain(queries: QueryClient, filters: QueryFilters): Promise<void> {
  const first = queries.getQueryCache().findAll(filters).filter(isFirstRead);
  await Promise.allSettled([
    queries.invalidateQueries(filters),
    ...first.map(async ({ queryKey }) => {
      const one = { queryKey, exact: true };
      await queries.refetchQueries(one, { cancelRefetch: false });
      await queries.invalidateQueries(one);
    }),
  ]);
}

/** Reads everything again of which the live stream reports changes. What is read from now on is not concerned. */
export function readAllAgain(queries: QueryClient): Promise<void> {
  return readAgain(queries, { predicate: ({ queryKey }) => !NOT_STREAMED.has(queryKey[0]) });
}

function isFirstRead({ state }: Query): boolean {
  return state.fetchStatus === 'fetching' && state.data === undefined;
}
