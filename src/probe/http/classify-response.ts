import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import type { ContentCheck, ContentOutcome } from '../../model/content.ts';
import type { Failure } from '../../model/failure.ts';
import { freeBytes } from '../../lib/free-bytes.ts';
import { charsetOf } from '../content/decode.ts';
import { failureOf } from '../content/evaluate.ts';
import type { ContentEvaluator } from '../content/evaluator.ts';
import type { LargeBodySlot } from './large-body-slots.ts';
import { bodyText, contentType, evidenceBytes } from './evidence.ts';
import { failure, shutdownFailure } from '../failures.ts';
import { quoted } from '../content/wording.ts';
import { decodeBody, unknownCoding, type DecodedBody } from './body.ts';
import { tooSlowFailure, type Exchange, type ExchangeContext } from './exchange.ts';
import {
  joinedHeader,
  isAcceptedStatus,
  statusSentence,
  type BodyLimits,
  type ResponseHead,
} from './response.ts';
import type { SentValues } from './sent-secrets.ts';
import { isShutdown } from '../contract.ts';

const KIB = 1024;
/** Without a content check at most 1 MiB is read, and the rest is not requested (contract 16.6). */
const READ_BYTES = 1024 * KIB;
/** Maximum size that a content check reads, compressed and decompressed (contract 16.7). */
const CONTENT_BYTES = 10 * 1024 * KIB;
/** Part of a body searched for error texts: error pages are short. */
const ERROR_TEXT_BYTES = 256 * KIB;
/** Extra bytes that an encoded body may need: zstd decodes blocks of 128 KiB, a gzip header may have 64 KiB. */
const ENCODING_OVERHEAD_BYTES = 128 * KIB;

export const IGNORE_BODY: BodyLimits = { readBytes: 0, keepBytes: 0, needsAll: false };

/** Limits for reading and keeping the final response's body: no more than is used. */
export function bodyLimits(
  head: ResponseHead,
  request: HttpCheckRequest,
  sent: SentValues,
): BodyLimits {
  const isAccepted = isAcceptedStatus(head.status, request.acceptedStatusCodes);
  if (isAccepted && request.content !== undefined) {
    const keepBrokenBytes = evidenceBytes(sent);
    return { readBytes: CONTENT_BYTES, keepBytes: CONTENT_BYTES, needsAll: true, keepBrokenBytes };
  }
  const isSearched = isAccepted && request.errorTextDetection;
  const looksAt = Math.max(evidenceBytes(sent), isSearched ? ERROR_TEXT_BYTES : 0);
  const isPacked = joinedHeader(head.headers, 'content-encoding') !== null;
  // An encoded body that is accepted unread is not used as evidence either if it is cut short: half of it can't be
  // decoded.
  const keepBytes = isPacked
    ? isAccepted && !isSearched
      ? 0
      : looksAt + ENCODING_OVERHEAD_BYTES
    : looksAt;
  return { readBytes: READ_BYTES, keepBytes, needsAll: false };
}

export interface ClassifyContext extends ExchangeContext {
  evaluator: Pick<ContentEvaluator, 'evaluate'>;
  slot: LargeBodySlot;
}

export interface Classification {
  failure: Failure | null;
  /** First decoded bytes of the body, for evidence; null if nothing read it, or it can't be decoded. */
  body: Buffer | null;
  content: ContentOutcome | null;
}

/** Classifies the final response by status, content coding, error texts and content. Frees its body. */
export async function classifyResponse(
  answer: Exchange,
  request: HttpCheckRequest,
  sentValues: () => SentValues,
  context: ClassifyContext,
): Promise<Classification> {
  const { head } = answer;
  if (head === null) return classified(failure('probe_error', 'The probe lost the response'));
  const isAccepted = isAcceptedStatus(head.status, request.acceptedStatusCodes);
  if (!isAccepted) {
    const { state, bytes } = await unpack(answer, head, evidenceBytes(sentValues()), context);
    const reason = failure('http_status', statusSentence(head.status));
    return classified(reason, state === 'ok' ? bytes : null);
  }
  if (!request.errorTextDetection && request.content === undefined) return classified(null);

  const limit = request.content === undefined ? ERROR_TEXT_BYTES : CONTENT_BYTES;
  const { state, bytes, truncated } = await unpack(answer, head, limit, context);
  answer.body = NO_BODY;
  if (state === 'stopped') return classified(timeoutFailure(request, context));
  if (state === 'too-slow') return classified(tooSlowFailure());
  if (state === 'broken') {
    return classified(
      failure('response_invalid', 'The response does not match its Content-Encoding'),
    );
  }
  const type = contentType(head);
  // A copy: the content check may take over the body.
  const beginning = Buffer.from(bytes.subarray(0, evidenceBytes(sentValues())));
  const errorText = request.errorTextDetection
    ? findErrorText(bodyText(bytes.subarray(0, ERROR_TEXT_BYTES), charsetOf(bytes, type)))
    : null;
  if (errorText !== null) {
    const text = `The page shows a server error: ${errorText}`;
    return classified(failure('error_text', text), beginning);
  }
  if (request.content === undefined) return classified(null);
  if (truncated) {
    const text = 'Response too large: a content check reads up to 10 MiB, decompressed';
    return classified(failure('response_too_large', text), beginning);
  }
  const coding = unknownCoding(joinedHeader(head.headers, 'content-encoding') ?? '');
  const undecoded =
    coding === null
      ? null
      : failure(
          'response_invalid',
          `The response can't be decoded: its Content-Encoding is ${quoted(coding)}`,
        );
  if (undecoded !== null && CONTROLS.test(bytes.toString('latin1', 0, 4 * KIB))) {
    return classified(undecoded, beginning);
  }
  const found = await search(request, request.content, bytes, type, context);
  freeBytes(bytes);
  // The body may be text all the same, so a phrase that is found is there. One that is missing may be encoded.
  const isAmbiguous = found.content?.passed === false && found.failure?.code !== 'keyword_found';
  return undecoded !== null && isAmbiguous
    ? classified(undecoded, beginning)
    : { ...found, body: beginning };
}

