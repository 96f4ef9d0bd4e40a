import type { Clock, Timer } from '../../lib/clock.ts';
import { createRoundRobin } from '../round-robin.ts';

/**
 * Large bodies take memory, and only some at a time may: each check that holds one needs a permit. Who waits for one
 * gets it in turns by monitor, first the monitors that hold the fewest. While a monitor waits that holds fewer than
 * another one, that one's bodies that take long to come are given up.
 */
export interface LargeBodySlots {
  /** A check's own slot, with the check's clock; nothing is asked for yet. */
  slotFor(monitorId: number, clock: Clock): LargeBodySlot;
}

export interface LargeBodySlot {
  /**
   * Takes a permit, once for the whole check. True when it is there at once, or was taken before; else `granted` is
   * called when it is, if the slot has not been given up by then.
   */
  acquire(granted: () => void): boolean;
  /**
   * Sets what ends the reading under way, which is called when the permit was held for too long beside others, at once
   * if that is so already; the slot is then to be released. Null when nothing is read: until it is set again the
   * permit stays.
   */
  onRevoke(end: (() => void) | null): void;
  /** Whether it holds a permit for which a monitor waits that holds fewer. */
  isContended(): boolean;
  /** Gives the permit back, or the slot in the line up. */
  release(): void;
}

/** How long a permit is held at least, whoever waits. A page of 10 MiB comes in that time at 28 Mbit/s. */
export const MIN_HOLD_MS = 3_000;

interface Slot {
  monitorId: number;
  clock: Clock;
  /** Monotonic time of the permit; null without one. */
  heldSince: number | null;
  granted: () => void;
  end: (() => void) | null;
  /** It was told to end, and its release is on the way. */
  isRevoked: boolean;
}

/** `count` bodies at a time. */
export function createLargeBodySlots(count: number): LargeBodySlots {
  /** The one that has held its permit longest first. */
  const holders = new Set<Slot>();
  const waiting = createRoundRobin<Slot>();
  let timer: { clock: Clock; timer: Timer } | null = null;

  function heldBy(monitorId: number): number {
    let held = 0;
    for (const holder of holders) if (holder.monitorId === monitorId) held++;
    return held;
  }

  /** The monitor in line that holds the fewest, of several the one whose turn it is; null when nobody waits. */
  function nextWaiting(): { monitorId: number; held: number } | null {
    let next: { monitorId: number; held: number } | null = null;
    for (const monitorId of waiting.monitors()) {
      const held = heldBy(monitorId);
      if (held < (next?.held ?? Infinity)) next = { monitorId, held };
      if (held === 0) break;
    }
    return next;
  }

  function hold(slot: Slot): void {
    slot.heldSince = slot.clock.monotonic();
    holders.add(slot);
  }

  function grantFree(): void {
    while (holders.size < count) {
      const next = nextWaiting();
      const slot = next === null ? undefined : waiting.take(next.monitorId);
      if (slot === undefined) break;
      hold(slot);
      slot.granted();
    }
    revokeSlowest();
  }

  /** One at a time: whom its release serves may have been the last in line. */
  function revokeSlowest(): void {
    timer?.clock.clear(timer.timer);
    timer = null;
    const next = nextWaiting();
    if (next === null || [...holders].some(({ isRevoked }) => isRevoked)) return;
    const [first, ...others] = [...holders].filter(
      ({ end, monitorId }) => end !== null && heldBy(monitorId) > next.held,
    );
    if (first === undefined) return;
    const leftMs = MIN_HOLD_MS - heldMs(first);
    if (leftMs > 0) {
      const { clock } = first;
      timer = { clock, timer: clock.after(Math.ceil(leftMs), revokeSlowest) };
      return;
    }
    const slow = [first, ...others].filter((holder) => heldMs(holder) >= MIN_HOLD_MS);
    const held = Math.max(...slow.map(({ monitorId }) => heldBy(monitorId)));
    const slowest = slow.find(({ monitorId }) => heldBy(monitorId) === held) ?? first;
    slowest.isRevoked = true;
    slowest.end?.();
  }

  return {
    slotFor(monitorId, clock) {
      const slot: Slot = {
        monitorId,
        clock,
        heldSince: null,
        granted: () => undefined,
        end: null,
        isRevoked: false,
      };
      return {
        acquire(granted) {
          if (isHeld(slot)) return true;
          if (holders.size < count && nextWaiting() === null) {
            hold(slot);
            return true;
          }
          waiting.add(monitorId, slot);
          revokeSlowest();
          // Somebody may have given way at once.
          if (isHeld(slot)) return true;
          slot.granted = granted;
          return false;
        },
        onRevoke(end) {
          slot.end = end;
          if (isHeld(slot)) revokeSlowest();
        },
        isContended() {
          const next = isHeld(slot) ? nextWaiting() : null;
          return next !== null && next.held < heldBy(monitorId);
        },
        release() {
          slot.end = null;
          if (holders.delete(slot)) {
            slot.heldSince = null;
            slot.isRevoked = false;
            waiting.moveToEnd(monitorId);
            grantFree();
          } else if (waiting.remove(monitorId, slot)) {
            revokeSlowest();
          }
        },
      };
    },
  };
}

function isHeld({ heldSince }: Slot): boolean {
  return heldSince !== null;
}

function heldMs({ clock, heldSince }: Slot): number {
  return heldSince === null ? 0 : clock.monotonic() - heldSince;
}
