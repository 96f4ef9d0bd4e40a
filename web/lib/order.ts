/** Items in their new order after one moves by a step; in the same order where it can't. */
export function moved<Item>(items: readonly Item[], index: number, by: -1 | 1): Item[] {
  const next = [...items];
  const other = index + by;
  if (other < 0 || other >= items.length) return next;
  [next[index], next[other]] = [items[other]!, items[index]!];
  return next;
}
