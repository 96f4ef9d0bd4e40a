import { NO_TIMINGS, toMicroseconds } from '../../model/check.ts';
import type { CheckResult, PortCheckRequest } from '../../model/check.ts';
import type { Failure } from '../../model/failure.ts';
import { findTarget } from '../../net/target.ts';
import { connect } from '../connect.ts';
import type { Probe, ProbeContext } from '../contract.ts';
import { probeError, voteOf } from '../failures.ts';
import { createDualStackCheck } from '../dual-stack.ts';
import type { DualStackCheck } from '../dual-stack.ts';
import { createStop } from '../stop.ts';
import type { Stop } from '../stop.ts';

/** Whether a TCP port takes a connection. Nothing is sent; the connection is ended in good order. */
export const probePort: Probe<PortCheckRequest> = async (request, context) => {
  const stop = createStop(context.signal);
  const startedAt = context.clock.monotonic();
  const deadline = startedAt + request.timeoutMs;
  const families = createDualStackCheck({ ...context, deadline });
  let result: CheckResult;
  try {
    result = await checkPort(request, { ...context, stop, families }, startedAt, deadline);
  } catch (error) {
    result = failed(probeError(error), null, null);
  } finally {
    stop.release();
  }
  return families.complete(result);
};

async function checkPort(
  request: PortCheckRequest,
  context: ProbeContext & { stop: Stop; families: DualStackCheck },
  startedAt: number,
  deadline: number,
): Promise<CheckResult> {
  const { clock } = context;
  const { host, port, timeoutMs } = request;
  const target = await findTarget(host, context);
  if (!target.ok) return failed(target.failure, null, null);
  const waitedMs = clock.monotonic() - startedAt;
  const dnsMs = target.lookupMs ?? waitedMs;

  const connection = await connect({ ...target, port, timeoutMs, deadline }, context);
  // One that was reset at once was taken all the same.
  const tcpMs = connection.ok ? connection.milliseconds : (connection.resetAfterMs ?? null);
  if (!connection.ok && tcpMs === null) {
    return failed(connection.failure, toMicroseconds(dnsMs), connection.address);
  }
  // The whole look-up is part of the target's time, though another check may have waited for it.
  const totalMs = toMicroseconds(clock.monotonic() - startedAt + dnsMs - waitedMs);
  // The end goes out before the socket closes: a greeting that nobody read would make it a reset.
  if (connection.ok) connection.socket.end(() => connection.socket.destroy());
  return {
    vote: 'up',
    failure: null,
    responseTimeMs: totalMs,
    statusCode: null,
    timings: {
      ...NO_TIMINGS,
      dnsMs: toMicroseconds(dnsMs),
      tcpMs: toMicroseconds(tcpMs),
      totalMs,
    },
    remoteAddress: connection.address,
    evidence: null,
  };
}

function failed(reason: Failure, dnsMs: number | null, remoteAddress: string | null): CheckResult {
  return {
    vote: voteOf(reason.code),
    failure: reason,
    responseTimeMs: null,
    statusCode: null,
    timings: { ...NO_TIMINGS, dnsMs },
    remoteAddress,
    evidence: null,
  };
}
