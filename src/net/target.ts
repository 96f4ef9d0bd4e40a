import type { Failure } from '../model/failure.ts';
import type { AddressGuard } from './address-guard.ts';
import { parseHost } from './host.ts';
import type { ResolvedAddress } from './host.ts';
import type { ResolveFailure, Resolver } from './resolver.ts';

/** The addresses of a host in the order to try them (never empty), or why none may or can be spoken to. */
export type Target =
  | {
      ok: true;
      addresses: ResolvedAddress[];
      /** Milliseconds that the look-up of the name took, see `Resolution`; null of a literal address. */
      lookupMs: number | null;
      /** The name may have more addresses, see `Resolution`. */
      isPartial?: true;
    }
  | { ok: false; failure: Failure };

interface TargetDependencies {
  resolver: Resolver;
  guard: AddressGuard;
  /** Ends the look-up. */
  signal: AbortSignal;
}

/**
 * The addresses of a host (a name, or a literal in any spelling). Connect to these and to nothing else: they were
 * judged, another look-up was not. Refused (`target_not_allowed`) if any one of them is refused. Never rejects.
 */
export async function findTarget(host: string, dependencies: TargetDependencies): Promise<Target> {
  const { resolver, guard, signal } = dependencies;
  const parsed = parseHost(host);
  if (parsed === null) return failed('dns_not_found', `"${host}" is not a valid host name`);
  if (parsed.kind === 'address') {
    const { address, family } = parsed;
    return judged({ addresses: [{ address, family }], lookupMs: null }, null, guard);
  }
  const resolution = await resolver.resolve(parsed.name, signal);
  if (resolution.ok) {
    const target = judged(resolution, parsed.name, guard);
    return target.ok && resolution.isPartial ? { ...target, isPartial: true } : target;
  }
  return { ok: false, failure: lookUpFailure(resolution.code, parsed.name, resolver) };
}

function judged(
  { addresses, lookupMs }: { addresses: ResolvedAddress[]; lookupMs: number | null },
  name: string | null,
  guard: AddressGuard,
): Target {
  for (const { address } of addresses) {
    if (guard.judge(address).allowed) continue;
    // What a name leads to inside the network of the installation is not for its users to know.
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
  if (code === 'dns_timeout') return { code, text: `DNS timeout looking up ${name}` };
  return { code, text: `DNS look-up of ${name} failed` };
}

function failed(code: Failure['code'], text: string): Target {
  return { ok: false, failure: { code, text } };
}
