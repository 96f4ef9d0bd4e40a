import { keyedHash } from '../lib/derived-key.ts';
import { accountStore } from '../store/people/accounts.ts';
import { auditTarget, personActor } from '../model/audit.ts';
import { nameOf } from '../model/budget-refusal.ts';
import { BudgetExceeded, spendBudgets } from '../store/people/budgets.ts';
import { auditLog } from '../store/resources/audit.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';
import type { Db, Tx } from '../store/database/contract.ts';
import { passwordStore } from '../store/people/credentials.ts';
import { type SessionHolder, sessionStore } from '../store/people/sessions.ts';
import { verificationStore } from '../store/people/sign-in-rows.ts';
import { createPersonalTeam } from '../store/people/teams.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import { resetPasswordMail } from './mails.ts';
import { renewCookies, createHolderReader, unambiguousCookies } from './session-cookie.ts';
import { TooManyPasswords } from './password.ts';
import { issueResetToken, resetIdentifier } from './setup-token.ts';
import {
  answerOf,
  budgetAnswer,
  findingsAnswer,
  INVALID_LINK,
  ProviderUnavailable,
  providerAnswer,
  refusal,
  RESET_ANSWER,
  SIGN_IN_FIRST,
  SUPPRESSED,
  type SignInAnswer,
  changesAddress,
  isOfOwnPage,
  within,
  withRenewedLink,
  type SignInRequest,
} from './sign-in-request.ts';
import { approveEnrollment, createIdentityProof } from './identity-proof.ts';
import type { SignInDeps, SignInEngine, SignInSettings } from './sign-in-options.ts';
import { recordSignIn } from './sign-in-record.ts';
import {
  bodyOf,
  foreignAddress,
  isSignIn,
  validateSignInBody,
  methodOf,
  queryOf,
  type SignInRoute,
} from './sign-in-routes.ts';
import { createSignInStore, newWork, type SignInWork } from './sign-in-store.ts';
import { spendingsOfSignUp } from '../model/budgets.ts';
import { clientOf } from './rate-limits.ts';

