/** Whose share of a probe's capacity a check uses. */
export interface Owner {
  teamId: number;
  /** Host name or address of the target. */
  host: string;
}

/**
 * Checks that wait for a slot. Teams share the slots, and within a team hosts do: the next check is one of the waiting
 * team that holds the fewest slots, and there of the waiting host that holds the fewest. Equals are served round-robin.
 */
export interface FairQueue<Item> {
  readonly size: number;
  add(owner: Owner, item: Item): void;
  /** Removes and returns the next item; undefined when none waits. */
  take(): Item | undefined;
  /** Removes that item; nothing happens when it does not wait. */
  remove(owner: Owner, item: Item): void;
  /** The owner holds one more slot. */
  acquire(owner: Owner): void;
  /** The owner gave one slot back. */
  release(owner: Owner): void;
}

interface Team<Item> {
  hosts: SlotRanking<string>;
  /** Items by host, in the order in which they came. */
  queues: Map<string, Set<Item>>;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const ranking = new SlotRanking<number>();
  const teams = new Map<number, Team<Item>>();
  let size = 0;

  function teamOf(teamId: number): Team<Item> {
    let team = teams.get(teamId);
    if (team === undefined)
      teams.set(teamId, (team = { hosts: new SlotRanking(), queues: new Map() }));
    return team;
  }

  function leave(teamId: number, host: string, item: Item): void {
    const team = teams.get(teamId);
    const queue = team?.queues.get(host);
    if (team === undefined || !queue?.delete(item)) return;
    size--;
    if (queue.size > 0) return;
    team.queues.delete(host);
    team.hosts.stopWaiting(host);
    if (team.queues.size === 0) ranking.stopWaiting(teamId);
    forgetIdle(teamId, team);
  }

  function forgetIdle(teamId: number, { queues }: Team<Item>): void {
    if (!ranking.isHolding(teamId) && queues.size === 0) teams.delete(teamId);
  }

  return {
    get size() {
      return size;
    },
    add({ teamId, host }, item) {
      const team = teamOf(teamId);
      const queue = team.queues.get(host);
      size++;
      if (queue !== undefined) return void queue.add(item);
      team.queues.set(host, new Set([item]));
      team.hosts.wait(host);
      ranking.wait(teamId);
    },
    take() {
      const teamId = ranking.next();
      if (teamId === undefined) return undefined;
      const { hosts, queues } = teams.get(teamId)!;
      const host = hosts.next()!;
      const [item] = queues.get(host)!;
      leave(teamId, host, item!);
      return item;
    },
    remove: ({ teamId, host }, item) => leave(teamId, host, item),
    acquire({ teamId, host }) {
      ranking.hold(teamId, 1);
      teamOf(teamId).hosts.hold(host, 1);
    },
    release({ teamId, host }) {
      const team = teamOf(teamId);
      ranking.hold(teamId, -1);
      team.hosts.hold(host, -1);
      forgetIdle(teamId, team);
    },
  };
}

/** How many slots each member holds, and which of the waiting ones holds the fewest. */
class SlotRanking<Member> {
  readonly #held = new Map<Member, number>();
  /** Waiting members by the number of slots that they hold, the next one to be served first. */
  readonly #waiting = new Map<number, Set<Member>>();

  isHolding(member: Member): boolean {
    return this.#held.has(member);
  }

  wait(member: Member): void {
    const held = this.#held.get(member) ?? 0;
    const equals = this.#waiting.get(held);
    if (equals === undefined) this.#waiting.set(held, new Set([member]));
    else equals.add(member);
  }

  /** Answers whether it waited. */
  stopWaiting(member: Member): boolean {
    const held = this.#held.get(member) ?? 0;
    const equals = this.#waiting.get(held);
    const waited = equals?.delete(member) === true;
    if (equals?.size === 0) this.#waiting.delete(held);
    return waited;
  }

  hold(member: Member, change: 1 | -1): void {
    const held = (this.#held.get(member) ?? 0) + change;
    const waited = this.stopWaiting(member);
    if (held === 0) this.#held.delete(member);
    else this.#held.set(member, held);
    if (waited) this.wait(member);
  }

  /** There are few different numbers of held slots, however many members wait. */
  next(): Member | undefined {
    let fewest = Infinity;
    for (const held of this.#waiting.keys()) fewest = Math.min(fewest, held);
    const [member] = this.#waiting.get(fewest) ?? [];
    return member;
  }
}
