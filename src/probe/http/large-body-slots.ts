import type { Clock, Timer } from '../../lib/clock.ts';
import { createRoundRobin } from '../../lib/round-robin.ts';

export interface LargeBodySlot {
  /**
   * Acquires the slot, once for the whole check. Returns true if it is available at once or already held; else calls
   * `granted` when it is, unless the slot was released before.
   */
  acquire(granted: () => void): boolean;
  /**
   * Sets the handler that ends the reading in progress. It is called when the slot was held for too long while others
   * wait, at once if so already; the slot is then to be released. Null while nothing is read, so that the slot can't be
   * revoked.
   */
  onRevoke(end: (() => void) | null): void;
  /** Whether the slot is held while a monitor with fewer slots waits. */
  isContended(): boolean;
  release(): void;
}

/** Minimum time for which a slot is held. A page of 10 MiB takes this long at 28 Mbit/s. */
export const MIN_HOLD_MS = 3_000;

interface Slot {
  monitorId: number;
  clock: Clock;
  /** Monotonic time at which the slot was acquired; null if not held. */
  heldSince: number | null;
  granted: () => void;
  end: (() => void) | null;
  isRevoked: boolean;
}

/**
 * Limits the number of large bodies in memory: each check that holds one needs a slot. Waiting checks get slots in turn
 * by monitor, first the monitors with the fewest. While a monitor with fewer slots waits, slow bodies of monitors with
 * more are given up.
 */
export function createLargeBodySlots(count: number) {
  /** Longest holder first. */
  const holders = new Set<Slot>();
  const waiting = createRoundRobin<Slot>();
  let timer: { clock: Clock; timer: Timer } | null = null;

  function heldBy(monitorId: number): number {
    let held = 0;
    for (const holder of holders) if (holder.monitorId === monitorId) held++;
    return held;
  }

  /** The waiting monitor with the fewest slots, of several the next in turn; null if none waits. */
  function nextWaiting(): { monitorId: number; held: number } | null {
    let next: { monitorId: number; held: number } | null = null;
    for (const monitorId of waiting.members()) {
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

  /** Revokes one slot at a time: its release may serve the last waiting monitor. */
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
    /** Creates a slot for one check, with the check's clock; acquires nothing yet. */
    slotFor(monitorId: number, clock: Clock): LargeBodySlot {
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
          // A slot may have been revoked and released synchronously.
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
