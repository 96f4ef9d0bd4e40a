import { isIP } from 'node:net';
import { memoize } from '../lib/memoize.ts';
import type { Failure } from '../model/failure.ts';
import type { AddressGuard } from './address-guard.ts';
import type { ResolveFailure, Resolver } from './resolver.ts';

export type Family = 4 | 6;

export interface ResolvedAddress {
  address: string;
  family: Family;
}

/**
 * Host as written in a URL or by a user: an IP address in canonical spelling, or an ASCII name without the final dot.
 */
type Host = { kind: 'address'; address: string; family: Family } | { kind: 'name'; name: string };

/**
 * Parses a host in any spelling that browsers accept: `127.1`, `0x7f.1`, `2130706433`, `[::1]`, `fe80::1%eth0`,
 * `München.de`. Null if it is neither an address nor a possible name.
 */
export function parseHost(text: string): Host | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const family = isIP(bare);
  if (family === 4) return { kind: 'address', address: bare, family: 4 };
  if (family === 6) return { kind: 'address', address: canonicalIPv6(bare), family: 6 };
  if (/[\s/?#@\\:%[\]]/.test(bare)) return null;
  return readName(bare);
}

/** Parsing a name takes as long as parsing a URL, and the same targets are checked again and again. */
const parseTarget = memoize(parseHost, 20_000);

/** Formats a host for a URL: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function readName(text: string): Host | null {
  let ascii: string;
  try {
    // The URL parser applies IDNA and converts every numeric spelling of IPv4 to four decimal parts.
    ascii = new URL(`http://${text}`).hostname;
  } catch {
    return null;
  }
  if (isIP(ascii) === 4) return { kind: 'address', address: ascii, family: 4 };
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  return isPossibleName(name) ? { kind: 'name', name } : null;
}

/** RFC 1035, section 2.3.4: labels of 1 to 63 octets, 253 in all. */
function isPossibleName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[^.]{1,63}$/.test(label));
}

/** Keeps the zone id, which is needed to connect to link-local addresses. */
function canonicalIPv6(address: string): string {
  const [bare = '', zone] = address.split('%', 2);
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return zone === undefined ? canonical : `${canonical}%${zone}`;
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
  /** Ends the lookup. */
  signal: AbortSignal;
}

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
