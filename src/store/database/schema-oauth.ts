import type { Generated } from 'kysely';

/** Tables of OAuth 2.1: applications that people connect, and what was issued to them. */
export interface OauthSchema {
  oauth_client: OauthClientTable;
  oauth_resource: OauthResourceTable;
  oauth_grant: OauthGrantTable;
  oauth_consent: OauthConsentTable;
  oauth_refresh_token: OauthRefreshTokenTable;
  oauth_access_token: OauthAccessTokenTable;
}

/** An application that registered itself (RFC 7591). It has no secret. */
export interface OauthClientTable {
  id: Generated<number>;
  /** Random text by which the application names itself. */
  client_id: string;
  name: string | null;
  /** Address of its home page, as it says. */
  uri: string | null;
  /** JSON array of addresses. */
  redirect_uris: string;
  /** JSON array of authorization_code, refresh_token. */
  grant_types: string | null;
  /** JSON array of code. */
  response_types: string | null;
  /** none. */
  token_endpoint_auth_method: string | null;
  /** web or native. */
  application_type: string | null;
  /** JSON array of scopes that it may request. */
  scopes: string | null;
  /** When somebody last connected it; null for never. */
  connected_at: number | null;
  created_at: number;
  updated_at: number;
}

/** What access tokens are issued for (RFC 8707): the tool server, by its address. */
export interface OauthResourceTable {
  id: Generated<number>;
  identifier: string;
  name: string;
  created_at: number;
  updated_at: number;
}

/** What a person lets an application do in a team, until they disconnect it. */
export interface OauthGrantTable {
  id: Generated<number>;
  person_id: number;
  /** `client_id` of the client. */
  client_id: string;
  team_id: number;
  /** JSON array of read, create, update, delete. */
  permissions: string;
  /** Where the code of the newest consent went: a host, or the scheme of an application on a device. */
  redirect_host: string;
  last_used_at: number | null;
  created_at: number;
  updated_at: number;
}

/** The consent as better-auth looks it up between the consent page and the code. */
export interface OauthConsentTable {
  id: Generated<number>;
  client_id: string;
  person_id: number;
  grant_id: number;
  /** JSON array of identifiers of resources. */
  resources: string | null;
  /** JSON array. */
  scopes: string;
  created_at: number;
  updated_at: number;
}

/** A token that gets new tokens, once: it is kept for a day after that, so that a second use is noticed. */
export interface OauthRefreshTokenTable {
  id: Generated<number>;
  /** SHA-256 of the token without its prefix, in hex; the token itself is never stored. */
  hash: string;
  client_id: string;
  person_id: number;
  grant_id: number;
  /** JSON array of identifiers of resources. */
  resources: string | null;
  /** JSON array. */
  scopes: string;
  /** SHA-256 of the authorization code that the first token was issued for. */
  authorization_code_id: string | null;
  expires_at: number;
  created_at: number;
  /** When it was used or revoked. */
  revoked_at: number | null;
}

/** A token for calls of the tool server. */
export interface OauthAccessTokenTable {
  id: Generated<number>;
  /** SHA-256 of the token without its prefix, in hex; the token itself is never stored. */
  hash: string;
  client_id: string;
  person_id: number;
  grant_id: number;
  /** JSON array of identifiers of resources. */
  resources: string | null;
  /** JSON array. */
  scopes: string;
  /** SHA-256 of the authorization code that the first token was issued for. */
  authorization_code_id: string | null;
  expires_at: number;
  created_at: number;
  /** Refresh token that was issued with it, and with which it is deleted. */
  refresh_id: number | null;
}