/** Ways to sign in beside password and passkey, for the sign-in page. */
export interface SignInOffer {
  providers: { id: string; name: string }[];
  openSignup: boolean;
  /** True when a link to set a new password can be mailed. */
  canReset: boolean;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Headers passed to better-auth; it would trust others that only our own proxy may set. */
const HEADERS = [
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
] as const;
const PROVIDER_MS = 10_000;

/** Creates the handler of `/api/auth`: better-auth on our own tables, with our own rules around it. */
export function createSignIn(deps: SignInDeps) {
  const { database, clock, log, authenticator, mailQueue, settings, passwords, secrets, baseUrl } =
    deps;
  const store = createSignInStore({
    database,
    forget: (who) => authenticator.forget(who),
    onPerson: (tx, person) => onPersonCreated(tx, person),
  });
  const hashClient = keyedHash(secrets[0]!.value, 'tocsin sign-up budgets v1');
  const holderOf = createHolderReader(deps);
  const proof = createIdentityProof({ database, clock, mailQueue, passwords });
  const engines = new Map<boolean, Promise<SignInEngine>>();
  const pending = new Set<Promise<void>>();

  /** Starts an engine with identity providers only for routes that need one, since a provider may be unavailable. */
  async function engineFor(route: SignInRoute): Promise<SignInEngine> {
    const withProviders = route.needsProvider === true;
    const known = engines.get(withProviders);
    if (known !== undefined) return known;
    const made = startEngine(withProviders);
    engines.set(withProviders, made);
    made.then(
      (engine) =>
        hasAllProviders(engine).then((has) => withProviders && !has && engines.delete(true)),
      () => engines.delete(withProviders),
    );
    return made;
  }

  async function startEngine(withProviders: boolean): Promise<SignInEngine> {
    // Loaded on first use: it takes half a second and 70 MB.
    const { createSignInEngine } = await import('./sign-in-options.ts');
    const engine = createSignInEngine({ ...deps, store, baseUrl: baseUrl() }, { withProviders });
    await within(clock, PROVIDER_MS, engine.$context);
    return engine;
  }

  async function hasAllProviders(engine: SignInEngine): Promise<boolean> {
    const { socialProviders } = await engine.$context;
    return settings.oidcIssuer === null || socialProviders.some(({ id }) => id === 'oidc');
  }

  /** Gives a new person who was not invited a team of their own, in the transaction that creates them. */
  async function onPersonCreated(tx: Tx, person: { id: number; name: string; email: string }) {
    const now = clock.now();
    const team = settings.openSignup ? await createPersonalTeam(tx, person, now) : null;
    const actor = personActor(person, 'session', store.current()?.address);
    const target = auditTarget('person', person);
    const teamId = team?.id ?? null;
    await auditLog(tx).insert({ actor, teamId, verb: 'created', target }, now);
  }

  /** Mails the link after the answer, so that its timing does not reveal whether the person exists. */
  function mailResetLink(email: string): void {
    if (!mailQueue.isConfigured) return;
    const work = send().catch((error: unknown) => {
      if (!(error instanceof BudgetExceeded))
        // Log: The person has to ask for another one.
        return log.error({ error }, 'A password reset link could not be mailed.');
      const budget = nameOf(error.budget);
      return log.info({ mail: 'reset_password', budget }, SUPPRESSED);
    });
    pending.add(work);
    void work.finally(() => pending.delete(work));

    async function send(): Promise<void> {
      const person = await accountStore(database.read).findByEmail(email);
      if (person === undefined) return;
      const now = clock.now();
      await database.transaction(async (tx) => {
        const { token, expiresAt } = await issueResetToken(tx, person.id, now);
        const link = `${baseUrl()}/reset-password?token=${token}`;
        const mail = resetPasswordMail({ to: person.email, name: person.name, link, expiresAt });
        await mailQueue.enqueue(tx, mail, now);
      });
    }
  }

  /** Spends the budgets of a new account; returns the one that is used up, or null. */
  async function spendSignUp(address: string, now: number): Promise<BudgetExceeded | null> {
    const spendings = spendingsOfSignUp(hashClient(clientOf(address)));
    try {
      await database.transaction((tx) => spendBudgets(tx, spendings, now));
      return null;
    } catch (error) {
      if (error instanceof BudgetExceeded) return error;
      throw error;
    }
  }

  /** Answers requests that do not reach better-auth; null for others. */
  function answerDirectly(request: SignInRequest, holder: SessionHolder | null) {
    const { route, path, headers, body } = request;
    const { origin } = new URL(baseUrl());
    const foreign = foreignAddress(bodyOf(route, body), origin);
    if (foreign !== undefined) return refusal(403, `${foreign} must be an address of this site.`);
    if (path === '/request-password-reset') {
      const { email } = body;
      if (typeof email !== 'string') return refusal(422, 'email must be an e-mail address.');
      mailResetLink(email);
      return { status: 200, headers: [], body: RESET_ANSWER };
    }
    if (path === '/sign-up/email' && !settings.openSignup) {
      return refusal(403, 'Nobody can sign up here without an invitation. Ask for one.');
    }
    // better-auth does not check the origin of routes that are ours, or a GET there.
    const isUnchecked = path === '/verify-email' || route.isOurs === true;
    if (isUnchecked && holder !== null && !isOfOwnPage(headers, origin)) {
      return refusal(403, `Changes by a session are accepted only from pages of ${origin}.`);
    }
    if (path !== '/verify-email') return null;
    const { token } = body;
    if (typeof token !== 'string') return findingsAnswer({ token: ['token must be a text.'] });
    // better-auth would sign in whoever opens the link, without their second factor.
    return holder === null && changesAddress(token) ? SIGN_IN_FIRST : null;
  }

  async function personOfLink(db: Db, { path, body }: SignInRequest) {
    if (path !== '/reset-password' || typeof body['token'] !== 'string') return null;
    return (
      (await verificationStore(db).personOfResetLink(
        resetIdentifier(body['token']),
        clock.now(),
      )) ?? null
    );
  }

  /** Sets the password and ends sessions and other links in one transaction, which better-auth does in several. */
  async function resetPassword(request: SignInRequest): Promise<SignInAnswer> {
    if ((await personOfLink(database.read, request)) === null) return INVALID_LINK;
    // Slow, so it comes before the transaction.
    const passwordHash = await passwords.hash(String(request.body['newPassword']), request.address);
    const { path, address } = request;
    const now = clock.now();
    const person = await database.transaction(async (tx) => {
      const byLinkOf = await personOfLink(tx, request);
      if (byLinkOf === null) return null;
      const ended = await verificationStore(tx).deleteResetLinks(byLinkOf.id);
      if (!ended.includes(resetIdentifier(String(request.body['token'])))) return null;
      await passwordStore(tx).set(byLinkOf.id, passwordHash, now);
      await sessionStore(tx).deleteAllOf(byLinkOf.id);
      await approveEnrollment(tx, byLinkOf.id, now);
      const unchanged = { holder: null, newSession: null, newCredential: null, verified: null };
      const done = { ...unchanged, path, isSignIn: false, byLinkOf, address };
      await recordSignIn(tx, done, { mailQueue, now });
      return byLinkOf;
    });
    if (person === null) return INVALID_LINK;
    authenticator.forget({ personId: person.id });
    return { status: 200, headers: [], body: { status: true } };
  }

  async function forward(request: SignInRequest, work: SignInWork): Promise<Response> {
    const { route, path, query, headers, body } = request;
    const engine = await engineFor(route);
    const isOpenId = path === '/callback/oidc' || body['provider'] === 'oidc';
    if (route.needsProvider === true && isOpenId && !(await hasAllProviders(engine))) {
      throw new ProviderUnavailable();
    }
    const url = new URL(`${baseUrl()}/api/auth${path}`);
    const inQuery = route.isGetUpstream === true ? bodyOf(route, body) : queryOf(route, query);
    for (const [name, value] of Object.entries(inQuery)) url.searchParams.set(name, String(value));
    const shown = new Headers();
    // Programs may send a mode without a site; only browsers, which send both, are checked by them.
    const names = headers['sec-fetch-site'] === undefined ? HEADERS.slice(0, 4) : HEADERS;
    for (const name of names) {
      const value = headers[name];
      if (typeof value === 'string') shown.set(name, value);
    }
    // Set by browsers, and not by scripts (Fetch, "forbidden request-header").
    if (shown.get('sec-fetch-site') === 'same-origin' && !shown.has('origin')) {
      shown.set('origin', url.origin);
    }
    const isPost = route.method === 'POST' && route.isGetUpstream !== true;
    if (isPost) shown.set('content-type', 'application/json');
    const asked = new Request(url, {
      method: isPost ? 'POST' : 'GET',
      headers: shown,
      ...(isPost && { body: JSON.stringify(bodyOf(route, body)) }),
    });
    const response = await store.run(work, () => engine.handler(asked));
    if (work.fault instanceof DatabaseUnavailable || work.fault instanceof TooManyPasswords)
      throw work.fault;
    if (response.status < 500) return response;
    throw new Error(`Sign-in failed at ${route.path}`, { cause: work.fault });
  }

  return {
    offer: offerOf(settings, mailQueue),
    /** Handles a request. Throws errors of the store, and when better-auth fails. */
    async handle(asked: SignInRequest) {
      const cookie = renewCookies(unambiguousCookies(asked.headers['cookie']?.toString()), secrets);
      const shown: SignInRequest['headers'] = { ...asked.headers, cookie: cookie || undefined };
      const request = { ...asked, headers: shown, body: withRenewedLink(asked, secrets) };
      const { route, path, headers, address } = request;
      const holder = await holderOf(cookie);
      const own =
        answerDirectly(request, holder) ??
        (await proof.answer(request, holder)) ??
        (holder === null ? null : await proof.refuse(request, holder));
      if (own !== null) return own;
      const linked = await personOfLink(database.read, request);
      // Rating a password is slow: nobody has one rated without a link or a session.
      if (path === '/reset-password' && linked === null) return INVALID_LINK;
      if (path === '/change-password' && holder === null) return refusal(401, 'Sign in first.');
      const owner = linked ?? holder?.person ?? { email: '', name: '' };
      const names = [owner.name, holder?.team?.name];
      const findings = await validateSignInBody(path, request.body, { ...owner, names });
      if (Object.keys(findings).length > 0) return findingsAnswer(findings);
      if (path === '/reset-password') return resetPassword(request);
      if (path === '/sign-up/email') {
        // An address that has an account costs the same, so that the answer does not reveal it.
        const usedUp = await spendSignUp(address, clock.now());
        if (usedUp !== null) return budgetAnswer(usedUp);
      }

      const begins = isSignIn(route, holder !== null);
      const agent = headers['user-agent'];
      const work = newWork(holder, {
        address,
        userAgent: typeof agent === 'string' ? agent : null,
        ...(begins && { teamId: null }),
        ...((begins || holder === null) && { method: methodOf(path) }),
      });
      const response = await forward(request, work).catch((error: unknown) => {
        if (error instanceof ProviderUnavailable) return error;
        throw error;
      });
      if (response instanceof ProviderUnavailable) return providerAnswer(response);
      const answer = await answerOf(response, path, mailQueue.isConfigured);
      if (answer.status >= 400) return answer;
      // Others get the usual answer, which does not reveal whether anybody has the address.
      if (work.suppressed !== null && holder !== null) return budgetAnswer(work.suppressed);
      const { newSession, newCredential, verified } = work;
      if (path === '/two-factor/verify-totp' && holder !== null) await proof.record(holder);
      const made = { newSession, newCredential, verified };
      const done = { ...made, path, holder, isSignIn: begins, byLinkOf: null, address };
      const now = clock.now();
      await database.transaction((tx) => recordSignIn(tx, done, { mailQueue, now }));
      for (const personId of [holder?.person.id, newSession?.personId]) {
        if (personId !== undefined) authenticator.forget({ personId });
      }
      return answer;
    },
    /** True when a password of this client address would be refused, since too many are waiting. */
    isBusy: (address: string) => passwords.isFull(address),
    /** Waits for work that continues after an answer. */
    async close() {
      await Promise.all(pending);
    },
  };
}

function offerOf(settings: SignInSettings, mailQueue: MailQueue): SignInOffer {
  const { oidcIssuer, oidcName, githubClientId, googleClientId, openSignup } = settings;
  return {
    providers: [
      ...(oidcIssuer === null ? [] : [{ id: 'oidc', name: oidcName }]),
      ...(githubClientId === null ? [] : [{ id: 'github', name: 'GitHub' }]),
      ...(googleClientId === null ? [] : [{ id: 'google', name: 'Google' }]),
    ],
    openSignup,
    canReset: mailQueue.isConfigured,
  };
}
