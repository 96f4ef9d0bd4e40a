/** Queue with one line per monitor, in which monitors are served in turn. */
export interface RoundRobin<Item> {
  /** Appends to the monitor's queue. A monitor without items is served after the others. */
  add(monitorId: number, item: Item): void;
  /** Removes and returns the monitor's first item, and moves the monitor to the end. */
  take(monitorId: number): Item | undefined;
  /** Moves the monitor behind the others. */
  moveToEnd(monitorId: number): void;
  /** Removes an item. Returns whether it was queued. */
  remove(monitorId: number, item: Item): boolean;
  /** Waiting monitors, in the order to serve them. */
  monitors(): number[];
  /** Queued items of a monitor, in order. */
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
