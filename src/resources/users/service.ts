import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { auditTarget } from '../../model/audit.ts';
import { withholdFromFormerMember } from '../../store/alerting/delivery-outcomes.ts';
import { findMember, listMembers, type MemberRow } from '../../store/people/people.ts';
import { deleteMember, moveSessionsAway, updateMember } from '../../store/people/teams.ts';
import { audit } from '../audit-log/entry.ts';
import type { PeopleDeps } from '../common/deps.ts';
import { invalidField } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import type { Call } from '../common/operation.ts';

/** Roles that admins can give; a team has one owner, who can transfer it. */
export const GIVEN_ROLES = ['admin', 'editor', 'viewer'] as const;

const WRONG_ROLE = `must be one of ${GIVEN_ROLES.join(', ')}`;

/** @param missing predicate for a missing role. */
export function givenRole(missing = WRONG_ROLE) {
  return z.enum(GIVEN_ROLES, {
    error({ input }) {
      if (input == null) return missing;
      return input === 'owner'
        ? 'must not be owner: a team has one, who can transfer it with POST /api/v1/teams/{id}/transfer'
        : WRONG_ROLE;
    },
  });
}

export const memberInput = z.object({
  role: givenRole().optional(),
  status: oneOf(['active', 'disabled']).optional(),
});

/** Members of the caller's team. Throws `not_found` for other people. */
export function createUserService({ database, clock, forget }: PeopleDeps) {
  const write = teamWriter(database, 'admin');

  return {
    /** Lists all members, including the owner and disabled ones. */
    async listUsers({ caller }: Call) {
      const rows = await listMembers(database.read, caller.team.id);
      return { team: caller.team.name, total: rows.length, data: rows.map(viewMember) };
    },

    /** Changes a member's role, or disables or enables them. */
    async updateUser({ caller, id, body }: Call) {
      const view = await write(caller, 'update', async (tx) => {
        const stored = await requireMember(tx, caller, id);
        const change = readChange(caller, stored, body);
        const { role = stored.role, status = stored.status } = change;
        if (role === stored.role && status === stored.status) return viewMember(stored);
        const member = { teamId: caller.team.id, personId: id };
        await updateMember(tx, member, change);
        if (status === 'disabled') {
          await moveSessionsAway(tx, caller.team.id, id);
          await withholdFromFormerMember(tx, member, clock.now());
        }
        const [before, after] = [viewMember(stored), viewMember({ ...stored, role, status })];
        const target = auditTarget('member', stored);
        await audit(tx, caller, { verb: 'updated', target, before, after }, clock.now());
        return after;
      });
      forget({ personId: id });
      return view;
    },

    /** Removes a member and revokes their tokens for the team; their account stays. */
    async deleteUser({ caller, id }: Call) {
      await write(caller, 'delete', async (tx) => {
        const stored = await requireMember(tx, caller, id);
        requireRemovable(caller, stored);
        await moveSessionsAway(tx, caller.team.id, id);
        const member = { teamId: caller.team.id, personId: id };
        await deleteMember(tx, member);
        await withholdFromFormerMember(tx, member, clock.now());
        const target = auditTarget('member', stored);
        const before = viewMember(stored);
        await audit(tx, caller, { verb: 'deleted', target, before }, clock.now());
      });
      forget({ personId: id });
    },
  };
}

export const requireMember = finderOf('user', findMember);

/** The given fields. Throws InvalidInput, also for changes that the member's role does not allow. */
function readChange(
  caller: Caller,
  stored: MemberRow,
  body: unknown,
): { role?: string; status?: string } {
  const findings = new Findings();
  const given = readBody(memberInput, body, findings);
  const names = (['role', 'status'] as const).filter((name) => given[name] !== undefined);
  if (names.length === 0 && !findings.has('role') && !findings.has('status'))
    findings.add('role', 'or status is required: say what is to change');
  if (stored.role === 'owner') {
    for (const name of names)
      findings.add(
        name,
        'of the owner stays as it is: transfer the team with POST /api/v1/teams/{id}/transfer first',
      );
  } else if (given.status === 'disabled' && stored.id === caller.person.id) {
    findings.add(
      'status',
      'must not be disabled for yourself: leave with POST /api/v1/teams/{id}/leave, or ask another admin',
    );
  }
  findings.throwIfAny();
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

function requireRemovable(caller: Caller, stored: MemberRow): void {
  if (stored.role === 'owner')
    throw invalidField(
      'id',
      'is the owner, who stays: transfer the team with POST /api/v1/teams/{id}/transfer first',
    );
  if (stored.id === caller.person.id)
    throw invalidField('id', 'is yourself: leave with POST /api/v1/teams/{id}/leave instead');
}

export function viewMember(row: MemberRow): object {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    status: row.status,
    mfa_enabled: row.mfa_enabled === 1,
    created_at: isoTime(row.created_at),
    added_at: isoTime(row.added_at),
    last_login_at: isoOrNull(row.last_login_at),
  };
}
