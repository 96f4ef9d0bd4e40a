/** Who waits for something scarce, each monitor in a line of its own; the monitors are served in turns. */
export interface Turns<Item> {
  /** At the end of its monitor's line. A monitor that had none comes after the others. */
  add(monitorId: number, item: Item): void;
  /** The first of that monitor's line, which leaves it. The monitor has had its turn. */
  take(monitorId: number): Item | undefined;
  /** The monitor has had its turn, or held until now what the others wait for: it comes after them. */
  putLast(monitorId: number): void;
  /** Whether it was in the line. */
  delete(monitorId: number, item: Item): boolean;
  /** The monitors in line, the next one first. */
  monitors(): number[];
  /** Those of a monitor in line, the first one first. */
  of(monitorId: number): Item[];
}

export function createTurns<Item extends object>(): Turns<Item> {
  const lines = new Map<number, Set<Item>>();

  function remove(monitorId: number, item: Item): boolean {
    const line = lines.get(monitorId);
    const wasThere = line?.delete(item) === true;
    if (line?.size === 0) lines.delete(monitorId);
    return wasThere;
  }

  function putLast(monitorId: number): void {
    const line = lines.get(monitorId);
    if (line === undefined) return;
    lines.delete(monitorId);
    lines.set(monitorId, line);
  }

  return {
    add(monitorId, item) {
      const line = lines.get(monitorId);
      if (line === undefined) lines.set(monitorId, new Set([item]));
      else line.add(item);
    },
    take(monitorId) {
      const [first] = lines.get(monitorId) ?? [];
      if (first === undefined) return undefined;
      putLast(monitorId);
      remove(monitorId, first);
      return first;
    },
    putLast,
    delete: remove,
    monitors: () => [...lines.keys()],
    of: (monitorId) => [...(lines.get(monitorId) ?? [])],
  };
}
