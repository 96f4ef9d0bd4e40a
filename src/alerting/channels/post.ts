import type { HttpResponse, HttpClient, HttpRequest } from '../../net/http-client.ts';
import type { ChannelOutcome } from './contract.ts';

/** All of one request to a provider. */
export const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
/** However long a provider asks us to wait. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** One request to a provider, and its answer or why there is none. */
export function ask(
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

/** The same with a JSON body. */
export function postJson(
  http: HttpClient,
  { url, headers = {}, body }: { url: string; headers?: Record<string, string>; body: unknown },
  signal: AbortSignal,
): Promise<HttpResponse> {
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
  return ask(http, { url, headers: { ...json, ...headers }, body: JSON.stringify(body) }, signal);
}

/**
 * What an answer means for a delivery where a provider does not say otherwise: 2xx is success; no answer, 408, 429 and
 * 5xx may go another time; 410 is gone; any other status, a redirect too, is a refusal.
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
