import { randomBytes } from 'node:crypto';
import type { CheckResult, HttpCheckRequest } from '../../model/check.ts';
import type { Failure } from '../../model/failure.ts';
import { createLargeBodySlots } from './large-body-slots.ts';
import type { LargeBodySlots } from './large-body-slots.ts';
import type { Probe, ProbeContext } from '../contract.ts';
import { failure, probeError } from '../failures.ts';
import { createDualStackCheck } from '../dual-stack.ts';
import { answerChallenge, openChallenge } from './challenge.ts';
import { classifyResponse, IGNORE_BODY, bodyLimits } from './classify-response.ts';
import type { ClassifyContext } from './classify-response.ts';
import { exchange } from './exchange.ts';
import { followRedirect, requestKey, withoutSecrets } from './redirect.ts';
import {
  firstRequest,
  headersToSend,
  requestProblem,
  untrustedRequest,
  withCookiesOf,
} from './request.ts';
import type { HttpRequest } from './request.ts';
import type { BodyLimits, ResponseHead } from './response.ts';
import { addExchange, sentBy, startProgress, toResult } from './result.ts';
import type { CheckProgress } from './result.ts';
import { isRedirectStatus } from './status.ts';
import { createStop } from '../stop.ts';
import { createTlsContexts } from '../tls/tls.ts';
import type { TlsContexts } from '../tls/tls.ts';

export interface HttpProbeDeps {
  evaluator: ClassifyContext['evaluator'];
  /** PEM certificates that replace the trust store. */
  authorities?: string[];
  /** Returns a new random printable ASCII text, for digest authentication. */
  newClientNonce?: () => string;
}

/** Maximum number of concurrent checks with a large body, per process. */
const MAX_LARGE_BODIES = 4;

interface ProbeState {
  evaluator: ClassifyContext['evaluator'];
  tlsContexts: TlsContexts;
  slots: LargeBodySlots;
  newClientNonce: () => string;
}

interface CheckContext extends ClassifyContext {
  newClientNonce: () => string;
}

/** First request of a check, or why it can't be sent. */
type Prepared = { ok: true; first: HttpRequest } | { ok: false; failure: Failure };

/** The checks of a round share their request, so that it is parsed once. */
const prepared = new WeakMap<HttpCheckRequest, Prepared>();

export function createHttpProbe(deps: HttpProbeDeps): Probe<HttpCheckRequest> {
  const state: ProbeState = {
    evaluator: deps.evaluator,
    tlsContexts: createTlsContexts(deps.authorities),
    slots: createLargeBodySlots(MAX_LARGE_BODIES),
    newClientNonce: deps.newClientNonce ?? (() => randomBytes(18).toString('base64url')),
  };
  return (request, context) => check(request, context, state);
}

async function check(
  request: HttpCheckRequest,
  context: ProbeContext,
  { slots, evaluator, tlsContexts, newClientNonce }: ProbeState,
): Promise<CheckResult> {
  const { clock, resolver, guard, signal, onSend } = context;
  const progress = startProgress(clock.monotonic());
  const deadline = progress.startedAt + request.timeoutMs;
  const stop = createStop(signal);
  const slot = slots.slotFor(request.monitorId, clock);
  const families = createDualStackCheck({ clock, resolver, signal, deadline });
  let reason: Failure | null;
  try {
    const checkContext: CheckContext = {
      signal,
      clock,
      resolver,
      guard,
      stop,
      slot,
      families,
      evaluator,
      tlsContexts,
      newClientNonce,
    };
    if (onSend !== undefined) checkContext.onSend = onSend;
    reason = await followToFinalResponse(request, checkContext, progress);
  } catch (error) {
    reason = probeError(error);
  } finally {
    slot.release();
    stop.release();
  }
  return families.complete(toResult(request, progress, reason));
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
  /** Expectations for the final response. */
  let expectations = request;
  const visited: string[] = [];
  const withholdSecrets = (): HttpRequest => {
    const untrusted = untrustedRequest(current);
    if (untrusted !== current) expectations = withoutExpectations(request);
    current = untrusted;
    return untrusted;
  };
  const limits = (head: ResponseHead): BodyLimits =>
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
        verifySsl: request.verifySsl,
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
