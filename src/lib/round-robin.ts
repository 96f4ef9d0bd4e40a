import { OrderedSet } from './ordered-set.ts';

/** Queue with one line per member, such as a team or a monitor, in which members are served in turn. */
export interface RoundRobin<Item> {
  /** Appends to the member's line. A member without items is served after the others. */
  add(member: number, item: Item): void;
  /** Removes and returns the first item of the member that is next in turn. */
  next(): Item | undefined;
  /** Removes and returns the member's first item, and moves the member to the end. */
  take(member: number): Item | undefined;
  /** Moves the member behind the others. */
  moveToEnd(member: number): void;
  /** Removes an item. Returns whether it was queued. */
  remove(member: number, item: Item): boolean;
  /** Waiting members, in the order to serve them. */
  members(): number[];
  /** Queued items of a member, in order. */
  itemsOf(member: number): Item[];
}

export function createRoundRobin<Item extends {}>(): RoundRobin<Item> {
  const lines = new Map<number, OrderedSet<Item>>();
  const order = new OrderedSet<number>();

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

  function take(member: number): Item | undefined {
    const first = lines.get(member)?.first();
    if (first === undefined) return undefined;
    moveToEnd(member);
    remove(member, first);
    return first;
  }

  return {
    add(member, item) {
      let line = lines.get(member);
      if (line === undefined) lines.set(member, (line = new OrderedSet()));
      line.add(item);
      order.add(member);
    },
    next() {
      const member = order.first();
      return member === undefined ? undefined : take(member);
    },
    take,
    moveToEnd,
    remove,
    members: () => [...order],
    itemsOf: (member) => [...(lines.get(member) ?? [])],
  };
}
