import { OrderedSet } from './ordered-set.ts';

/** Creates a queue with one line per member, such as a team or a monitor, in which members are served in turn. */
export function createRoundRobin<Item extends {}>() {
  const lines = new Map<number, OrderedSet<Item>>();
  const order = new OrderedSet<number>();

  /** Returns whether it was queued. */
  function remove(member: number, item: Item): boolean {
    const line = lines.get(member);
    const wasThere = line?.delete(item) === true;
    if (line?.size === 0) {
      lines.delete(member);
      order.delete(member);
    }
    return wasThere;
  }

  function moveToEnd(member: number): void {
    if (order.delete(member)) order.add(member);
  }

  /** Removes and returns the member's first item, and moves the member to the end. */
  function take(member: number): Item | undefined {
    const first = lines.get(member)?.first();
    if (first === undefined) return undefined;
    moveToEnd(member);
    remove(member, first);
    return first;
  }

  return {
    /** Appends to the member's line. A member without items is served after the others. */
    add(member: number, item: Item) {
      let line = lines.get(member);
      if (line === undefined) lines.set(member, (line = new OrderedSet()));
      line.add(item);
      order.add(member);
    },
    /** Removes and returns the first item of the member that is next in turn. */
    next() {
      const member = order.first();
      return member === undefined ? undefined : take(member);
    },
    take,
    moveToEnd,
    remove,
    /** Waiting members, in the order to serve them. */
    members: () => [...order],
    itemsOf: (member: number) => [...(lines.get(member) ?? [])],
  };
}
