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
      -- Subscription plan from PLANS_FILE; null for the default.
      plan ${text},
      -- 1 when sessions need two-factor authentication.
      mfa_required ${integer} not null default 0,
      -- When it was deleted; retention deletes its rows later.
      deleted_at ${integer},
      ${times}
    ) ${strict}`,
    `create index team_deleted on team (deleted_at) where deleted_at is not null`,
    // A person's team is where their next session begins.
    `create table person (
      id ${identity}, name ${text} not null,
      -- Lower case.
      email ${text} not null unique,
      timezone ${text} not null, image ${text}, email_verified ${integer} not null default 0,
      -- 1 when two-factor authentication is confirmed.
      mfa_enabled ${integer} not null default 0,
      last_login_at ${integer},
      -- Team of their next session; null for the first of their teams.
      team_id ${integer} references team (id) on delete set null,
      ${times}
    ) ${strict}`,
    `create index person_team on person (team_id) where team_id is not null`,
    `create table member (
      ${team}, ${person},
      -- owner, admin, editor or viewer.
      role ${text} not null,
      -- active or disabled.
      status ${text} not null,
      added_at ${integer} not null, primary key (team_id, person_id)
    ) ${strictByKey}`,
    `create index member_person on member (person_id)`,
    `create table invitation (
      id ${identity}, ${team},
      -- Lower case.
      email ${text} not null,
      role ${text} not null,
      -- SHA-256 of the token of its link, in hex.
      hash ${text} not null unique,
      invited_by ${integer}, expires_at ${integer} not null, accepted_at ${integer}, ${times}
    ) ${strict}`,
    `create unique index invitation_pending on invitation (team_id, email) where accepted_at is null`,
    `create index invitation_email on invitation (email)`,
    // What a token made goes with it.
    `create table token (
      id ${identity}, ${person},
      -- Team that calls with this token act on.
      ${team},
      -- Token that created it, and with which it is revoked.
      parent_id ${integer} references token (id) on delete cascade,
      name ${text} not null,
      -- SHA-256 in hex; the token itself is never stored.
      hash ${text} not null unique,
      -- JSON array of read, create, update, delete.
      permissions ${text} not null,
      expires_at ${integer}, last_used_at ${integer}, ${created}
    ) ${strict}`,
    `create index token_person on token (person_id)`,
    `create index token_team on token (team_id)`,
    `create index token_parent on token (parent_id) where parent_id is not null`,

    // A sign-in method of a person: a password (`credential`), or an account at a provider.
    `create table credential (
      id ${identity}, ${person},
      -- credential, oidc, github or google.
      provider_id ${text} not null,
      -- Id of the person at the provider; for a password the person's own id.
      account_id ${text} not null,
      -- scrypt hash in better-auth's format; null for a provider.
      password ${text},
      scope ${text}, ${times}
    ) ${strict}`,
    `create unique index credential_account on credential (provider_id, account_id)`,
    `create index credential_person on credential (person_id)`,
    // A signed-in browser.
    `create table session (
      id ${identity}, ${person},
      -- Team that its calls act on; null for none.
      team_id ${integer} references team (id) on delete set null,
      -- SHA-256 of the token in hex; the token itself is never stored.
      hash ${text} not null unique,
      -- Sign-in method: password, passkey, oidc, github or google.
      method ${text} not null,
      ip_address ${text}, user_agent ${text}, last_used_at ${integer}, expires_at ${integer} not null, ${times}
    ) ${strict}`,
    `create index session_person on session (person_id)`,
    `create index session_team on session (team_id) where team_id is not null`,
    `create index session_expires on session (expires_at)`,
    // A secret that was issued and is expected back: a reset link, the state of a sign-in at a
    // provider, a challenge.
    `create table verification (
      id ${identity},
      -- Hashed.
      identifier ${text} not null,
      value ${text} not null, expires_at ${integer} not null, ${times}
    ) ${strict}`,
    `create index verification_identifier on verification (identifier)`,
    `create index verification_expires on verification (expires_at)`,
    `create table two_factor (
      id ${identity}, ${person},
      -- Encrypted by better-auth, like the codes.
      secret ${text} not null,
      backup_codes ${text} not null, verified ${integer} not null, failed_verification_count ${integer} not null,
      locked_until ${integer}
    ) ${strict}`,
    `create index two_factor_person on two_factor (person_id)`,
    // An accepted code of an authenticator, which is not accepted again while it is valid.
    `create table used_code (
      person_id ${integer} not null,
      -- SHA-256 in hex.
      code ${text} not null,
      expires_at ${integer} not null, primary key (person_id, code)
    ) ${strictByKey}`,
    `create table passkey (
      id ${identity}, ${person}, name ${text}, public_key ${text} not null, credential_id ${text} not null unique,
      counter ${integer} not null, device_type ${text} not null, backed_up ${integer} not null, transports ${text},
      aaguid ${text}, ${created}
    ) ${strict}`,
    `create index passkey_person on passkey (person_id)`,
    ...oauthTables(engine),

    // An entry of the audit log. Names are stored as they were at the time.
    `create table audit_entry (
      id ${identity},
      -- Null for changes that concern a person alone.
      team_id ${integer},
      person_id ${integer},
      -- Name and e-mail of the person.
      actor ${text} not null,
      -- token, session, tool_server, operator or link.
      via ${text} not null,
      credential_name ${text}, ip_address ${text},
      -- The action, such as monitor.update.
      action ${text} not null,
      target_type ${text} not null, target_id ${integer}, target_name ${text},
      -- JSON objects of the changed fields with masked secrets; null where nothing existed.
      before ${text},
      after ${text}, ${created}
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
  const issued = `client_id ${text} not null, person_id ${integer} not null, ${grant},
      -- JSON array of identifiers of resources.
      resources ${text},
      -- JSON array.
      scopes ${text} not null`;
  const token = `
      -- SHA-256 of the token without its prefix, in hex; the token itself is never stored.
      hash ${text} not null unique,
      ${issued},
      -- SHA-256 of the authorization code that the first token was issued for.
      authorization_code_id ${text},
      expires_at ${integer} not null, ${created}`;
  return [
    // An application that registered itself (RFC 7591). It has no secret.
    `create table oauth_client (
      id ${identity},
      -- Random text by which the application names itself.
      client_id ${text} not null unique,
      name ${text},
      -- Address of its home page, as it says.
      uri ${text},
      -- JSON array of addresses.
      redirect_uris ${text} not null,
      -- JSON array of authorization_code, refresh_token.
      grant_types ${text},
      -- JSON array of code.
      response_types ${text},
      -- none.
      token_endpoint_auth_method ${text},
      -- web or native.
      application_type ${text},
      -- JSON array of scopes that it may request.
      scopes ${text},
      -- When somebody last connected it; null for never.
      connected_at ${integer},
      ${times}
    ) ${strict}`,
    `create index oauth_client_created on oauth_client (created_at)`,
    // What access tokens are issued for (RFC 8707): the tool server, by its address.
    `create table oauth_resource (
      id ${identity}, identifier ${text} not null unique, name ${text} not null, ${times}
    ) ${strict}`,
    // What a person lets an application do in a team, until they disconnect it.
    `create table oauth_grant (
      id ${identity}, person_id ${integer} not null references person (id) on delete cascade,
      -- 'client_id' of the client.
      client_id ${text} not null references oauth_client (client_id) on delete cascade,
      team_id ${integer} not null references team (id) on delete cascade,
      -- JSON array of read, create, update, delete.
      permissions ${text} not null,
      -- Where the code of the newest consent went: a host, or the scheme of an application on a device.
      redirect_host ${text} not null,
      last_used_at ${integer}, ${times}
    ) ${strict}`,
    `create unique index oauth_grant_person on oauth_grant (person_id, client_id, team_id)`,
    `create index oauth_grant_client on oauth_grant (client_id)`,
    `create index oauth_grant_team on oauth_grant (team_id)`,
    // The consent as better-auth looks it up between the consent page and the code.
    `create table oauth_consent (id ${identity}, ${issued}, ${times}) ${strict}`,
    `create index oauth_consent_grant on oauth_consent (grant_id)`,
    // A token that gets new tokens, once: it is kept for a day after that, so that a second use is
    // noticed.
    `create table oauth_refresh_token (
      id ${identity}, ${token},
      -- When it was used or revoked.
      revoked_at ${integer}
    ) ${strict}`,
    `create index oauth_refresh_token_grant on oauth_refresh_token (grant_id)`,
    `create index oauth_refresh_token_client on oauth_refresh_token (client_id, person_id)`,
    `create index oauth_refresh_token_code on oauth_refresh_token (authorization_code_id)`,
    `create index oauth_refresh_token_revoked on oauth_refresh_token (revoked_at) where revoked_at is not null`,
    `create index oauth_refresh_token_expires on oauth_refresh_token (expires_at)`,
    // A token for calls of the tool server.
    `create table oauth_access_token (
      id ${identity}, ${token},
      -- Refresh token that was issued with it, and with which it is deleted.
      refresh_id ${integer} references oauth_refresh_token (id) on delete cascade
    ) ${strict}`,
    `create index oauth_access_token_grant on oauth_access_token (grant_id)`,
    `create index oauth_access_token_refresh on oauth_access_token (refresh_id)`,
    `create index oauth_access_token_code on oauth_access_token (authorization_code_id)`,
    `create index oauth_access_token_expires on oauth_access_token (expires_at)`,
  ];
}
