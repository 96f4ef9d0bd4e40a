import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Beginnings of the keys of what this tab deletes or has deleted. */
const deleted = new Set<string>();

/**
 * Deletes a thing whose page is shown, perhaps for a moment longer. From now on the page keeps what it has: there is nothing left to
 * read, whatever the live stream says. Reads that are under way end first. If the deletion fails, the thing is read again.
 *
 * @param key the beginning of the keys of its data, such as `['incident', 7]`
 */
export async function deleting<Result>(
  queries: QueryClient,
  key: QueryKey,
  run: () => Promise<Result>,
): Promise<Result> {
  const mark = JSON.stringify(key);
  deleted.add(mark);
  try {
    await queries.refetchQueries(
      { queryKey: key, predicate: isUnderWay },
      { cancelRefetch: false },
    );
    return await run();
  } catch (error) {
    deleted.delete(mark);
    void queries.invalidateQueries({ queryKey: key });
    throw error;
  }
}

/** Whether data is being read; a read that failed and is tried again is not worth waiting for. */
function isUnderWay({ state }: Query): boolean {
  return state.fetchStatus === 'fetching' && state.fetchFailureCount === 0;
}

/** Whether data is of a thing that this tab deletes or has deleted. */
export function isDeleted(key: QueryKey): boolean {
  return key.some((_, last) => deleted.has(JSON.stringify(key.slice(0, last + 1))));
}

/** Reads data, unless it is of a deleted thing and kept. */
export async function readOrKeep<Data>(
  queries: QueryClient,
  key: QueryKey,
  read: () => Promise<Data>,
): Promise<Data> {
  const kept = isDeleted(key) ? queries.getQueryData<Data>(key) : undefined;
  return kept ?? read();
}

/** Removes the data of a deleted thing once its page is closed, so that going back to it reads it again. */
export function dropDeleted(queries: QueryClient): void {
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'observerRemoved' && query.getObserversCount() === 0 && isDeleted(query.queryKey))
      queries.removeQueries({ queryKey: query.queryKey, exact: true });
  });
}
