import { NO_TIMINGS, toMicroseconds } from '../../model/check.ts';
import type { CheckResult, Evidence, HttpCheckRequest, Timings } from '../../model/check.ts';
import type { ContentOutcome } from '../../model/content.ts';
import type { Failure } from '../../model/failure.ts';
import { captureEvidence, createSentRemoval } from './evidence.ts';
import { voteOf } from '../failures.ts';
import type { Exchange, Phases } from './exchange.ts';
import { queryOfRedirect } from './query-secrets.ts';
import { joinedHeader } from './response.ts';
import type { ResponseHead } from './response.ts';
import { withoutControls } from './secret-removal.ts';
import type { SecretRemoval } from './secret-removal.ts';
import { cookiesSetBy } from './sent-secrets.ts';
import type { SentValues } from './sent-secrets.ts';
import { summarizeTls } from '../tls/tls.ts';

/** Progress of a check. */
export interface CheckProgress {
  startedAt: number;
  phases: Phases;
  redirects: string[];
  last: Exchange | null;
  /** First decoded bytes of the last response's body; null if nothing read it, or it can't be decoded. */
  body: Buffer | null;
  /** Monotonic time of the last byte of the last response. */
  answeredAt: number | null;
  /** Milliseconds of shared lookups that this check did not wait for. */
  savedMs: number;
  /** Whether the probe kept the target waiting. */
  hasWaited: boolean;
  content: ContentOutcome | null;
  /** First fault that did not end the check. */
  certificateFault: Failure | null;
  /** Texts that proved a password. */
  proofs: string[];
  /** Cookies set by the responses. */
  cookies: string[];
  /** Query of the first request, as sent, and those of the addresses that responses redirect to. */
  query: string;
  redirectQueries: string[];
}

export function startProgress(startedAt: number): CheckProgress {
  return {
    startedAt,
    phases: { dnsMs: null, tcpMs: null, tlsMs: null, ttfbMs: null },
    redirects: [],
    last: null,
    body: null,
    answeredAt: null,
    savedMs: 0,
    hasWaited: false,
    content: null,
    certificateFault: null,
    proofs: [],
    cookies: [],
    query: '',
    redirectQueries: [],
  };
}

/** Adds an exchange and its phases, so that the phases sum up to the whole. */
export function addExchange(progress: CheckProgress, answer: Exchange): void {
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
export function sentBy(
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

export function toResult(
  request: HttpCheckRequest,
  progress: CheckProgress,
  reason: Failure | null,
): CheckResult {
  const { last, content, certificateFault } = progress;
  const vote = reason === null ? 'up' : voteOf(reason.code);
  const hasAnswered = progress.phases.ttfbMs !== null;
  const needsRedaction = (reason !== null && hasAnswered) || content !== null;
  const removal =
    needsRedaction || vote === 'down' ? createSentRemoval(sentBy(request, progress)) : null;
  const timings = timingsOf(progress);
  const result: CheckResult = {
    vote,
    failure: reason === null || !hasAnswered ? reason : redacted(reason, removal),
    responseTimeMs: timings.totalMs,
    statusCode: last?.head?.status ?? null,
    timings,
    remoteAddress: last?.remoteAddress ?? null,
    evidence: vote === 'down' && removal !== null ? evidenceOf(progress, removal) : null,
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
