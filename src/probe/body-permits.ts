import type { Clock, Timer } from '../lib/clock.ts';
import { createTurns } from './turns.ts';

/**
 * Large bodies take memory, and only some at a time may: each check that holds one needs a permit. Who waits for one
 * gets it in turns by monitor, first the monitors that hold the fewest. While a monitor waits that holds fewer than
 * another one, that one's bodies that take long to come are given up.
 */
export interface BodyPermits {
  /** A check's own place, with the check's clock; nothing is asked for yet. */
  place(monitorId: number, clock: Clock): BodyPlace;
}

export interface BodyPlace {
  /**
   * Takes a permit, once for the whole check. True when it is there at once, or was taken before; else `granted` is
   * called when it is, if the place has not been given up by then.
   */
  take(granted: () => void): boolean;
  /**
   * Sets what ends the reading under way, which is called when the permit was held for too long beside others, at once
   * if that is so already; the place is then to be released. Null when nothing is read: until it is set again the
   * permit stays.
   */
  watch(end: (() => void) | null): void;
  /** Whether it holds a permit for which a monitor waits that holds fewer. */
  isWaitedFor(): boolean;
  /** Gives the permit back, or the place in the line up. */
  release(): void;
}

/** How long a permit is held at least, whoever waits. A page of 10 MiB comes in that time at 28 Mbit/s. */
export const HOLD_MS = 3_000;

interface Place {
  monitorId: number;
  clock: Clock;
  /** Monotonic time of the permit; null without one. */
  heldSince: number | null;
  granted: () => void;
  end: (() => void) | null;
  /** It was told to end, and its release is on the way. */
  isEnding: boolean;
}

/** `count` bodies at a time. */
export function createBodyPermits(count: number): BodyPermits {
  /** The one that has held its permit longest first. */
  const holders = new Set<Place>();
  const line = createTurns<Place>();
  let timer: { clock: Clock; timer: Timer } | null = null;

  function heldBy(monitorId: number): number {
    let held = 0;
    for (const holder of holders) if (holder.monitorId === monitorId) held++;
    return held;
  }

  /** The monitor in line that holds the fewest, of several the one whose turn it is; null when nobody waits. */
  function nextInLine(): { monitorId: number; held: number } | null {
    let next: { monitorId: number; held: number } | null = null;
    for (const monitorId of line.monitors()) {
      const held = heldBy(monitorId);
      if (held < (next?.held ?? Infinity)) next = { monitorId, held };
      if (held === 0) break;
    }
    return next;
  }

  function hold(place: Place): void {
    place.heldSince = place.clock.monotonic();
    holders.add(place);
  }

  function passOn(): void {
    while (holders.size < count) {
      const next = nextInLine();
      const place = next === null ? undefined : line.take(next.monitorId);
      if (place === undefined) break;
      hold(place);
      place.granted();
    }
    endTheSlow();
  }

  /** One at a time: whom its release serves may have been the last in line. */
  function endTheSlow(): void {
    timer?.clock.clear(timer.timer);
    timer = null;
    const next = nextInLine();
    if (next === null || [...holders].some(({ isEnding }) => isEnding)) return;
    const [first, ...others] = [...holders].filter(
      ({ end, monitorId }) => end !== null && heldBy(monitorId) > next.held,
    );
    if (first === undefined) return;
    const leftMs = HOLD_MS - heldMs(first);
    if (leftMs > 0) {
      const { clock } = first;
      timer = { clock, timer: clock.after(Math.ceil(leftMs), endTheSlow) };
      return;
    }
    const slow = [first, ...others].filter((holder) => heldMs(holder) >= HOLD_MS);
    const held = Math.max(...slow.map(({ monitorId }) => heldBy(monitorId)));
    const greediest = slow.find(({ monitorId }) => heldBy(monitorId) === held) ?? first;
    greediest.isEnding = true;
    greediest.end?.();
  }

  return {
    place(monitorId, clock) {
      const place: Place = {
        monitorId,
        clock,
        heldSince: null,
        granted: () => undefined,
        end: null,
        isEnding: false,
      };
      return {
        take(granted) {
          if (isHeld(place)) return true;
          if (holders.size < count && nextInLine() === null) {
            hold(place);
            return true;
          }
          line.add(monitorId, place);
          endTheSlow();
          // Somebody may have given way at once.
          if (isHeld(place)) return true;
          place.granted = granted;
          return false;
        },
        watch(end) {
          place.end = end;
          if (isHeld(place)) endTheSlow();
        },
        isWaitedFor() {
          const next = isHeld(place) ? nextInLine() : null;
          return next !== null && next.held < heldBy(monitorId);
        },
        release() {
          place.end = null;
          if (holders.delete(place)) {
            place.heldSince = null;
            place.isEnding = false;
            line.putLast(monitorId);
            passOn();
          } else if (line.delete(monitorId, place)) {
            endTheSlow();
          }
        },
      };
    },
  };
}

function isHeld({ heldSince }: Place): boolean {
  return heldSince !== null;
}

function heldMs({ clock, heldSince }: Place): number {
  return heldSince === null ? 0 : clock.monotonic() - heldSince;
}
