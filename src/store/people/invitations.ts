import type { Db, Row } from '../database/contract.ts';
import { insertRow, updateRow, countRows } from '../database/rows.ts';

/** An invitation with the name of its sender, null for a deleted person. */
export type InvitationRow = Pick<
  Row<'invitation'>,
  'id' | 'team_id' | 'email' | 'role' | 'expires_at' | 'accepted_at' | 'created_at'
> & { inviter: string | null };

/** Invitations to teams. */
export function invitationStore(db: Db) {
  return {
    /** Lists the pending invitations of a team, including expired ones; the newest first. */
    list(teamId: number): Promise<InvitationRow[]> {
      return selectPending(db, teamId)
        .orderBy('invitation.created_at', 'desc')
        .orderBy('invitation.id', 'desc')
        .execute();
    },

    /** Finds a pending invitation; undefined for an unknown id, another team's, and an accepted one. */
    find(teamId: number, id: number) {
      return selectPending(db, teamId).where('invitation.id', '=', id).executeTakeFirst();
    },

    /** Finds the pending invitation of an address to a team. @param email in lower case. */
    findPending(teamId: number, email: string) {
      return selectPending(db, teamId).where('invitation.email', '=', email).executeTakeFirst();
    },

    /** Finds an invitation with the name of its team; undefined for an unknown hash, and when the team is deleted. */
    findByHash(hash: string) {
      return selectInvitations(db)
        .innerJoin('team', 'team.id', 'invitation.team_id')
        .where('invitation.hash', '=', hash)
        .where('team.deleted_at', 'is', null)
        .select('team.name as team')
        .executeTakeFirst();
    },

    async insert(
      invitation: {
        teamId: number;
        /** In lower case. */
        email: string;
        role: string;
        /** SHA-256 of the token of its link, in hex. */
        hash: string;
        invitedBy: number;
        expiresAt: number;
      },
      now: number,
    ) {
      return insertRow(db, 'invitation', {
        team_id: invitation.teamId,
        email: invitation.email,
        role: invitation.role,
        hash: invitation.hash,
        invited_by: invitation.invitedBy,
        expires_at: invitation.expiresAt,
        created_at: now,
        updated_at: now,
      });
    },

    async update(id: number, change: InvitationChange, now: number) {
      await updateRow(db, 'invitation', id, { ...change, updated_at: now });
    },

    async delete(id: number) {
      await db.deleteFrom('invitation').where('id', '=', id).execute();
    },

    /** Counts the pending invitations of a team, including expired ones. */
    async count(teamId: number) {
      return countRows(selectPending(db, teamId));
    },
  };
}

/** A change of an invitation: its role, its link, or its acceptance. */
type InvitationChange =
  | { role: string }
  | { hash: string; expires_at: number }
  | { accepted_at: number };

function selectInvitations(db: Db) {
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

function selectPending(db: Db, teamId: number) {
  return selectInvitations(db)
    .where('invitation.team_id', '=', teamId)
    .where('invitation.accepted_at', 'is', null);
}
