import type { Ping } from '../model/heartbeat.ts';

/** A ping as the edge hands it over; when it was received is noted then. */
export interface IncomingPing extends Omit<Ping, 'at'> {
  /** SHA-256 of the token in hex. */
  tokenHash: string;
}

/** What is left of a token's budget of pings. */
export interface PingAllowance {
  limit: number;
  remaining: number;
  /** Epoch milliseconds at which the window ends. */
  resetAt: number;
}

/** What became of a ping. */
export type PingOutcome =
  /** It is on disk, and all that follows from it. */
  | { kind: 'recorded'; allowance: PingAllowance }
  /** The monitor is paused. */
  | { kind: 'ignored'; allowance: PingAllowance }
  /** No monitor has that token. */
  | { kind: 'unknown' }
  /** Too many in this minute: nothing was recorded. */
  | { kind: 'limited'; allowance: PingAllowance }
  /** The database does not answer, or too much waits for it: nobody knows whether it was recorded. */
  | { kind: 'unavailable'; allowance: PingAllowance };

/** Takes pings. */
export interface PingIngest {
  /** Settles once the ping is on disk. Rejects only for a fault of ours. */
  take(ping: IncomingPing): Promise<PingOutcome>;
}
