import { promises as dns } from 'node:dns';
import type { Clock } from '../lib/clock.ts';

/** Values of a name's records; empty when the name or the record does not exist. Null when no server said so. */
export type RecordValues = readonly string[] | null;

/** Looks up the TXT or CNAME records of a name. Never rejects. A text in several parts is joined. */
export type RecordLookup = (name: string, type: 'TXT' | 'CNAME') => Promise<RecordValues>;

const RETRY_MS = 1_500;
const TRIES = 2;
const DEADLINE_MS = 5_000;
/** Codes of c-ares by which a server says that there is no such record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** @param servers DNS servers as `address` or `address:port`; the system's by default. */
export function createRecordLookup(options: {
  clock: Clock;
  servers?: readonly string[] | null;
}): RecordLookup {
  const { clock, servers } = options;
  const channels = createDnsChannels({ clock, servers, retryMs: RETRY_MS, tries: TRIES });

  return async (name, type) => {
    const channel = channels.take();
    const deadline = clock.after(DEADLINE_MS, () => channel.cancel());
    try {
      const values =
        type === 'TXT'
          ? (await channel.resolveTxt(name)).map((parts) => parts.join(''))
          : await channel.resolveCname(name);
      channels.release(channel);
      return values;
    } catch (error) {
      return ABSENT.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
    } finally {
      clock.clear(deadline);
    }
  };
}

/**
 * Pool of c-ares channels. A channel serves one lookup at a time: `cancel` ends all lookups of a channel, and a
 * malformed reply fails its other queries.
 */
export type DnsChannels = ReturnType<typeof createDnsChannels>;

interface DnsChannelOptions {
  clock: Clock;
  /** DNS servers as `address` or `address:port`; the system's by default. */
  servers?: readonly string[] | null | undefined;
  /** Milliseconds after which an unanswered query is sent again. */
  retryMs: number;
  tries: number;
}

/**
 * Maximum age of a channel. New channels read the system's configuration, so changes of /etc/resolv.conf apply after
 * this time.
 */
const CHANNEL_TTL_MS = 5_000;

/** Pools channels because creating one costs as much as a query. Idle channels hold no socket. */
export function createDnsChannels({ clock, servers, retryMs, tries }: DnsChannelOptions) {
  const createdAt = new WeakMap<dns.Resolver, number>();
  let idle: dns.Resolver[] = [];

  const isFresh = (channel: dns.Resolver) =>
    clock.monotonic() - createdAt.get(channel)! < CHANNEL_TTL_MS;

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
    /** Returns a channel to the pool after a successful lookup; cancelled and failed channels are dropped. */
    release(channel: dns.Resolver) {
      if (isFresh(channel)) idle.push(channel);
    },
  };
}
