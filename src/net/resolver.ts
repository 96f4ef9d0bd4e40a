import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import { createDnsChannels, type DnsChannels } from './dns-channels.ts';
import { memoize } from '../lib/memoize.ts';
import type { Failure } from '../model/failure.ts';
import type { AddressGuard } from './address-guard.ts';
import { parseHost, type Family, type ResolvedAddress } from './host.ts';

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
  const prefer = (addresses: ResolvedAddress[]) => preferredOrder(addresses, hasNetwork);

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
export function preferredOrder(addresses: ResolvedAddress[], hasNetwork: LocalNetwork) {
  const rank = (address: ResolvedAddress) =>
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

/**
 * Whether an external interface has an address of the family and, if given, can reach the destination: a machine with
 * only unique local IPv6 addresses (RFC 4193) can't reach global ones.
 */
export type LocalNetwork = (family: Family, destination?: string) => boolean;

/** Destinations that an interface's address can reach. */
type Reach = 'ipv4' | 'ipv6-site' | 'ipv6-global';

const INTERFACES_TTL_MS = 1_000;

/**
 * Reads this machine's interfaces at most once per second; they stay as they were while they can't be read, as without
 * a free file descriptor. Link-local addresses are ignored.
 */
export function createLocalNetwork(clock: Clock, interfaces = networkInterfaces): LocalNetwork {
  let reaches = new Set<Reach>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (family, destination = '') => {
    const now = clock.monotonic();
    if (now - lookedAt >= INTERFACES_TTL_MS) {
      lookedAt = now;
      try {
        reaches = reachesOf(interfaces());
      } catch {
        // The last ones count.
      }
    }
    if (family === 4) return reaches.has('ipv4');
    if (reaches.has('ipv6-global')) return true;
    return reaches.has('ipv6-site') && !isGlobalIPv6(destination);
  };
}

/** Whether this machine can reach the address; loopback needs no network. */
export function canReach({ address, family }: ResolvedAddress, hasNetwork: LocalNetwork): boolean {
  return address === '::1' || address.startsWith('127.') || hasNetwork(family, address);
}

function reachesOf(interfaces: ReturnType<typeof networkInterfaces>): Set<Reach> {
  const reaches = new Set<Reach>();
  for (const { address, family, internal } of Object.values(interfaces).flatMap(
    (list) => list ?? [],
  )) {
    if (internal || /^(fe[89ab]|169\.254\.)/i.test(address)) continue;
    if (family === 'IPv4') reaches.add('ipv4');
    else reaches.add(isGlobalIPv6(address) ? 'ipv6-global' : 'ipv6-site');
  }
  return reaches;
}

/** 2000::/3; its first group always has four digits. */
function isGlobalIPv6(address: string): boolean {
  return /^[23][0-9a-f]{3}:/i.test(address);
}

/** Allowed addresses of a host in the order to try them (never empty), or why there are none. */
export type Target =
  | {
      ok: true;
      addresses: ResolvedAddress[];
      /** Duration of the lookup in milliseconds, see `Resolution`; null for an address literal. */
      lookupMs: number | null;
      /** The name may have more addresses, see `Resolution`. */
      isPartial?: true;
    }
  | { ok: false; failure: Failure };

interface TargetDependencies {
  resolver: Resolver;
  guard: AddressGuard;
  signal: AbortSignal;
}

/** Parsing a name takes as long as parsing a URL, and the same targets are checked again and again. */
const parseTarget = memoize(parseHost, 20_000);

/**
 * Finds the addresses of a host, which is a name or an address in any spelling. Connect only to these: the result of
 * another lookup is not evaluated. Fails with `target_not_allowed` if any address is refused. Never rejects.
 */
export async function findTarget(host: string, dependencies: TargetDependencies): Promise<Target> {
  const { resolver, guard, signal } = dependencies;
  const parsed = parseTarget(host);
  if (parsed === null) return failed('dns_not_found', `"${host}" is not a valid host name`);
  if (parsed.kind === 'address') {
    const { address, family } = parsed;
    return evaluate({ addresses: [{ address, family }], lookupMs: null }, null, guard);
  }
  const resolution = await resolver.resolve(parsed.name, signal);
  if (resolution.ok) {
    const target = evaluate(resolution, parsed.name, guard);
    return target.ok && resolution.isPartial ? { ...target, isPartial: true } : target;
  }
  return { ok: false, failure: lookUpFailure(resolution.code, parsed.name, resolver) };
}

function evaluate(
  { addresses, lookupMs }: { addresses: ResolvedAddress[]; lookupMs: number | null },
  name: string | null,
  guard: AddressGuard,
): Target {
  for (const { address } of addresses) {
    if (guard.evaluate(address).allowed) continue;
    // Don't tell users which internal addresses a name resolves to.
    const target = name ?? address;
    return failed('target_not_allowed', `Target ${target} is not allowed (ALLOW_PRIVATE_TARGETS)`);
  }
  return { ok: true, addresses, lookupMs };
}

function lookUpFailure(code: ResolveFailure, name: string, resolver: Resolver): Failure {
  if (code === 'aborted') return { code, text: 'The probe stopped before the check ended' };
  if (code === 'dns_not_found') return { code, text: `DNS name ${name} not found` };
  if (!resolver.hasNetwork(4) && !resolver.hasNetwork(6)) {
    return { code: 'probe_no_network', text: 'The probe has no network' };
  }
  if (code === 'probe_unable') {
    return { code, text: `The probe can't look up ${name}: it reaches none of its name servers` };
  }
  if (code === 'dns_timeout') return { code, text: `DNS timeout looking up ${name}` };
  return { code, text: `DNS look-up of ${name} failed` };
}

function failed(code: Failure['code'], text: string): Target {
  return { ok: false, failure: { code, text } };
}
