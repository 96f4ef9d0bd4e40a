import { NO_TIMINGS, toMicroseconds, type IcmpCheckRequest } from '../../model/check.ts';
import type { Failure } from '../../model/failure.ts';
import type { ResolvedAddress } from '../../net/host.ts';
import { findTarget } from '../../net/host.ts';
import type { Resolver } from '../../net/resolver.ts';
import type { Probe, ProbeContext } from '../contract.ts';
import { failedResult, failure, seconds, shutdownFailure } from '../failures.ts';
import { createDualStackCheck } from '../dual-stack.ts';
import type { EchoOutcome, IcmpClient } from './icmp-client.ts';
import { runPing, type PingProgram } from './ping-program.ts';
import { raceEchoes, type EchoDecision } from './echo-race.ts';
import { isShutdown } from '../stop.ts';

/** Each is a process. */
const MAX_PING_PROGRAMS = 100;

/**
 * Sends up to three echoes within the deadline; the first reply decides. Without ICMP sockets it uses the `ping`
 * program; without that, the result is unknown.
 */
export function createIcmpProbe(
  icmp: Pick<IcmpClient, 'echo'>,
  pingProgram: PingProgram = runPing,
): Probe<IcmpCheckRequest> {
  let programs = 0;

  async function byProgram(
    address: string,
    why: string,
    timeoutMs: number,
    { clock, signal }: ProbeContext,
  ): Promise<EchoOutcome> {
    if (programs >= MAX_PING_PROGRAMS)
      return { kind: 'unable', reason: `${why}; too many ping programs are running` };
    programs++;
    try {
      const outcome = await pingProgram(address, { clock, signal, timeoutMs });
      return outcome.kind === 'unable'
        ? { kind: 'unable', reason: `${why}; ${outcome.reason}` }
        : outcome;
    } finally {
      programs--;
    }
  }

  async function race(
    addresses: ResolvedAddress[],
    timeoutMs: number,
    context: ProbeContext,
  ): Promise<EchoDecision> {
    context.onSend?.();
    const decision = await raceEchoes(addresses, icmp, context, timeoutMs);
    const { address, outcome } = decision;
    if (outcome.kind !== 'unable') return decision;
    const byOther = await byProgram(address.address, outcome.reason, timeoutMs, context);
    return { ...decision, outcome: byOther };
  }

  return async ({ host, timeoutMs }, context) => {
    const { clock, resolver, signal } = context;
    const startedAt = clock.monotonic();
    const target = await findTarget(host, context);
    if (!target.ok) return failedResult(target.failure, null, null);
    const dnsMs = target.lookupMs;
    const savedMs = dnsMs === null ? 0 : dnsMs - (clock.monotonic() - startedAt);

    const { addresses, isPartial = false } = target;
    const { address, outcome, failed: earlier } = await race(addresses, timeoutMs, context);
    if (outcome.kind !== 'reply') {
      const reason = isShutdown(signal)
        ? shutdownFailure()
        : failureOf(outcome, address, timeoutMs, resolver);
      return failedResult(reason, address.address, dnsMs);
    }
    const families = createDualStackCheck({ ...context, deadline: startedAt + timeoutMs });
    families.reached({
      addresses,
      isPartial,
      used: address,
      failures: earlier.map((each) => ({
        address: each.address,
        failure: failureOf(each.outcome, each.address, timeoutMs, resolver),
      })),
      async tryAddress(other, end, boundMs) {
        const tried = await race([other], boundMs, { ...context, signal: end });
        if (tried.outcome.kind === 'reply') return null;
        if (isShutdown(end)) return shutdownFailure();
        return failureOf(tried.outcome, other, boundMs, resolver);
      },
    });
    return families.complete({
      vote: 'up',
      failure: null,
      responseTimeMs: toMicroseconds(outcome.roundTripMs),
      statusCode: null,
      timings: {
        ...NO_TIMINGS,
        dnsMs: toMicroseconds(dnsMs),
        totalMs: toMicroseconds(clock.monotonic() - startedAt + savedMs),
      },
      remoteAddress: address.address,
      evidence: null,
    });
  };
}

function failureOf(
  outcome: Exclude<EchoOutcome, { kind: 'reply' }>,
  { address, family }: ResolvedAddress,
  timeoutMs: number,
  resolver: Resolver,
): Failure {
  switch (outcome.kind) {
    case 'silent':
      return failure('no_echo', `No reply to ping from ${address} within ${seconds(timeoutMs)}`);
    case 'unreachable':
      return failure(
        'host_unreachable',
        `Host ${address} is unreachable` + (outcome.reason ? `: ${outcome.reason}` : ''),
      );
    case 'no_route':
      return resolver.hasNetwork(family, address)
        ? failure('host_unreachable', `Host ${address} is unreachable`)
        : failure('probe_no_network', `The probe has no IPv${family} network`);
    case 'unable':
      return failure('probe_unable', outcome.reason);
  }
}
