import { DDL, type Engine } from '../dialect.ts';

/**
 * Sign-in of people, invitations, queued mails and the audit log. Passwords are hashed, session and invitation tokens
 * are stored as their SHA-256, and whatever must be read again is sealed.
 */
export function people(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];
  const person = `person_id ${integer} not null references person (id) on delete cascade`;
  const created = `created_at ${integer} not null`;
  const updated = `updated_at ${integer} not null`;

  return [
    `alter table person add column email_verified ${integer} not null default 0`,
    // Whoever is there was made by the operator.
    `update person set email_verified = 1`,
    `alter table person add column image ${text}`,
    // Where their next session begins.
    `alter table person add column team_id ${integer} references team (id) on delete set null`,
    `alter table team add column plan ${text}`,
    `alter table team add column mfa_required ${integer} not null default 0`,
    `alter table team add column deleted_at ${integer}`,
    `create index team_deleted on team (deleted_at) where deleted_at is not null`,
    // What a token made goes with it.
    `alter table token add column parent_id ${integer} references token (id) on delete cascade`,
    `create index token_parent on token (parent_id) where parent_id is not null`,
    `create index person_team on person (team_id) where team_id is not null`,

    `create table credential (
      id ${identity}, ${person}, provider_id ${text} not null, account_id ${text} not null, password ${text},
      scope ${text}, ${created}, ${updated}
    ) ${strict}`,
    `create unique index credential_account on credential (provider_id, account_id)`,
    `create index credential_person on credential (person_id)`,
    `create table session (
      id ${identity}, ${person}, team_id ${integer} references team (id) on delete set null,
      hash ${text} not null unique, method ${text} not null, ip_address ${text}, user_agent ${text},
      last_used_at ${integer}, expires_at ${integer} not null, ${created}, ${updated}
    ) ${strict}`,
    `create index session_person on session (person_id)`,
    `create index session_team on session (team_id) where team_id is not null`,
    `create index session_expires on session (expires_at)`,
    `create table verification (
      id ${identity}, identifier ${text} not null, value ${text} not null, expires_at ${integer} not null,
      ${created}, ${updated}
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

    `create table invitation (
      id ${identity}, team_id ${integer} not null references team (id) on delete cascade, email ${text} not null,
      role ${text} not null, hash ${text} not null unique, invited_by ${integer}, expires_at ${integer} not null,
      accepted_at ${integer}, ${created}, ${updated}
    ) ${strict}`,
    `create unique index invitation_pending on invitation (team_id, email) where accepted_at is null`,
    `create index invitation_email on invitation (email)`,
    `create table mail (
      id ${identity}, kind ${text} not null, sealed ${text} not null, attempts ${integer} not null,
      next_at ${integer} not null, leased_until ${integer}, expires_at ${integer} not null, ${created}
    ) ${strict}`,
    `create index mail_next on mail (next_at, id)`,

    `create table audit_entry (
      id ${identity}, team_id ${integer}, person_id ${integer}, actor ${text} not null, via ${text} not null,
      credential_name ${text}, ip_address ${text}, action ${text} not null, target_type ${text} not null,
      target_id ${integer}, target_name ${text}, before ${text}, after ${text}, ${created}
    ) ${strict}`,
    `create index audit_entry_team on audit_entry (team_id, created_at, id)`,
    `create index audit_entry_created on audit_entry (created_at)`,
  ];
}
