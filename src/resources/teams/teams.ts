import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import { type Caller, ROLES, type Role } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import { nameText, yesOrNo } from '../../lib/schemas.ts';
import { auditTarget } from '../../model/audit.ts';
import { queueChanges } from '../../store/alerting/delivery-outcomes.ts';
import type { Tx } from '../../store/database/contract.ts';
import { lockAccount } from '../../store/people/accounts.ts';
import { peopleStore } from '../../store/people/people.ts';
import { sessionStore } from '../../store/people/sessions.ts';
import {
  type MembershipRow,
  closeTeam,
  createTeam,
  lockTeam,
  teamStore,
} from '../../store/people/teams.ts';
import { tokenStore } from '../../store/people/tokens.ts';
import { recordChange } from '../common/change.ts';
import type { PeopleDeps } from '../common/deps.ts';
import { Problem, authorize, holdPermission, inTeam, invalidField } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { type Call, noun } from '../common/operation.ts';
import { writeToTeam } from '../common/team-writes.ts';
import { shownAs } from '../common/answer.ts';
import { time } from '../common/reference-schemas.ts';
import { isoTime } from '../common/time.ts';

/** A membership, and the id of the team that the caller's calls act on. */
type Mine = Pick<MembershipRow, 'id' | 'name' | 'slug' | 'role' | 'personal_team'>;

const mine = shownAs<Mine, number | null>()({
  id: [z.int(), (row) => row.id, 1],
  name: [z.string(), (row) => row.name, 'My team'],
  slug: [z.string(), (row) => row.slug, 'my-team'],
  role: [
    z.enum(ROLES).meta({ description: 'Your role in the team.' }),
    (row) => row.role as Role,
    'owner',
  ],
  personal_team: [z.boolean(), (row) => row.personal_team === 1, true],
  is_current: [
    z.boolean().meta({ description: 'True for the team that calls with this token act on.' }),
    (row, currentId) => row.id === currentId,
    true,
  ],
});

const settings = shownAs<MembershipRow, Plans>()({
  plan: [
    z.string().meta({ description: 'Name of its plan.' }),
    (row, plans) => plans.of(row.plan).name,
    'Self-hosted',
  ],
  mfa_required: [
    z.boolean().meta({
      description:
        'True when signed-in people need two-factor authentication or a passkey to access it.',
    }),
    (row) => row.mfa_required === 1,
    false,
  ],
  created_at: [time, (row) => isoTime(row.created_at), '2030-01-01T00:00:00.000Z'],
});

export const teamAnswer = z
  .object(mine.shape)
  .meta({ id: 'Team', description: 'A team with the role of the caller.' })
  .register(CHANGING, { fields: ['is_current'] });

const wholeTeam = z
  .object({ ...mine.shape, ...settings.shape })
  .meta({ id: 'WholeTeam', description: 'The current team with its settings.' })
  .register(CHANGING, { fields: ['is_current'] });

const whole = { ...mine.example, ...settings.example };

/** A team of the caller. @param currentId of the team that calls act on. */
export const viewTeam = mine.view;

const CURRENT =
  'Works for the current team of the token only: for another one the response is 404.';

/** Maximum number of teams that a person can own; each has the limits of its plan. */
const MAX_TEAMS = 100;
/** The same with open sign-up, when anybody can have an account. */
const MAX_OPEN_TEAMS = 5;

export const teamInput = z.object({ name: nameText(100) });

export const teamChange = z.object({
  name: nameText(100).optional(),
  mfa_required: yesOrNo().optional().meta({
    description:
      'True when signed-in people need two-factor authentication or a passkey to access the team. Only people who use it themselves can require it. Tokens are not affected.',
  }),
});

const noUser = 'must be the id of another active member: GET /api/v1/users lists them';
export const transferInput = z.object({
  user_id: z.int({ error: noUser }).min(1, { error: noUser }),
});

export const deletionQuery = z.object({
  name: z.string().optional().meta({ description: 'Exact name of the team, as a confirmation.' }),
});

export interface TeamServiceDeps extends PeopleDeps {
  plans: Plans;
  openSignup: boolean;
}

