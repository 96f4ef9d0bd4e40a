import type { Clock } from '../lib/clock.ts';
import { renewLinkToken, type SignInSecret } from './session-cookie.ts';
import type { SignInRoute, SignInFindings } from './sign-in-routes.ts';
import { budgetRefusal } from '../model/budget-refusal.ts';
import type { BudgetExceeded } from '../store/people/budgets.ts';

export interface SignInRequest {
  route: SignInRoute;
  /** Below `/api/auth`, without query. */
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Record<string, unknown>;
  address: string;
}

/** The body of a request; the token of a link from before a rotation is signed anew. */
export function withRenewedLink({ path, body }: SignInRequest, secrets: readonly SignInSecret[]) {
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
export async function within(clock: Clock, milliseconds: number, work: Promise<unknown>) {
  const late = Promise.withResolvers<never>();
  const timer = clock.after(milliseconds, () => late.reject(new ProviderUnavailable()));
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clock.clear(timer);
  }
}

export interface SignInAnswer {
  status: number;
  /** Names may repeat. */
  headers: [name: string, value: string][];
  /** JSON; null for none. */
  body: unknown;
}

export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
  override readonly message = 'The identity provider does not answer. Try again in a minute.';
}

/** Does not reveal whether the address belongs to somebody. */
export const RESET_ANSWER = {
  status: true,
  message:
    'If somebody has this e-mail address here, a link that sets a new password is on its way.',
};
const SIGN_UP_ANSWER = {
  status: true,
  message:
    'A mail is on its way to this address. Open the link in it, and confirm the address there.',
};

/** Answer to a link that changes an address, opened without a session. */
export const SIGN_IN_FIRST: SignInAnswer = {
  status: 401,
  headers: [],
  body: {
    message: 'Sign in first. Then open the link of the mail once more.',
    code: 'SIGN_IN_FIRST',
  },
};

/** Answer to a reset link that is unknown, used or expired. */
export const INVALID_LINK: SignInAnswer = {
  status: 400,
  headers: [],
  body: { message: 'Invalid token.', code: 'INVALID_TOKEN' },
};

export function refusal(status: number, message: string): SignInAnswer {
  return { status, headers: [], body: { message, ...(status === 403 && { error: message }) } };
}

// Log: Somebody asks for too many mails. See docs/mail.md for the limits.
export const SUPPRESSED = 'A mail was not sent: its budget is used up.' as const;

export function budgetAnswer({ budget, retryAfterMs }: BudgetExceeded): SignInAnswer {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const message = budgetRefusal(budget, seconds);
  return {
    status: 429,
    headers: [['retry-after', String(seconds)]],
    body: { message, error: message, retry_after: seconds },
  };
}

export function providerAnswer({ message }: ProviderUnavailable): SignInAnswer {
  return { status: 503, headers: [['retry-after', '60']], body: { message } };
}

export function findingsAnswer(errors: SignInFindings): SignInAnswer {
  const [first = '', ...others] = Object.values(errors).flat();
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return { status: 422, headers: [], body: { message: first + more, errors } };
}

export async function answerOf(response: Response, path: string, verifiesAddresses: boolean) {
  const headers: [string, string][] = response.headers
    .getSetCookie()
    .map((cookie) => ['set-cookie', cookie]);
  for (const name of ['location', 'retry-after']) {
    const value = response.headers.get(name);
    if (value !== null) headers.push([name, value]);
  }
  const { status } = response;
  const text = await response.text();
  const body = text === '' ? null : (JSON.parse(text) as unknown);
  if (status >= 400)
    return { status, headers, body: { ...(body as object), message: messageOf(body) } };
  // better-auth's own answer would reveal whether the address is known.
  if (path === '/sign-up/email' && verifiesAddresses) {
    return { status, headers, body: SIGN_UP_ANSWER };
  }
  if (path === '/verify-email') return { status, headers, body: { status: true } };
  return { status, headers, body: withoutTokens(body) };
}

function messageOf(body: unknown): string {
  const message = (body as { message?: unknown } | null)?.message;
  if (typeof message !== 'string' || message === '') return 'That was refused.';
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Removes session tokens: pages use the cookie, which scripts can't read. */
function withoutTokens(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { token: _token, session, ...rest } = body as Record<string, unknown>;
  return session === undefined ? rest : { ...rest, session: withoutTokens(session) };
}
