import { promises as dns } from 'node:dns';
import type { Clock } from '../lib/clock.ts';

/**
 * DNS channels of this process. A channel serves one look-up at a time: cancelling ends all that a channel has under
 * way, and an answer that is garbage makes it fail its other queries.
 */
export interface DnsChannels {
  take(): dns.Resolver;
  /** The channel's look-up was answered well; one that was cancelled or failed is dropped instead. */
  giveBack(channel: dns.Resolver): void;
}

export interface DnsChannelOptions {
  clock: Clock;
  /** DNS servers as `address` or `address:port`; the system's when left out. */
  servers?: readonly string[] | null | undefined;
  /** Milliseconds after which a lost datagram is sent again. */
  retryMs: number;
  tries: number;
}

/** A new channel reads the system's configuration, so a change of /etc/resolv.conf shows after this long. */
const CHANNEL_LIFE_MS = 5_000;

/** Creating a channel costs as much as a query. Idle ones hold no socket. */
export function createDnsChannels(options: DnsChannelOptions): DnsChannels {
  const { clock, servers, retryMs, tries } = options;
  const createdAt = new WeakMap<dns.Resolver, number>();
  let idle: dns.Resolver[] = [];

  const isFresh = (channel: dns.Resolver) =>
    clock.monotonic() - createdAt.get(channel)! < CHANNEL_LIFE_MS;

  function create(): dns.Resolver {
    const channel = new dns.Resolver({ timeout: retryMs, tries });
    if (servers) channel.setServers(servers);
    createdAt.set(channel, clock.monotonic());
    return channel;
  }

  return {
    take() {
      const channel = idle.pop();
      if (channel !== undefined && isFresh(channel)) return channel;
      idle = idle.filter(isFresh);
      return idle.pop() ?? create();
    },
    giveBack(channel) {
      if (isFresh(channel)) idle.push(channel);
    },
  };
}
