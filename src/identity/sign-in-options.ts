import { passkey } from '@better-auth/passkey';
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api';
import { betterAuth, type BetterAuthOptions, type BetterAuthPlugin } from 'better-auth';
import { genericOAuth, twoFactor } from 'better-auth/plugins';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import type { Authenticator } from './authenticate.ts';
import { SIGN_IN_PAGE } from './oauth-metadata.ts';
import { signInStore } from '../store/people/sign-in-rows.ts';
import type { Mail, MailQueue } from '../store/alerting/mails.ts';
import { BudgetExceeded } from '../store/people/budgets.ts';
import type { PasswordQueue } from './password.ts';
import { emailChangeMail, verificationMail } from './mails.ts';
import { nameOf } from '../model/budget-refusal.ts';
import { SUPPRESSED } from './sign-in-request.ts';
import { signInAdapter } from './sign-in-adapter.ts';
import type { SignInStore } from './sign-in-store.ts';
import { cookiePrefix, type SignInSecret } from './session-cookie.ts';
import { hashToken } from './token.ts';

export interface SignInSettings {
  /** Issuer, id and secret are all set or all null. */
  oidcIssuer: string | null;
  oidcClientId: string | null;
  oidcClientSecret: string | null;
  oidcName: string;
  /** Id and secret of each provider are both set or both null. */
  githubClientId: string | null;
  githubClientSecret: string | null;
  googleClientId: string | null;
  googleClientSecret: string | null;
  openSignup: boolean;
}

export interface SignInDeps {
  database: Database;
  clock: Clock;
  log: Log;
  authenticator: Pick<Authenticator, 'forget'>;
  mailQueue: MailQueue;
  settings: SignInSettings;
  passwords: PasswordQueue;
  /** Derived from SECRET_KEY: the first signs and encrypts, all decrypt. */
  secrets: readonly SignInSecret[];
  /** BASE_URL without a trailing slash; may be known only after listening. */
  baseUrl: () => string;
}

type EngineDeps = Pick<
  SignInDeps,
  'mailQueue' | 'settings' | 'passwords' | 'secrets' | 'clock' | 'log'
> & {
  store: SignInStore;
  baseUrl: string;
};

export type SignInEngine = ReturnType<typeof createSignInEngine>;

const DAY_SECONDS = 86_400;
const SESSION_SECONDS = 7 * DAY_SECONDS;
const VERIFICATION_SECONDS = DAY_SECONDS;
/** A code is valid for its step of 30 s and the one before and after; rounded up. */
const CODE_MS = 120_000;

/**
 * Configures better-auth, which authenticates people. Who may sign in, what a session may do and what is stored is
 * decided here.
 *
 * @param parts.withProviders whether to include identity providers. An OpenID provider is contacted at start, which must
 *   not delay sign-in by password.
 * @param parts.plugins further plugins.
 * @param parts.errorPage page below BASE_URL that shows failures that a browser is redirected with.
 */