/** The caller's teams. Throws InvalidInput for invalid input. */
export function createTeamService({ database, clock, forget, plans, openSignup }: TeamServiceDeps) {
  const maxTeams = openSignup ? MAX_OPEN_TEAMS : MAX_TEAMS;

  /** The current team with its settings. */
  const viewWhole = (row: MembershipRow) => ({
    ...viewTeam(row, row.id),
    ...settings.view(row, plans),
  });

  return {
    async listTeams({ principal: { person, team } }: Call) {
      const rows = await teamStore(database.read).listMemberships(person.id);
      return { data: rows.map((row) => viewTeam(row, team?.id ?? null)) };
    },

    /** Creates a team owned by the caller, whose current team stays the same. */
    async createTeam({ principal, body }: Call) {
      holdPermission(principal, 'create');
      const { person } = principal;
      const { name = '' } = readBody(teamInput, body);
      return database.transaction(async (tx) => {
        await lockAccount(tx, person.id);
        if ((await teamStore(tx).countOwned(person.id)) >= maxTeams) {
          throw invalidField(
            'name',
            `is of one team too many: you own ${maxTeams}, which is the maximum`,
          );
        }
        const now = clock.now();
        const wanted = { name, personalTeam: false, ownerId: person.id };
        const { id, slug } = await createTeam(tx, wanted, now);
        const target = auditTarget('team', { id, name });
        const change = { verb: 'created', target, teamId: id, after: { name, slug } };
        await recordChange(tx, principal, change, now);
        return viewTeam({ id, name, slug, role: 'owner', personal_team: 0 }, null);
      });
    },

    /** Like update, transfer and delete, throws `not_found` for other teams than the current one. */
    async getTeam({ caller, id }: Call) {
      requireCurrent(caller, id);
      const row = await teamStore(database.read).findMembership(caller.person.id, id);
      if (row === undefined) throw noSuchTeam();
      return viewWhole(row);
    },

    async updateTeam({ caller, id, body }: Call) {
      requireCurrent(caller, id);
      const needs = { permission: 'update', role: 'admin' } as const;
      const view = await writeToTeam(database, caller, needs, async (tx, stored) => {
        const change = await readChange(tx, caller, stored, body);
        const row = { ...stored, ...change };
        const [before, after] = [viewWhole(stored), viewWhole(row)];
        if (change.name === stored.name && change.mfa_required === stored.mfa_required)
          return after;
        await teamStore(tx).update(id, change, clock.now());
        const target = auditTarget('team', row);
        await recordChange(tx, caller, { verb: 'updated', target, before, after }, clock.now());
        return after;
      });
      forget({ teamId: id });
      return view;
    },

    /** Makes another member the owner; the former owner becomes an admin. */
    async transferTeam({ caller, id, body }: Call) {
      requireCurrent(caller, id);
      const needs = { permission: 'update', role: 'owner' } as const;
      const { people, view } = await writeToTeam(database, caller, needs, async (tx, team) => {
        const next = await readNewOwner(tx, caller, body);
        const former = caller.person.id;
        await teamStore(tx).updateMember({ teamId: id, personId: former }, { role: 'admin' });
        await teamStore(tx).updateMember({ teamId: id, personId: next.id }, { role: 'owner' });
        const target = auditTarget('team', team);
        const before = { owner: caller.person.name, owner_id: former };
        const after = { owner: next.name, owner_id: next.id };
        await recordChange(tx, caller, { verb: 'transferred', target, before, after }, clock.now());
        return { people: [former, next.id], view: viewTeam({ ...team, role: 'admin' }, id) };
      });
      for (const personId of people) forget({ personId });
      return view;
    },

    /** Closes the team at once; the next run of retention stops its monitors. */
    async deleteTeam({ caller, id, query }: Call) {
      requireCurrent(caller, id);
      const needs = { permission: 'delete', role: 'owner' } as const;
      await writeToTeam(database, caller, needs, async (tx, team) => {
        requireConfirmation(team, query);
        const now = clock.now();
        const target = auditTarget('team', team);
        await recordChange(tx, caller, { verb: 'deleted', target, before: viewWhole(team) }, now);
        await closeTeam(tx, id, now);
      });
      forget({ teamId: id });
    },

    /** Leaves any team of the caller. */
    async leaveTeam({ principal, id }: Call) {
      const { person } = principal;
      const name = await database.transaction(async (tx) => {
        await lockTeam(tx, id);
        const team = await teamStore(tx).findMembership(person.id, id);
        if (team === undefined)
          throw new Problem(
            'not_found',
            'There is no such team among yours. GET /api/v1/teams lists them.',
          );
        requireNotOwner(team);
        await teamStore(tx).moveSessionsAway(id, person.id);
        const member = { teamId: id, personId: person.id };
        await teamStore(tx).deleteMember(member);
        await queueChanges(tx).withholdFromFormerMember(member, clock.now());
        const target = auditTarget('member', person);
        const before = { role: team.role };
        const change = { verb: 'left', target, teamId: id, before };
        await recordChange(tx, principal, change, clock.now());
        return team.name;
      });
      forget({ personId: person.id });
      return {
        success: true,
        message: `You have left the team "${name}". Your tokens that acted on it are revoked.`,
      };
    },

    /** Makes a team the current one of the token or session. Throws `forbidden` for teams of others. */
    async switchTeam({ principal, id }: Call) {
      const { person, credential } = principal;
      if (credential.kind === 'grant') {
        throw new Problem(
          'forbidden',
          'An application is connected to one team: connect it to the other team as well.',
        );
      }
      // A token is limited by the role (contract 3.10); a session may always switch, also from a viewer's team.
      if (credential.kind === 'token') authorize(inTeam(principal), 'update');
      // api/routes.ts turns an invalid id into 0.
      if (id === 0) throw noSuchTeam();
      const team = await database.transaction(async (tx) => {
        const membership = await teamStore(tx).findMembership(person.id, id);
        if (membership === undefined) {
          throw new Problem(
            'forbidden',
            "You are no member of that team. GET /api/v1/teams lists yours; ask the other's owner or an admin for an invitation.",
          );
        }
        if (credential.kind === 'token') {
          await requireSecondFactor(tx, person.id, membership);
          await tokenStore(tx).move(credential.id, id);
        } else await sessionStore(tx).move({ id: credential.id, personId: person.id }, id);
        return membership;
      });
      forget({ personId: person.id });
      return viewTeam(team, id);
    },
  };
}

