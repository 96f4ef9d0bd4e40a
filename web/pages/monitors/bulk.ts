/** Actions on many monitors at once, in requests of as many as the API takes. Pure but for the requests themselves. */

/** Maximum number of ids in a request (contract 9.32 and 27.3). */
export const MAX_IDS = 500;

/** Outcome of requests for many monitors. */
export interface Outcome<Answer> {
  answers: Answer[];
  /** Ids of requests that failed, with the reason. */
  failures: { ids: number[]; error: unknown }[];
}

export function slicesOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Sends requests one after another, and goes on after one that failed. Sends nothing for no ids: to some operations an empty
 * list means everything.
 *
 * @param onProgress called with the number of ids that were sent; what is left is not sent once it returns false
 */
export async function inSlices<Answer>(
  ids: readonly number[],
  send: (ids: number[]) => Promise<Answer>,
  {
    size = MAX_IDS,
    onProgress,
  }: { size?: number; onProgress?: (done: number) => boolean | undefined } = {},
): Promise<Outcome<Answer>> {
  const outcome: Outcome<Answer> = { answers: [], failures: [] };
  let done = 0;
  for (const slice of slicesOf(ids, size)) {
    try {
      outcome.answers.push(await send(slice));
    } catch (error) {
      outcome.failures.push({ ids: slice, error });
    }
    done += slice.length;
    if (onProgress?.(done) === false) break;
  }
  return outcome;
}

/** Ids by the group that each monitor was in, to move them back. */
export function byGroup(
  monitors: readonly { id: number; group_id?: number }[],
  ids: ReadonlySet<number>,
): Map<number | null, number[]> {
  const moved = monitors.filter(({ id }) => ids.has(id));
  const groups = Map.groupBy(moved, ({ group_id: group }) => group ?? null);
  return new Map([...groups].map(([group, members]) => [group, members.map(({ id }) => id)]));
}
