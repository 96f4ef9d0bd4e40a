import type { Clock } from '../lib/clock.ts';
import { renewLinkToken } from './former-signatures.ts';
import type { SignInSecret } from './session-cookie.ts';
import { ProviderUnavailable } from './sign-in-answers.ts';
import type { SignInRoute } from './sign-in-routes.ts';

/** Request to a route of sign-in. */
export interface SignInRequest {
  route: SignInRoute;
  /** Below `/api/auth`, without query. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Request headers, with names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Record<string, unknown>;
  address: string;
}

/** The body of a request; the token of a link from before a rotation is signed anew. */
export function withRenewedLink(
  { path, body }: SignInRequest,
  secrets: readonly SignInSecret[],
): SignInRequest['body'] {
  const { token } = body;
  if (path !== '/verify-email' || typeof token !== 'string') return body;
  return { ...body, token: renewLinkToken(token, secrets) };
}

/** Both headers are set by browsers, and not by scripts (Fetch, "forbidden request-header"). */
export function isOfOwnPage(headers: SignInRequest['headers'], origin: string): boolean {
  return headers['sec-fetch-site'] === 'same-origin' || headers['origin'] === origin;
}

/** True for a token that changes an address. Does not verify its signature. */
export function changesAddress(token: string): boolean {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return 'updateTo' in (JSON.parse(payload) as object);
  } catch {
    return false;
  }
}

/** Waits for the work; rejects with ProviderUnavailable after that time. */
export async function within(
  clock: Clock,
  milliseconds: number,
  work: Promise<unknown>,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = clock.after(milliseconds, () => late.reject(new ProviderUnavailable()));
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clock.clear(timer);
  }
}
