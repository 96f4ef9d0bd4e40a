import type { SignInMethod } from './caller.ts';
import { passwordProblem, type PasswordOwner } from './password.ts';

export interface SignInRoute {
  method: 'GET' | 'POST';
  /** Below `/api/auth`; `:provider` matches one segment. */
  path: string;
  /** Accepted body fields; others are dropped before better-auth sees them. */
  body?: readonly string[];
  query?: readonly string[];
  /** True for a GET of better-auth that is a POST here: the body fields become its query. */
  isGetUpstream?: true;
  /** Always added to the body. */
  fixedBody?: Record<string, unknown>;
  makes?: 'sign_in' | 'second_factor';
  /**
   * True when the route does not allow guessing a secret: signed-in people spend their session's budget on it instead of
   * their address's.
   */
  testsNoSecret?: true;
  /** True when only failures count, by client and e-mail address (`rate-limits.ts`). */
  countsFailures?: true;
  /** True when the route sends a mail or takes the token of one: it has a budget apart from the other routes. */
  concernsMail?: true;
  /** True when the route tests a secret of the signed-in person: it counts by their session, too. */
  testsOwnSecret?: true;
  /** True when the route changes how somebody signs in, and the session alone does not suffice (`identity-proof.ts`). */
  needsProof?: true;
  /** True when the route is not one of better-auth's. */
  isOurs?: true;
  /**
   * True when a signed-in person sets up a second factor by it, or changes the address that approves this: their team may
   * require more than a password.
   */
  needsApproval?: true;
  /** True when the route needs the identity providers, which are contacted first. */
  needsProvider?: true;
}

type Flag = {
  [Name in keyof SignInRoute]-?: SignInRoute[Name] extends true | undefined ? Name : never;
}[keyof SignInRoute];

function get(
  path: string,
  flags: readonly Flag[] = [],
  more: Partial<SignInRoute> = {},
): SignInRoute {
  return { method: 'GET', path, ...Object.fromEntries(flags.map((flag) => [flag, true])), ...more };
}

function post(path: string, body: readonly string[], flags: readonly Flag[] = [], more = {}) {
  return { ...get(path, flags, more), method: 'POST', body } satisfies SignInRoute;
}

const SIGN_IN = { makes: 'sign_in' } as const;
const SECOND_FACTOR = { makes: 'second_factor' } as const;
const REDIRECTS = ['provider', 'callbackURL', 'errorCallbackURL', 'disableRedirect'];
const CALLBACK = ['code', 'state', 'iss', 'error', 'error_description'];
const FIRST_FACTOR = ['testsNoSecret', 'needsProof', 'needsApproval'] as const;

/**
 * All routes of sign-in: an allowlist of better-auth's. Sessions are listed and revoked at `/api/v1/sessions`, since
 * better-auth identifies them by their token.
 */
export const SIGN_IN_ROUTES: readonly SignInRoute[] = [
  get('/get-session', ['testsNoSecret']),
  post('/sign-in/email', ['email', 'password', 'rememberMe'], ['countsFailures'], SIGN_IN),
  post('/sign-up/email', ['name', 'email', 'password', 'timezone'], [], SIGN_IN),
  post('/sign-out', [], ['testsNoSecret']),
  post('/sign-in/social', [...REDIRECTS, 'newUserCallbackURL'], ['needsProvider']),
  get('/callback/:provider', ['needsProvider'], { query: CALLBACK, ...SIGN_IN }),
  post('/link-social', REDIRECTS, ['needsProvider', 'needsProof']),
  get('/list-accounts', ['testsNoSecret']),
  post('/unlink-account', ['providerId', 'accountId'], ['needsProof']),

  post('/request-password-reset', ['email'], ['concernsMail']),
  post('/reset-password', ['newPassword', 'token'], ['concernsMail']),
  post('/change-password', ['currentPassword', 'newPassword'], ['testsOwnSecret'], {
    fixedBody: { revokeOtherSessions: true },
  }),
  post('/send-verification-email', ['email'], ['concernsMail']),
  // A POST, since mail scanners open links and must not confirm anything.
  post('/verify-email', ['token'], ['isGetUpstream', 'concernsMail']),
  post('/change-email', ['newEmail'], ['concernsMail', 'needsProof', 'needsApproval']),
  post('/update-user', ['name', 'timezone'], ['testsNoSecret']),

  post('/two-factor/enable', ['password'], ['testsOwnSecret', 'needsProof', 'needsApproval'], {
    fixedBody: { method: 'totp' },
  }),
  post('/two-factor/get-totp-uri', ['password'], ['testsOwnSecret', 'needsProof']),
  post('/two-factor/verify-totp', ['code'], ['testsOwnSecret', 'needsApproval'], SECOND_FACTOR),
  post('/two-factor/verify-backup-code', ['code'], ['testsOwnSecret'], SECOND_FACTOR),
  post('/two-factor/generate-backup-codes', ['password'], ['testsOwnSecret', 'needsProof']),
  post('/two-factor/disable', ['password'], ['testsOwnSecret', 'needsProof']),

  post('/confirm-password', ['password'], ['testsOwnSecret', 'isOurs']),
  post('/two-factor/send-enrollment-code', [], ['concernsMail', 'isOurs']),
  post('/two-factor/confirm-enrollment-code', ['code'], ['testsOwnSecret', 'isOurs']),

  get('/passkey/generate-register-options', FIRST_FACTOR, {
    query: ['name', 'authenticatorAttachment'],
  }),
  post('/passkey/verify-registration', ['response', 'name'], FIRST_FACTOR),
  get('/passkey/generate-authenticate-options'),
  post('/passkey/verify-authentication', ['response'], [], SIGN_IN),
  get('/passkey/list-user-passkeys', ['testsNoSecret']),
  post('/passkey/update-passkey', ['id', 'name'], ['testsNoSecret']),
  post('/passkey/delete-passkey', ['id'], ['testsNoSecret', 'needsProof']),
];

