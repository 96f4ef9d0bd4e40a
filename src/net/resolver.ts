import type { Clock } from '../lib/clock.ts';
import { createDnsChannels } from './dns-channels.ts';
import type { DnsChannels } from './dns-channels.ts';
import type { Family, ResolvedAddress } from './host.ts';
import { createHostsFile } from './hosts-file.ts';
import { canReach, createLocalNetwork } from './local-network.ts';
import type { LocalNetwork } from './local-network.ts';

export type ResolveFailure = 'dns_not_found' | 'dns_timeout' | 'dns_failed' | 'aborted';

/** Addresses in the order in which to try them (never empty), or why there are none. */
export type Resolution =
  | {
      ok: true;
      addresses: ResolvedAddress[];
      /** Milliseconds that the look-up took; a caller that shares it may have waited for less. */
      lookupMs: number;
      /** The look-up of one family failed or took too long, so the name may have more addresses. */
      isPartial?: true;
    }
  | { ok: false; code: ResolveFailure };

export interface Resolver {
  /**
   * Looks a host name up (ASCII, no address literal). Never rejects; ends when the signal is aborted: `dns_timeout`
   * at the deadline, `aborted` at shutdown.
   */
  resolve(name: string, signal: AbortSignal): Promise<Resolution>;
  /**
   * Whether this machine has a network of the family, and one from which that destination can be reached: if not,
   * being unreachable is our own fault.
   */
  hasNetwork(family: Family, destination?: string): boolean;
}

export interface ResolverOptions {
  clock: Clock;
  /** DNS servers as `address` or `address:port`; the system's when left out. */
  servers?: readonly string[] | null;
  hostsFile?: string;
  hasNetwork?: LocalNetwork;
}

/** How long the answer of the other family is waited for once one has come (RFC 8305, section 3, is 50 ms). */
const OTHER_FAMILY_MS = 250;
/** A lost datagram is sent again after this long; the deadline ends it all. */
const RETRY_MS = 1_500;
const TRIES = 5;

type FamilyAnswer = { addresses: ResolvedAddress[] } | { error: string };

/**
 * Names as this machine knows them: the hosts file first, `localhost` by rule (RFC 6761), then DNS with A and AAAA
 * together. Nothing is cached here: `shareLookups` decides who may share a look-up. Search domains, nsswitch and multicast
 * DNS are not honoured.
 */
export function createResolver(options: ResolverOptions): Resolver {
  const { clock } = options;
  const { servers } = options;
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
      if (signal.aborted) return { ok: false, code: stopCode(signal) };
      const startedAt = clock.monotonic();
      const answers = await query(name, signal, clock, channels);
      const addresses = answers.flatMap((answer) =>
        'addresses' in answer ? answer.addresses : [],
      );
      if (addresses.length > 0) {
        const lookupMs = clock.monotonic() - startedAt;
        return { ok: true, addresses: prefer(addresses), lookupMs, ...partiality(answers) };
      }
      return { ok: false, code: signal.aborted ? stopCode(signal) : failureOf(answers) };
    },
  };
}

/**
 * IPv4 first where the machine has such a network, else IPv6 first; loopback needs no network. The order of the
 * answer is kept within a family.
 */
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

/** Asks for both families and answers what came: both, or one with the other still silent after a while. */
function query(
  name: string,
  signal: AbortSignal,
  clock: Clock,
  channels: DnsChannels,
): Promise<FamilyAnswer[]> {
  const channel = channels.take();
  const cancel = (): void => channel.cancel();
  signal.addEventListener('abort', cancel, { once: true });

  let patience: object | undefined;
  const startPatience = (answer: FamilyAnswer): FamilyAnswer => {
    if ('addresses' in answer) patience ??= clock.after(OTHER_FAMILY_MS, cancel);
    return answer;
  };
  return Promise.all([
    ask(channel.resolve4(name), 4).then(startPatience),
    ask(channel.resolve6(name), 6).then(startPatience),
  ])
    .then((answers) => {
      if (answers.every(isConclusive)) channels.giveBack(channel);
      return answers;
    })
    .finally(() => {
      clock.clear(patience);
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

function partiality(answers: FamilyAnswer[]): { isPartial?: true } {
  return answers.every(isConclusive) ? {} : { isPartial: true };
}

/** Addresses, or the server's word that there are none. */
function isConclusive(answer: FamilyAnswer): boolean {
  return !('error' in answer) || NOT_FOUND.has(answer.error);
}

/** Neither family has an address. A name that does not exist says so for both; of other errors the worse counts. */
function failureOf(answers: FamilyAnswer[]): ResolveFailure {
  const errors = answers.map((answer) => ('error' in answer ? answer.error : 'ENODATA'));
  if (errors.includes('ENOTFOUND')) return 'dns_not_found';
  if (errors.every((error) => NOT_FOUND.has(error))) return 'dns_not_found';
  return errors.some((error) => TIMED_OUT.has(error)) ? 'dns_timeout' : 'dns_failed';
}

function stopCode(signal: AbortSignal): ResolveFailure {
  return signal.reason === 'shutdown' ? 'aborted' : 'dns_timeout';
}
