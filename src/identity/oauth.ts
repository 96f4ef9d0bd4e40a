import { DatabaseUnavailable } from '../store/database/errors.ts';
import type { Tx } from '../store/database/contract.ts';
import { grantStore } from '../store/people/grants.ts';
import { findGrantOfToken, oauthTokenStore } from '../store/people/oauth-tokens.ts';
import type { SessionHolder } from '../store/people/sessions.ts';
import { teamStore } from '../store/people/teams.ts';
import { GRANT_PERMISSIONS, type GrantPermission } from './caller.ts';
import { renewCookies, createHolderReader, unambiguousCookies } from './session-cookie.ts';
import {
  oauthRefusal,
  tokenAnswer,
  withIssuer,
  verifySignedQuery,
  completeRequest,
  isOnTheWeb,
  isSignInPage,
  namedToken,
  parameterProblem,
  problemPage,
  signInLink,
  tokenFields,
} from './oauth-request.ts';
import {
  NotConnected,
  offeredTeam,
  readConsent,
  saveConsent,
  type Consent,
} from './oauth-consent.ts';
import { hasRecentProof, UNPROVEN } from './identity-proof.ts';
import { issuerOf, OFFLINE_ACCESS, toolServerOf, CONSENT_PAGE } from './oauth-metadata.ts';
import { readClientMetadata, redirectTarget, registeredClient } from './oauth-registration.ts';
import {
  findingsAnswer,
  refusal,
  type SignInAnswer,
  isOfOwnPage,
  type SignInRequest,
} from './sign-in-request.ts';
import type { SignInDeps, SignInEngine } from './sign-in-options.ts';
import { createSignInStore, newWork, type SignInWork } from './sign-in-store.ts';
import { hashToken, newLinkToken } from './token.ts';

export interface OauthRequest {
  query: URLSearchParams;
  headers: SignInRequest['headers'];
  form: URLSearchParams;
  body: Record<string, unknown>;
  address: string;
}

interface AuthorizationRequest {
  /** Signed by better-auth. */
  query: URLSearchParams;
  client: { clientId: string; name: string | null; uri: string | null };
  permissions: readonly GrantPermission[];
  /** True when it asks for tokens that can be refreshed. */
  isLasting: boolean;
}

/** Endpoints of the authorization server; all throw errors of the store. */
export type Oauth = ReturnType<typeof createOauth>;

const EXPIRED = 'The request to connect an application has expired, or was changed.';
const START_AGAIN = `${EXPIRED} Go back to the application and start again.`;
const SIGN_IN_FIRST = 'Sign in first, then connect the application.';

