import { afterPendingEvents, type Clock } from '../lib/clock.ts';
import type { CheckResult, FamilyOutcomes } from '../model/check.ts';
import type { Failure } from '../model/failure.ts';
import type { Family, ResolvedAddress } from '../net/host.ts';
import { canReach, type Resolver } from '../net/resolver.ts';
import { voteOf } from './failures.ts';

/**
 * Checks the second address family of a target: once one family has responded, the first address of the other is tried
 * in parallel with the rest of the check. Its outcome is reported beside the result and never changes it.
 */
export type DualStackCheck = ReturnType<typeof createDualStackCheck>;

export interface AddressFailure {
  address: ResolvedAddress;
  failure: Failure;
}

interface Reached {
  /** All addresses of the host in order of preference. */
  addresses: ResolvedAddress[];
  /** Whether the host may have more addresses, whose lookup failed. */
  isPartial: boolean;
  used: ResolvedAddress;
  failures: AddressFailure[];
  /** Tries one address until the signal is aborted, after `boundMs` milliseconds at the latest: null if it responds. */
  tryAddress(
    address: ResolvedAddress,
    signal: AbortSignal,
    boundMs: number,
  ): Promise<Failure | null>;
}

interface FamilyContext {
  clock: Clock;
  resolver: Pick<Resolver, 'hasNetwork'>;
  signal: AbortSignal;
  /** Monotonic time of the check's deadline. */
  deadline: number;
}

/** Undefined: unknown. */
type Outcome = Failure | null | undefined;

interface Attempt {
  family: Family;
  outcome: Promise<Outcome>;
  ended: boolean;
  stop(): void;
}

/** Enough for one retransmitted SYN, or the third echo. A later response counts as none. */
const MAX_WAIT_MS = 2_500;
/** A timeout shortened below this by the check's deadline means nothing. */
const MIN_WAIT_MS = 500;

/** One per check. Costs nothing until a name has addresses of both families. */
export function createDualStackCheck(context: FamilyContext) {
  let wasReached = false;
  let hasOneFamily = false;
  let attempt: Attempt | null = null;

  return {
    /** To be called when the check has reached an address. Only the first call counts: redirects lead to other hosts. */
    reached(reached: Reached) {
      if (wasReached) return;
      wasReached = true;
      const { addresses, isPartial, used, failures } = reached;
      hasOneFamily = !isPartial && addresses.every(({ family }) => family === used.family);
      const other = otherFamily(addresses, used, context.resolver);
      if (other === null) return;
      const tried = failures.filter(({ address }) => address.family === other.family);
      attempt =
        tried.length > 0
          ? fromEarlierFailures(other.family, tried)
          : startAttempt(other, reached, context);
    },
    /**
     * Adds `families` to the result if both were tried, or `hasOneFamily`. Waits for the other family if the check is up,
     * and aborts that attempt otherwise. Leaves nothing open.
     */
    async complete(result: CheckResult) {
      if (hasOneFamily && result.vote === 'up') return { ...result, hasOneFamily };
      if (attempt === null) return result;
      if (result.vote !== 'up' && !attempt.ended) attempt.stop();
      const outcome = await attempt.outcome;
      if (outcome === undefined || result.vote === 'unknown') return result;
      return { ...result, families: outcomes(attempt.family, outcome) };
    },
  };
}

/** First address of the other family; null if this machine can reach none. */
export function otherFamily(
  addresses: ResolvedAddress[],
  used: ResolvedAddress,
  { hasNetwork }: Pick<Resolver, 'hasNetwork'>,
): ResolvedAddress | null {
  if (isMapped(used)) return null;
  const isOther = (address: ResolvedAddress) =>
    address.family !== used.family && !isMapped(address) && canReach(address, hasNetwork);
  return addresses.find(isOther) ?? null;
}

/** Whether the address is IPv4-mapped, which means nothing for IPv6. */
function isMapped({ address }: ResolvedAddress): boolean {
  return /^::ffff:/i.test(address);
}

function fromEarlierFailures(family: Family, tried: AddressFailure[]): Attempt {
  const down = tried.find(({ failure }) => voteOf(failure.code) === 'down');
  return {
    family,
    outcome: Promise.resolve(down?.failure),
    ended: true,
    stop: () => undefined,
  };
}

function startAttempt(other: ResolvedAddress, { tryAddress }: Reached, context: FamilyContext) {
  const { clock, signal, deadline } = context;
  const startedAt = clock.monotonic();
  const boundMs = Math.max(1, Math.min(MAX_WAIT_MS, deadline - startedAt));
  const end = new AbortController();
  const pass = (): void => end.abort(signal.reason);
  const timer = clock.after(boundMs, () => afterPendingEvents(clock, () => end.abort('deadline')));
  if (signal.aborted) pass();
  else signal.addEventListener('abort', pass, { once: true });

  const wasCutShort = () => end.signal.aborted && clock.monotonic() - startedAt < MIN_WAIT_MS;
  const attempt: Attempt = {
    family: other.family,
    ended: false,
    stop: () => end.abort('shutdown'),
    outcome: tryAddress(other, end.signal, boundMs)
      .then(
        (failure): Outcome => {
          if (failure === null) return null;
          return wasCutShort() || voteOf(failure.code) === 'unknown' ? undefined : failure;
        },
        // A fault of the probe means nothing for the target.
        (): Outcome => undefined,
      )
      .finally(() => {
        attempt.ended = true;
        clock.clear(timer);
        signal.removeEventListener('abort', pass);
      }),
  };
  return attempt;
}

function outcomes(other: Family, outcome: Failure | null): FamilyOutcomes {
  return other === 4 ? { ipv4: outcome, ipv6: null } : { ipv4: null, ipv6: outcome };
}