/** Control characters that no text has, but compressed bytes have. */
const CONTROLS = /[^\P{Cc}\s\u0080-\u009f]/u;

const NO_BODY = Buffer.alloc(0);

async function unpack(
  answer: Exchange,
  head: ResponseHead,
  limit: number,
  { stop, slot }: ClassifyContext,
): Promise<{ state: DecodedBody['state']; bytes: Buffer; truncated: boolean }> {
  const encoding = joinedHeader(head.headers, 'content-encoding');
  const { body: bytes, bodyComplete: complete } = answer;
  if (encoding === null) return { state: 'ok', bytes, truncated: !complete };
  const unpacked = await decodeBody({ bytes, encoding, complete, limit, slot }, stop);
  return unpacked.state === 'ok'
    ? unpacked
    : { state: unpacked.state, bytes: NO_BODY, truncated: true };
}

async function search(
  { monitorId }: HttpCheckRequest,
  check: ContentCheck,
  body: Buffer,
  type: string | null,
  context: ClassifyContext,
): Promise<Omit<Classification, 'body'>> {
  const { evaluator, slot, signal } = context;
  const requester = { monitorId, isContended: () => slot.isContended() };
  const found = await evaluator.evaluate(check, body, type, signal, requester);
  if (found.state === 'evaluated') {
    return { failure: failureOf(found.outcome), content: found.outcome };
  }
  const reason =
    found.state === 'stopped'
      ? notSearched(context)
      : failure('probe_unable', `The page ${found.reason}`);
  return { failure: reason, content: null };
}

/** The response arrived in time, but its content is unknown. */
function timeoutFailure(request: HttpCheckRequest, context: ExchangeContext): Failure | null {
  if (request.content !== undefined) return notSearched(context);
  return isShutdown(context.signal) ? shutdownFailure() : null;
}

function notSearched({ signal }: ExchangeContext): Failure {
  return isShutdown(signal)
    ? shutdownFailure()
    : failure('probe_unable', 'The page could not be searched in time');
}

function classified(reason: Failure | null, body: Buffer | null = null): Classification {
  return { failure: reason, body, content: null };
}

/**
 * Texts of error pages that servers send with status 200. Each is specific to a program, so that an article about
 * errors doesn't match; plain English ones only count as title or heading. Documented for users in this order.
 */
const ERROR_TEXTS: readonly { name: string; pattern: RegExp }[] = [
  {
    name: 'Error establishing a database connection',
    pattern: /Error establishing a database connection/,
  },
  {
    name: 'There has been a critical error on this website',
    pattern: /There has been a critical error on (?:this|your) website/,
  },
  { name: 'PHP fatal error', pattern: /(?:<b>|PHP )(?:Fatal|Parse) error(?:<\/b>)?:\s/ },
  {
    name: 'Fatal error',
    pattern:
      /(?:^|[\r\n>])[ \t]{0,20}Fatal error: (?:Uncaught|Allowed memory|Maximum execution|Call to|Class|require)/,
  },
  {
    name: 'Uncaught PHP exception',
    pattern:
      /Uncaught (?:PDOException|mysqli_sql_exception|Error|Exception|TypeError):[^\n]{0,300}\.php/,
  },
  {
    name: 'Server Error in application (ASP.NET)',
    pattern: /Server Error in '[^'\n]{0,200}' Application/,
  },
  {
    name: 'Java stack trace',
    pattern:
      /(?:^|[\s>])(?:[a-z][\w$]*\.){2,12}[A-Z][\w$]{0,80}(?:Exception|Error)\b[^\n]{0,500}\r?\n(?:\s|&nbsp;){1,20}at (?:[\w$]{1,100}\.){1,15}[\w$<>]{1,100}\(/,
  },
  { name: 'Whitelabel Error Page (Spring)', pattern: /<h1>Whitelabel Error Page<\/h1>/ },
  { name: 'Python traceback', pattern: /Traceback \(most recent call last\):/ },
  {
    name: 'Database error',
    pattern:
      /SQLSTATE\[[0-9A-Z]{5}\]|You have an error in your SQL syntax; check the manual|ORA-\d{5}: /,
  },
  {
    name: 'Internal Server Error',
    pattern: heading('(?:500 |Error 500:? ?)?Internal Server Error'),
  },
  { name: 'Bad Gateway', pattern: heading('(?:502 )?Bad Gateway') },
  {
    name: 'Service Unavailable',
    pattern: heading('(?:503 )?Service (?:Temporarily )?Unavailable'),
  },
  { name: 'Gateway Timeout', pattern: heading('(?:504 )?Gateway Time-?out') },
];

/** Matches the whole of a title, a heading or the text. */
function heading(words: string): RegExp {
  return new RegExp(`(?:<title>|<h1>|^)\\s{0,200}${words}\\s{0,200}(?:</title>|</h1>|$)`, 'i');
}

/** Number of characters searched. Error pages are short; the patterns are bounded, and so is the time. */
const SEARCHED_LENGTH = 256 * 1024;

/** Name of the first server error text on a page; null if there is none. */
export function findErrorText(page: string): string | null {
  const text = page.slice(0, SEARCHED_LENGTH);
  return ERROR_TEXTS.find(({ pattern }) => pattern.test(text))?.name ?? null;
}
