import type { PingWindow } from '../../model/heartbeat.ts';

/** The ping limit counts in windows of a minute that begin with a token's first ping (contract 5.10, 5.13). */
export const WINDOW_MS = 60_000;

export interface Counted {
  isAllowed: boolean;
  /** The same one when nothing was counted: a refused ping costs nothing. */
  window: PingWindow | null;
  remaining: number;
  /** Epoch milliseconds. */
  resetAt: number;
}

/** Counts a ping at `at` (epoch ms). A window from the future, written before a clock was set back, is over. */
export function countPing(window: PingWindow | null, at: number, limit: number): Counted {
  const holds = window !== null && window.from <= at && at < window.from + WINDOW_MS;
  const from = holds ? window.from : at;
  const count = holds ? window.count : 0;
  const resetAt = from + WINDOW_MS;
  if (count >= limit) return { isAllowed: false, window, remaining: 0, resetAt };
  const counted = { from, count: count + 1 };
  return { isAllowed: true, window: counted, remaining: limit - counted.count, resetAt };
}

/** The remainder of a token's budget of pings. */
export interface PingAllowance {
  limit: number;
  remaining: number;
  /** Epoch milliseconds at which the window ends. */
  resetAt: number;
}

const MAX_EXHAUSTED_TOKENS = 10_000;

/** Tokens whose window is used up: further pings of theirs are refused without asking the database. */
export class ExhaustedTokens {
  readonly #tokens = new Map<string, PingAllowance>();

  find(tokenHash: string, now: number): PingAllowance | null {
    const known = this.#tokens.get(tokenHash);
    if (known === undefined) return null;
    // One that lies further ahead was written before the clock was set back.
    if (now < known.resetAt && known.resetAt <= now + WINDOW_MS) return known;
    this.#tokens.delete(tokenHash);
    return null;
  }

  add(tokenHash: string, allowance: PingAllowance): void {
    this.#tokens.set(tokenHash, allowance);
    if (this.#tokens.size > MAX_EXHAUSTED_TOKENS) {
      this.#tokens.delete(this.#tokens.keys().next().value!);
    }
  }
}

/** A place that a holder takes, and the number of places that it may hold at once. */
export interface Claim {
  holder: string;
  limit: number;
}

/** Bounds the pings that wait for the database, by holder: a single caller must not push out all others. */
export class AdmissionLimit {
  readonly #held = new Map<string, number>();

  /** Takes a place of each holder. Returns false, without taking any, when one of them has none left. */
  take(claims: readonly Claim[]): boolean {
    if (claims.some(({ holder, limit }) => (this.#held.get(holder) ?? 0) >= limit)) return false;
    for (const { holder } of claims) this.#add(holder, 1);
    return true;
  }

  /** Gives back what was taken. */
  release(claims: readonly Claim[]): void {
    for (const { holder } of claims) this.#add(holder, -1);
  }

  #add(holder: string, places: 1 | -1): void {
    const held = (this.#held.get(holder) ?? 0) + places;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
  }
}
