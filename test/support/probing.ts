import { systemClock } from '../../src/lib/clock.ts';
import type { CheckRequest, CheckResult } from '../../src/model/check.ts';
import type { HttpCheckRequest } from '../../src/monitor-types/http.ts';
import type { InspectionRequest, InspectionResult } from '../../src/model/inspection.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createResolver, type Resolver } from '../../src/net/resolver.ts';
import { evaluateContent } from '../../src/probe/content/evaluate.ts';
import type { Inspector, Probe, ProbeContext } from '../../src/probe/contract.ts';
import { createHttpProbe, type HttpProbeDeps } from '../../src/probe/http/http.ts';

/** Deadline for tests of time limits: short, but long enough for a busy machine. */
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
    errorTextDetection: false,
    ...more,
  };
}

/** The HTTP probe, with content judged in this thread. */
export function createTestProbe(deps: Partial<HttpProbeDeps> = {}): Probe<HttpCheckRequest> {
  const evaluator: HttpProbeDeps['evaluator'] = {
    evaluate: async (check, body, type) => ({
      state: 'evaluated',
      outcome: evaluateContent(check, body, type),
    }),
  };
  return createHttpProbe({ evaluator, ...deps });
}

export const probeHttp = createTestProbe();

/** A resolver that only knows `localhost`. */
function localResolver(): Resolver {
  return createResolver({ clock: systemClock, hostsFile: '/dev/null', servers: ['127.0.0.1:1'] });
}

/** Runs a check as the agent does, with a deadline that the caller owns. */
export function runProbe<R extends CheckRequest>(
  probe: Probe<R>,
  request: R,
  context: Partial<ProbeContext> = {},
): Promise<CheckResult> {
  return withDeadline(request.timeoutMs, context, (whole) => probe(request, whole));
}

/** Runs an inspection likewise. */
export function runInspection<R extends InspectionRequest>(
  inspector: Inspector<R>,
  request: R,
  context: Partial<ProbeContext> = {},
): Promise<InspectionResult<R['kind']>> {
  return withDeadline(request.timeoutMs, context, (whole) => inspector(request, whole));
}

async function withDeadline<T>(
  timeoutMs: number,
  context: Partial<ProbeContext>,
  run: (context: ProbeContext) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort('deadline'), timeoutMs);
  try {
    return await run({
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
