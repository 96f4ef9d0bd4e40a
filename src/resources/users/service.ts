import { z } from 'zod';
import type { Authenticator } from '../../identity/authenticate.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import { withholdFromFormerMember } from '../../store/alerting/delivery-outcomes.ts';
import { findMember, listMembers, type MemberRow } from '../../store/people/people.ts';
import { deleteMember, moveSessionsAway, updateMember } from '../../store/people/teams.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { authorise, notFound } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { writeToTeam, type TeamWork } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

/** What a member can be made by others; a team has one owner, who hands it over themselves. */
export const GIVEN_ROLES = ['admin', 'editor', 'viewer'] as const;

export function givenRole() {
  return z.enum(GIVEN_ROLES, {
    error: ({ input }) =>
      input === 'owner'
        ? 'must not be owner: a team has one, who can transfer it with POST /api/v1/teams/{id}/transfer'
        : `must be one of ${GIVEN_ROLES.join(', ')}`,
  });
}

/** What people send to change a member. */
export const memberInput = z.object({
  role: givenRole().optional(),
  status: oneOf(['active', 'disabled']).optional(),
});

/** The people of the caller's team. Who is no member of it is not found; what is wrong is an InvalidInput. */
export interface UserService {
  /** All members, the owner and disabled ones included. */
  list(caller: Caller): Promise<object>;
  /** Changes a member's role, or disables or enables them. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  /** They and their tokens may do nothing in the team any more; their account stays. */
  delete(caller: Caller, id: number): Promise<void>;
}

export interface UserServiceDeps {
  database: Database;
  clock: Clock;
  /** Their next call must see what is stored now. */
  forget: Authenticator['forget'];
}

export function createUserService({ database, clock, forget }: UserServiceDeps): UserService {
  const write = <Value>(
    caller: Caller,
    permission: 'update' | 'delete',
    work: TeamWork<Value>,
  ): Promise<Value> => writeToTeam(database, caller, { permission, role: 'admin' }, work);

  return {
    async list(caller) {
      authorise(caller, 'read');
      const rows = await listMembers(database.read, caller.team.id);
      return { team: caller.team.name, total: rows.length, data: rows.map(viewMember) };
    },

    async update(caller, id, body) {
      const view = await write(caller, 'update', async (tx) => {
        const stored = await findMember(tx, caller.team.id, id);
        if (stored === undefined) throw notFound('user');
        const change = judgeChange(caller, stored, body);
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

    async delete(caller, id) {
      await write(caller, 'delete', async (tx) => {
        const stored = await findMember(tx, caller.team.id, id);
        if (stored === undefined) throw notFound('user');
        judgeRemoval(caller, stored);
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

/** What is to change of a member, judged by who they are. */
function judgeChange(
  caller: Caller,
  stored: MemberRow,
  body: unknown,
): { role?: string; status?: string } {
  const findings = new Findings();
  const given = readBody(memberInput, body, findings) as z.output<typeof memberInput>;
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

function judgeRemoval(caller: Caller, stored: MemberRow): void {
  const findings = new Findings();
  if (stored.role === 'owner')
    findings.add(
      'id',
      'is the owner, who stays: transfer the team with POST /api/v1/teams/{id}/transfer first',
    );
  else if (stored.id === caller.person.id)
    findings.add('id', 'is yourself: leave with POST /api/v1/teams/{id}/leave instead');
  findings.throwIfAny();
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
