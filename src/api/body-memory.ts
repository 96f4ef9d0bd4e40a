import { clientOf } from '../identity/rate-limits.ts';
import type { Clock, Timer } from '../lib/clock.ts';

const KIB = 1024;
const MIB = KIB * KIB;

/** Maximum bytes of request bodies in memory. */
const MAX_BYTES = 64 * MIB;
/** Maximum bytes of request bodies of one client: four of the largest. */
const MAX_CLIENT_BYTES = 4 * MIB;
/** A body that is being received must grow by this in each interval: 1 KiB a second. */
const MIN_GROWTH_BYTES = 10 * KIB;
const GROWTH_INTERVAL_MS = 10_000;
const CHECK_MS = 2_000;
/** Age from which the pace of a sender is known. */
const MIN_AGE_MS = 1_000;

export type BodyEnd = 'too slow' | 'no room';

export type BodyMemory = ReturnType<typeof createBodyMemory>;

export interface BodyShare {
  /**
   * Sets the bytes held. When all clients together hold too much, the slowest senders are ended, which may be this one.
   * Returns false when the client's own share is used up; the bytes are not counted then.
   */
  hold(bytes: number): boolean;
  /** Counts progress: bytes received so far. */
  receive(bytes: number): void;
  /** The body is complete: it can no longer be slow. */
  complete(): void;
  /** Gives the memory back. Can be called again. */
  release(): void;
}

interface Sender {
  client: string;
  held: number;
  received: number;
  startedAt: number;
  /** Received bytes at the last check of its growth, and when that was. */
  growth: { bytes: number; at: number };
  isReceiving: boolean;
  end: (why: BodyEnd) => void;
}

export function createBodyMemory(clock: Pick<Clock, 'now' | 'after' | 'clear'>) {
  const senders = new Set<Sender>();
  const heldByClient = new Map<string, number>();
  let held = 0;
  let timer: Timer | null = null;

  function change(sender: Sender, bytes: number): void {
    const difference = bytes - sender.held;
    sender.held = bytes;
    held += difference;
    const ofClient = (heldByClient.get(sender.client) ?? 0) + difference;
    if (ofClient === 0) heldByClient.delete(sender.client);
    else heldByClient.set(sender.client, ofClient);
  }

  function remove(sender: Sender): void {
    if (!senders.delete(sender)) return;
    change(sender, 0);
    if (senders.size > 0) return;
    clock.clear(timer);
    timer = null;
  }

  function end(sender: Sender, why: BodyEnd): void {
    remove(sender);
    sender.end(why);
  }

  /** Ends senders until the limit is kept. Bodies that are complete are soon gone by themselves. */
  function makeRoom(): void {
    if (held <= MAX_BYTES) return;
    const receiving = [...senders].filter(({ isReceiving }) => isReceiving);
    const slowest = slowestOf(receiving, clock.now());
    if (slowest === null) return;
    end(slowest, 'no room');
    makeRoom();
  }

  function checkGrowth(): void {
    const now = clock.now();
    for (const sender of senders) {
      const { growth, received, isReceiving } = sender;
      if (!isReceiving || now - growth.at < GROWTH_INTERVAL_MS) continue;
      if (received - growth.bytes < MIN_GROWTH_BYTES) end(sender, 'too slow');
      else sender.growth = { bytes: received, at: now };
    }
    timer = senders.size === 0 ? null : clock.after(CHECK_MS, checkGrowth);
  }

  return {
    /**
     * Registers a body whose first bytes are about to arrive.
     *
     * @param whenEnded called at most once, when the body must give up its memory.
     */
    open(address: string, whenEnded: (why: BodyEnd) => void): BodyShare {
      const now = clock.now();
      const sender: Sender = {
        client: clientOf(address),
        held: 0,
        received: 0,
        startedAt: now,
        growth: { bytes: 0, at: now },
        isReceiving: true,
        end: whenEnded,
      };
      senders.add(sender);
      timer ??= clock.after(CHECK_MS, checkGrowth);
      return {
        hold(bytes) {
          if (!senders.has(sender)) return true;
          const others = (heldByClient.get(sender.client) ?? 0) - sender.held;
          if (others + bytes > MAX_CLIENT_BYTES) return false;
          change(sender, bytes);
          makeRoom();
          return true;
        },
        receive(bytes) {
          sender.received = bytes;
        },
        complete() {
          sender.isReceiving = false;
        },
        release: () => remove(sender),
      };
    },
  };
}

/**
 * The sender with the lowest pace. Those that have just begun are judged by their size instead, since the first bytes
 * say nothing about the pace: the largest goes when all are that new.
 */
function slowestOf(senders: readonly Sender[], now: number): Sender | null {
  let slowest: Sender | null = null;
  let lowest = Infinity;
  for (const sender of senders) {
    const age = now - sender.startedAt;
    const pace = age < MIN_AGE_MS ? Number.MAX_VALUE : sender.received / age;
    const isLarger = pace === lowest && sender.held > (slowest?.held ?? -1);
    if (pace < lowest || isLarger) {
      slowest = sender;
      lowest = pace;
    }
  }
  return slowest;
}
