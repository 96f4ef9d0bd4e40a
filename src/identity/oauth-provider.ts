import { oauthProvider } from '@better-auth/oauth-provider';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import { grantStore } from '../store/people/grants.ts';
import {
  ACCESS_TOKEN_PREFIX,
  CONSENT_PAGE,
  SIGN_IN_PAGE,
  GRANT_TYPES,
  REFRESH_TOKEN_PREFIX,
  SCOPES,
  toolServerOf,
} from './oauth-metadata.ts';
import type { SignInStore } from './sign-in-store.ts';
import { hashToken } from './token.ts';

const ACCESS_TOKEN_SECONDS = 3_600;
const REFRESH_TOKEN_SECONDS = 30 * 86_400;
const CODE_SECONDS = 600;
/** No grant has this id: outside of a consent none is found, so that people are always asked. */
const NO_GRANT = 0;

/**
 * Configures the OAuth 2.1 provider of better-auth: codes with PKCE, opaque tokens that are stored hashed, and refresh
 * tokens that work once. What is issued refers to the grant of the request, see `sign-in-store.ts`.
 */
export function oauthPlugin({ store, baseUrl }: { store: SignInStore; baseUrl: string }) {
  const plugin = oauthProvider({
    // Tokens are looked up at each call, so they need not be readable.
    disableJwtPlugin: true,
    loginPage: baseUrl + SIGN_IN_PAGE,
    consentPage: baseUrl + CONSENT_PAGE,
    scopes: [...SCOPES],
    grantTypes: [...GRANT_TYPES],
    resources: [{ identifier: toolServerOf(baseUrl), name: 'Tocsin' }],
    // Clients register by themselves, so none has resources of its own.
    enforcePerClientResources: false,
    codeExpiresIn: CODE_SECONDS,
    accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
    refreshTokenExpiresIn: REFRESH_TOKEN_SECONDS,
    storeTokens: { hash: async (token) => hashToken(token) },
    prefix: { opaqueAccessToken: ACCESS_TOKEN_PREFIX, refreshToken: REFRESH_TOKEN_PREFIX },
    postLogin: {
      page: baseUrl + CONSENT_PAGE,
      shouldRedirect: () => false,
      consentReferenceId: () => String(store.current()?.grantId ?? NO_GRANT),
    },
    // Called before tokens are issued: the person may have disconnected the client since it got its code.
    async customTokenResponseFields({ verificationValue }) {
      if (verificationValue === undefined) return {};
      const grantId = Number(verificationValue.referenceId);
      if (await store.read((db) => grantStore(db).has(grantId))) return {};
      throw new APIError('BAD_REQUEST', {
        error: 'invalid_grant',
        error_description: 'The application was disconnected.',
      });
    },
  });
  // Its descriptions of parameters have properties that are undefined, which the type of plugins does not.
  return plugin as unknown as BetterAuthPlugin;
}
