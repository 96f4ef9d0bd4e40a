import { DDL, type Engine } from '../../dialect.ts';

/**
 * People, teams, how people sign in, what they let sign in for them, and the audit log. Passwords are hashed, tokens of
 * sessions, invitations and OAuth are stored as their SHA-256, and whatever must be read again is sealed.
 */
export function peopleTables(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];
  const team = `team_id ${integer} not null references team (id) on delete cascade`;
  const person = `person_id ${integer} not null references person (id) on delete cascade`;
  const created = `created_at ${integer} not null`;
  const times = `${created}, updated_at ${integer} not null`;

  return [
    `create table team (
      id ${identity}, name ${text} not null, slug ${text} not null unique, personal_team ${integer} not null,
      plan ${text}, mfa_required ${integer} not null default 0, deleted_at ${integer}, ${times}
    ) ${strict}`,
    `create index team_deleted on team (deleted_at) where deleted_at is not null`,
    // A person's team is where their next session begins.
    `create table person (
      id ${identity}, name ${text} not null, email ${text} not null unique, timezone ${text} not null, image ${text},
      email_verified ${integer} not null default 0, mfa_enabled ${integer} not null default 0, last_login_at ${integer},
      team_id ${integer} references team (id) on delete set null, ${times}
    ) ${strict}`,
    `create index person_team on person (team_id) where team_id is not null`,
    `create table member (
      ${team}, ${person}, role ${text} not null, status ${text} not null, added_at ${integer} not null,
      primary key (team_id, person_id)
    ) ${strictByKey}`,
    `create index member_person on member (person_id)`,
    `create table invitation (
      id ${identity}, ${team}, email ${text} not null, role ${text} not null, hash ${text} not null unique,
      invited_by ${integer}, expires_at ${integer} not null, accepted_at ${integer}, ${times}
    ) ${strict}`,
    `create unique index invitation_pending on invitation (team_id, email) where accepted_at is null`,
    `create index invitation_email on invitation (email)`,
    // What a token made goes with it.
    `create table token (
      id ${identity}, ${person}, ${team}, parent_id ${integer} references token (id) on delete cascade,
      name ${text} not null, hash ${text} not null unique, permissions ${text} not null,
      expires_at ${integer}, last_used_at ${integer}, ${created}
    ) ${strict}`,
    `create index token_person on token (person_id)`,
    `create index token_team on token (team_id)`,
    `create index token_parent on token (parent_id) where parent_id is not null`,

    `create table credential (
      id ${identity}, ${person}, provider_id ${text} not null, account_id ${text} not null, password ${text},
      scope ${text}, ${times}
    ) ${strict}`,
    `create unique index credential_account on credential (provider_id, account_id)`,
    `create index credential_person on credential (person_id)`,
    `create table session (
      id ${identity}, ${person}, team_id ${integer} references team (id) on delete set null,
      hash ${text} not null unique, method ${text} not null, ip_address ${text}, user_agent ${text},
      last_used_at ${integer}, expires_at ${integer} not null, ${times}
    ) ${strict}`,
    `create index session_person on session (person_id)`,
    `create index session_team on session (team_id) where team_id is not null`,
    `create index session_expires on session (expires_at)`,
    `create table verification (
      id ${identity}, identifier ${text} not null, value ${text} not null, expires_at ${integer} not null, ${times}
    ) ${strict}`,
    `create index verification_identifier on verification (identifier)`,
    `create index verification_expires on verification (expires_at)`,
    `create table two_factor (
      id ${identity}, ${person}, secret ${text} not null, backup_codes ${text} not null,
      verified ${integer} not null, failed_verification_count ${integer} not null, locked_until ${integer}
    ) ${strict}`,
    `create index two_factor_person on two_factor (person_id)`,
    `create table used_code (
      person_id ${integer} not null, code ${text} not null, expires_at ${integer} not null,
      primary key (person_id, code)
    ) ${strictByKey}`,
    `create table passkey (
      id ${identity}, ${person}, name ${text}, public_key ${text} not null, credential_id ${text} not null unique,
      counter ${integer} not null, device_type ${text} not null, backed_up ${integer} not null, transports ${text},
      aaguid ${text}, ${created}
    ) ${strict}`,
    `create index passkey_person on passkey (person_id)`,
    ...oauthTables(engine),

    `create table audit_entry (
      id ${identity}, team_id ${integer}, person_id ${integer}, actor ${text} not null, via ${text} not null,
      credential_name ${text}, ip_address ${text}, action ${text} not null, target_type ${text} not null,
      target_id ${integer}, target_name ${text}, before ${text}, after ${text}, ${created}
    ) ${strict}`,
    `create index audit_entry_team on audit_entry (team_id, created_at, id)`,
    `create index audit_entry_created on audit_entry (created_at)`,
  ];
}

