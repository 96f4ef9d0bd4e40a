import type { SignInMethod } from './caller.ts';
import { passwordProblem } from './password.ts';

export interface SignInRoute {
  method: 'GET' | 'POST';
  /** Beneath `/api/auth`; `:provider` stands for one part. */
  path: string;
  /** What of the body is looked at; all else is dropped before better-auth sees it. */
  body?: readonly string[];
  /** What of the query is. */
  query?: readonly string[];
  /** better-auth has it as a GET: what of the body is looked at goes into its query. */
  isGetThere?: true;
  /** Added to the body, whatever was sent. */
  always?: Record<string, unknown>;
  /** What the route makes when it succeeds. */
  makes?: 'sign_in' | 'second_factor';
  /**
   * Whether nothing can be guessed by it: who is signed in spends the budget of the session on it, and leaves that of the
   * address to those who are not.
   */
  guessesNothing?: true;
  /** Whether identity providers are needed for it, whose addresses have to be asked for first. */
  asksProvider?: boolean;
}

const REDIRECTS = ['provider', 'callbackURL', 'errorCallbackURL', 'disableRedirect'] as const;
const CALLBACK = ['code', 'state', 'iss', 'error', 'error_description'] as const;

/**
 * The routes of sign-in that there are: those of better-auth that we want, and no others. Sessions are listed and revoked
 * by `/api/v1/sessions`, since better-auth names them by their token.
 */
export const SIGN_IN_ROUTES: readonly SignInRoute[] = [
  { method: 'GET', path: '/get-session', guessesNothing: true },
  {
    method: 'POST',
    path: '/sign-in/email',
    body: ['email', 'password', 'rememberMe'],
    makes: 'sign_in',
  },
  {
    method: 'POST',
    path: '/sign-up/email',
    body: ['name', 'email', 'password', 'timezone'],
    makes: 'sign_in',
  },
  { method: 'POST', path: '/sign-out', guessesNothing: true },
  {
    method: 'POST',
    path: '/sign-in/social',
    body: [...REDIRECTS, 'newUserCallbackURL'],
    asksProvider: true,
  },
  {
    method: 'GET',
    path: '/callback/:provider',
    query: CALLBACK,
    makes: 'sign_in',
    asksProvider: true,
  },
  { method: 'POST', path: '/link-social', body: REDIRECTS, asksProvider: true },
  { method: 'GET', path: '/list-accounts', guessesNothing: true },
  { method: 'POST', path: '/unlink-account', body: ['providerId', 'accountId'] },

  { method: 'POST', path: '/request-password-reset', body: ['email'] },
  { method: 'POST', path: '/reset-password', body: ['newPassword', 'token'] },
  {
    method: 'POST',
    path: '/change-password',
    body: ['currentPassword', 'newPassword'],
    always: { revokeOtherSessions: true },
  },
  { method: 'POST', path: '/send-verification-email', body: ['email'] },
  // Whoever only opens the link of a mail, as scanners of mail do, must not confirm anything.
  { method: 'POST', path: '/verify-email', body: ['token'], isGetThere: true },
  { method: 'POST', path: '/change-email', body: ['newEmail'] },
  { method: 'POST', path: '/update-user', body: ['name', 'timezone'], guessesNothing: true },

  { method: 'POST', path: '/two-factor/enable', body: ['password'], always: { method: 'totp' } },
  { method: 'POST', path: '/two-factor/get-totp-uri', body: ['password'] },
  { method: 'POST', path: '/two-factor/verify-totp', body: ['code'], makes: 'second_factor' },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    body: ['code'],
    makes: 'second_factor',
  },
  { method: 'POST', path: '/two-factor/generate-backup-codes', body: ['password'] },
  { method: 'POST', path: '/two-factor/disable', body: ['password'] },

  {
    method: 'GET',
    path: '/passkey/generate-register-options',
    query: ['name', 'authenticatorAttachment'],
    guessesNothing: true,
  },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    body: ['response', 'name'],
    guessesNothing: true,
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options' },
  { method: 'POST', path: '/passkey/verify-authentication', body: ['response'], makes: 'sign_in' },
  { method: 'GET', path: '/passkey/list-user-passkeys', guessesNothing: true },
  { method: 'POST', path: '/passkey/update-passkey', body: ['id', 'name'], guessesNothing: true },
  { method: 'POST', path: '/passkey/delete-passkey', body: ['id'], guessesNothing: true },
];

