import { OrderedSet } from '../../lib/ordered-set.ts';

/** Team and host whose share of the probe's capacity a check uses. */
export interface Owner {
  teamId: number;
  host: string;
}

interface Team<Item extends {}> {
  hosts: SlotRanking<string>;
  /** Items by host, in order of arrival. */
  queues: Map<string, OrderedSet<Item>>;
}

/**
 * Queue of checks waiting for a slot. The next check belongs to the waiting team with the fewest slots, and within it
 * to the waiting host with the fewest. Ties are served round-robin.
 */
export function createFairQueue<Item extends {}>() {
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
    add({ teamId, host }: Owner, item: Item) {
      const team = teamOf(teamId);
      let queue = team.queues.get(host);
      size++;
      if (queue === undefined) {
        team.queues.set(host, (queue = new OrderedSet()));
        team.hosts.wait(host);
        ranking.wait(teamId);
      }
      queue.add(item);
    },
    /** Removes and returns the next item. */
    take() {
      const teamId = ranking.next();
      if (teamId === undefined) return undefined;
      const { hosts, queues } = teams.get(teamId)!;
      const host = hosts.next()!;
      const item = queues.get(host)!.first()!;
      leave(teamId, host, item);
      return item;
    },
    remove: ({ teamId, host }: Owner, item: Item) => leave(teamId, host, item),
    /** Counts one more slot for the owner. */
    acquire({ teamId, host }: Owner) {
      ranking.hold(teamId, 1);
      teamOf(teamId).hosts.hold(host, 1);
    },
    release({ teamId, host }: Owner) {
      const team = teamOf(teamId);
      ranking.hold(teamId, -1);
      team.hosts.hold(host, -1);
      forgetIdle(teamId, team);
    },
  };
}

/** Number of slots of each member, and the waiting member with the fewest. */
class SlotRanking<Member extends {}> {
  readonly #held = new Map<Member, number>();
  /** Waiting members by their number of slots, in the order to serve them. */
  readonly #waiting = new Map<number, OrderedSet<Member>>();

  isHolding(member: Member): boolean {
    return this.#held.has(member);
  }

  wait(member: Member): void {
    const held = this.#held.get(member) ?? 0;
    let equals = this.#waiting.get(held);
    if (equals === undefined) this.#waiting.set(held, (equals = new OrderedSet()));
    equals.add(member);
  }

  /** Returns whether the member was waiting. */
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

  /** Few distinct numbers of slots exist, however many members wait. */
  next(): Member | undefined {
    let fewest = Infinity;
    for (const held of this.#waiting.keys()) fewest = Math.min(fewest, held);
    return this.#waiting.get(fewest)?.first();
  }
}