/** Creates the authorization server of the tool server: better-auth's OAuth provider, loaded on first use. */
export function createOauth(deps: SignInDeps) {
  const { database, clock, authenticator, secrets, baseUrl } = deps;
  const holderOf = createHolderReader(deps);
  const store = createSignInStore({
    database,
    forget: (who) => authenticator.forget(who),
    onPerson: () => Promise.reject(new Error('A person was created by a request of OAuth.')),
  });
  let started: Promise<SignInEngine> | null = null;

  function engine(): Promise<SignInEngine> {
    started ??= startEngine().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  }

  async function startEngine(): Promise<SignInEngine> {
    const [{ createSignInEngine }, { oauthPlugin }] = await Promise.all([
      import('./sign-in-options.ts'),
      import('./oauth-provider.ts'),
    ]);
    const plugins = [oauthPlugin({ store, baseUrl: baseUrl() })];
    const made = createSignInEngine(
      { ...deps, store, baseUrl: baseUrl() },
      { withProviders: false, plugins, errorPage: CONSENT_PAGE },
    );
    await made.$context;
    return made;
  }

  /** Calls better-auth in the context of a request. Throws its internal errors, which it would answer. */
  async function ask(asked: Request, work: SignInWork): Promise<Response> {
    const provider = await engine();
    const response = await store.run(work, () => provider.handler(asked));
    if (work.fault instanceof DatabaseUnavailable) throw work.fault;
    if (response.status < 500) return response;
    throw new Error(`OAuth failed at ${new URL(asked.url).pathname}`, { cause: work.fault });
  }

  function cookieOf({ headers }: OauthRequest): string | undefined {
    return renewCookies(unambiguousCookies(headers['cookie']?.toString()), secrets) || undefined;
  }

  /** The verified authorization request behind a consent page; null for one that is forged or expired. */
  async function requestOf(text: string): Promise<AuthorizationRequest | null> {
    const query = verifySignedQuery(text, secrets, clock.now());
    if (query === null) return null;
    const clientId = query.get('client_id') ?? '';
    const client = await grantStore(database.read).findClient(clientId);
    if (client === undefined) return null;
    const scopes = (query.get('scope') ?? '').split(' ');
    const permissions = GRANT_PERMISSIONS.filter((each) => scopes.includes(each));
    const isLasting = scopes.includes(OFFLINE_ACCESS);
    return { query, client: { clientId, ...client }, permissions, isLasting };
  }

  /** Calls better-auth's consent, which issues the code. @returns the address to go to. */
  async function decide(
    request: OauthRequest,
    work: SignInWork,
    decision: Record<string, unknown>,
  ): Promise<string> {
    const headers = new Headers({
      'content-type': 'application/json',
      origin: new URL(baseUrl()).origin,
    });
    const cookie = cookieOf(request);
    if (cookie !== undefined) headers.set('cookie', cookie);
    const url = `${issuerOf(baseUrl())}/oauth2/consent`;
    const body = JSON.stringify(decision);
    const response = await ask(new Request(url, { method: 'POST', headers, body }), work);
    const answer = (await response.json()) as { url?: unknown };
    if (response.status >= 400 || typeof answer.url !== 'string')
      throw new NotConnected(400, START_AGAIN);
    return withIssuer(answer.url, baseUrl());
  }

  /**
   * Address that an authorization request leads to. Anybody can register an application, so nobody is sent to one before
   * they have signed in, and to an unknown one on the web only by the consent page (RFC 9700, section 4.11.2). The
   * destination decides, whatever is in its query or fragment.
   *
   * @param location what better-auth answers: a page of ours, or an address of the application.
   */
  async function nextPage(
    location: string,
    { query, holder }: { query: URLSearchParams; holder: SessionHolder | null },
  ): Promise<string> {
    const isOurs = location.startsWith(`${baseUrl()}/`);
    if (isSignInPage(location, baseUrl()) || (!isOurs && holder === null))
      return signInLink(baseUrl(), query);
    const calledBack = withIssuer(location, baseUrl());
    if (isOurs || holder === null || !isOnTheWeb(location)) return calledBack;
    const grants = await grantStore(database.read).list(holder.person.id);
    const isKnown = grants.some(({ client_id: clientId }) => clientId === query.get('client_id'));
    return isKnown ? calledBack : problemPage(location, baseUrl());
  }

  /** Stores the grant, and the code that better-auth issues for it, in one transaction. */
  async function connect(
    request: OauthRequest,
    holder: SessionHolder,
    { asked, consent }: { asked: AuthorizationRequest; consent: Consent },
  ): Promise<string> {
    const work = newWork(holder, { address: request.address });
    const scopes = [...consent.permissions, ...(asked.isLasting ? [OFFLINE_ACCESS] : [])];
    const decision = {
      accept: true,
      scope: scopes.join(' '),
      oauth_query: asked.query.toString(),
    };
    const redirectHost = redirectTarget(asked.query.get('redirect_uri') ?? '');
    const { client } = asked;
    const grant = { consent, client, redirectHost, holder, address: request.address };
    await engine();
    const url = await store.transaction(async () => {
      work.grantId = await store.write((tx) => saveConsent(tx, grant, clock.now()));
      const target = await decide(request, work, decision);
      if (!new URL(target).searchParams.has('code')) throw new NotConnected(400, START_AGAIN);
      return target;
    });
    // Tokens of a former grant have other permissions now.
    authenticator.forget({ personId: holder.person.id });
    return url;
  }

  /** Carries out a decision. @returns the address to go to, or why it is refused. */
  async function urlAfter(
    request: OauthRequest,
    holder: SessionHolder,
    asked: AuthorizationRequest,
  ): Promise<string | SignInAnswer> {
    const { accept } = request.body;
    if (typeof accept !== 'boolean')
      return findingsAnswer({ accept: ['accept must be true or false.'] });
    if (!accept) {
      const decision = { accept, oauth_query: asked.query.toString() };
      return decide(request, newWork(holder, { address: request.address }), decision);
    }
    const memberships = await teamStore(database.read).listMemberships(holder.person.id);
    const offer = { permissions: asked.permissions, memberships, holder };
    const consent = readConsent(request.body, offer);
    return 'findings' in consent
      ? findingsAnswer(consent.findings)
      : connect(request, holder, { asked, consent });
  }

  return {
    /** Registers a client (RFC 7591). */
    async register({ body }: OauthRequest): Promise<SignInAnswer> {
      const client = readClientMetadata(body);
      if ('error' in client) return oauthRefusal(400, client.error, client.description);
      const clientId = newLinkToken();
      const now = clock.now();
      await database.transaction((tx) => grantStore(tx).insertClient({ clientId, ...client }, now));
      return { status: 201, headers: [], body: registeredClient(client, { clientId, now }) };
    },

    /** Starts an authorization (RFC 6749, section 4.1.1): redirects to the page for signing in or for consent. */
    async authorize(request: OauthRequest): Promise<SignInAnswer> {
      const query = completeRequest(request.query, toolServerOf(baseUrl()));
      const problem = parameterProblem(query);
      if (problem !== null) return oauthRefusal(400, 'invalid_request', problem);
      const headers = new Headers();
      const cookie = cookieOf(request);
      if (cookie !== undefined) headers.set('cookie', cookie);
      const asked = new Request(`${issuerOf(baseUrl())}/oauth2/authorize?${query}`, { headers });
      const holder = await holderOf(cookie);
      const response = await ask(asked, newWork(holder, { address: request.address }));
      const location = response.headers.get('location');
      if (location === null) return tokenAnswer(response);
      const next = await nextPage(location, { query, holder });
      return { status: 302, headers: [['location', next]], body: null };
    },

    /** The grant that a request for tokens refreshes; null for other requests, and for unknown tokens. */
    async refreshedGrant({ form }: OauthRequest) {
      const named = namedToken(form.get('refresh_token') ?? '');
      return named && (await findGrantOfToken(database.read, named.hash));
    },

    /** Exchanges a code or a refresh token for tokens (RFC 6749, section 3.2). */
    async token(request: OauthRequest): Promise<SignInAnswer> {
      const form = tokenFields(request.form);
      const problem = parameterProblem(form);
      if (problem !== null) return oauthRefusal(400, 'invalid_request', problem);
      // Without cookies: clients that run in a browser send none either.
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const url = `${issuerOf(baseUrl())}/oauth2/token`;
      const asked = new Request(url, { method: 'POST', headers, body: form });
      const work = newWork(null, { address: request.address });
      // Loaded before the transaction begins, which other writers wait for.
      await engine();
      try {
        return await store.transaction(async () => {
          await store.write((tx) => lockGrants(tx, form));
          const response = await ask(asked, work);
          // better-auth answers despite some failures. Then nothing is stored, so that the request can be repeated.
          if (work.fault !== null) throw new Error('OAuth stored no tokens', { cause: work.fault });
          return tokenAnswer(response);
        });
      } catch (error) {
        // What the tokens would belong to was revoked meanwhile, such as by a second use of the code at the same time.
        if (!isMissingReference(work.fault)) throw error;
        return oauthRefusal(400, 'invalid_grant', 'What the tokens belong to was revoked.');
      }
    },

    /** Revokes a token (RFC 7009). */
    async revoke({ form }: OauthRequest): Promise<SignInAnswer> {
      const problem = parameterProblem(form);
      if (problem !== null) return oauthRefusal(400, 'invalid_request', problem);
      const clientId = form.get('client_id') ?? '';
      const token = form.get('token') ?? '';
      if (token === '') return oauthRefusal(400, 'invalid_request', 'token is required.');
      if ((await grantStore(database.read).findClient(clientId)) === undefined)
        return oauthRefusal(401, 'invalid_client', 'There is no such client.');
      const named = namedToken(token);
      const personId =
        named &&
        (await database.transaction((tx) => oauthTokenStore(tx).delete({ ...named, clientId })));
      if (personId !== null) authenticator.forget({ personId });
      // Also for an unknown token, which is as revoked as can be (RFC 7009, section 2.2).
      return { status: 200, headers: [], body: {} };
    },

    async consentRequest(request: OauthRequest): Promise<SignInAnswer> {
      const holder = await holderOf(cookieOf(request));
      if (holder === null) return refusal(401, SIGN_IN_FIRST);
      const asked = await requestOf(request.query.toString());
      if (asked === null) return refusal(400, START_AGAIN);
      if (!(await hasRecentProof(database.read, holder, clock.now()))) return UNPROVEN;
      const { query, client, permissions } = asked;
      const memberships = await teamStore(database.read).listMemberships(holder.person.id);
      const grants = await grantStore(database.read).list(holder.person.id);
      const grantedIn = (teamId: number) => {
        const grant = grants.find(
          (one) => one.client_id === client.clientId && one.team_id === teamId,
        );
        return grant === undefined ? null : (JSON.parse(grant.permissions) as GrantPermission[]);
      };
      const shown = {
        client: {
          name: client.name,
          uri: client.uri,
          redirect_host: redirectTarget(query.get('redirect_uri') ?? ''),
        },
        scopes: permissions,
        teams: memberships.map((team) => offeredTeam(team, holder, grantedIn(team.id))),
      };
      return { status: 200, headers: [], body: shown };
    },

    /** Stores what the signed-in person decided, and returns where to go. */
    async consent(request: OauthRequest): Promise<SignInAnswer> {
      const { body, headers } = request;
      const { origin } = new URL(baseUrl());
      if (!isOfOwnPage(headers, origin))
        return refusal(403, `Applications are connected only from pages of ${origin}.`);
      const holder = await holderOf(cookieOf(request));
      if (holder === null) return refusal(401, SIGN_IN_FIRST);
      const asked = await requestOf(String(body['oauth_query'] ?? ''));
      if (asked === null) return refusal(400, START_AGAIN);
      // A connection outlives the session, and a stolen session must not leave one behind.
      if (body['accept'] === true && !(await hasRecentProof(database.read, holder, clock.now())))
        return UNPROVEN;
      try {
        const url = await urlAfter(request, holder, asked);
        return typeof url === 'string' ? { status: 200, headers: [], body: { url } } : url;
      } catch (error) {
        if (error instanceof NotConnected) return refusal(error.status, error.message);
        throw error;
      }
    },
  };
}

/** Locks the grants that a request for tokens concerns, before anything of them is read. */
async function lockGrants(tx: Tx, form: URLSearchParams): Promise<void> {
  const code = form.get('code');
  if (code !== null) await oauthTokenStore(tx).lockGrantsOfCode(hashToken(code));
  const named = namedToken(form.get('refresh_token') ?? '');
  if (named !== null) await oauthTokenStore(tx).lockGrants(named);
}

/** True when a row was not stored since another one that it refers to does not exist. */
function isMissingReference(error: unknown): boolean {
  return error instanceof Error && /foreign key constraint/i.test(error.message);
}
