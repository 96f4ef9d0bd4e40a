import { NO_TIMINGS } from '../model/check.ts';
import type { CheckResult, Evidence, HttpCheckRequest, Timings } from '../model/check.ts';
import type { Failure } from '../model/failure.ts';
import type { Probe, ProbeContext } from './contract.ts';
import { findErrorText } from './error-text.ts';
import { bodyText, captureEvidence, contentType } from './evidence.ts';
import { failure, probeError, shutdownFailure, voteOf } from './failures.ts';
import { unpackBody } from './http-body.ts';
import type { UnpackedBody } from './http-body.ts';
import { exchange } from './http-exchange.ts';
import type { Exchange, ExchangeContext, Phases } from './http-exchange.ts';
import { followRedirect, requestKey, withoutSecrets } from './http-redirect.ts';
import { firstRequest, requestProblem } from './http-request.ts';
import type { HttpRequest } from './http-request.ts';
import { joined } from './http-response.ts';
import type { ResponseHead } from './http-response.ts';
import { isAcceptedStatus, isRedirectStatus, statusSentence } from './http-status.ts';
import { createStop, isShutdown } from './stop.ts';
import { createTlsContexts, summarizeTls } from './tls.ts';
import type { TlsContexts } from './tls.ts';

/** completions, section 6: without a content check at most 1 MiB is read, and the rest is not asked for. */
const BODY_LIMIT = 1024 * 1024;

/** What a check has seen so far. */
interface Trail {
  startedAt: number;
  phases: Phases;
  redirects: string[];
  last: Exchange | null;
  /** The last answer's body, unpacked; null when it was of no interest or could not be unpacked. */
  body: Buffer | null;
  /** Monotonic time of the last answer's last byte. */
  answeredAt: number | null;
}

/** `authorities` (PEM) replace the store of trusted ones. */
export function createHttpProbe(authorities?: string[]): Probe<HttpCheckRequest> {
  const tlsContexts = createTlsContexts(authorities);
  return (request, context) => check(request, context, tlsContexts);
}

export const probeHttp: Probe<HttpCheckRequest> = createHttpProbe();

async function check(
  request: HttpCheckRequest,
  context: ProbeContext,
  tlsContexts: TlsContexts,
): Promise<CheckResult> {
  const trail: Trail = {
    startedAt: context.clock.monotonic(),
    phases: { dnsMs: null, tcpMs: null, tlsMs: null, ttfbMs: null },
    redirects: [],
    last: null,
    body: null,
    answeredAt: null,
  };
  const stop = createStop(context.signal);
  let reason: Failure | null;
  try {
    reason = await look(request, { ...context, stop, tlsContexts }, trail);
  } catch (error) {
    reason = probeError(error);
  } finally {
    stop.release();
  }
  return toResult(request, trail, reason);
}

/** Follows the redirects to the final answer and judges that. Answers why it is a failure, null when it is none. */
async function look(
  request: HttpCheckRequest,
  context: ExchangeContext,
  trail: Trail,
): Promise<Failure | null> {
  const url = URL.parse(request.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return failure('probe_unable', 'The URL is not an http or https address');
  }
  const problem = requestProblem(request.headers);
  if (problem !== null) return failure('probe_unable', `The request can't be sent: ${problem}`);

  let current: HttpRequest = firstRequest(request, url);
  const visited = new Set<string>();
  const skipBody = (head: ResponseHead): boolean => redirectLocation(head, request) !== null;
  for (;;) {
    const answer = await exchange(
      {
        ...current,
        verifySsl: request.verifySsl,
        bodyLimit: BODY_LIMIT,
        skipBody,
        timeoutMs: request.timeoutMs,
        deadline: trail.startedAt + request.timeoutMs,
      },
      context,
    );
    addPhases(trail.phases, answer.phases);
    trail.last = answer;
    if (answer.failure !== null) return answer.failure;
    trail.answeredAt = context.clock.monotonic();

    const { head } = answer;
    const location = head === null ? null : redirectLocation(head, request);
    if (head === null || location === null) return judge(answer, request, context, trail);
    visited.add(requestKey(current));
    const next = followRedirect(current, head.status, location, visited);
    if (!next.ok) return next.failure;
    current = next.request;
    trail.redirects.push(withoutSecrets(current.url));
  }
}

