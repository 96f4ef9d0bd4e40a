import type { Failure } from '../model/failure.ts';
import type { AddressGuard } from './address-guard.ts';
import { parseHost } from './host.ts';
import type { ResolvedAddress } from './host.ts';
import type { ResolveFailure, Resolver } from './resolver.ts';

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
  const parsed = parseHost(host);
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
  if (code === 'dns_timeout') return { code, text: `DNS timeout looking up ${name}` };
  return { code, text: `DNS look-up of ${name} failed` };
}

function failed(code: Failure['code'], text: string): Target {
  return { ok: false, failure: { code, text } };
}