/** The route of a path beneath `/api/auth`; undefined when there is none of that method. */
export function findSignInRoute(method: string, path: string): SignInRoute | undefined {
  return SIGN_IN_ROUTES.find((route) => route.method === method && formOf(route.path).test(path));
}

function formOf(path: string): RegExp {
  return new RegExp(`^${path.replace(':provider', '[a-z]{1,20}')}$`);
}

/** Whether the route ends in somebody being signed in who was not: a second factor may also be tried out while one is. */
export function isSignIn(route: SignInRoute, isSignedIn: boolean): boolean {
  return route.makes === 'sign_in' || (route.makes === 'second_factor' && !isSignedIn);
}

/** How a session that comes about there was signed in to. */
export function methodOf(path: string): SignInMethod {
  if (path.startsWith('/callback/')) return path.slice('/callback/'.length) as SignInMethod;
  return path.startsWith('/passkey/') ? 'passkey' : 'password';
}

/** Only the keys that the route knows, and what it always has. */
export function bodyOf(route: SignInRoute, body: Record<string, unknown>): Record<string, unknown> {
  const known = (route.body ?? []).filter((key) => body[key] !== undefined && body[key] !== null);
  return { ...Object.fromEntries(known.map((key) => [key, body[key]])), ...route.always };
}

export function queryOf(
  route: SignInRoute,
  query: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = Object.entries(query).filter(([name]) => route.query?.includes(name) === true);
  return Object.fromEntries(known);
}

/** Where a browser is sent afterwards. */
const ADDRESSES = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'];

/**
 * The field of a request that would send the browser to another site; undefined for none. better-auth looks at that,
 * too, and lets some pass that become another site's once their dots are taken out, such as `/..//example.com`.
 */
export function foreignAddress(
  fields: Record<string, unknown>,
  origin: string,
): string | undefined {
  return ADDRESSES.find((name) => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') return false;
    const url = URL.parse(value, origin);
    return url === null || url.origin !== origin || url.pathname.startsWith('//');
  });
}

const LONGEST_NAME = 100;

/** Findings by field (contract 2.8); empty when there are none. */
export type SignInFindings = Record<string, string[]>;

/**
 * What is wrong with what people choose for themselves.
 *
 * @param email of whom a new password is for, if that is not in the body.
 */
export function judgeSignInBody(
  path: string,
  body: Record<string, unknown>,
  email: string,
): SignInFindings {
  const findings: SignInFindings = {};
  const refuse = (field: string, text: string) => (findings[field] = [`${field} ${text}.`]);
  const { name, timezone } = body;
  if (NAMING.has(path)) {
    const isMissing = name === undefined && path === '/sign-up/email';
    if (isMissing || (name !== undefined && !isName(name))) {
      refuse('name', `must be a text of 1 to ${LONGEST_NAME} characters`);
    }
    if (timezone !== undefined && !isTimezone(timezone)) {
      refuse('timezone', 'must be the name of a time zone, such as Europe/Berlin');
    }
  }
  const field = PASSWORD_FIELDS[path];
  if (field === undefined) return findings;
  const password = body[field];
  const owner = path === '/sign-up/email' ? String(body['email'] ?? '') : email;
  const problem =
    typeof password === 'string'
      ? passwordProblem(password, { email: owner.toLowerCase() })
      : 'must be a text';
  if (problem !== null) refuse(field, problem);
  return findings;
}

/** Where people name themselves, or a passkey. */
const NAMING = new Set([
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
  if (typeof value !== 'string' || value.trim() === '' || value.length > LONGEST_NAME) return false;
  // Neither can be stored and given back as it was sent.
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