/** Throws when the team requires two-factor authentication that the person lacks. */
async function requireSecondFactor(tx: Tx, personId: number, team: MembershipRow): Promise<void> {
  if (team.mfa_required === 0) return;
  const member = await peopleStore(tx).findMember(team.id, personId);
  if (member?.mfa_enabled === 1) return;
  throw new Problem(
    'forbidden',
    'This team requires two-factor authentication: turn it on in your account, then switch again.',
  );
}

function requireCurrent(caller: Caller, id: number): void {
  if (caller.team.id !== id) throw noSuchTeam();
}

const noSuchTeam = () => new Problem('not_found', 'There is no such team.');

/** The team's columns after a change. Throws InvalidInput. */
async function readChange(tx: Tx, caller: Caller, stored: MembershipRow, body: unknown) {
  const findings = new Findings();
  const given = readBody(teamChange, body, findings);
  const turnsOn = given.mfa_required === true && stored.mfa_required === 0;
  if (turnsOn && !(await peopleStore(tx).hasSecondFactor(caller.person.id)))
    findings.add(
      'mfa_required',
      'must stay false until you have two-factor authentication yourself: you would lock yourself out',
    );
  findings.throwIfAny();
  const required = given.mfa_required ?? stored.mfa_required === 1;
  return { name: given.name ?? stored.name, mfa_required: required ? 1 : 0 };
}

