import { passkey } from '@better-auth/passkey';
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api';
import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { genericOAuth, twoFactor } from 'better-auth/plugins';
import type { Log } from '../lib/log.ts';
import { isInvited, useCodeOnce } from '../store/people/sign-in-rows.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import { emailChangeMail, verificationMail } from './mails.ts';
import { signInAdapter } from './sign-in-adapter.ts';
import type { SignInStore } from './sign-in-store.ts';
import { COOKIE_PREFIX, type SignInSecret } from './session-cookie.ts';
import { hashToken } from './token.ts';

/** The ways to sign in that an operator can switch on. */
export interface SignInSettings {
  /** All three of them or none. */
  oidcIssuer: string | null;
  oidcClientId: string | null;
  oidcClientSecret: string | null;
  /** What the button says. */
  oidcName: string;
  /** Both of each or none. */
  githubClientId: string | null;
  githubClientSecret: string | null;
  googleClientId: string | null;
  googleClientSecret: string | null;
  openSignup: boolean;
}

interface EngineDeps {
  store: SignInStore;
  mailQueue: MailQueue;
  settings: SignInSettings;
  secrets: readonly SignInSecret[];
  /** BASE_URL without a trailing slash. */
  baseUrl: string;
  now: () => number;
  log: Log;
}

export type SignInEngine = ReturnType<typeof createSignInEngine>;

/** Under BASE_URL: who could not come in by a provider is told there. */
const SIGN_IN_PAGE = '/sign-in';

const DAY_SECONDS = 86_400;
const SESSION_SECONDS = 7 * DAY_SECONDS;
/** Links that confirm an address. */
const VERIFICATION_SECONDS = DAY_SECONDS;
/** A code is right for a step of 30 s, and for the one before and after it. */
const CODE_MS = 120_000;

/**
 * better-auth as we use it. It decides how somebody proves who they are; who may come in, what a session may do and what
 * is kept of it is ours.
 *
 * @param providers whether identity providers are part of it. The address of an OpenID provider is asked for when it
 *   starts, and must not keep those waiting who have a password.
 */
export function createSignInEngine(
  deps: EngineDeps,
  providers: 'with providers' | 'without providers',
) {
  const { store, settings, secrets, baseUrl, log } = deps;
  const withProviders = providers === 'with providers';
  const origin = new URL(baseUrl).origin;
  const options: BetterAuthOptions = {
    appName: 'Tocsin',
    baseURL: `${baseUrl}/api/auth`,
    // Without doubles: the same key twice is no mistake worth failing for.
    secrets: [...new Map(secrets.map((secret) => [secret.version, secret])).values()],
    database: signInAdapter(store),
    telemetry: { enabled: false },
    // Ours are counted before (api/sign-in-route.ts).
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message) => log.warn({ reason: message }, 'Sign-in could not do something'),
    },
    onAPIError: {
      errorURL: `${baseUrl}${SIGN_IN_PAGE}`,
      // Else it writes to the console. What it refuses is no fault; the rest is told by whoever called it.
      onError(error) {
        const work = store.current();
        if (work !== undefined && !isAPIError(error)) work.fault ??= error;
      },
    },
    user: {
      additionalFields: { timezone: { type: 'string', required: false, input: true } },
      validateUserInfo: ({ user, source }) =>
        judgeStranger(deps, user, source.action, source.method),
      changeEmail: changeEmail(deps),
    },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: DAY_SECONDS,
      // It would save nothing, and delay what a revoked session may still do.
      cookieCache: { enabled: false },
    },
    account: {
      accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true },
    },
    // What is over goes by retention.
    verification: { storeIdentifier: 'hashed', disableCleanup: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !settings.openSignup,
      // Those who were invited or set up have shown their address by the link.
      requireEmailVerification: settings.openSignup && deps.mailQueue.isConfigured,
      // Its own lengths are out of the way: identity/password.ts has the rules.
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
        // It stands for two factors: what one has, and what unlocks it.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: ({ verification }) => demandUser(verification.registrationInfo),
        },
        authentication: {
          afterVerification: ({ verification }) => void demandUser(verification.authenticationInfo),
        },
      }),
      ...(withProviders && settings.oidcIssuer !== null ? [openId(settings)] : []),
      // The last one sees what the others made of a sign-in.
      { id: 'tocsin', hooks: { after: [{ matcher: () => true, handler: noteNewSession(store) }] } },
    ],
    hooks: { before: refuseUsedCodes(deps) },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: baseUrl.startsWith('https:'),
      database: { generateId: 'serial' },
      // Said aloud, since it would leave both out wherever it takes a process for a test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // The store knows the client's address from us, and no header is believed.
      ipAddress: { disableIpTracking: true },
    },
  };
  return betterAuth(options);
}

