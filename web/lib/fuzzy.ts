/**
 * How well a text fits what was typed; null when it does not. All words must occur; a match at the start of the text or of a
 * word in it counts more, a shorter text too.
 */
export function fit(text: string, typed: string): number | null {
  const low = text.toLowerCase();
  let score = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = low.indexOf(word);
    if (at < 0) return null;
    if (at === 0) score += 3;
    else if (/[\s/.:_-]/.test(low[at - 1]!)) score += 2;
    else score += 1;
  }
  return score - low.length / 1_000;
}

/** The best fits, best first, at most `limit`. */
export function bestFits<Item extends { text: string; also?: string }>(
  items: readonly Item[],
  typed: string,
  limit: number,
): Item[] {
  return items
    .flatMap((item) => {
      const score = fit(item.text, typed) ?? fit(`${item.text} ${item.also ?? ''}`, typed);
      return score === null ? [] : [{ item, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ item }) => item);
}