export function createSignInEngine(
  deps: EngineDeps,
  parts: { withProviders: boolean; plugins?: readonly BetterAuthPlugin[]; errorPage?: string },
) {
  const { store, settings, secrets, baseUrl, log } = deps;
  const { withProviders, plugins = [], errorPage = SIGN_IN_PAGE } = parts;
  const origin = new URL(baseUrl).origin;
  const isSecure = baseUrl.startsWith('https:');
  const options: BetterAuthOptions = {
    appName: 'Tocsin',
    baseURL: `${baseUrl}/api/auth`,
    // Without duplicates, which better-auth rejects.
    secrets: [...new Map(secrets.map((secret) => [secret.version, secret])).values()],
    database: signInAdapter(store),
    telemetry: { enabled: false },
    // Requests are rate limited before they get here (api/sign-in-route.ts).
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      // Log: The library for sign-in reported it.
      log: (_level, message) => log.warn({ reason: message }, 'Sign-in reported an error.'),
    },
    onAPIError: {
      errorURL: baseUrl + errorPage,
      // Replaces logging to the console. Rejected requests are no faults; others are reported by the caller.
      onError(error) {
        const work = store.current();
        if (work !== undefined && !isAPIError(error)) work.fault ??= error;
      },
    },
    user: {
      additionalFields: { timezone: { type: 'string', required: false, input: true } },
      validateUserInfo: ({ user, source }) =>
        validateNewUser(deps, user, source.action, source.method),
      changeEmail: changeEmail(deps),
    },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: DAY_SECONDS,
      // What needs a fresh session is decided by identity-proof.ts.
      freshAge: 0,
      // A cache would save nothing, and keep revoked sessions alive.
      cookieCache: { enabled: false },
    },
    account: {
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    // Expired rows are deleted by retention.
    verification: { storeIdentifier: 'hashed', disableCleanup: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !settings.openSignup,
      // People who were invited or set up have confirmed their address through the link.
      requireEmailVerification: settings.openSignup && deps.mailQueue.isConfigured,
      password: passwordsOf(deps),
      // Wide limits, since identity/password.ts has the rules.
      minPasswordLength: 1,
      maxPasswordLength: 1_024,
    },
    emailVerification: emailVerification(deps),
    socialProviders: withProviders ? socialProviders(settings) : {},
    plugins: [
      twoFactor({ issuer: 'Tocsin', allowPasswordless: true }),
      passkey({
        rpID: new URL(baseUrl).hostname,
        rpName: 'Tocsin',
        origin,
        // A passkey counts as two factors: the device, and what unlocks it.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: ({ verification }) =>
            requireUserVerification(verification.registrationInfo),
        },
        authentication: {
          afterVerification: ({ verification }) =>
            void requireUserVerification(verification.authenticationInfo),
        },
      }),
      ...(withProviders && settings.oidcIssuer !== null ? [openId(settings)] : []),
      ...plugins,
      // Last, so that it sees the session other plugins created.
      {
        id: 'tocsin',
        hooks: { after: [{ matcher: () => true, handler: recordNewSession(store) }] },
      },
    ],
    hooks: { before: refuseUsedCodes(deps) },
    advanced: {
      cookiePrefix: cookiePrefix(isSecure),
      // Or better-auth would put its own prefix, `__Secure-`, before ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure },
      database: { generateId: 'serial' },
      // Explicit, since better-auth skips both checks when it detects a test environment.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // The store has the client's address; no header is trusted.
      ipAddress: { disableIpTracking: true },
    },
  };
  return betterAuth(options);
}

/** Decides whether a new person may sign in through a provider. */
async function validateNewUser(
  { store, settings, clock }: EngineDeps,
  user: { email?: string; emailVerified?: boolean },
  action: string,
  method: string,
) {
  if (action !== 'create-user' || method === 'email-password') return undefined;
  if (user.emailVerified !== true) {
    return {
      error: 'email_not_verified',
      errorDescription: 'The provider does not say that the e-mail address was verified.',
    };
  }
  if (settings.openSignup) return undefined;
  if (await store.read((db) => signInStore(db).isInvited(user.email ?? '', clock.now())))
    return undefined;
  return {
    error: 'not_invited',
    errorDescription: 'Nobody with this e-mail address has an account here. Ask for an invitation.',
  };
}

/** Hashing for better-auth, in the turn of the client whose request it is. */
function passwordsOf({ passwords, store }: EngineDeps) {
  const address = () => store.current()?.address ?? null;
  return {
    hash: (password: string) => passwords.hash(password, address()),
    verify: (stored: { hash: string; password: string }) => passwords.verify(stored, address()),
  };
}

/** Enqueues a mail. Once its budget is used up nothing is sent, and only a signed-in person learns of it. */
async function sendMail({ store, mailQueue, clock, log }: EngineDeps, mail: Mail): Promise<void> {
  const personId = store.current()?.personId ?? null;
  const sender = personId === null ? {} : { sender: { personId, teamId: null } };
  try {
    await store.write((tx) => mailQueue.enqueue(tx, { ...mail, ...sender }, clock.now()));
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    log.info({ mail: mail.kind, budget: nameOf(error.budget) }, SUPPRESSED);
    const work = store.current();
    if (work !== undefined) work.suppressed = error;
  }
}

