import { NO_TIMINGS, toMicroseconds, type CheckResult } from '../model/check.ts';
import type { PortCheckRequest } from '../monitor-types/port.ts';
import { findTarget } from '../net/resolver.ts';
import { connect, DISCARD } from './connect.ts';
import { createStop, type Probe, type ProbeContext, type Stop } from './contract.ts';
import { failedResult, probeError } from './failures.ts';
import { createDualStackCheck, type DualStackCheck } from './dual-stack.ts';

/** Checks whether a TCP port accepts a connection. Sends nothing and closes the connection cleanly. */
export const probePort: Probe<PortCheckRequest> = async (request, context) => {
  const stop = createStop(context.signal);
  const startedAt = context.clock.monotonic();
  const deadline = startedAt + request.timeoutMs;
  const families = createDualStackCheck({ ...context, deadline });
  let result: CheckResult;
  try {
    result = await checkPort(request, { ...context, stop, families }, startedAt, deadline);
  } catch (error) {
    result = failedResult(probeError(error), null, null);
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
  if (!target.ok) return failedResult(target.failure, null, null);
  const waitedMs = clock.monotonic() - startedAt;
  const dnsMs = target.lookupMs ?? waitedMs;

  const connection = await connect(
    { ...target, port, timeoutMs, deadline, onread: DISCARD },
    context,
  );
  // A connection that was reset at once was accepted all the same.
  const tcpMs = connection.ok ? connection.milliseconds : (connection.resetAfterMs ?? null);
  if (!connection.ok && tcpMs === null) {
    return failedResult(connection.failure, connection.address, dnsMs);
  }
  // Count the whole lookup, even if another check waited for it.
  const totalMs = toMicroseconds(clock.monotonic() - startedAt + dnsMs - waitedMs);
  // Send FIN before closing: an unread greeting would turn the close into a reset.
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
