import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { ResolvedAddress } from './host.ts';
import type { Target } from './resolver.ts';

/** Age at which addresses are looked up and evaluated by the guard again. */
const LOOKUP_TTL_MS = 30_000;
/** Below the 5 s after which common servers close idle connections. */
const IDLE_TIMEOUT_MS = 4_000;
const MAX_IDLE_CONNECTIONS = 16;

/** Agent that connects to these addresses only. */
export interface KeepAliveTarget {
  addresses: ResolvedAddress[];
  agent: HttpAgent;
}

interface LookUp {
  origin: string;
  at: number;
  target: Promise<Target>;
}

/**
 * Connections kept open between requests to one origin. Each was made to an address that the guard allowed, at most 30
 * s before the last request on it began. Never share an instance between tenants: one could affect another's
 * connection.
 */
export class KeepAliveConnections {
  #lookUp: LookUp | null = null;
  #kept: (KeepAliveTarget & { origin: string }) | null = null;

  /**
   * Finds the addresses and the agent for a request.
   * @param now milliseconds of the monotonic clock.
   * @param lookUp finds the addresses; never rejects.
   */
  async find(
    { origin, protocol }: URL,
    now: number,
    lookUp: () => Promise<Target>,
  ): Promise<{ ok: true; kept: KeepAliveTarget } | Exclude<Target, { ok: true }>> {
    let current = this.#lookUp;
    if (current === null || current.origin !== origin || now - current.at >= LOOKUP_TTL_MS) {
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

  /** Closes idle connections; those in use are closed after their requests. */
  close(): void {
    this.#lookUp = null;
    if (this.#kept === null) return;
    const { agent } = this.#kept;
    this.#kept = null;
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }

  #to(origin: string, protocol: string, addresses: ResolvedAddress[]): KeepAliveTarget {
    const kept = this.#kept;
    if (kept?.origin === origin && isSame(kept.addresses, addresses)) return kept;
    const lookUp = this.#lookUp;
    this.close();
    this.#lookUp = lookUp;
    const options = {
      keepAlive: true,
      maxFreeSockets: MAX_IDLE_CONNECTIONS,
      timeout: IDLE_TIMEOUT_MS,
    };
    const agent = protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
    this.#kept = { origin, addresses, agent };
    return this.#kept;
  }
}

/** Compares addresses regardless of their order, which name servers rotate. */
function isSame(some: ResolvedAddress[], others: ResolvedAddress[]): boolean {
  return sorted(some).join() === sorted(others).join();
}

function sorted(addresses: ResolvedAddress[]): string[] {
  return addresses.map(({ address }) => address).toSorted((a, b) => (a < b ? -1 : 1));
}
