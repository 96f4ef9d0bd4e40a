import { setTimeout } from 'node:timers/promises';

/** How long one turn of the targets' thread takes at least. */
const TURN_MS = 50;
/** A stall of the targets: shorter than the shortest time that a row depends on. */
const STALL_MS = 1_000;
/** A stall of the name server: a resolver waits 250 ms for the second family's answer. */
const NAME_SERVER_STALL_MS = 150;

const TURNS = 0;
const OF_TARGETS = 1;
const OF_NAME_SERVER = 2;

/** Counts how often the targets' thread stood still: memory that it shares with the probes' thread. */
export function newStallMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** Counts turns and stalls of the calling thread, for as long as it has other work. */
export function countStalls(memory: Int32Array): void {
  let lastTurn = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (now - lastTurn > STALL_MS) Atomics.add(memory, OF_TARGETS, 1);
    if (now - lastTurn > NAME_SERVER_STALL_MS) Atomics.add(memory, OF_NAME_SERVER, 1);
    Atomics.add(memory, TURNS, 1);
    lastTurn = now;
  }, TURN_MS).unref();
}

/** Stalls so far: the shorter ones, too, for those who ask the name server. */
export function stallsSeen(memory: Int32Array, asksNameServer: boolean): number {
  return Atomics.load(memory, asksNameServer ? OF_NAME_SERVER : OF_TARGETS);
}

/** Resolves when a stall that lasts until now is counted. */
export async function untilCounted(memory: Int32Array): Promise<void> {
  const before = Atomics.load(memory, TURNS);
  while (Atomics.load(memory, TURNS) - before < 2) await setTimeout(TURN_MS);
}