function emailVerification(deps: EngineDeps) {
  const { store, mailQueue, baseUrl, clock } = deps;
  if (!mailQueue.isConfigured) return {};
  return {
    sendOnSignUp: true,
    sendOnSignIn: true,
    expiresIn: VERIFICATION_SECONDS,
    async sendVerificationEmail({ user, token }: { user: Addressee; token: string }) {
      const link = verificationLink(baseUrl, token);
      const expiresAt = clock.now() + VERIFICATION_SECONDS * 1000;
      await sendMail(deps, verificationMail({ to: user.email, link, expiresAt }));
    },
    // Called only when the address was not verified before.
    async afterEmailVerification({ id }: { id: string }) {
      const work = store.current();
      if (work !== undefined) work.verified = { personId: Number(id) };
    },
  };
}

/** Change of address: the old address agrees first, then the new one is confirmed. */
function changeEmail(deps: EngineDeps) {
  const { mailQueue, baseUrl, clock } = deps;
  if (!mailQueue.isConfigured) return { enabled: false };
  return {
    enabled: true,
    async sendChangeEmailConfirmation(change: {
      user: Addressee;
      newEmail: string;
      token: string;
    }) {
      const { user, newEmail, token } = change;
      const link = verificationLink(baseUrl, token);
      const expiresAt = clock.now() + VERIFICATION_SECONDS * 1000;
      const names = { name: user.name, newEmail };
      await sendMail(deps, emailChangeMail({ to: user.email, ...names, link, expiresAt }));
    },
  };
}

interface Addressee {
  name: string;
  email: string;
}

/** Link to a page with a button. Opening it has no effect, since mail scanners open links, too. */
function verificationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/verify-email?token=${token}`;
}

function socialProviders(settings: SignInSettings) {
  const { githubClientId, githubClientSecret, googleClientId, googleClientSecret } = settings;
  return {
    ...(githubClientId !== null &&
      githubClientSecret !== null && {
        github: { clientId: githubClientId, clientSecret: githubClientSecret },
      }),
    ...(googleClientId !== null &&
      googleClientSecret !== null && {
        google: { clientId: googleClientId, clientSecret: googleClientSecret },
      }),
  };
}

function openId({ oidcIssuer, oidcClientId, oidcClientSecret, oidcName }: SignInSettings) {
  return genericOAuth({
    config: [
      {
        providerId: 'oidc',
        name: oidcName,
        discoveryUrl: `${oidcIssuer!.replace(/\/+$/, '')}/.well-known/openid-configuration`,
        clientId: oidcClientId!,
        clientSecret: oidcClientSecret!,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        // The default authentication method (OpenID Connect Core 1.0, section 9).
        authentication: 'basic',
        requireIdTokenVerification: true,
      },
    ],
  });
}

/** Rejects passkeys that did not verify their user, so that an unlocked device alone is not two factors. */
function requireUserVerification(info: { userVerified: boolean } | undefined): void {
  if (info?.userVerified === true) return;
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_NOT_VERIFIED',
    message:
      'The passkey did not ask who uses it. Use one that asks for a finger, a face or a PIN.',
  });
}

/**
 * Rejects used codes, since better-auth accepts a code repeatedly (RFC 6238, section 5.2 requires once). The code is
 * recorded before it is verified: afterwards the session would already be in the answer.
 */
function refuseUsedCodes({ store, clock }: EngineDeps) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/two-factor/verify-totp') return;
    const code = String((ctx.body as { code?: unknown } | undefined)?.code);
    const personId = store.current()?.personId ?? (await challengedPerson());
    if (personId === null) return;
    const used = { personId, codeHash: hashToken(code), expiresAt: clock.now() + CODE_MS };
    if (await store.write((tx) => signInStore(tx).useCodeOnce(used, clock.now()))) return;
    throw new APIError('UNAUTHORIZED', {
      code: 'CODE_USED',
      message: 'This code was used already. Wait for the next one.',
    });

    async function challengedPerson(): Promise<number | null> {
      const { name } = ctx.context.createAuthCookie('two_factor');
      const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
      if (!challenge) return null;
      const found = await ctx.context.internalAdapter.findVerificationValue(challenge);
      return found === null ? null : Number(found.value);
    }
  });
}

function recordNewSession(store: SignInStore) {
  return createAuthMiddleware(async (ctx) => {
    const made = ctx.context.newSession?.session;
    const work = store.current();
    if (made && work) work.newSession = { id: Number(made.id), personId: Number(made.userId) };
  });
}
