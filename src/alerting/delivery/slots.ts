/** Who takes part: a team, or a person with channels of their own. */
interface Entrant {
  id: number;
  owner: number;
  isFailing: boolean;
}

/** How many destinations are sent to at once, by one process. */
interface Limits {
  all: number;
  /** Of one owner. */
  each: number;
  /** Of those whose newest attempt failed. */
  failing: number;
}

const LIMITS: Limits = { all: 96, each: 16, failing: 48 };

/**
 * Places for destinations that are being sent to. A destination that hangs keeps its place until its time-out: so no
 * owner has more than their share, and all that fail together leave half of the places to those that work.
 */
export function createSlots(limits: Limits = LIMITS) {
  const taken = new Map<number, number>();
  let all = 0;
  let failing = 0;

  return {
    free: () => limits.all - all,
    /** Whom no place is free for. */
    full: () => ({
      exceptOwners: [...taken].filter(([, count]) => count >= limits.each).map(([owner]) => owner),
      exceptFailing: failing >= limits.failing,
    }),
    /** Of those that ask, in their order, the ids of those who can all have a place. */
    choose(asking: readonly Entrant[]): Set<number> {
      const chosen = new Set<number>();
      const wanted = new Map<number, number>();
      let wantedFailing = failing;
      for (const { id, owner, isFailing } of asking) {
        const count = wanted.get(owner) ?? taken.get(owner) ?? 0;
        const isTooMuch = count >= limits.each || (isFailing && wantedFailing >= limits.failing);
        if (isTooMuch || all + chosen.size >= limits.all) continue;
        chosen.add(id);
        wanted.set(owner, count + 1);
        if (isFailing) wantedFailing += 1;
      }
      return chosen;
    },
    /** Takes a place. @returns what gives it back. */
    enter({ owner, isFailing }: Entrant): () => void {
      all += 1;
      taken.set(owner, (taken.get(owner) ?? 0) + 1);
      if (isFailing) failing += 1;
      return () => {
        all -= 1;
        const left = (taken.get(owner) ?? 0) - 1;
        if (left > 0) taken.set(owner, left);
        else taken.delete(owner);
        if (isFailing) failing -= 1;
      };
    },
  };
}

/** Most requests of one process beyond the first of each destination: of all owners, and of each. */
const EXTRA_LIMITS = { all: 256, each: 64 };

/**
 * Places for further requests to destinations that may have several in flight. They come on top of the place that each
 * destination has in `createSlots`, so that an owner whose endpoints are slow takes none from others.
 */
export function createExtraPlaces(limits: { all: number; each: number } = EXTRA_LIMITS) {
  const taken = new Map<number, number>();
  let all = 0;
  return {
    /** @returns what gives the place back; null where none is free for that owner. */
    enter(owner: number): (() => void) | null {
      const count = taken.get(owner) ?? 0;
      if (all >= limits.all || count >= limits.each) return null;
      all += 1;
      taken.set(owner, count + 1);
      return () => {
        all -= 1;
        const left = taken.get(owner)! - 1;
        if (left > 0) taken.set(owner, left);
        else taken.delete(owner);
      };
    },
  };
}
