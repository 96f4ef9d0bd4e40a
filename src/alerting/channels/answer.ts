import type { HttpResponse } from '../../net/http-client.ts';
import type { ChannelOutcome } from './contract.ts';
import { cut } from '../message/cut.ts';
import { outcomeOf } from './post.ts';

/** How much of a provider's own words goes into a reason. */
const MOST_WORDS = 200;
/** Shorter parts of a webhook's address, such as `services`, are no secret. */
const SECRET_PART = 10;

/** What a channel reads from an answer that a status alone does not say. */
export interface Reading {
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
export function judge(
  provider: string,
  answer: HttpResponse,
  { words = null, gone = null, retryAfterMs = null }: Reading,
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
