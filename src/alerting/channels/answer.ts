import type { HttpResponse, HttpClient, HttpRequest } from '../../net/http-client.ts';
import type { ChannelOutcome } from './contract.ts';
import { cut } from '../../lib/text.ts';

/** Maximum length of a provider's own words in a reason. */
const MOST_WORDS = 200;
/** Shorter parts of a webhook's address, such as `services`, are no secret. */
const SECRET_PART = 10;

/** Details of an answer that its status alone does not give. */
export interface AnswerDetails {
  /** The provider's own words, such as the name of an error. */
  words?: string | null;
  /** That the address is gone for good: what to do about it, as a sentence. */
  gone?: string | null;
  /** Where the provider says elsewhere than in `Retry-After` how long to wait. */
  retryAfterMs?: number | null;
}

/**
 * `outcomeOf` with what the channel read from the answer.
 *
 * @param secrets the channel's: they never stand in a reason, even where the provider repeats them.
 */
export function classifyAnswer(
  provider: string,
  answer: HttpResponse,
  { words = null, gone = null, retryAfterMs = null }: AnswerDetails,
  { now, secrets }: { now: number; secrets: readonly string[] },
): ChannelOutcome {
  const plain = outcomeOf(provider, answer, now);
  if (plain.outcome === 'delivered') return plain;
  const said = withoutSecrets((words ?? '').replace(/\s+/g, ' ').trim(), secrets);
  const stem = withoutSecrets(plain.reason, secrets).replace(/\.$/, '');
  const sentence = said === '' ? stem : `${stem}: ${cut(said, MOST_WORDS)}`;
  const reason = /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
  if (gone !== null) {
    return { outcome: 'gone', reason: `${reason} ${gone}`, statusCode: plain.statusCode };
  }
  if (plain.outcome !== 'failed') return { ...plain, reason };
  return { ...plain, reason, retryAfterMs: retryAfterMs ?? plain.retryAfterMs };
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const parts = secrets.flatMap((secret) => [
    secret,
    // The host of an address is none, and "DNS name … not found" is of no use without it.
    ...secret
      .split(/[/?&=:%]/)
      .filter((part) => part.length >= SECRET_PART && part !== hostOf(secret)),
  ]);
  return parts.reduce((rest, part) => rest.replaceAll(part, '•••'), text);
}

function hostOf(secret: string): string | null {
  return URL.canParse(secret) ? new URL(secret).hostname : null;
}

/** The answer's body as text; empty where there is no answer. */
export function bodyOf(answer: HttpResponse): string {
  return answer.ok ? answer.body.toString('utf8') : '';
}

/** The object that a JSON body is; an empty one where it is something else. */
export function jsonOf(answer: HttpResponse): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(bodyOf(answer)));
  } catch {
    return {};
  }
}

/** The value where it is an object, else an empty one. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The value where it is a text, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The URL with these parameters; as it is where it cannot be read. */
export function withQuery(url: string, parameters: Record<string, string>): string {
  const read = URL.parse(url);
  if (read === null) return url;
  for (const [name, value] of Object.entries(parameters)) read.searchParams.set(name, value);
  return read.href;
}

/** All of one request to a provider. */
export const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
/** However long a provider asks us to wait. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** One request to a provider, and its answer or why there is none. */
export function sendRequest(
  http: HttpClient,
  request: Pick<HttpRequest, 'url' | 'headers'> & { method?: string; body?: string | Buffer },
  signal: AbortSignal,
): Promise<HttpResponse> {
  return http.request({
    method: 'POST',
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    signal,
    ...request,
  });
}

/** Sends a POST request with a JSON body; otherwise like `sendRequest`. */
export function postJson(
  http: HttpClient,
  { url, headers = {}, body }: { url: string; headers?: Record<string, string>; body: unknown },
  signal: AbortSignal,
): Promise<HttpResponse> {
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
  return sendRequest(
    http,
    { url, headers: { ...json, ...headers }, body: JSON.stringify(body) },
    signal,
  );
}

/**
 * The outcome of an answer, unless a provider says otherwise: 2xx is success; no answer, 408, 429 and 5xx are retried;
 * 410 is gone; any other status, including a redirect, is a refusal.
 *
 * @param provider its title, for the sentence. @param now epoch ms, against which `Retry-After` is read.
 */
export function outcomeOf(provider: string, answer: HttpResponse, now: number): ChannelOutcome {
  if (!answer.ok) {
    const { code, text } = answer.failure;
    const reason = `${provider} could not be reached: ${text}.`;
    // No other time makes an address allowed that the operator refuses.
    if (code === 'target_not_allowed') return { outcome: 'refused', reason, statusCode: null };
    return { outcome: 'failed', reason, statusCode: null, retryAfterMs: null };
  }
  const { status: statusCode, headers } = answer;
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered', statusCode };
  const reason = `${provider} answered HTTP ${statusCode}.`;
  if (statusCode === 410) return { outcome: 'gone', reason, statusCode };
  if (statusCode === 408 || statusCode === 429 || statusCode >= 500) {
    const retryAfterMs = retryAfter(headers['retry-after'], now);
    return { outcome: 'failed', reason, statusCode, retryAfterMs };
  }
  return { outcome: 'refused', reason, statusCode };
}

/** Milliseconds that `Retry-After` (RFC 9110, section 10.2.3) asks for, an hour at most; null when it says nothing. */
export function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined || header.trim() === '') return null;
  const text = header.trim();
  const wait = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.min(LONGEST_WAIT_MS, Math.max(0, Math.ceil(wait)));
}

/** The meaning of statuses at a provider, as the end of a sentence such as `the token is not valid`. */
type Meanings = Record<number, string>;

/** Null where the status says enough, or there is no answer. */
export function meaningOf(answer: HttpResponse, meanings: Meanings): string | null {
  return answer.ok ? (meanings[answer.status] ?? null) : null;
}
