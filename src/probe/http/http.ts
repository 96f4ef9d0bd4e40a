import { randomBytes } from 'node:crypto';
import {
  NO_TIMINGS,
  toMicroseconds,
  type CheckResult,
  type Evidence,
  type Timings,
} from '../../model/check.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import type { Failure } from '../../model/failure.ts';
import { createLargeBodySlots } from './large-body-slots.ts';
import { createStop, type Probe } from '../contract.ts';
import { failure, probeError, voteOf } from '../failures.ts';
import { createDualStackCheck } from '../dual-stack.ts';
import { answerChallenge, openChallenge } from './digest.ts';
import {
  classifyResponse,
  IGNORE_BODY,
  bodyLimits,
  type ClassifyContext,
} from './classify-response.ts';
import { exchange, type Exchange, type Phases } from './exchange.ts';
import {
  firstRequest,
  headersToSend,
  requestProblem,
  untrustedRequest,
  withCookiesOf,
  followRedirect,
  requestKey,
  withoutSecrets,
  type HttpRequest,
} from './request.ts';
import { isRedirectStatus, joinedHeader, type ResponseHead } from './response.ts';
import { createTlsContexts, summarizeTls } from '../tls/tls.ts';
import type { ContentOutcome } from '../../model/content.ts';
import { captureEvidence, createSentRemoval } from './evidence.ts';
import { withoutControls, type SecretRemoval } from './secret-removal.ts';
import { cookiesSetBy, queryOfRedirect, type SentValues } from './sent-secrets.ts';

export interface HttpProbeDeps {
  evaluator: ClassifyContext['evaluator'];
  /** PEM certificates that replace the trust store. */
  authorities?: string[];
  /** Returns a new random printable ASCII text, for digest authentication. */
  newClientNonce?: () => string;
}

const MAX_LARGE_BODIES = 4;

type CheckContext = ClassifyContext & Required<Pick<HttpProbeDeps, 'newClientNonce'>>;

/** First request of a check, or why it can't be sent. */
type Prepared = { ok: true; first: HttpRequest } | { ok: false; failure: Failure };

/** The checks of a round share their request, so that it is parsed once. */
const prepared = new WeakMap<HttpCheckRequest, Prepared>();

export function createHttpProbe({
  evaluator,
  authorities,
  newClientNonce = () => randomBytes(18).toString('base64url'),
}: HttpProbeDeps): Probe<HttpCheckRequest> {
  const tlsContexts = createTlsContexts(authorities);
  const slots = createLargeBodySlots(MAX_LARGE_BODIES);

  return async (request, context) => {
    const { clock, signal } = context;
    const progress = startProgress(clock.monotonic());
    const deadline = progress.startedAt + request.timeoutMs;
    const stop = createStop(signal);
    const slot = slots.slotFor(request.monitorId, clock);
    const families = createDualStackCheck({ ...context, deadline });
    let reason: Failure | null;
    try {
      reason = await followToFinalResponse(
        request,
        { ...context, stop, slot, families, evaluator, tlsContexts, newClientNonce },
        progress,
      );
    } catch (error) {
      reason = probeError(error);
    } finally {
      slot.release();
      stop.release();
    }
    return families.complete(toResult(request, progress, reason));
  };
}

