import type { Generated } from 'kysely';
import type { Dated, Identified } from './schema-installation.ts';

/** Tables of people, teams, sign-in and what people let sign in for them (OAuth 2.1). */
export interface PeopleSchema {
  person: PersonTable;
  team: TeamTable;
  member: MemberTable;
  token: TokenTable;
  credential: CredentialTable;
  session: SessionTable;
  verification: VerificationTable;
  two_factor: TwoFactorTable;
  used_code: UsedCodeTable;
  passkey: PasskeyTable;
  invitation: InvitationTable;
  audit_entry: AuditEntryTable;
  oauth_client: OauthClientTable;
  oauth_resource: OauthResourceTable;
  oauth_grant: OauthGrantTable;
  oauth_consent: OauthConsentTable;
  oauth_refresh_token: OauthRefreshTokenTable;
  oauth_access_token: OauthAccessTokenTable;
}

export interface PersonTable extends Identified, Dated {
  name: string;
  /** Lower case. */
  email: string;
  timezone: string;
  last_login_at: number | null;
  /** 1 when two-factor authentication is confirmed. */
  mfa_enabled: Generated<number>;
  email_verified: Generated<number>;
  image: string | null;
  /** Team of their next session; null for the first of their teams. */
  team_id: number | null;
}

export interface TeamTable extends Identified, Dated {
  name: string;
  slug: string;
  personal_team: number;
  /** Subscription plan from PLANS_FILE; null for the default. */
  plan: string | null;
  /** 1 when sessions need two-factor authentication. */
  mfa_required: Generated<number>;
  /** When it was deleted; retention deletes its rows later. */
  deleted_at: number | null;
}

interface MemberTable {
  team_id: number;
  person_id: number;
  /** owner, admin, editor or viewer. */
  role: string;
  /** active or disabled. */
  status: string;
  added_at: number;
}

export interface TokenTable extends Identified {
  person_id: number;
  /** Team that calls with this token act on. */
  team_id: number;
  name: string;
  /** SHA-256 in hex; the token itself is never stored. */
  hash: string;
  /** JSON array of read, create, update, delete. */
  permissions: string;
  /** Token that created it, and with which it is revoked. */
  parent_id: number | null;
  expires_at: number | null;
  last_used_at: number | null;
  created_at: number;
}

/** A sign-in method of a person: a password (`credential`), or an account at a provider. */
interface CredentialTable extends Identified, Dated {
  person_id: number;
  /** credential, oidc, github or google. */
  provider_id: string;
  /** Id of the person at the provider; for a password the person's own id. */
  account_id: string;
  /** scrypt hash in better-auth's format; null for a provider. */
  password: string | null;
  scope: string | null;
}

/** A signed-in browser. */
export interface SessionTable extends Identified, Dated {
  person_id: number;
  /** Team that its calls act on; null for none. */
  team_id: number | null;
  /** SHA-256 of the token in hex; the token itself is never stored. */
  hash: string;
  /** Sign-in method: password, passkey, oidc, github or google. */
  method: string;
  ip_address: string | null;
  user_agent: string | null;
  last_used_at: number | null;
  expires_at: number;
}

/** A secret that was issued and is expected back: a reset link, the state of a sign-in at a provider, a challenge. */
interface VerificationTable extends Identified, Dated {
  /** Hashed. */
  identifier: string;
  value: string;
  expires_at: number;
}

interface TwoFactorTable extends Identified {
  person_id: number;
  /** Encrypted by better-auth, like the codes. */
  secret: string;
  backup_codes: string;
  verified: number;
  failed_verification_count: number;
  locked_until: number | null;
}

/** An accepted code of an authenticator, which is not accepted again while it is valid. */
interface UsedCodeTable {
  person_id: number;
  /** SHA-256 in hex. */
  code: string;
  expires_at: number;
}

interface PasskeyTable extends Identified {
  person_id: number;
  name: string | null;
  public_key: string;
  credential_id: string;
  counter: number;
  device_type: string;
  backed_up: number;
  transports: string | null;
  aaguid: string | null;
  created_at: number;
}

export interface InvitationTable extends Identified, Dated {
  team_id: number;
  /** Lower case. */
  email: string;
  role: string;
  /** SHA-256 of the token of its link, in hex. */
  hash: string;
  invited_by: number | null;
  expires_at: number;
  accepted_at: number | null;
}

/** An entry of the audit log. Names are stored as they were at the time. */
export interface AuditEntryTable extends Identified {
  /** Null for changes that concern a person alone. */
  team_id: number | null;
  person_id: number | null;
  /** Name and e-mail of the person. */
  actor: string;
  /** token, session, tool_server, operator or link. */
  via: string;
  credential_name: string | null;
  ip_address: string | null;
  /** The action, such as monitor.update. */
  action: string;
  target_type: string;
  target_id: number | null;
  target_name: string | null;
  /** JSON objects of the changed fields with masked secrets; null where nothing existed. */
  before: string | null;
  after: string | null;
  created_at: number;
}

/** An application that registered itself (RFC 7591). It has no secret. */
interface OauthClientTable extends Identified, Dated {
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
}

/** What access tokens are issued for (RFC 8707): the tool server, by its address. */
interface OauthResourceTable extends Identified, Dated {
  identifier: string;
  name: string;
}

/** What a person lets an application do in a team, until they disconnect it. */
interface OauthGrantTable extends Identified, Dated {
  person_id: number;
  /** `client_id` of the client. */
  client_id: string;
  team_id: number;
  /** JSON array of read, create, update, delete. */
  permissions: string;
  /** Where the code of the newest consent went: a host, or the scheme of an application on a device. */
  redirect_host: string;
  last_used_at: number | null;
}

/** The consent as better-auth looks it up between the consent page and the code. */
interface OauthConsentTable extends Identified, Dated {
  client_id: string;
  person_id: number;
  grant_id: number;
  /** JSON array of identifiers of resources. */
  resources: string | null;
  /** JSON array. */
  scopes: string;
}

/** A token that gets new tokens, once: it is kept for a day after that, so that a second use is noticed. */
interface OauthRefreshTokenTable extends Identified {
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
interface OauthAccessTokenTable extends Identified {
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
