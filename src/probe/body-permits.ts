/**
 * Large bodies take memory, and only some at a time may: each check that holds one needs a permit, and gets it in the
 * order of asking.
 */
export interface BodyPermits {
  /** A check's own place; nothing is asked for yet. */
  place(): BodyPlace;
}

export interface BodyPlace {
  /**
   * Takes a permit, once for the whole check. True when it is there at once, or was taken before; else `granted` is
   * called when it is, if the place has not been given up by then.
   */
  take(granted: () => void): boolean;
  /** Gives the permit back, or the place in the line up. */
  release(): void;
}

/** `count` bodies at a time. */
export function createBodyPermits(count: number): BodyPermits {
  let free = count;
  const line = new Map<object, () => void>();

  function passOn(): void {
    const [next] = line;
    if (next === undefined) {
      free++;
      return;
    }
    line.delete(next[0]);
    next[1]();
  }

  return {
    place() {
      const place = {};
      let isHeld = false;
      return {
        take(granted) {
          if (isHeld) return true;
          if (line.has(place)) return false;
          if (free > 0) {
            free--;
            isHeld = true;
            return true;
          }
          line.set(place, () => {
            isHeld = true;
            granted();
          });
          return false;
        },
        release() {
          line.delete(place);
          if (!isHeld) return;
          isHeld = false;
          passOn();
        },
      };
    },
  };
}