/** OAuth 2.1. Everything that is issued belongs to a grant and is deleted with it. */
function oauthTables(engine: Engine): string[] {
  const { identity, integer, text, strict } = DDL[engine];
  const created = `created_at ${integer} not null`;
  const times = `${created}, updated_at ${integer} not null`;
  const grant = `grant_id ${integer} not null references oauth_grant (id) on delete cascade`;
  const issued = `client_id ${text} not null, person_id ${integer} not null, ${grant}, resources ${text}, scopes ${text} not null`;
  const token = `hash ${text} not null unique, ${issued}, authorization_code_id ${text}, expires_at ${integer} not null, ${created}`;
  return [
    `create table oauth_client (
      id ${identity}, client_id ${text} not null unique, name ${text}, uri ${text}, redirect_uris ${text} not null,
      grant_types ${text}, response_types ${text}, token_endpoint_auth_method ${text}, application_type ${text},
      scopes ${text}, connected_at ${integer}, ${times}
    ) ${strict}`,
    `create index oauth_client_created on oauth_client (created_at)`,
    `create table oauth_resource (
      id ${identity}, identifier ${text} not null unique, name ${text} not null, ${times}
    ) ${strict}`,
    `create table oauth_grant (
      id ${identity}, person_id ${integer} not null references person (id) on delete cascade,
      client_id ${text} not null references oauth_client (client_id) on delete cascade,
      team_id ${integer} not null references team (id) on delete cascade,
      permissions ${text} not null, redirect_host ${text} not null, last_used_at ${integer}, ${times}
    ) ${strict}`,
    `create unique index oauth_grant_person on oauth_grant (person_id, client_id, team_id)`,
    `create index oauth_grant_client on oauth_grant (client_id)`,
    `create index oauth_grant_team on oauth_grant (team_id)`,
    `create table oauth_consent (id ${identity}, ${issued}, ${times}) ${strict}`,
    `create index oauth_consent_grant on oauth_consent (grant_id)`,
    `create table oauth_refresh_token (id ${identity}, ${token}, revoked_at ${integer}) ${strict}`,
    `create index oauth_refresh_token_grant on oauth_refresh_token (grant_id)`,
    `create index oauth_refresh_token_client on oauth_refresh_token (client_id, person_id)`,
    `create index oauth_refresh_token_code on oauth_refresh_token (authorization_code_id)`,
    `create index oauth_refresh_token_revoked on oauth_refresh_token (revoked_at) where revoked_at is not null`,
    `create index oauth_refresh_token_expires on oauth_refresh_token (expires_at)`,
    `create table oauth_access_token (
      id ${identity}, ${token}, refresh_id ${integer} references oauth_refresh_token (id) on delete cascade
    ) ${strict}`,
    `create index oauth_access_token_grant on oauth_access_token (grant_id)`,
    `create index oauth_access_token_refresh on oauth_access_token (refresh_id)`,
    `create index oauth_access_token_code on oauth_access_token (authorization_code_id)`,
    `create index oauth_access_token_expires on oauth_access_token (expires_at)`,
  ];
}