/** Follows redirects and answers challenges up to the final response, and classifies that. Null without a failure. */
async function followToFinalResponse(
  request: HttpCheckRequest,
  context: CheckContext,
  progress: CheckProgress,
): Promise<Failure | null> {
  const preparation = prepare(request);
  if (!preparation.ok) return preparation.failure;
  let current = preparation.first;
  const { url } = current;
  progress.query = url.search;
  /** `current`, with the answer to a challenge once there was one, and the number of challenges. */
  let sent = current;
  let answered = 0;
  let expectations = request;
  const visited: string[] = [];
  const withholdSecrets = (): HttpRequest => {
    const untrusted = untrustedRequest(current);
    if (untrusted !== current) expectations = withoutExpectations(request);
    current = untrusted;
    return untrusted;
  };
  const limits = (head: ResponseHead) =>
    redirectLocation(head, request) !== null || openChallenge(head, current, answered) !== null
      ? IGNORE_BODY
      : bodyLimits(head, expectations, sentBy(request, progress, head));
  for (;;) {
    const asked = current;
    const answer = await exchange(
      {
        method: sent.method,
        url: sent.url,
        headers: headersToSend(sent),
        body: sent.body,
        acceptsAnyCertificate: request.acceptsAnyCertificate === true,
        onCertificateFault: isInspected(current, url, request) ? withholdSecrets : null,
        bodyLimits: limits,
        slot: context.slot,
        timeoutMs: request.timeoutMs,
        deadline: progress.startedAt + request.timeoutMs,
      },
      context,
    );
    addExchange(progress, answer);
    if (answer.failure !== null) return answer.failure;
    progress.answeredAt = context.clock.monotonic();

    const { head } = answer;
    if (head !== null) current = withCookiesOf(head, current, context.clock.now());
    const challenge = head === null ? null : openChallenge(head, current, answered);
    if (challenge !== null) {
      const answering = answerChallenge(challenge, current, context.newClientNonce());
      progress.proofs.push(...answering.proofs);
      sent = answering.request;
      answered++;
      continue;
    }
    const location = head === null ? null : redirectLocation(head, request);
    if (head === null || location === null) {
      const classification = await classifyResponse(
        answer,
        expectations,
        () => sentBy(request, progress),
        context,
      );
      progress.body = classification.body;
      progress.content = classification.content;
      return classification.failure;
    }
    visited.push(requestKey(asked));
    const next = followRedirect(current, head.status, location, visited);
    // Without the withheld secrets, a server may redirect in circles.
    if (!next.ok) return expectations === request ? next.failure : null;
    current = next.request;
    sent = current;
    answered = 0;
    progress.redirects.push(withoutSecrets(current.url));
  }
}

function prepare(request: HttpCheckRequest): Prepared {
  let known = prepared.get(request);
  if (known === undefined) prepared.set(request, (known = parseRequest(request)));
  return known;
}

function parseRequest(request: HttpCheckRequest): Prepared {
  const url = URL.parse(request.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return unable('The URL is not an http or https address');
  }
  const problem = requestProblem(request.headers);
  if (problem !== null) return unable(`The request can't be sent: ${problem}`);
  return { ok: true, first: firstRequest(request, url) };
}

function unable(text: string): Prepared {
  return { ok: false, failure: failure('probe_unable', text) };
}

/** Target of a redirect; null for the final response. */
function redirectLocation(head: ResponseHead, request: HttpCheckRequest): string | null {
  if (!request.followRedirects || !isRedirectStatus(head.status)) return null;
  return head.headers.find(([name]) => name === 'location')?.[1] ?? null;
}

const ANY_STATUS = ['1xx', '2xx', '3xx', '4xx', '5xx', '6xx', '7xx', '8xx', '9xx'];

/**
 * Removes all expectations: a server that didn't get everything may refuse the request, so any response is accepted.
 */
function withoutExpectations({
  content: _content,
  ...request
}: HttpCheckRequest): HttpCheckRequest {
  return { ...request, acceptedStatusCodes: ANY_STATUS, errorTextDetection: false };
}

/**
 * Whether the certificate is inspected separately: only that of the URL's own host and port, not of redirect targets.
 */
function isInspected(to: HttpRequest, url: URL, request: HttpCheckRequest): boolean {
  return request.isCertificateInspected === true && to.url.origin === url.origin;
}

type CheckProgress = ReturnType<typeof startProgress>;

function startProgress(startedAt: number) {
  return {
    startedAt,
    phases: { dnsMs: null, tcpMs: null, tlsMs: null, ttfbMs: null } as Phases,
    redirects: [] as string[],
    last: null as Exchange | null,
    /** First decoded bytes of the last response's body; null if nothing read it, or it can't be decoded. */
    body: null as Buffer | null,
    /** Monotonic time of the last byte of the last response. */
    answeredAt: null as number | null,
    /** Time of shared lookups that this check did not wait for. */
    savedMs: 0,
    hasWaited: false,
    content: null as ContentOutcome | null,
    /** First fault that did not end the check. */
    certificateFault: null as Failure | null,
    /** Texts that proved a password. */
    proofs: [] as string[],
    /** Values of the cookies that the responses set. */
    cookies: [] as string[],
    /** Query of the first request, as sent, and those of the addresses that responses redirect to. */
    query: '',
    redirectQueries: [] as string[],
  };
}

