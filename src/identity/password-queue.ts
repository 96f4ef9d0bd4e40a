import { clientOf } from './rate-limits.ts';
import { TooManyPasswords, type PasswordHashing } from './password.ts';

/**
 * Passwords hashed at a time. Each takes 70 ms of a core and 32 MiB; Node's pool of 4 threads also reads files and
 * looks up names, so that half of it is left to them.
 */
const AT_ONCE = 2;
/** Passwords that may wait: 100 of them take about 4 seconds. */
const MAX_WAITING = 100;
const MAX_WAITING_OF_CLIENT = 20;

/** Password hashing for requests of clients, each with the address it came from. */
export type PasswordQueue = ReturnType<typeof createPasswordQueue>;

/**
 * Limits how many passwords are hashed at a time, so that a flood of sign-ins does not stall others. Clients take turns:
 * one that sends many waits for itself. What exceeds the limits is refused with TooManyPasswords.
 */
export function createPasswordQueue(hashing: PasswordHashing) {
  /** Waiting work by client; the first client is next. */
  const lanes = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  function isFull(address: string | null): boolean {
    const lane = lanes.get(clientOf(address ?? ''));
    return waiting >= MAX_WAITING || (lane?.length ?? 0) >= MAX_WAITING_OF_CLIENT;
  }

  async function run<Value>(address: string | null, work: () => Promise<Value>): Promise<Value> {
    if (running < AT_ONCE) running += 1;
    else {
      if (isFull(address)) throw new TooManyPasswords();
      await slot(clientOf(address ?? ''));
    }
    try {
      return await work();
    } finally {
      passOn();
    }
  }

  function slot(client: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const lane = lanes.get(client);
    if (lane === undefined) lanes.set(client, [resolve]);
    else lane.push(resolve);
    waiting += 1;
    return promise;
  }

  /** Hands a finished slot to the next client, which then goes to the end. */
  function passOn(): void {
    const [next] = lanes;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [client, [begin, ...others]] = next;
    lanes.delete(client);
    if (others.length > 0) lanes.set(client, others);
    waiting -= 1;
    begin!();
  }

  return {
    hash: (password: string, address: string | null) => run(address, () => hashing.hash(password)),
    verify: (stored: { hash: string; password: string }, address: string | null) =>
      run(address, () => hashing.verify(stored)),
    isFull,
  };
}
