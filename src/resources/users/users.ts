import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import { ROLES, type Caller, type Role } from '../../identity/caller.ts';
import { shownAs } from '../common/answer.ts';
import { time } from '../common/reference-schemas.ts';
import { oneOf } from '../../lib/schemas.ts';
import { auditTarget } from '../../model/audit.ts';
import { queueChanges } from '../../store/alerting/delivery-outcomes.ts';
import { type MemberRow, peopleStore } from '../../store/people/people.ts';
import { teamStore } from '../../store/people/teams.ts';
import { recordChange } from '../common/change.ts';
import type { PeopleDeps } from '../common/deps.ts';
import { invalidField } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody } from '../common/input.ts';
import { type Call, noun } from '../common/operation.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

const EXAMPLE_TIME = '2030-01-01T00:00:00.000Z';

export const member = shownAs<MemberRow>()({
  id: [z.int(), (row) => row.id, 1],
  name: [z.string(), (row) => row.name, 'Alice'],
  email: [z.string(), (row) => row.email, 'alice@example.com'],
  role: [z.enum(ROLES), (row) => row.role as Role, 'owner'],
  status: [
    z
      .enum(['active', 'disabled'])
      .meta({ description: 'A disabled member cannot access the team.' }),
    (row) => row.status as 'active' | 'disabled',
    'active',
  ],
  mfa_enabled: [
    z.boolean().meta({ description: 'True when two-factor authentication is set up.' }),
    (row) => row.mfa_enabled === 1,
    false,
  ],
  created_at: [time, (row) => isoTime(row.created_at), EXAMPLE_TIME],
  added_at: [
    time.meta({
      description: 'When they joined the team; for its first owner, when the team was created.',
    }),
    (row) => isoTime(row.added_at),
    EXAMPLE_TIME,
  ],
  last_login_at: [
    time.nullable().meta({ description: 'Latest sign-in; null if they never signed in.' }),
    (row) => isoOrNull(row.last_login_at),
    null,
  ],
});

export const user = z
  .object(member.shape)
  .meta({ id: 'User', description: 'A member of the team.' })
  .register(CHANGING, { fields: ['mfa_enabled', 'last_login_at'] });

const alice = member.example;

export const ed = { ...alice, id: 2, name: 'Ed', email: 'ed@example.com', role: 'editor' };

/** Roles that admins can give; a team has one owner, who can transfer it. */
export const GIVEN_ROLES = ['admin', 'editor', 'viewer'] as const;
export type GivenRole = (typeof GIVEN_ROLES)[number];

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

const memberInput = z.object({
  role: givenRole().optional(),
  status: oneOf(['active', 'disabled']).optional(),
});

/** Members of the caller's team. Throws `not_found` for other people. */
export function createUserService({ database, clock, forget }: PeopleDeps) {
  const write = teamWriter(database, 'admin');

  return {
    /** Lists all members, including the owner and disabled ones. */
    async listUsers({ caller }: Call) {
      const rows = await peopleStore(database.read).listMembers(caller.team.id);
      return {
        team: caller.team.name,
        total: rows.length,
        data: rows.map((row) => member.view(row)),
      };
    },

    /** Changes a member's role, or disables or enables them. */
    async updateUser({ caller, id, body }: Call) {
      const view = await write(caller, 'update', async (tx) => {
        const stored = await requireMember(tx, caller, id);
        const change = readChange(caller, stored, body);
        const { role = stored.role, status = stored.status } = change;
        if (role === stored.role && status === stored.status) return member.view(stored);
        const membership = { teamId: caller.team.id, personId: id };
        await teamStore(tx).updateMember(membership, change);
        if (status === 'disabled') {
          await teamStore(tx).moveSessionsAway(caller.team.id, id);
          await queueChanges(tx).withholdFromFormerMember(membership, clock.now());
        }
        const [before, after] = [member.view(stored), member.view({ ...stored, role, status })];
        const target = auditTarget('member', stored);
        await recordChange(tx, caller, { verb: 'updated', target, before, after }, clock.now());
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
        await teamStore(tx).moveSessionsAway(caller.team.id, id);
        const membership = { teamId: caller.team.id, personId: id };
        await teamStore(tx).deleteMember(membership);
        await queueChanges(tx).withholdFromFormerMember(membership, clock.now());
        const target = auditTarget('member', stored);
        const before = member.view(stored);
        await recordChange(tx, caller, { verb: 'deleted', target, before }, clock.now());
      });
      forget({ personId: id });
    },
  };
}

export const requireMember = finderOf('user', (db, teamId, id) =>
  peopleStore(db).findMember(teamId, id),
);

/** The given fields. Throws InvalidInput, also for changes that the member's role does not allow. */
function readChange(caller: Caller, stored: MemberRow, body: unknown) {
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

export const users = noun('Users', createUserService, {
  listUsers: {
    at: 'GET /users',
    summary: 'List users',
    description: 'The members of the team, the owner first, then by name.',
    answer: z
      .object({
        team: z.string().meta({ description: 'Name of the team.' }),
        total: z.int(),
        data: z.array(user),
      })
      .meta({ id: 'UserList', description: 'The members of the team.' }),
    example: { answer: { team: 'My team', total: 1, data: [alice] } },
  },
  updateUser: {
    at: 'PUT /users/:id',
    role: 'admin',
    summary: 'Change a member',
    description:
      'Changes the role of a member, or disables or enables them. A disabled member cannot access the team; their tokens are refused until they are enabled again. The owner cannot be changed: use `POST /teams/{id}/transfer`. For admins.',
    body: memberInput,
    answer: user,
    example: { id: 2, body: { role: 'viewer' }, answer: { ...ed, role: 'viewer' } },
  },
  deleteUser: {
    at: 'DELETE /users/:id',
    role: 'admin',
    summary: 'Remove a member',
    description:
      'Removes a member and revokes their tokens for this team. Their account stays. The owner cannot be removed; to remove yourself, use `POST /teams/{id}/leave`. For admins.',
    example: { id: 2 },
    refusals: ['invalid'],
  },
});
