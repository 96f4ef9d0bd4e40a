import { randomBytes } from 'node:crypto';
import type { CheckResult, HttpCheckRequest } from '../../model/check.ts';
import type { Failure } from '../../model/failure.ts';
import { createBodyPermits } from '../body-permits.ts';
import type { BodyPermits } from '../body-permits.ts';
import type { Probe, ProbeContext } from '../contract.ts';
import { failure, probeError } from '../failures.ts';
import { createFamilyWatch } from '../families.ts';
import { answerChallenge, openChallenge } from './challenge.ts';
import { judgeAnswer, NOTHING, planBody } from './content.ts';
import type { JudgeContext } from './content.ts';
import { exchange } from './exchange.ts';
import { followRedirect, requestKey, withoutSecrets } from './redirect.ts';
import { firstRequest, requestProblem, untrustedRequest } from './request.ts';
import type { HttpRequest } from './request.ts';
import type { BodyPlan, ResponseHead } from './response.ts';
import { addExchange, sentBy, startTrail, toResult } from './result.ts';
import type { Trail } from './result.ts';
import { isRedirectStatus } from './status.ts';
import { createStop } from '../stop.ts';
import { createTlsContexts } from '../tls/tls.ts';
import type { TlsContexts } from '../tls/tls.ts';

export interface HttpProbeDeps {
  evaluator: JudgeContext['evaluator'];
  /** PEM; these replace the store of trusted authorities. */
  authorities?: string[];
  /** A random text of printable ASCII characters, new at each call: what digest authentication adds of its own. */
  newClientNonce?: () => string;
}

/** How many checks of one process may hold a large body at once. */
const LARGE_BODIES = 4;

interface Tools {
  evaluator: JudgeContext['evaluator'];
  tlsContexts: TlsContexts;
  permits: BodyPermits;
  newClientNonce: () => string;
}

interface LookContext extends JudgeContext {
  newClientNonce: () => string;
}

export function createHttpProbe(deps: HttpProbeDeps): Probe<HttpCheckRequest> {
  const tools: Tools = {
    evaluator: deps.evaluator,
    tlsContexts: createTlsContexts(deps.authorities),
    permits: createBodyPermits(LARGE_BODIES),
    newClientNonce: deps.newClientNonce ?? (() => randomBytes(18).toString('base64url')),
  };
  return (request, context) => check(request, context, tools);
}

async function check(
  request: HttpCheckRequest,
  context: ProbeContext,
  { permits, ...tools }: Tools,
): Promise<CheckResult> {
  const { clock, resolver, signal } = context;
  const trail = startTrail(clock.monotonic());
  const deadline = trail.startedAt + request.timeoutMs;
  const stop = createStop(signal);
  const place = permits.place(request.monitorId, clock);
  const families = createFamilyWatch({ clock, resolver, signal, deadline });
  let reason: Failure | null;
  try {
    reason = await look(request, { ...context, ...tools, stop, place, families }, trail);
  } catch (error) {
    reason = probeError(error);
  } finally {
    place.release();
    stop.release();
  }
  return families.complete(toResult(request, trail, reason));
}

/** Follows redirects and meets challenges on to the final answer, and judges that. Null when it is no failure. */
async function look(
  request: HttpCheckRequest,
  context: LookContext,
  trail: Trail,
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
  let demands = request;
  const visited = new Set<string>();
  const mistrust = (): HttpRequest => {
    const untrusted = untrustedRequest(current);
    if (untrusted !== current) demands = withoutDemands(request);
    current = untrusted;
    return untrusted;
  };
  const plan = (head: ResponseHead): BodyPlan =>
    redirectLocation(head, request) !== null || openChallenge(head, current, answered) !== null
      ? NOTHING
      : planBody(head, demands, sentBy(request, trail, head));
  for (;;) {
    const answer = await exchange(
      {
        ...sent,
        verifySsl: request.verifySsl,
        onCertificateFault: isInspected(current, url, request) ? mistrust : null,
        planBody: plan,
        place: context.place,
        timeoutMs: request.timeoutMs,
        deadline: trail.startedAt + request.timeoutMs,
      },
      context,
    );
    addExchange(trail, answer);
    if (answer.failure !== null) return answer.failure;
    trail.answeredAt = context.clock.monotonic();

    const { head } = answer;
    const challenge = head === null ? null : openChallenge(head, current, answered);
    if (challenge !== null) {
      const answering = answerChallenge(challenge, current, context.newClientNonce());
      trail.proofs.push(...answering.proofs);
      sent = answering.request;
      answered++;
      continue;
    }
    const location = head === null ? null : redirectLocation(head, request);
    if (head === null || location === null) {
      const judgement = await judgeAnswer(answer, demands, sentBy(request, trail), context);
      trail.body = judgement.body;
      trail.content = judgement.content;
      return judgement.failure;
    }
    visited.add(requestKey(current));
    const next = followRedirect(current, head.status, location, visited);
    // Without what was withheld, a server may send us round in circles.
    if (!next.ok) return demands === request ? next.failure : null;
    current = next.request;
    sent = current;
    answered = 0;
    trail.redirects.push(withoutSecrets(current.url));
  }
}

/** Where an answer sends us on to, null when it is the final one. */
function redirectLocation(head: ResponseHead, request: HttpCheckRequest): string | null {
  if (!request.followRedirects || !isRedirectStatus(head.status)) return null;
  return head.headers.find(([name]) => name === 'location')?.[1] ?? null;
}

const ANY_STATUS = ['1xx', '2xx', '3xx', '4xx', '5xx', '6xx', '7xx', '8xx', '9xx'];

/** A server that was not sent all it asks for may well refuse: that it answers is all that can be asked of it. */
function withoutDemands({ content: _content, ...request }: HttpCheckRequest): HttpCheckRequest {
  return { ...request, acceptedStatusCodes: ANY_STATUS, errorTextDetection: false };
}

/** Whether the certificate is one that is inspected apart: that of the URL's own host and port, not of where it leads. */
function isInspected(to: HttpRequest, url: URL, request: HttpCheckRequest): boolean {
  return request.isCertificateInspected === true && to.url.origin === url.origin;
}
