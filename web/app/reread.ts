import { queries } from './api.ts';

/** Reads all data of a noun again but that of a thing that was deleted, whose page may still be shown for a moment. */
export function rereadWithout(noun: string, id: number | string): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === noun && !queryKey.includes(id),
  });
}
