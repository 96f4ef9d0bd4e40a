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
import { firstRequest, requestProblem, untrustedRequest } from './request.ts';
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
  /** PEM; these replace the store of trusted authorities. */
  authorities?: string[];
  /** A random text of printable ASCII characters, new at each call: what digest authentication adds of its own. */
  newClientNonce?: () => string;
}

/** How many checks of one process may hold a large body at once. */
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
  { slots, ...state }: ProbeState,
): Promise<CheckResult> {
  const { clock, resolver, signal } = context;
  const progress = startProgress(clock.monotonic());
  const deadline = progress.startedAt + request.timeoutMs;
  const stop = createStop(signal);
  const slot = slots.slotFor(request.monitorId, clock);
  const families = createDualStackCheck({ clock, resolver, signal, deadline });
  let reason: Failure | null;
  try {
    reason = await followToFinalResponse(
      request,
      { ...context, ...state, stop, slot, families },
      progress,
    );
  } catch (error) {
    reason = probeError(error);
  } finally {
    slot.release();
    stop.release();
  }
  return families.complete(toResult(request, progress, reason));
}

/** Follows redirects and meets challenges on to the final answer, and judges that. Null when it is no failure. */
async function followToFinalResponse(
  request: HttpCheckRequest,
  context: CheckContext,
  progress: CheckProgress,
): Promise<Failure | null> {
  const url = URL.parse(request.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return failure('probe_unable', 'The URL is not an http or https address');
  }
  const problem = requestProblem(request.headers);
  if (problem !== null) return failure('probe_unable', `The request can't be sent: ${problem}`);

  let current = firstRequest(request, url);
  /** `current`, with the answer to a challenge once there was one, and how many there were. */
  let sent = current;
  let answered = 0;
  /** What the final answer is held to. */
  let expectations = request;
  const visited = new Set<string>();
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
    const answer = await exchange(
      {
        ...sent,
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
      const judgement = await classifyResponse(
        answer,
        expectations,
        sentBy(request, progress),
        context,
      );
      progress.body = judgement.body;
      progress.content = judgement.content;
      return judgement.failure;
    }
    visited.add(requestKey(current));
    const next = followRedirect(current, head.status, location, visited);
    // Without what was withheld, a server may send us round in circles.
    if (!next.ok) return expectations === request ? next.failure : null;
    current = next.request;
    sent = current;
    answered = 0;
    progress.redirects.push(withoutSecrets(current.url));
  }
}

/** Where an answer sends us on to, null when it is the final one. */
function redirectLocation(head: ResponseHead, request: HttpCheckRequest): string | null {
  if (!request.followRedirects || !isRedirectStatus(head.status)) return null;
  return head.headers.find(([name]) => name === 'location')?.[1] ?? null;
}

const ANY_STATUS = ['1xx', '2xx', '3xx', '4xx', '5xx', '6xx', '7xx', '8xx', '9xx'];

/** A server that was not sent all it asks for may well refuse: that it answers is all that can be asked of it. */
function withoutExpectations({
  content: _content,
  ...request
}: HttpCheckRequest): HttpCheckRequest {
  return { ...request, acceptedStatusCodes: ANY_STATUS, errorTextDetection: false };
}

/** Whether the certificate is one that is inspected apart: that of the URL's own host and port, not of where it leads. */
function isInspected(to: HttpRequest, url: URL, request: HttpCheckRequest): boolean {
  return request.isCertificateInspected === true && to.url.origin === url.origin;
}
