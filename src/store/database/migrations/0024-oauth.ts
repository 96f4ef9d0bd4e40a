import { DDL, type Engine } from '../dialect.ts';

/**
 * OAuth 2.1: clients, what people granted them, and their tokens. Everything that is issued belongs to a grant and is
 * deleted with it.
 */
export function oauth(engine: Engine): string[] {
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
