import type { Clock } from '../lib/clock.ts';
import { createDnsChannels } from './dns-channels.ts';
import type { DnsChannels } from './dns-channels.ts';
import type { Family, ResolvedAddress } from './host.ts';
import { canReach, createLocalNetwork } from './local-network.ts';
import type { LocalNetwork } from './local-network.ts';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export type ResolveFailure =
  | 'dns_not_found'
  | 'dns_timeout'
  | 'dns_failed'
  | 'aborted'
  /** This machine reaches none of its name servers, or has no socket left to ask them. */
  | 'probe_unable';

/** Addresses in the order to try them (never empty), or why there are none. */
export type Resolution =
  | {
      ok: true;
      addresses: ResolvedAddress[];
      /** Duration of the lookup in milliseconds; a caller that shared it may have waited less. */
      lookupMs: number;
      /** The lookup of one family failed or timed out, so the name may have more addresses. */
      isPartial?: true;
    }
  | { ok: false; code: ResolveFailure };

export interface Resolver {
  /**
   * Looks up a host name (ASCII, not an address). Never rejects; ends when the signal is aborted: with `dns_timeout` at
   * the deadline, `aborted` at shutdown.
   */
  resolve(name: string, signal: AbortSignal): Promise<Resolution>;
  /**
   * Whether this machine has a network of the family and can reach the destination: if not, an unreachable target is
   * the probe's own fault.
   */
  hasNetwork(family: Family, destination?: string): boolean;
}

interface ResolverOptions {
  clock: Clock;
  /** DNS servers as `address` or `address:port`; the system's by default. */
  servers?: readonly string[] | null;
  hostsFile?: string;
  hasNetwork?: LocalNetwork;
}

/** Time to wait for the second family's answer after the first (RFC 8305, section 3, recommends 50 ms). */
const OTHER_FAMILY_WAIT_MS = 250;
/** Time after which an unanswered query is sent again, until the deadline. */
const RETRY_MS = 1_500;
const TRIES = 5;

type FamilyAnswer = { addresses: ResolvedAddress[] } | { error: string };

/**
 * Resolver that uses the hosts file first, then `localhost` by rule (RFC 6761), then DNS with A and AAAA in parallel.
 * Doesn't cache: `shareLookups` does. Search domains, nsswitch and multicast DNS are not supported.
 */
export function createResolver(options: ResolverOptions): Resolver {
  const { clock, servers } = options;
  const channels = createDnsChannels({ clock, servers, retryMs: RETRY_MS, tries: TRIES });
  const readHosts = createHostsFile(options.hostsFile ?? '/etc/hosts', clock);
  const hasNetwork = options.hasNetwork ?? createLocalNetwork(clock);
  const prefer = (addresses: ResolvedAddress[]): ResolvedAddress[] =>
    preferredOrder(addresses, hasNetwork);

  return {
    hasNetwork,
    async resolve(host, signal) {
      const name = host.toLowerCase().replace(/\.$/, '');
      const known = readHosts().get(name) ?? localhostRule(name);
      if (known !== undefined) return { ok: true, addresses: prefer(known), lookupMs: 0 };
      if (signal.aborted) return { ok: false, code: abortCode(signal) };
      const startedAt = clock.monotonic();
      const answers = await query(name, signal, clock, channels);
      const addresses = answers.flatMap((answer) =>
        'addresses' in answer ? answer.addresses : [],
      );
      if (addresses.length > 0) {
        const lookupMs = clock.monotonic() - startedAt;
        return { ok: true, addresses: prefer(addresses), lookupMs, ...partiality(answers) };
      }
      return { ok: false, code: signal.aborted ? abortCode(signal) : failureOf(answers) };
    },
  };
}

/** Sorts reachable addresses first, and IPv4 before IPv6. Keeps the order of the answer within a family. */
export function preferredOrder(
  addresses: ResolvedAddress[],
  hasNetwork: LocalNetwork,
): ResolvedAddress[] {
  const rank = (address: ResolvedAddress): number =>
    (canReach(address, hasNetwork) ? 0 : 2) + (address.family === 4 ? 0 : 1);
  return addresses.toSorted((a, b) => rank(a) - rank(b));
}

