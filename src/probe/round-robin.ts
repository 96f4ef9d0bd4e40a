/** Who waits for something scarce, each monitor in a line of its own; the monitors are served in turns. */
export interface RoundRobin<Item> {
  /** At the end of its monitor's line. A monitor that had none comes after the others. */
  add(monitorId: number, item: Item): void;
  /** The first of that monitor's line, which leaves it. The monitor has had its turn. */
  take(monitorId: number): Item | undefined;
  /** The monitor has had its turn, or held until now what the others wait for: it comes after them. */
  moveToEnd(monitorId: number): void;
  /** Whether it was in the line. */
  remove(monitorId: number, item: Item): boolean;
  /** The monitors in line, the next one first. */
  monitors(): number[];
  /** Those of a monitor in line, the first one first. */
  itemsOf(monitorId: number): Item[];
}

export function createRoundRobin<Item extends object>(): RoundRobin<Item> {
  const queues = new Map<number, Set<Item>>();

  function remove(monitorId: number, item: Item): boolean {
    const line = queues.get(monitorId);
    const wasThere = line?.delete(item) === true;
    if (line?.size === 0) queues.delete(monitorId);
    return wasThere;
  }

  function moveToEnd(monitorId: number): void {
    const line = queues.get(monitorId);
    if (line === undefined) return;
    queues.delete(monitorId);
    queues.set(monitorId, line);
  }

  return {
    add(monitorId, item) {
      const line = queues.get(monitorId);
      if (line === undefined) queues.set(monitorId, new Set([item]));
      else line.add(item);
    },
    take(monitorId) {
      const [first] = queues.get(monitorId) ?? [];
      if (first === undefined) return undefined;
      moveToEnd(monitorId);
      remove(monitorId, first);
      return first;
    },
    moveToEnd: moveToEnd,
    remove: remove,
    monitors: () => [...queues.keys()],
    itemsOf: (monitorId) => [...(queues.get(monitorId) ?? [])],
  };
}
