/** Items in their new order after one moves by some places; in the same order where it can't. */
export function moved<Item>(items: readonly Item[], index: number, by: number): Item[] {
  const place = index + by;
  if (place < 0 || place >= items.length) return [...items];
  const next = items.toSpliced(index, 1);
  next.splice(place, 0, items[index]!);
  return next;
}