/** Where an answer sends us on to, null when it is the final one. */
function redirectLocation(head: ResponseHead, request: HttpCheckRequest): string | null {
  if (!request.followRedirects || !isRedirectStatus(head.status)) return null;
  return head.headers.find(([name]) => name === 'location')?.[1] ?? null;
}

/** The final answer: its status, then its content coding, then its text. */
async function judge(
  answer: Exchange,
  request: HttpCheckRequest,
  context: ExchangeContext,
  trail: Trail,
): Promise<Failure | null> {
  const { head } = answer;
  if (head === null) return failure('probe_error', 'The probe lost the answer');
  const encoding = joined(head.headers, 'content-encoding');
  const { body: bytes, bodyComplete: complete } = answer;
  const unpacked: UnpackedBody =
    encoding === null
      ? { state: 'ok', bytes, truncated: !complete }
      : await unpackBody({ bytes, encoding, complete, limit: BODY_LIMIT }, context.stop);
  if (unpacked.state === 'ok') trail.body = unpacked.bytes;
  if (!isAcceptedStatus(head.status, request.acceptedStatusCodes)) {
    return failure('http_status', statusSentence(head.status));
  }
  if (unpacked.state === 'stopped') {
    // The answer came in time, and nothing is known of its content: only a check of the content could have failed.
    return isShutdown(context.signal) ? shutdownFailure() : null;
  }
  if (unpacked.state === 'broken') {
    return failure('response_invalid', 'The response is not packed as its Content-Encoding says');
  }
  if (!request.errorTextDetection) return null;
  const text = findErrorText(bodyText(unpacked.bytes, contentType(head)));
  return text === null ? null : failure('error_text', `The page shows a server error: ${text}`);
}

/** Each redirect adds to its phase, so that the phases make up the whole. */
function addPhases(sum: Phases, more: Phases): void {
  for (const name of ['dnsMs', 'tcpMs', 'tlsMs', 'ttfbMs'] as const) {
    const value = more[name];
    if (value !== null) sum[name] = (sum[name] ?? 0) + value;
  }
}

function toResult(request: HttpCheckRequest, trail: Trail, reason: Failure | null): CheckResult {
  const { last } = trail;
  const vote = reason === null ? 'up' : voteOf(reason.code);
  // A redirect's answer is not the final one: what it led to never answered.
  const answered = last !== null && last.failure === null && trail.answeredAt !== null;
  const totalMs = answered ? round((trail.answeredAt ?? 0) - trail.startedAt) : null;
  return {
    vote,
    failure: reason,
    responseTimeMs: totalMs,
    statusCode: last?.head?.status ?? null,
    timings: last === null ? NO_TIMINGS : roundPhases(trail.phases, totalMs),
    remoteAddress: last?.remoteAddress ?? null,
    evidence: vote === 'down' ? evidenceOf(request, trail) : null,
  };
}

function evidenceOf(request: HttpCheckRequest, { last, body, redirects }: Trail): Evidence {
  return captureEvidence({
    head: last?.head ?? null,
    body: body ?? cutShortBody(last),
    redirects,
    tls: last?.tls ? summarizeTls(last.tls) : null,
    sent: { headers: request.headers, body: request.body },
  });
}

/** Of an answer that did not come whole, what came, if it is not packed. */
function cutShortBody(last: Exchange | null): Buffer | null {
  if (last === null || last.head === null) return null;
  return joined(last.head.headers, 'content-encoding') === null ? last.body : null;
}

function roundPhases({ dnsMs, tcpMs, tlsMs, ttfbMs }: Phases, totalMs: number | null): Timings {
  return {
    dnsMs: round(dnsMs),
    tcpMs: round(tcpMs),
    tlsMs: round(tlsMs),
    ttfbMs: round(ttfbMs),
    totalMs,
  };
}

/** Whole microseconds. */
function round<T extends number | null>(milliseconds: T): T {
  return (milliseconds === null ? null : Math.round(milliseconds * 1_000) / 1_000) as T;
}