/** Adds an exchange and its phases, so that the phases sum up to the whole. */
function addExchange(progress: CheckProgress, answer: Exchange): void {
  if (progress.last === null) progress.phases = answer.phases;
  else addPhases(progress.phases, answer.phases);
  progress.last = answer;
  progress.savedMs += answer.savedMs;
  progress.hasWaited ||= answer.hasWaited;
  progress.certificateFault ??= answer.certificateFault;
  if (answer.head === null) return;
  progress.cookies.push(...cookiesSetBy(answer.head.headers));
  progress.redirectQueries.push(...queryOfRedirect(answer.head.headers));
}

function addPhases(sum: Phases, phases: Phases): void {
  for (const name of ['dnsMs', 'tcpMs', 'tlsMs', 'ttfbMs'] as const) {
    const value = phases[name];
    if (value !== null) sum[name] = (sum[name] ?? 0) + value;
  }
}

/** Values that the check sent and received: some targets show them. `head` is that of a response in progress. */
function sentBy(
  { headers, body, digest }: HttpCheckRequest,
  { proofs, cookies, query, redirectQueries }: CheckProgress,
  head: ResponseHead | null = null,
): SentValues {
  const sent: SentValues = { headers, body, answers: proofs, cookies, query, redirectQueries };
  if (digest !== undefined) sent.digest = digest;
  if (head === null) return sent;
  sent.cookies = [...cookies, ...cookiesSetBy(head.headers)];
  sent.redirectQueries = [...redirectQueries, ...queryOfRedirect(head.headers)];
  return sent;
}

function toResult(request: HttpCheckRequest, progress: CheckProgress, reason: Failure | null) {
  const { last, content, certificateFault } = progress;
  const vote = reason === null ? 'up' : voteOf(reason.code);
  const hasAnswered = progress.phases.ttfbMs !== null;
  const needsRedaction = (reason !== null && hasAnswered) || content !== null;
  const isCaptured = vote === 'down' || request.capturesAll === true;
  const removal =
    needsRedaction || isCaptured ? createSentRemoval(sentBy(request, progress)) : null;
  const timings = timingsOf(progress);
  const result: CheckResult = {
    vote,
    failure: reason === null || !hasAnswered ? reason : redacted(reason, removal),
    responseTimeMs: timings.totalMs,
    statusCode: last?.head?.status ?? null,
    timings,
    remoteAddress: last?.remoteAddress ?? null,
    evidence: isCaptured && removal !== null ? evidenceOf(progress, removal) : null,
  };
  if (content !== null) {
    const outcomes = content.outcomes.map((each) => redacted(each, removal));
    result.content = { ...content, outcomes };
  }
  if (certificateFault !== null) result.certificateFault = certificateFault;
  return result;
}

/** Cleans a text that may quote the response: removes control characters and the values sent. */
function redacted<T extends { text: string }>(said: T, removal: SecretRemoval | null): T {
  const text = withoutControls(said.text);
  return { ...said, text: removal === null ? text : removeQuoted(text, removal) };
}

const SHORTENED = '…';

/** Removes secrets, also where a shortened quote cuts one off. */
function removeQuoted(text: string, removal: SecretRemoval): string {
  const parts = removal.remove(text).split(SHORTENED);
  return parts.map((part) => removal.remove(part)).join(SHORTENED);
}

function timingsOf(progress: CheckProgress): Timings {
  const { last, phases, answeredAt, startedAt, savedMs, hasWaited } = progress;
  if (last === null) return NO_TIMINGS;
  // A redirect is not the final response: if its target never responded, there is no time.
  const isTimed = last.failure === null && answeredAt !== null && !hasWaited;
  return {
    dnsMs: toMicroseconds(phases.dnsMs),
    tcpMs: toMicroseconds(phases.tcpMs),
    tlsMs: toMicroseconds(phases.tlsMs),
    ttfbMs: hasWaited ? null : toMicroseconds(phases.ttfbMs),
    totalMs: isTimed ? toMicroseconds(answeredAt - startedAt + savedMs) : null,
  };
}

function evidenceOf({ last, body, redirects }: CheckProgress, removal: SecretRemoval): Evidence {
  return captureEvidence(
    {
      head: last?.head ?? null,
      body: body ?? plainBody(last),
      redirects,
      tls: last?.tls ? summarizeTls(last.tls) : null,
    },
    removal,
  );
}

/** Received part of an incomplete response, if it is not encoded. */
function plainBody(last: Exchange | null): Buffer | null {
  if (last === null || last.head === null) return null;
  return joinedHeader(last.head.headers, 'content-encoding') === null ? last.body : null;
}
