/**
 * Remembers the results of a pure function of a text. Forgets all of them when there are `maxEntries`, so that texts
 * from outside can't fill the memory.
 */
export function memoize<Value>(
  compute: (text: string) => Value,
  maxEntries: number,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined && !known.has(text)) {
      if (known.size >= maxEntries) known.clear();
      known.set(text, (value = compute(text)));
    }
    return value as Value;
  };
}
