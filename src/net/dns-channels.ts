import { promises as dns } from 'node:dns';
import type { Clock } from '../lib/clock.ts';

/** DNS channels of this process; look-ups that begin within a few seconds share one. */
export interface DnsChannels {
  take(): DnsChannel;
}

export interface DnsChannel {
  readonly resolver: Pick<dns.Resolver, 'resolve4' | 'resolve6'>;
  /** The look-up has ended; what it still asked is cancelled as soon as no other look-up uses the channel. */
  release(): void;
}

export interface DnsChannelOptions {
  clock: Clock;
  /** DNS servers as `address` or `address:port`; the system's when left out. */
  servers?: string[] | undefined;
  /** Milliseconds after which a lost datagram is sent again. */
  retryMs: number;
  tries: number;
}

/**
 * A new channel reads the system's configuration, so a change of /etc/resolv.conf shows after this long. It also has
 * another source port, which answers that are forged must guess (RFC 5452, section 4.5).
 */
const CHANNEL_LIFE_MS = 5_000;

/** A channel for each look-up costs three times as much as the queries. */
export function createDnsChannels(options: DnsChannelOptions): DnsChannels {
  const { clock, servers, retryMs, tries } = options;
  let current: DnsChannel & { createdAt: number; take(): DnsChannel } = create();

  function create() {
    const resolver = new dns.Resolver({ timeout: retryMs, tries });
    if (servers !== undefined) resolver.setServers(servers);
    let lookups = 0;
    const channel = {
      resolver,
      createdAt: clock.monotonic(),
      take() {
        lookups += 1;
        return channel;
      },
      release() {
        lookups -= 1;
        // Queries that nobody waits for would keep the process alive.
        if (lookups === 0) resolver.cancel();
      },
    };
    return channel;
  }

  return {
    take() {
      if (clock.monotonic() - current.createdAt >= CHANNEL_LIFE_MS) current = create();
      return current.take();
    },
  };
}
