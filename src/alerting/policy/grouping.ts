/** Minimum number of incidents whose shared cause is named. */
export const STORM_AT = 3;
/** From this number on, incidents that start together share a message even if they concern different channels. */
export const MANY_AT = 10;
/** Time in which a storm that people were notified of takes in further incidents of its cause. */
export const JOIN_MS = 10 * 60_000;

/** An alert that can be grouped with others. */
export interface Groupable {
  id: number;
  /**
   * `ready`: some channel is to be notified of it now. `held`: something holds it back, such as maintenance. `told`:
   * people have just been notified of it, and others may still join it.
   */
  state: 'ready' | 'held' | 'told';
  /** Number of its open incidents. */
  size: number;
  /** What its incidents share and others may share, in words: `the address 203.0.113.7`. The most specific comes first. */
  causes: readonly string[];
  /** Identifies the channels that it concerns. */
  audience: string;
}

/** Alerts that become one. */
export interface Group {
  /** What all of them share; null where nothing is known, and of fewer than `STORM_AT`. */
  cause: string | null;
  ids: number[];
}

/**
 * Puts the alerts together that one message is about. Those that share the cause of an open storm join it. A cause that
 * at least half of the ready ones share gets a message of its own, together with what is held or was just notified of it.
 * The remaining ready ones share one message for each audience, and from `MANY_AT` on a single one.
 *
 * @param openCauses causes of storms that people were notified of already: they take in any number.
 */
export function groupAlerts(
  alerts: readonly Groupable[],
  openCauses: ReadonlySet<string>,
): Group[] {
  const left = new Map(alerts.map((alert) => [alert.id, alert]));
  const groups: Group[] = [];
  const take = (group: Group | null): boolean => {
    if (group === null) return false;
    groups.push(group);
    for (const id of group.ids) left.delete(id);
    return true;
  };
  while (take(joiningOf(left, openCauses)));
  while (take(mostShared(left)));
  const rest = readyOf(left);
  const audiences = rest.length >= MANY_AT ? [rest] : groupedBy(rest, ({ audience }) => audience);
  for (const together of audiences)
    if (together.length > 1)
      groups.push({ cause: commonCause(together), ids: together.map(({ id }) => id) });
  return groups;
}

type Left = ReadonlyMap<number, Groupable>;

const readyOf = (left: Left) => [...left.values()].filter(({ state }) => state === 'ready');

/** Those that join the open storm whose cause most of them share. */
function joiningOf(left: Left, openCauses: ReadonlySet<string>): Group | null {
  const joining = [...left.values()].filter(({ state }) => state !== 'told');
  return largest(joining, (cause) => openCauses.has(cause));
}

/** The cause that most of them share, if at least half of those that are ready do. */
function mostShared(left: Left): Group | null {
  const ready = readyOf(left).length;
  return largest([...left.values()], (_cause, ids) => {
    const sharing = ids.map((id) => left.get(id)!);
    const share = sharing.filter(({ state }) => state === 'ready').length;
    const incidents = sharing.reduce((sum, { size }) => sum + size, 0);
    return incidents >= STORM_AT && share > 0 && share * 2 >= ready;
  });
}

/** The largest group that is allowed; of equals the one whose cause is named earlier. */
function largest(
  alerts: readonly Groupable[],
  isAllowed: (cause: string, ids: readonly number[]) => boolean,
): Group | null {
  const sharing = new Map<string, { ids: number[]; rank: number }>();
  for (const { id, causes } of alerts) {
    for (const [rank, cause] of causes.entries()) {
      const known = sharing.get(cause);
      if (known === undefined) sharing.set(cause, { ids: [id], rank });
      else {
        known.ids.push(id);
        known.rank = Math.min(known.rank, rank);
      }
    }
  }
  let best: (Group & { rank: number }) | null = null;
  for (const [cause, { ids, rank }] of sharing) {
    const isBetter =
      best === null ||
      ids.length > best.ids.length ||
      (ids.length === best.ids.length && rank < best.rank);
    if (isBetter && isAllowed(cause, ids)) best = { cause, ids, rank };
  }
  return best && { cause: best.cause, ids: best.ids };
}

function commonCause(alerts: readonly Groupable[]): string | null {
  if (alerts.length < STORM_AT) return null;
  const [first, ...others] = alerts;
  return (
    first!.causes.find((cause) => others.every(({ causes }) => causes.includes(cause))) ?? null
  );
}

function groupedBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[][] {
  return [...Map.groupBy(items, key).values()];
}
