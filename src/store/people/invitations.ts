import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { InvitationTable } from '../database/schema-people.ts';

/** An invitation and who sent it; null when they are gone. */
export type InvitationRow = Pick<
  Selectable<InvitationTable>,
  'id' | 'team_id' | 'email' | 'role' | 'expires_at' | 'accepted_at' | 'created_at'
> & { inviter: string | null };

/** Those of the team that nobody has accepted, expired ones too, the newest first. */
export function listInvitations(db: Kysely<Schema>, teamId: number): Promise<InvitationRow[]> {
  return selectInvitations(db)
    .where('invitation.team_id', '=', teamId)
    .where('invitation.accepted_at', 'is', null)
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc')
    .execute();
}

/** Undefined for an unknown id, for another team's and for one that was accepted. */
export function findInvitation(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<InvitationRow | undefined> {
  return selectInvitations(db)
    .where('invitation.team_id', '=', teamId)
    .where('invitation.id', '=', id)
    .where('invitation.accepted_at', 'is', null)
    .executeTakeFirst();
}

/** The one that the address has in the team and that nobody has accepted. @param email in lower case. */
export function findPendingInvitation(
  db: Kysely<Schema>,
  teamId: number,
  email: string,
): Promise<InvitationRow | undefined> {
  return selectInvitations(db)
    .where('invitation.team_id', '=', teamId)
    .where('invitation.email', '=', email)
    .where('invitation.accepted_at', 'is', null)
    .executeTakeFirst();
}

/** With the team that it leads to. Undefined for an unknown hash, and when the team is gone. */
export function findInvitationByHash(
  db: Kysely<Schema>,
  hash: string,
): Promise<(InvitationRow & { team: string }) | undefined> {
  return selectInvitations(db)
    .innerJoin('team', 'team.id', 'invitation.team_id')
    .where('invitation.hash', '=', hash)
    .where('team.deleted_at', 'is', null)
    .select('team.name as team')
    .executeTakeFirst();
}

export interface NewInvitation {
  teamId: number;
  /** In lower case. */
  email: string;
  role: string;
  /** SHA-256 of the token of its link, in hex. */
  hash: string;
  invitedBy: number;
  expiresAt: number;
}

/** @returns the new invitation's id. */
export async function insertInvitation(
  db: Kysely<Schema>,
  invitation: NewInvitation,
  now: number,
): Promise<number> {
  const row = await db
    .insertInto('invitation')
    .values({
      team_id: invitation.teamId,
      email: invitation.email,
      role: invitation.role,
      hash: invitation.hash,
      invited_by: invitation.invitedBy,
      expires_at: invitation.expiresAt,
      accepted_at: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** What changes of an invitation: its role, its link, or that somebody accepted it. */
export type InvitationChange =
  | { role: string }
  | { hash: string; expires_at: number }
  | { accepted_at: number };

export async function updateInvitation(
  db: Kysely<Schema>,
  id: number,
  change: InvitationChange,
  now: number,
): Promise<void> {
  await db
    .updateTable('invitation')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute();
}

export async function deleteInvitation(db: Kysely<Schema>, id: number): Promise<void> {
  await db.deleteFrom('invitation').where('id', '=', id).execute();
}

/** How many of the team wait to be accepted, expired ones too. */
export async function countInvitations(db: Kysely<Schema>, teamId: number): Promise<number> {
  const { count } = await db
    .selectFrom('invitation')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('accepted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function selectInvitations(db: Kysely<Schema>) {
  return db
    .selectFrom('invitation')
    .leftJoin('person', 'person.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.team_id',
      'invitation.email',
      'invitation.role',
      'invitation.expires_at',
      'invitation.accepted_at',
      'invitation.created_at',
      'person.name as inviter',
    ]);
}
