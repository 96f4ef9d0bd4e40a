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
  hold(owner: Owner): void;
  /** The owner gave one slot back. */
  release(owner: Owner): void;
}

interface Team<Item> {
  hosts: Ranking<string>;
  /** Items by host, in the order in which they came. */
  lines: Map<string, Set<Item>>;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const ranking = new Ranking<number>();
  const teams = new Map<number, Team<Item>>();
  let size = 0;

  function teamOf(teamId: number): Team<Item> {
    let team = teams.get(teamId);
    if (team === undefined) teams.set(teamId, (team = { hosts: new Ranking(), lines: new Map() }));
    return team;
  }

  function leave(teamId: number, host: string, item: Item): void {
    const team = teams.get(teamId);
    const line = team?.lines.get(host);
    if (team === undefined || !line?.delete(item)) return;
    size--;
    if (line.size > 0) return;
    team.lines.delete(host);
    team.hosts.stopWaiting(host);
    if (team.lines.size === 0) ranking.stopWaiting(teamId);
    forgetIdle(teamId, team);
  }

  function forgetIdle(teamId: number, { lines }: Team<Item>): void {
    if (!ranking.isHolding(teamId) && lines.size === 0) teams.delete(teamId);
  }

  return {
    get size() {
      return size;
    },
    add({ teamId, host }, item) {
      const team = teamOf(teamId);
      const line = team.lines.get(host);
      size++;
      if (line !== undefined) return void line.add(item);
      team.lines.set(host, new Set([item]));
      team.hosts.wait(host);
      ranking.wait(teamId);
    },
    take() {
      const teamId = ranking.next();
      if (teamId === undefined) return undefined;
      const { hosts, lines } = teams.get(teamId)!;
      const host = hosts.next()!;
      const [item] = lines.get(host)!;
      leave(teamId, host, item!);
      return item;
    },
    remove: ({ teamId, host }, item) => leave(teamId, host, item),
    hold({ teamId, host }) {
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
class Ranking<Member> {
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
