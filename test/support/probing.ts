import { systemClock } from '../../src/lib/clock.ts';
import type { CheckRequest, CheckResult, HttpCheckRequest } from '../../src/model/check.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createResolver } from '../../src/net/resolver.ts';
import type { Resolver } from '../../src/net/resolver.ts';
import type { Probe, ProbeContext } from '../../src/probe/contract.ts';

/** Whether the target comes first, or the deadline, is what tests of time limits ask: short, but not for a busy machine. */
export const SHORT_MS = 300;
const LONG_MS = 10_000;

export function httpCheck(url: string, more: Partial<HttpCheckRequest> = {}): HttpCheckRequest {
  return {
    type: 'http',
    monitorId: 1,
    timeoutMs: LONG_MS,
    url,
    method: 'GET',
    headers: {},
    body: null,
    acceptedStatusCodes: null,
    followRedirects: true,
    verifySsl: true,
    errorTextDetection: false,
    ...more,
  };
}

/** A resolver that knows `localhost` and nothing else. */
function localResolver(): Resolver {
  return createResolver({ clock: systemClock, hostsFile: '/dev/null', servers: ['127.0.0.1:1'] });
}

/** Runs a check as the agent does: with a deadline that belongs to the caller. */
export async function runProbe<R extends CheckRequest>(
  probe: Probe<R>,
  request: R,
  context: Partial<ProbeContext> = {},
): Promise<CheckResult> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort('deadline'), request.timeoutMs);
  try {
    return await probe(request, {
      signal: deadline.signal,
      clock: systemClock,
      resolver: localResolver(),
      guard: createAddressGuard(true),
      ...context,
    });
  } finally {
    clearTimeout(timer);
  }
}
