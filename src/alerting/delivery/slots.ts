import type { DestinationKind } from '../../store/alerting/destinations.ts';

/** A destination that asks for a slot. */
interface Entrant {
  id: number;
  kind: DestinationKind;
  /** Whose it is: a team, or a person with channels of their own. */
  owner: number;
  isFailing: boolean;
}

/** Limits of destinations that one process sends to at once. */
interface Limits {
  /** Webhook endpoints and channels. */
  all: number;
  /** Limit for one owner. */
  each: number;
  /** Limit for destinations whose newest attempt failed. */
  failing: number;
  /** Mails. They have slots of their own. */
  mails: number;
}

export const LIMITS: Limits = { all: 96, each: 16, failing: 48, mails: 5 };

/**
 * Slots for destinations that are being sent to. A destination that hangs keeps its slot until its time-out: so no
 * owner has more than their share, all that fail together leave half of the slots to those that work, and alerts and mails
 * take none from each other.
 */
export function createSlots(limits: Limits = LIMITS) {
  const taken = new Map<number, number>();
  let all = 0;
  let failing = 0;
  let mails = 0;

  return {
    free: () => limits.all - all + limits.mails - mails,
    /** The kinds and owners for which no slot is free. */
    full: () => ({
      exceptOwners: [...taken].filter(([, count]) => count >= limits.each).map(([owner]) => owner),
      exceptFailing: failing >= limits.failing,
      exceptKinds: [
        ...(all >= limits.all ? (['webhook', 'channel'] as const) : []),
        ...(mails >= limits.mails ? (['mail'] as const) : []),
      ],
    }),
    /** Chooses, in the given order, the ids of the destinations that get a slot. */
    choose(asking: readonly Entrant[]): Set<number> {
      const chosen = new Set<number>();
      const wanted = new Map<number, number>();
      let [wantedAll, wantedFailing, wantedMails] = [all, failing, mails];
      for (const { id, kind, owner, isFailing } of asking) {
        if (kind === 'mail') {
          if (wantedMails >= limits.mails) continue;
          wantedMails += 1;
          chosen.add(id);
          continue;
        }
        const count = wanted.get(owner) ?? taken.get(owner) ?? 0;
        const isTooMuch = count >= limits.each || (isFailing && wantedFailing >= limits.failing);
        if (isTooMuch || wantedAll >= limits.all) continue;
        chosen.add(id);
        wanted.set(owner, count + 1);
        wantedAll += 1;
        if (isFailing) wantedFailing += 1;
      }
      return chosen;
    },
    /** Takes a slot. @returns what gives it back. */
    enter({ kind, owner, isFailing }: Entrant): () => void {
      if (kind === 'mail') {
        mails += 1;
        return () => void (mails -= 1);
      }
      all += 1;
      take(taken, owner);
      if (isFailing) failing += 1;
      return () => {
        all -= 1;
        giveBack(taken, owner);
        if (isFailing) failing -= 1;
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
export function createExtraSlots(limits: { all: number; each: number } = EXTRA_LIMITS) {
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
