import type { HttpCheckRequest } from '../../model/check.ts';
import type { ContentCheck, ContentOutcome } from '../../model/content.ts';
import type { Failure } from '../../model/failure.ts';
import { failureOf } from '../content/evaluate.ts';
import type { ContentEvaluator } from '../content/evaluator.ts';
import type { BodyPlace } from '../body-permits.ts';
import { findErrorText } from './error-text.ts';
import { bodyText, contentType, evidenceBytes } from './evidence.ts';
import { failure, shutdownFailure } from '../failures.ts';
import { unpackBody } from './body.ts';
import type { UnpackedBody } from './body.ts';
import { release } from './body-pieces.ts';
import { tooSlowFailure } from './exchange.ts';
import type { Exchange, ExchangeContext } from './exchange.ts';
import { joined } from './response.ts';
import type { BodyPlan, ResponseHead } from './response.ts';
import { isAcceptedStatus, statusSentence } from './status.ts';
import type { Sent } from './sent-secrets.ts';
import { isShutdown } from '../stop.ts';

const KIB = 1024;
/** Without a content check at most 1 MiB is read, and the rest is not requested (contract 16.6). */
const READ_BYTES = 1024 * KIB;
/** Maximum size that a content check reads, compressed and decompressed (contract 16.7). */
const CONTENT_BYTES = 10 * 1024 * KIB;
/** What is searched for error texts: error pages are short. */
const ERROR_TEXT_BYTES = 256 * KIB;
/** What a packed body may need beyond its length: zstd unpacks blocks of 128 KiB, gzip's head may have 64 KiB. */
const PACKING_BYTES = 128 * KIB;

export const NOTHING: BodyPlan = { readBytes: 0, keepBytes: 0, needsAll: false };

/** What of the final answer's body is read and kept: no more than something will look at. */
export function planBody(head: ResponseHead, request: HttpCheckRequest, sent: Sent): BodyPlan {
  const isAccepted = isAcceptedStatus(head.status, request.acceptedStatusCodes);
  if (isAccepted && request.content !== undefined) {
    const keepBrokenBytes = evidenceBytes(sent);
    return { readBytes: CONTENT_BYTES, keepBytes: CONTENT_BYTES, needsAll: true, keepBrokenBytes };
  }
  const isSearched = isAccepted && request.errorTextDetection;
  const looksAt = Math.max(evidenceBytes(sent), isSearched ? ERROR_TEXT_BYTES : 0);
  const isPacked = joined(head.headers, 'content-encoding') !== null;
  // A packed body that is accepted unseen is no evidence either, should it be cut short: half of it is no text.
  const keepBytes = isPacked ? (isAccepted && !isSearched ? 0 : looksAt + PACKING_BYTES) : looksAt;
  return { readBytes: READ_BYTES, keepBytes, needsAll: false };
}

export interface JudgeContext extends ExchangeContext {
  evaluator: Pick<ContentEvaluator, 'evaluate'>;
  /** Where the permit for a large body is taken. */
  place: BodyPlace;
}

/** What judging an answer brings to light. */
export interface Judgement {
  failure: Failure | null;
  /** The beginning of the body as evidence needs it, unpacked; null when nothing looked at it, or it can't be unpacked. */
  body: Buffer | null;
  /** What became of the content check, if it came to that. */
  content: ContentOutcome | null;
}

/** The final answer: its status, then its content coding, then its text, then its content. Lets go of its body. */
export async function judgeAnswer(
  answer: Exchange,
  request: HttpCheckRequest,
  sent: Sent,
  context: JudgeContext,
): Promise<Judgement> {
  const { head } = answer;
  if (head === null) return judged(failure('probe_error', 'The probe lost the answer'));
  const isAccepted = isAcceptedStatus(head.status, request.acceptedStatusCodes);
  if (!isAccepted) {
    const { state, bytes } = await unpack(answer, head, evidenceBytes(sent), context);
    const reason = failure('http_status', statusSentence(head.status));
    return judged(reason, state === 'ok' ? bytes : null);
  }
  if (!request.errorTextDetection && request.content === undefined) return judged(null);

  const limit = request.content === undefined ? ERROR_TEXT_BYTES : CONTENT_BYTES;
  const { state, bytes, truncated } = await unpack(answer, head, limit, context);
  answer.body = NO_BODY;
  if (state === 'stopped') return judged(tooLate(request, context));
  if (state === 'too-slow') return judged(tooSlowFailure());
  if (state === 'broken') {
    return judged(
      failure('response_invalid', 'The response is not packed as its Content-Encoding says'),
    );
  }
  // A copy: whoever searches the body may take it over.
  const beginning = Buffer.from(bytes.subarray(0, evidenceBytes(sent)));
  const errorText = request.errorTextDetection
    ? findErrorText(bodyText(bytes.subarray(0, ERROR_TEXT_BYTES), contentType(head)))
    : null;
  if (errorText !== null) {
    const text = `The page shows a server error: ${errorText}`;
    return judged(failure('error_text', text), beginning);
  }
  if (request.content === undefined) return judged(null);
  if (truncated) {
    const text = 'Response too large: a content check reads up to 10 MiB, unpacked';
    return judged(failure('response_too_large', text), beginning);
  }
  const found = await search(request, request.content, bytes, contentType(head), context);
  release(bytes);
  return { ...found, body: beginning };
}

const NO_BODY = Buffer.alloc(0);

async function unpack(
  answer: Exchange,
  head: ResponseHead,
  limit: number,
  { stop, place }: JudgeContext,
): Promise<{ state: UnpackedBody['state']; bytes: Buffer; truncated: boolean }> {
  const encoding = joined(head.headers, 'content-encoding');
  const { body: bytes, bodyComplete: complete } = answer;
  if (encoding === null) return { state: 'ok', bytes, truncated: !complete };
  const unpacked = await unpackBody({ bytes, encoding, complete, limit, place }, stop);
  return unpacked.state === 'ok'
    ? unpacked
    : { state: unpacked.state, bytes: NO_BODY, truncated: true };
}

async function search(
  { monitorId }: HttpCheckRequest,
  check: ContentCheck,
  body: Buffer,
  type: string | null,
  context: JudgeContext,
): Promise<Omit<Judgement, 'body'>> {
  const { evaluator, place, signal } = context;
  const asker = { monitorId, isWaitedFor: () => place.isWaitedFor() };
  const found = await evaluator.evaluate(check, body, type, signal, asker);
  if (found.state === 'judged') {
    return { failure: failureOf(found.outcome), content: found.outcome };
  }
  const reason =
    found.state === 'stopped'
      ? notSearched(context)
      : failure('probe_unable', `The page ${found.reason}`);
  return { failure: reason, content: null };
}

/** The answer came in time, and nothing is known of what is in it. */
function tooLate(request: HttpCheckRequest, context: ExchangeContext): Failure | null {
  if (request.content !== undefined) return notSearched(context);
  return isShutdown(context.signal) ? shutdownFailure() : null;
}

function notSearched({ signal }: ExchangeContext): Failure {
  return isShutdown(signal)
    ? shutdownFailure()
    : failure('probe_unable', 'The page could not be searched in time');
}

function judged(reason: Failure | null, body: Buffer | null = null): Judgement {
  return { failure: reason, body, content: null };
}
