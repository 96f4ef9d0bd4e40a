import type { Clock } from '../lib/clock.ts';
import type { CheckResult, FamilyOutcomes } from '../model/check.ts';
import type { Failure } from '../model/failure.ts';
import type { Family, ResolvedAddress } from '../net/host.ts';
import { canReach } from '../net/local-network.ts';
import type { Resolver } from '../net/resolver.ts';
import { voteOf } from './failures.ts';

/**
 * The second family of addresses of a check: once one family has answered, the first address of the other one is tried
 * while the check's own work goes on. Whether it answers is told beside the result; it never changes the result.
 */
export interface DualStackCheck {
  /** The check has reached an address of its host. Only the first call counts: redirects lead to other hosts. */
  reached(reached: Reached): void;
  /**
   * The result with `families`, if both were tried, or `hasOneFamily`. Waits for the other family when the check is up and ends that
   * attempt when it is not. Nothing is left open afterwards.
   */
  complete(result: CheckResult): Promise<CheckResult>;
}

export interface AddressFailure {
  address: ResolvedAddress;
  failure: Failure;
}

interface Reached {
  /** All addresses of the host, in the order of preference. */
  addresses: ResolvedAddress[];
  /** Whether there may be more of them, which could not be looked up. */
  isPartial: boolean;
  used: ResolvedAddress;
  /** Of the addresses that were tried before. */
  failures: AddressFailure[];
  /** Tries one address until the signal is aborted, at the latest after that many milliseconds: null when it answers. */
  tryAddress(
    address: ResolvedAddress,
    signal: AbortSignal,
    boundMs: number,
  ): Promise<Failure | null>;
}

interface FamilyContext {
  clock: Clock;
  resolver: Pick<Resolver, 'hasNetwork'>;
  /** The check's own end. */
  signal: AbortSignal;
  /** Monotonic time of the check's deadline. */
  deadline: number;
}

/** Undefined: nothing was found out. */
type Outcome = Failure | null | undefined;

interface Attempt {
  family: Family;
  outcome: Promise<Outcome>;
  ended: boolean;
  stop(): void;
}

/** One repeated SYN, or the third echo, has had its chance. What answers later than that is as good as silent. */
const MAX_WAIT_MS = 2_500;
/** Silence that was cut shorter than that, by the check's deadline, says nothing. */
const MIN_WAIT_MS = 500;

/** One for each check. Costs nothing until a name has addresses of both families. */
export function createDualStackCheck(context: FamilyContext): DualStackCheck {
  let wasReached = false;
  let hasOneFamily = false;
  let attempt: Attempt | null = null;

  return {
    reached(reached) {
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
    async complete(result) {
      if (hasOneFamily && result.vote === 'up') return { ...result, hasOneFamily };
      if (attempt === null) return result;
      if (result.vote !== 'up' && !attempt.ended) attempt.stop();
      const outcome = await attempt.outcome;
      if (outcome === undefined || result.vote === 'unknown') return result;
      return { ...result, families: outcomes(attempt.family, outcome) };
    },
  };
}

/** The first address of the family that was not used, null when there is none that this machine can reach. */
export function otherFamily(
  addresses: ResolvedAddress[],
  used: ResolvedAddress,
  { hasNetwork }: Pick<Resolver, 'hasNetwork'>,
): ResolvedAddress | null {
  if (isMapped(used)) return null;
  const isOther = (address: ResolvedAddress): boolean =>
    address.family !== used.family && !isMapped(address) && canReach(address, hasNetwork);
  return addresses.find(isOther) ?? null;
}

/** An IPv6 address that stands for an IPv4 one says nothing of IPv6. */
function isMapped({ address }: ResolvedAddress): boolean {
  return /^::ffff:/i.test(address);
}

function fromEarlierFailures(family: Family, tried: AddressFailure[]): Attempt {
  const telling = tried.find(({ failure }) => voteOf(failure.code) === 'down');
  return {
    family,
    outcome: Promise.resolve(telling?.failure),
    ended: true,
    stop: () => undefined,
  };
}

function startAttempt(
  other: ResolvedAddress,
  { tryAddress }: Reached,
  context: FamilyContext,
): Attempt {
  const { clock, signal, deadline } = context;
  const startedAt = clock.monotonic();
  const boundMs = Math.max(1, Math.min(MAX_WAIT_MS, deadline - startedAt));
  const end = new AbortController();
  const pass = (): void => end.abort(signal.reason);
  const timer = clock.after(boundMs, () => end.abort('deadline'));
  if (signal.aborted) pass();
  else signal.addEventListener('abort', pass, { once: true });

  const wasCutShort = (): boolean =>
    end.signal.aborted && clock.monotonic() - startedAt < MIN_WAIT_MS;
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
        // A fault of ours is no word about the target.
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
