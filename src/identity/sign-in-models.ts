import type { SignInTable } from '../store/people/sign-in-rows.ts';

/** Representation of a value in better-auth, where it differs from the column; a `number` is text there. */
export type Kind = 'plain' | 'boolean' | 'date' | 'token' | 'number';

export interface Model {
  table: SignInTable;
  /** Field of better-auth → our column. */
  fields: Record<string, readonly [column: string, kind: Kind]>;
  /** Fields that better-auth writes and we do not store. */
  dropped?: readonly string[];
  /** True for rows of people of which there may be many: they are deleted without being read. */
  isMany?: boolean;
}

const created = { createdAt: ['created_at', 'date'] } as const;
const times = { ...created, updatedAt: ['updated_at', 'date'] } as const;
const owned = { id: ['id', 'plain'], userId: ['person_id', 'plain'] } as const;

/** What a grant covers; its id is the reference of better-auth. */
const issued = {
  ...owned,
  clientId: ['client_id', 'plain'],
  referenceId: ['grant_id', 'number'],
  resources: ['resources', 'plain'],
  scopes: ['scopes', 'plain'],
} as const;
const issuedToken = {
  ...issued,
  token: ['hash', 'plain'],
  authorizationCodeId: ['authorization_code_id', 'plain'],
  expiresAt: ['expires_at', 'date'],
  ...created,
} as const;
/** Sessions, proofs of possession and claims of OpenID Connect. */
const UNUSED_OF_TOKENS = ['sessionId', 'confirmation', 'requestedUserInfoClaims'];

/** Allowlist of what better-auth may read and write. */
export const MODELS: Record<string, Model> = {
  user: {
    table: 'person',
    fields: {
      id: ['id', 'plain'],
      name: ['name', 'plain'],
      email: ['email', 'plain'],
      emailVerified: ['email_verified', 'boolean'],
      image: ['image', 'plain'],
      timezone: ['timezone', 'plain'],
      twoFactorEnabled: ['mfa_enabled', 'boolean'],
      ...times,
    },
  },
  session: {
    table: 'session',
    fields: {
      ...owned,
      token: ['hash', 'token'],
      expiresAt: ['expires_at', 'date'],
      ipAddress: ['ip_address', 'plain'],
      userAgent: ['user_agent', 'plain'],
      ...times,
    },
  },
  account: {
    table: 'credential',
    fields: {
      ...owned,
      accountId: ['account_id', 'plain'],
      providerId: ['provider_id', 'plain'],
      scope: ['scope', 'plain'],
      password: ['password', 'plain'],
      ...times,
    },
    // Providers are never called on a person's behalf, so storing their tokens would only be a risk.
    dropped: [
      'accessToken',
      'refreshToken',
      'idToken',
      'accessTokenExpiresAt',
      'refreshTokenExpiresAt',
    ],
  },
  verification: {
    table: 'verification',
    fields: {
      id: ['id', 'plain'],
      identifier: ['identifier', 'plain'],
      value: ['value', 'plain'],
      expiresAt: ['expires_at', 'date'],
      ...times,
    },
  },
  twoFactor: {
    table: 'two_factor',
    fields: {
      ...owned,
      secret: ['secret', 'plain'],
      backupCodes: ['backup_codes', 'plain'],
      verified: ['verified', 'boolean'],
      failedVerificationCount: ['failed_verification_count', 'plain'],
      lockedUntil: ['locked_until', 'date'],
    },
  },
  passkey: {
    table: 'passkey',
    fields: {
      ...owned,
      name: ['name', 'plain'],
      publicKey: ['public_key', 'plain'],
      credentialID: ['credential_id', 'plain'],
      counter: ['counter', 'plain'],
      deviceType: ['device_type', 'plain'],
      backedUp: ['backed_up', 'boolean'],
      transports: ['transports', 'plain'],
      aaguid: ['aaguid', 'plain'],
      ...created,
    },
  },
  oauthClient: {
    table: 'oauth_client',
    fields: {
      id: ['id', 'plain'],
      clientId: ['client_id', 'plain'],
      name: ['name', 'plain'],
      uri: ['uri', 'plain'],
      redirectUris: ['redirect_uris', 'plain'],
      grantTypes: ['grant_types', 'plain'],
      responseTypes: ['response_types', 'plain'],
      tokenEndpointAuthMethod: ['token_endpoint_auth_method', 'plain'],
      applicationType: ['application_type', 'plain'],
      scopes: ['scopes', 'plain'],
      ...times,
    },
  },
  oauthResource: {
    table: 'oauth_resource',
    fields: {
      id: ['id', 'plain'],
      identifier: ['identifier', 'plain'],
      name: ['name', 'plain'],
      ...times,
    },
    // All resources have the same rules, those of the configuration.
    dropped: [
      'accessTokenTtl',
      'refreshTokenTtl',
      'signingAlgorithm',
      'signingKeyId',
      'allowedScopes',
      'customClaims',
      'dpopBoundAccessTokensRequired',
      'disabled',
      'policyVersion',
      'metadata',
    ],
  },
  oauthConsent: {
    table: 'oauth_consent',
    fields: { ...issued, ...times },
    dropped: ['requestedUserInfoClaims'],
  },
  oauthRefreshToken: {
    table: 'oauth_refresh_token',
    isMany: true,
    fields: { ...issuedToken, revoked: ['revoked_at', 'date'] },
    // A grant outlives the session in which it was given.
    dropped: [...UNUSED_OF_TOKENS, 'authTime', 'rotatedAt'],
  },
  oauthAccessToken: {
    table: 'oauth_access_token',
    isMany: true,
    fields: { ...issuedToken, refreshId: ['refresh_id', 'plain'] },
    dropped: [...UNUSED_OF_TOKENS, 'revoked'],
  },
};