function localhostRule(name: string): ResolvedAddress[] | undefined {
  if (name !== 'localhost' && !name.endsWith('.localhost')) return undefined;
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
}

/** Queries both families; returns both answers, or one if the other takes too long. */
function query(
  name: string,
  signal: AbortSignal,
  clock: Clock,
  channels: DnsChannels,
): Promise<FamilyAnswer[]> {
  const channel = channels.take();
  const cancel = (): void => channel.cancel();
  signal.addEventListener('abort', cancel, { once: true });

  let otherFamilyTimer: object | undefined;
  const startOtherFamilyTimer = (answer: FamilyAnswer): FamilyAnswer => {
    if ('addresses' in answer) otherFamilyTimer ??= clock.after(OTHER_FAMILY_WAIT_MS, cancel);
    return answer;
  };
  return Promise.all([
    ask(channel.resolve4(name), 4).then(startOtherFamilyTimer),
    ask(channel.resolve6(name), 6).then(startOtherFamilyTimer),
  ])
    .then((answers) => {
      if (answers.every(isConclusive)) channels.release(channel);
      return answers;
    })
    .finally(() => {
      clock.clear(otherFamilyTimer);
      signal.removeEventListener('abort', cancel);
    });
}

async function ask(answer: Promise<string[]>, family: Family): Promise<FamilyAnswer> {
  try {
    return { addresses: (await answer).map((address) => ({ address, family })) };
  } catch (error) {
    return { error: (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN' };
  }
}

const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'NOTFOUND']);
const TIMED_OUT = new Set(['ETIMEOUT', 'ECANCELLED']);
/** Codes of c-ares when it could ask no name server: none is reachable, or this machine lacks sockets or memory. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOMEM', 'EFILE']);

function partiality(answers: FamilyAnswer[]): { isPartial?: true } {
  return answers.every(isConclusive) ? {} : { isPartial: true };
}

/** Whether the answer has addresses, or the server says that there are none. */
function isConclusive(answer: FamilyAnswer): boolean {
  return !('error' in answer) || NOT_FOUND.has(answer.error);
}

/** Failure of a lookup without addresses. NXDOMAIN applies to both families; of other errors the worse counts. */
function failureOf(answers: FamilyAnswer[]): ResolveFailure {
  const errors = answers.map((answer) => ('error' in answer ? answer.error : 'ENODATA'));
  if (errors.includes('ENOTFOUND')) return 'dns_not_found';
  if (errors.every((error) => NOT_FOUND.has(error))) return 'dns_not_found';
  if (errors.some((error) => NOT_SENT.has(error))) return 'probe_unable';
  return errors.some((error) => TIMED_OUT.has(error)) ? 'dns_timeout' : 'dns_failed';
}

function abortCode(signal: AbortSignal): ResolveFailure {
  return signal.reason === 'shutdown' ? 'aborted' : 'dns_timeout';
}

/** Addresses by lower-case name, in the order of the file. */
type HostsTable = ReadonlyMap<string, ResolvedAddress[]>;

const REFRESH_AFTER_MS = 5_000;

/** Parses a hosts file (hosts(5)). */
export function parseHosts(text: string): HostsTable {
  const table = new Map<string, ResolvedAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*$/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names)
      addTo(table, name.toLowerCase(), { address, family: family as 4 | 6 });
  }
  return table;
}

function addTo(table: Map<string, ResolvedAddress[]>, name: string, entry: ResolvedAddress): void {
  const known = table.get(name);
  if (known === undefined) table.set(name, [entry]);
  else if (!known.some(({ address }) => address === entry.address)) known.push(entry);
}

/** Returns a function that reads the file at most every 5 s. Without a file it is empty; one that can't be read stays as it was. */
function createHostsFile(path: string, clock: Clock): () => HostsTable {
  let table: HostsTable = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    if (now - readAt < REFRESH_AFTER_MS) return table;
    readAt = now;
    try {
      table = parseHosts(readFileSync(path, 'utf8'));
    } catch (error) {
      // Other codes are a lack of open files, for example: the names are still known.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') table = new Map();
    }
    return table;
  };
}
