import type { HttpResponse } from '../../net/http-client.ts';

/** What a status means with a provider, as the end of a sentence such as `the token is not valid`. */
export type Meanings = Record<number, string>;

/** Null where the status says enough, or there is no answer. */
export function meaningOf(answer: HttpResponse, meanings: Meanings): string | null {
  return answer.ok ? (meanings[answer.status] ?? null) : null;
}