async function readNewOwner(tx: Tx, caller: Caller, body: unknown) {
  const findings = new Findings();
  const { user_id: id } = readBody(transferInput, body, findings);
  const member =
    id === undefined ? undefined : await peopleStore(tx).findMember(caller.team.id, id);
  const isOther = member?.status === 'active' && member.id !== caller.person.id;
  if (!isOther && !findings.has('user_id')) findings.add('user_id', noUser);
  findings.throwIfAny();
  return member!;
}

function requireConfirmation(team: MembershipRow, query: object): void {
  const findings = new Findings();
  const { name } = readQuery(deletionQuery, query, findings);
  if (name !== team.name && !findings.has('name'))
    findings.add(
      'name',
      `must be the name of the team, exactly as it is: add ?name=${encodeURIComponent(team.name.toWellFormed())}. Its monitors and their history go with it`,
    );
  findings.throwIfAny();
}

function requireNotOwner(team: MembershipRow): void {
  if ((team.role as Role) !== 'owner') return;
  throw invalidField(
    'id',
    'is of a team that you own: transfer it with POST /api/v1/teams/{id}/transfer first, or delete it',
  );
}

export const teams = noun('Teams', createTeamService, {
  listTeams: {
    at: 'GET /teams',
    needs: 'token',
    summary: 'List your teams',
    description: 'The teams that you are an active member of.',
    answer: z
      .object({ data: z.array(teamAnswer) })
      .meta({ id: 'TeamList', description: 'The teams of the caller.' }),
    example: { answer: { data: [mine.example] } },
  },
  switchTeam: {
    at: 'POST /teams/:id/switch',
    needs: 'update',
    role: null,
    summary: 'Switch to a team',
    description:
      'Makes a team the current one of this token; your other tokens do not change. The response is 403 for a team that does not exist or that you are not a member of.',
    answer: teamAnswer,
    example: { answer: mine.example },
  },
  createTeam: {
    at: 'POST /teams',
    role: null,
    summary: 'Create a team',
    description:
      'Creates a team that you own. Switch to it to use it. The `slug` is derived from the name and never changes.',
    body: teamInput,
    answer: teamAnswer,
    example: {
      body: { name: 'Customers' },
      answer: {
        ...mine.example,
        id: 3,
        name: 'Customers',
        slug: 'customers',
        personal_team: false,
        is_current: false,
      },
    },
  },
  getTeam: {
    at: 'GET /teams/:id',
    summary: 'Get the current team',
    description: CURRENT,
    answer: wholeTeam,
    example: { answer: whole },
  },
  updateTeam: {
    at: 'PUT /teams/:id',
    role: 'admin',
    summary: 'Change a team',
    description: `Changes the given fields. ${CURRENT} For admins.`,
    body: teamChange,
    answer: wholeTeam,
    example: { body: { name: 'Operations' }, answer: { ...whole, name: 'Operations' } },
  },
  transferTeam: {
    at: 'POST /teams/:id/transfer',
    needs: 'update',
    role: 'owner',
    summary: 'Transfer a team',
    description: `Makes another active member the owner; you become an admin. ${CURRENT} For its owner.`,
    body: transferInput,
    answer: teamAnswer,
    example: { body: { user_id: 2 }, answer: { ...mine.example, role: 'admin' } },
  },
  leaveTeam: {
    at: 'POST /teams/:id/leave',
    needs: 'update',
    role: null,
    summary: 'Leave a team',
    description:
      'Leaves any team that you are an active member of, and revokes your tokens for it. The owner must transfer or delete the team instead.',
    answer: z
      .object({ success: z.literal(true), message: z.string() })
      .meta({ id: 'LeftTeam', description: 'Confirmation that you left.' }),
    example: {
      id: 2,
      answer: {
        success: true,
        message: 'You have left the team "Customers". Your tokens that acted on it are revoked.',
      },
    },
    refusals: ['invalid'],
  },
  deleteTeam: {
    at: 'DELETE /teams/:id',
    role: 'owner',
    summary: 'Delete a team',
    description: `Deletes a team with its monitors and their history, groups, invitations and tokens. Access ends at once, checks end within a minute, and the data is deleted in the background. ${CURRENT} For its owner.`,
    query: deletionQuery,
    example: { query: 'name=Team ours' },
  },
});