/** Who may come in by a provider without having been here. */
async function judgeStranger(
  { store, settings, now }: EngineDeps,
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
  if (await store.read((db) => isInvited(db, user.email ?? '', now()))) return undefined;
  return {
    error: 'not_invited',
    errorDescription: 'Nobody with this e-mail address has an account here. Ask for an invitation.',
  };
}

function emailVerification({ store, mailQueue, baseUrl, now }: EngineDeps) {
  if (!mailQueue.isConfigured) return {};
  return {
    sendOnSignUp: true,
    sendOnSignIn: true,
    expiresIn: VERIFICATION_SECONDS,
    async sendVerificationEmail({ user, token }: { user: Addressee; token: string }) {
      const link = verificationLink(baseUrl, token);
      const expiresAt = now() + VERIFICATION_SECONDS * 1000;
      const mail = verificationMail({ to: user.email, name: user.name, link, expiresAt });
      await store.write((tx) => mailQueue.enqueue(tx, mail, now()));
    },
    // Not where the address was verified before.
    async afterEmailVerification({ id }: { id: string }) {
      const work = store.current();
      if (work !== undefined) work.verified = { personId: Number(id) };
    },
  };
}

/** First the old address agrees, then the new one is confirmed. */
function changeEmail({ store, mailQueue, baseUrl, now }: EngineDeps) {
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
      const expiresAt = now() + VERIFICATION_SECONDS * 1000;
      const mail = emailChangeMail({ to: user.email, name: user.name, newEmail, link, expiresAt });
      await store.write((tx) => mailQueue.enqueue(tx, mail, now()));
    },
  };
}

interface Addressee {
  name: string;
  email: string;
}

/** To a page with a button. The link itself does nothing: programs that look through mails open it, too. */
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
        // What a provider expects of a client that said nothing else (OpenID Connect Core 1.0, section 9).
        authentication: 'basic',
        requireIdTokenVerification: true,
      },
    ],
  });
}

/** Whoever finds an unlocked device must not be two factors. */
function demandUser(info: { userVerified: boolean } | undefined): void {
  if (info?.userVerified === true) return;
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_NOT_VERIFIED',
    message:
      'The passkey did not ask who uses it. Use one that asks for a finger, a face or a PIN.',
  });
}

/**
 * better-auth takes a code as often as it is right (RFC 6238, section 5.2 demands once). It is noted before it is judged:
 * afterwards the session would already be in the answer.
 */
function refuseUsedCodes({ store, now }: EngineDeps) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/two-factor/verify-totp') return;
    const code = String((ctx.body as { code?: unknown } | undefined)?.code);
    const personId = store.current()?.personId ?? (await whoIsAsked());
    if (personId === null) return;
    const used = { personId, codeHash: hashToken(code), expiresAt: now() + CODE_MS };
    if (await store.write((tx) => useCodeOnce(tx, used, now()))) return;
    throw new APIError('UNAUTHORIZED', {
      code: 'CODE_USED',
      message: 'This code was used already. Wait for the next one.',
    });

    /** The person whose first factor was right. */
    async function whoIsAsked(): Promise<number | null> {
      const { name } = ctx.context.createAuthCookie('two_factor');
      const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
      if (!challenge) return null;
      const found = await ctx.context.internalAdapter.findVerificationValue(challenge);
      return found === null ? null : Number(found.value);
    }
  });
}

function noteNewSession(store: SignInStore) {
  return createAuthMiddleware(async (ctx) => {
    const made = ctx.context.newSession?.session;
    const work = store.current();
    if (made && work) work.newSession = { id: Number(made.id), personId: Number(made.userId) };
  });
}