export function findSignInRoute(method: string, path: string): SignInRoute | undefined {
  return SIGN_IN_ROUTES.find(
    (route) => route.method === method && patternOf(route.path).test(path),
  );
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(':provider', '[a-z]{1,20}')}$`);
}

/** True when the route signs somebody in; a second factor is also verified while signed in, to enable it. */
export function isSignIn(route: SignInRoute, isSignedIn: boolean): boolean {
  return route.makes === 'sign_in' || (route.makes === 'second_factor' && !isSignedIn);
}

export function methodOf(path: string): SignInMethod {
  if (path.startsWith('/callback/')) return path.slice('/callback/'.length) as SignInMethod;
  return path.startsWith('/passkey/') ? 'passkey' : 'password';
}

export function bodyOf(route: SignInRoute, body: Record<string, unknown>): Record<string, unknown> {
  const known = (route.body ?? []).filter((key) => body[key] !== undefined && body[key] !== null);
  return { ...Object.fromEntries(known.map((key) => [key, body[key]])), ...route.fixedBody };
}

export function queryOf(route: SignInRoute, query: Readonly<Record<string, string>>) {
  const known = Object.entries(query).filter(([name]) => route.query?.includes(name) === true);
  return Object.fromEntries(known);
}

const ADDRESSES = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'];

/**
 * Name of a field that would redirect the browser to another site; undefined for none. better-auth checks this, too, but
 * accepts paths that become another site's once normalized, such as `/..//example.com`.
 */
export function foreignAddress(fields: Record<string, unknown>, origin: string) {
  return ADDRESSES.find((name) => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') return false;
    const url = URL.parse(value, origin);
    return url === null || url.origin !== origin || url.pathname.startsWith('//');
  });
}

const MAX_NAME_LENGTH = 100;

/** Findings by field (contract 2.8); empty when there are none. */
export type SignInFindings = Record<string, string[]>;

/**
 * Validates names, time zones and new passwords.
 *
 * @param owner person a new password is for, if they are not in the body.
 */
export async function validateSignInBody(
  path: string,
  body: Record<string, unknown>,
  owner: PasswordOwner,
): Promise<SignInFindings> {
  const findings: SignInFindings = {};
  const refuse = (field: string, text: string) => (findings[field] = [`${field} ${text}.`]);
  const { name, timezone } = body;
  if (ROUTES_WITH_NAME.has(path)) {
    const isMissing = name === undefined && path === '/sign-up/email';
    if (isMissing || (name !== undefined && !isName(name))) {
      refuse('name', `must be a text of 1 to ${MAX_NAME_LENGTH} characters`);
    }
    if (timezone !== undefined && !isTimezone(timezone)) {
      refuse('timezone', 'must be the name of a time zone, such as Europe/Berlin');
    }
  }
  const field = PASSWORD_FIELDS[path];
  // Rating a password takes the name and address for words: it is not worth it when they are refused.
  if (field === undefined || Object.keys(findings).length > 0) return findings;
  const password = body[field];
  const problem =
    typeof password === 'string'
      ? await passwordProblem(password, path === '/sign-up/email' ? newPerson(body) : owner)
      : 'must be a text';
  if (problem !== null) refuse(field, problem);
  return findings;
}

function newPerson({ name, email }: Record<string, unknown>): PasswordOwner {
  return { email: String(email ?? '').toLowerCase(), names: [String(name ?? '')] };
}

const ROUTES_WITH_NAME = new Set([
  '/sign-up/email',
  '/update-user',
  '/passkey/verify-registration',
  '/passkey/update-passkey',
]);

const PASSWORD_FIELDS: Record<string, string> = {
  '/sign-up/email': 'password',
  '/change-password': 'newPassword',
  '/reset-password': 'newPassword',
};

function isName(value: unknown): boolean {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_NAME_LENGTH)
    return false;
  // Neither can be stored unchanged.
  return !value.includes('\0') && value.isWellFormed();
}

function isTimezone(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
