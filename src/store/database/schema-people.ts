import type { Generated } from 'kysely';

export interface PersonTable {
  id: Generated<number>;
  name: string;
  /** Lower case. */
  email: string;
  timezone: string;
  last_login_at: number | null;
  /** 1 when two-factor authentication is confirmed. */
  mfa_enabled: Generated<number>;
  email_verified: Generated<number>;
  image: string | null;
  /** Where their next session begins; null for the first of their teams. */
  team_id: number | null;
  created_at: number;
  updated_at: number;
}

export interface TeamTable {
  id: Generated<number>;
  name: string;
  slug: string;
  personal_team: number;
  /** Of PLANS_FILE; null for its default. */
  plan: string | null;
  /** 1 when sessions of people without two-factor authentication may do nothing in it. */
  mfa_required: Generated<number>;
  /** Nothing shows the team from then on; retention clears it away. */
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface MemberTable {
  team_id: number;
  person_id: number;
  /** owner, admin, editor or viewer. */
  role: string;
  /** active or disabled. */
  status: string;
  added_at: number;
}

export interface TokenTable {
  id: Generated<number>;
  person_id: number;
  /** The team that calls with this token act on. */
  team_id: number;
  name: string;
  /** SHA-256 in hex; the token itself is never stored. */
  hash: string;
  /** JSON array of read, create, update, delete. */
  permissions: string;
  /** The token that made it, with which it is revoked. */
  parent_id: number | null;
  expires_at: number | null;
  last_used_at: number | null;
  created_at: number;
}

/** One way in which a person signs in: a password (`credential`), or an account at a provider. */
export interface CredentialTable {
  id: Generated<number>;
  person_id: number;
  /** credential, oidc, github or google. */
  provider_id: string;
  /** What the provider calls the person; for a password the person's own id. */
  account_id: string;
  /** scrypt, as better-auth writes it; null at a provider. */
  password: string | null;
  scope: string | null;
  created_at: number;
  updated_at: number;
}

/** One signed-in browser. */
export interface SessionTable {
  id: Generated<number>;
  person_id: number;
  /** The team that its calls act on; null for none. */
  team_id: number | null;
  /** SHA-256 of the token in hex; the token itself is never stored. */
  hash: string;
  /** How the person signed in: password, passkey, oidc, github or google. */
  method: string;
  ip_address: string | null;
  user_agent: string | null;
  last_used_at: number | null;
  expires_at: number;
  created_at: number;
  updated_at: number;
}

/** A secret that was given out and is expected back: a reset, the state of a sign-in at a provider, a challenge. */
export interface VerificationTable {
  id: Generated<number>;
  /** Hashed. */
  identifier: string;
  value: string;
  expires_at: number;
  created_at: number;
  updated_at: number;
}

export interface TwoFactorTable {
  id: Generated<number>;
  person_id: number;
  /** Encrypted by better-auth, like the codes. */
  secret: string;
  backup_codes: string;
  verified: number;
  failed_verification_count: number;
  locked_until: number | null;
}

/** A code of an authenticator that was accepted: it is not accepted again while it would still be right. */
export interface UsedCodeTable {
  person_id: number;
  /** SHA-256 in hex. */
  code: string;
  expires_at: number;
}

export interface PasskeyTable {
  id: Generated<number>;
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

export interface InvitationTable {
  id: Generated<number>;
  team_id: number;
  /** Lower case. */
  email: string;
  role: string;
  /** SHA-256 of the token of its link, in hex. */
  hash: string;
  invited_by: number | null;
  expires_at: number;
  accepted_at: number | null;
  created_at: number;
  updated_at: number;
}

/** Who changed what. Names are kept as they were, whatever goes later. */
export interface AuditEntryTable {
  id: Generated<number>;
  /** Null for what concerns a person alone. */
  team_id: number | null;
  person_id: number | null;
  /** Name and e-mail of the person. */
  actor: string;
  /** token, session, tool_server, operator or link. */
  via: string;
  /** Of the token. */
  credential_name: string | null;
  ip_address: string | null;
  /** Such as monitor.update. */
  action: string;
  target_type: string;
  target_id: number | null;
  target_name: string | null;
  /** JSON objects of the fields that changed, secrets masked; null where there was or is nothing. */
  before: string | null;
  after: string | null;
  created_at: number;
}
