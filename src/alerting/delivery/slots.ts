import type { FoundDestination } from '../../store/alerting/claims.ts';
import type { DestinationKind } from '../../store/alerting/destinations.ts';

/** How many destinations one process sends to at once. */
export const LIMITS = {
  /** Webhook endpoints and channels. */
  all: 96,
  /** Of one owner. */
  each: 16,
  /** Of `all`, those whose newest attempt failed. */
  failing: 48,
  mails: 5,
  /** Webhooks, channels and phones that are subscribed to status pages. */
  subscribers: 32,
  subscriberMails: 5,
};

type Lane = 'all' | 'mails' | 'subscribers' | 'subscriberMails';

const LANES: Record<DestinationKind, Lane> = {
  webhook: 'all',
  channel: 'all',
  subscriber: 'subscribers',
  mail: 'mails',
  subscriber_mail: 'subscriberMails',
};
const KINDS = Object.keys(LANES) as DestinationKind[];
/** Lanes in which an owner has a share; each mail is its own destination. */
const SHARED_BY_OWNERS: readonly Lane[] = ['all', 'subscribers'];

/**
 * Slots for destinations that are being sent to. A destination that hangs keeps its slot until its time-out: so no
 * owner has more than their share, all that fail together leave half of the slots to those that work, and alerts, mails
 * to people and messages to subscribers take none from each other.
 */
export function createSlots(limits = LIMITS) {
  const taken = new Map<number, number>();
  const used: Record<Lane, number> = { all: 0, mails: 0, subscribers: 0, subscriberMails: 0 };
  let failing = 0;

  return {
    free: () =>
      Object.entries(used).reduce((sum, [lane, count]) => sum + limits[lane as Lane] - count, 0),
    /** The kinds and owners for which no slot is free. */
    full: () => ({
      exceptOwners: [...taken].filter(([, count]) => count >= limits.each).map(([owner]) => owner),
      exceptFailing: failing >= limits.failing,
      exceptKinds: KINDS.filter((kind) => used[LANES[kind]] >= limits[LANES[kind]]),
    }),
    /** Chooses, in the given order, the ids of the destinations that get a slot. */
    choose(asking: readonly FoundDestination[]): Set<number> {
      const chosen = new Set<number>();
      const wanted = new Map<number, number>();
      const wantedOf = { ...used };
      let wantedFailing = failing;
      for (const { id, kind, owner, isFailing } of asking) {
        const lane = LANES[kind];
        if (wantedOf[lane] >= limits[lane]) continue;
        if (SHARED_BY_OWNERS.includes(lane)) {
          const count = wanted.get(owner) ?? taken.get(owner) ?? 0;
          const counts = isFailing && lane === 'all';
          if (count >= limits.each || (counts && wantedFailing >= limits.failing)) continue;
          wanted.set(owner, count + 1);
          if (counts) wantedFailing += 1;
        }
        chosen.add(id);
        wantedOf[lane] += 1;
      }
      return chosen;
    },
    /** Takes a slot. @returns what gives it back. */
    enter({ kind, owner, isFailing }: FoundDestination): () => void {
      const lane = LANES[kind];
      const isShared = SHARED_BY_OWNERS.includes(lane);
      const counts = isFailing && lane === 'all';
      used[lane] += 1;
      if (isShared) take(taken, owner);
      if (counts) failing += 1;
      return () => {
        used[lane] -= 1;
        if (isShared) giveBack(taken, owner);
        if (counts) failing -= 1;
      };
    },
  };
}

/** Maximum number of requests of one process beyond the first of each destination: of all owners, and of each. */
const EXTRA_LIMITS = { all: 256, each: 64 };

/**
 * Slots for further requests to destinations that may have several in flight. They come on top of the slot that each
 * destination has in `createSlots`, so that an owner whose endpoints are slow takes none from others.
 */
export function createExtraSlots(limits = EXTRA_LIMITS) {
  const taken = new Map<number, number>();
  let all = 0;
  return {
    /** @returns what gives the slot back; null where none is free for that owner. */
    enter(owner: number): (() => void) | null {
      if (all >= limits.all || (taken.get(owner) ?? 0) >= limits.each) return null;
      all += 1;
      take(taken, owner);
      return () => {
        all -= 1;
        giveBack(taken, owner);
      };
    },
  };
}

function take(counts: Map<number, number>, owner: number): void {
  counts.set(owner, (counts.get(owner) ?? 0) + 1);
}

function giveBack(counts: Map<number, number>, owner: number): void {
  const left = counts.get(owner)! - 1;
  if (left > 0) counts.set(owner, left);
  else counts.delete(owner);
}
