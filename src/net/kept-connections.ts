import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { ResolvedAddress } from './host.ts';
import type { Target } from './target.ts';

/** Addresses are looked up and evaluated by the guard again after this long, in milliseconds. */
const RECHECK_MS = 30_000;
/** Below the 5 s after which common servers close an idle connection. */
const IDLE_MS = 4_000;
const MOST_IDLE = 16;

/** The agent keeps connections to these addresses alone. */
export interface KeptTarget {
  addresses: ResolvedAddress[];
  agent: HttpAgent;
}

interface LookUp {
  origin: string;
  at: number;
  target: Promise<Target>;
}

/**
 * Connections that stay open between requests of one party to one origin. Each was made to an address that the guard
 * allowed, at most 30 s before the last request on it began. Never share one between parties: what one of them does to a
 * connection is seen by the next.
 */
export class KeptConnections {
  #lookUp: LookUp | null = null;
  #kept: (KeptTarget & { origin: string }) | null = null;

  /**
   * Where to send a request, and on which agent.
   *
   * @param now milliseconds of the monotonic clock. @param lookUp finds the addresses, and rejects never.
   */
  async find(
    { origin, protocol }: URL,
    now: number,
    lookUp: () => Promise<Target>,
  ): Promise<{ ok: true; kept: KeptTarget } | Exclude<Target, { ok: true }>> {
    let current = this.#lookUp;
    if (current === null || current.origin !== origin || now - current.at >= RECHECK_MS) {
      current = { origin, at: now, target: lookUp() };
      this.#lookUp = current;
    }
    const target = await current.target;
    if (!target.ok) {
      if (this.#lookUp === current) this.close();
      return target;
    }
    return { ok: true, kept: this.#to(origin, protocol, target.addresses) };
  }

  /** Ends idle connections; those in use end with their requests. */
  close(): void {
    this.#lookUp = null;
    if (this.#kept === null) return;
    const { agent } = this.#kept;
    this.#kept = null;
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }

  #to(origin: string, protocol: string, addresses: ResolvedAddress[]): KeptTarget {
    const kept = this.#kept;
    if (kept?.origin === origin && isSame(kept.addresses, addresses)) return kept;
    const lookUp = this.#lookUp;
    this.close();
    this.#lookUp = lookUp;
    const options = { keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: IDLE_MS };
    const agent = protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
    this.#kept = { origin, addresses, agent };
    return this.#kept;
  }
}

/** Name servers rotate addresses: their order means nothing. */
function isSame(some: ResolvedAddress[], others: ResolvedAddress[]): boolean {
  return sorted(some).join() === sorted(others).join();
}

function sorted(addresses: ResolvedAddress[]): string[] {
  return addresses.map(({ address }) => address).toSorted((a, b) => (a < b ? -1 : 1));
}
