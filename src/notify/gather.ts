/** So long after the first alert of a storm others may still become part of its message. */
export const GATHER_MS = 30_000;
/** From so many on, incidents that share a cause are told of in one message. */
export const STORM_AT = 3;
/** From so many on they are told of in one message even when nothing is known that they share. */
export const MANY_AT = 10;
/** So long a storm that was told of takes in others of its cause. */
export const JOIN_MS = 10 * 60_000;

/** What is known when alerts of a team arise. Times are epoch milliseconds. */
export interface Neighbourhood {
  /** Alerts that arise at the same time, this one counted. */
  arising: number;
  /** Until when others of the team are gathering; null when none are. */
  gatheringUntil: number | null;
  /** When the team's newest other alert arose. */
  newestAt: number | null;
  /** Whether a storm that people know of goes on, which this may belong to. */
  isStormy: boolean;
  /** Whether another monitor of the team fails, and that is being confirmed. */
  isAnotherSuspected: boolean;
}

/**
 * Until when it is waited for others before people are told (epoch ms); null when they are told at once. A monitor that
 * fails while all others are well costs nobody half a minute.
 */
export function gatherUntil(around: Neighbourhood, now: number): number | null {
  const { arising, gatheringUntil, newestAt, isStormy, isAnotherSuspected } = around;
  if (gatheringUntil !== null && gatheringUntil > now) return gatheringUntil;
  const isRecent = newestAt !== null && newestAt > now - GATHER_MS;
  const isAlone = arising === 1 && !isStormy && !isAnotherSuspected && !isRecent;
  return isAlone ? null : now + GATHER_MS;
}

/** What an incident may share with others, in words: `the address 203.0.113.7`. The more telling comes first. */
export interface Causes {
  id: number;
  causes: readonly string[];
}

/** Incidents that share a cause. */
export interface Shared {
  /** Null of many at once that share nothing that is known. */
  cause: string | null;
  ids: number[];
}

/**
 * Puts those that share a cause together: the cause that most of them share first, of equals the one that is named
 * earlier. Those that share theirs with too few are left out, unless
 * they are many.
 *
 * @param open causes of storms that people were told of already: they take in any number.
 */
export function groupByCause(incidents: readonly Causes[], open: ReadonlySet<string>): Shared[] {
  const left = new Map(incidents.map((incident) => [incident.id, incident.causes]));
  const groups: Shared[] = [];
  for (let best = mostShared(left, open); best !== null; best = mostShared(left, open)) {
    groups.push(best);
    for (const id of best.ids) left.delete(id);
  }
  if (left.size >= MANY_AT) groups.push({ cause: null, ids: [...left.keys()] });
  return groups;
}

function mostShared(
  left: ReadonlyMap<number, readonly string[]>,
  open: ReadonlySet<string>,
): Shared | null {
  const sharing = new Map<string, { ids: number[]; rank: number }>();
  for (const [id, causes] of left) {
    for (const [rank, cause] of causes.entries()) {
      const known = sharing.get(cause);
      if (known === undefined) sharing.set(cause, { ids: [id], rank });
      else {
        known.ids.push(id);
        known.rank = Math.min(known.rank, rank);
      }
    }
  }
  let best: (Shared & { rank: number }) | null = null;
  for (const [cause, { ids, rank }] of sharing) {
    if (ids.length < STORM_AT && !open.has(cause)) continue;
    const isBetter =
      best === null ||
      ids.length > best.ids.length ||
      (ids.length === best.ids.length && rank < best.rank);
    if (isBetter) best = { cause, ids, rank };
  }
  return best && { cause: best.cause, ids: best.ids };
}
