import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Authenticator } from '../../identity/authenticate.ts';
import type { Caller, Principal, Role } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import type { Clock } from '../../lib/clock.ts';
import { lockAccount } from '../../store/people/accounts.ts';
import type { Database } from '../../store/database/contract.ts';
import { withholdFromFormerMember } from '../../store/alerting/delivery-outcomes.ts';
import { findMember, hasSecondFactor } from '../../store/people/people.ts';
import type { Schema } from '../../store/database/schema.ts';
import { moveSession } from '../../store/people/sessions.ts';
import {
  closeTeam,
  countOwnedTeams,
  deleteMember,
  findMembership,
  createTeam,
  listMemberships,
  lockTeam,
  moveSessionsAway,
  updateMember,
  updateTeam,
  type MembershipRow,
} from '../../store/people/teams.ts';
import { moveToken } from '../../store/people/tokens.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { authorise, holdPermission, inTeam, Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { nameText, yesOrNo } from '../../lib/schemas.ts';
import { writeToTeam } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';

/** Enough for anybody, and nobody fills the house with teams. */
const MOST_TEAMS = 100;

/** What people send for a new team. */
export const teamInput = z.object({ name: nameText(100) });

/** What people send to change a team. */
export const teamChange = z.object({
  name: nameText(100).optional(),
  mfa_required: yesOrNo().optional().meta({
    description:
      'Whether people need two-factor authentication, or a passkey, to act on the team when they are signed in. Only somebody who has it can require it. Tokens are not concerned.',
  }),
});

const noUser = 'must be the id of another active member: GET /api/v1/users lists them';
export const transferInput = z.object({
  user_id: z.int({ error: noUser }).min(1, { error: noUser }),
});

export const deletionQuery = z.object({
  name: z
    .string()
    .optional()
    .meta({ description: 'The name of the team, exactly as it is: it says that you mean it.' }),
});

/** The teams of the caller, and which of them the token acts on. What is wrong with an input is an InvalidInput. */
export interface TeamService {
  list(principal: Principal): Promise<object>;
  /** Whoever makes a team owns it. The caller goes on acting on the team that they act on. */
  create(principal: Principal, body: unknown): Promise<object>;
  /** Of the current team only, as are update, transfer and delete: another is not found. */
  get(caller: Caller, id: number): Promise<object>;
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  /** Another member owns the team from then on; the former owner is an admin. */
  transfer(caller: Caller, id: number, body: unknown): Promise<object>;
  /** Nobody gets into the team any more; its monitors stop with the next turn of retention. */
  delete(caller: Caller, id: number, query: object): Promise<void>;
  /** Any of the caller's own teams. */
  leave(principal: Principal, id: number): Promise<object>;
  /** Every later call with this token acts on that team. Not being a member of it is forbidden, not unknown. */
  switch(principal: Principal, id: number): Promise<object>;
}

export interface TeamServiceDeps {
  database: Database;
  clock: Clock;
  /** Their next call must see what is stored now. */
  forget: Authenticator['forget'];
  plans: Plans;
}

export function createTeamService(deps: TeamServiceDeps): TeamService {
  const { database, clock, forget, plans } = deps;

  /** All of the current team that can be seen. */
  const viewWhole = (row: MembershipRow) => ({
    ...viewTeam(row, row.id),
    plan: plans.of(row.plan).name,
    mfa_required: row.mfa_required === 1,
    created_at: isoTime(row.created_at),
  });

  return {
    async list({ person, team }) {
      const rows = await listMemberships(database.read, person.id);
      return { data: rows.map((row) => viewTeam(row, team?.id ?? null)) };
    },

    async create(principal, body) {
      holdPermission(principal, 'create');
      const { person } = principal;
      const findings = new Findings();
      const { name = '' } = readBody(teamInput, body, findings) as { name?: string };
      findings.throwIfAny();
      return database.transaction(async (tx) => {
        await lockAccount(tx, person.id);
        if ((await countOwnedTeams(tx, person.id)) >= MOST_TEAMS) {
          findings.add('name', `is of one team too many: you own ${MOST_TEAMS}, which is the most`);
          findings.throwIfAny();
        }
        const now = clock.now();
        const wanted = { name, personalTeam: false, ownerId: person.id };
        const { id, slug } = await createTeam(tx, wanted, now);
        const target = auditTarget('team', { id, name });
        const change = { verb: 'created', target, teamId: id, after: { name, slug } };
        await audit(tx, principal, change, now);
        return viewTeam({ id, name, slug, role: 'owner', personal_team: 0 }, null);
      });
    },

    async get(caller, id) {
      authorise(caller, 'read');
      mustBeCurrent(caller, id);
      const row = await findMembership(database.read, caller.person.id, id);
      if (row === undefined) throw noSuchTeam();
      return viewWhole(row);
    },

    async update(caller, id, body) {
      authorise(caller, 'update', 'admin');
      mustBeCurrent(caller, id);
      const needs = { permission: 'update', role: 'admin' } as const;
      const view = await writeToTeam(database, caller, needs, async (tx, stored) => {
        const change = await judgeChange(tx, caller, stored, body);
        const row = { ...stored, ...change };
        const [before, after] = [viewWhole(stored), viewWhole(row)];
        if (change.name === stored.name && change.mfa_required === stored.mfa_required)
          return after;
        await updateTeam(tx, id, change, clock.now());
        const target = auditTarget('team', row);
        await audit(tx, caller, { verb: 'updated', target, before, after }, clock.now());
        return after;
      });
      forget({ teamId: id });
      return view;
    },

    async transfer(caller, id, body) {
      authorise(caller, 'update', 'owner');
      mustBeCurrent(caller, id);
      const needs = { permission: 'update', role: 'owner' } as const;
      const { people, view } = await writeToTeam(database, caller, needs, async (tx, team) => {
        const next = await judgeHeir(tx, caller, body);
        const former = caller.person.id;
        await updateMember(tx, { teamId: id, personId: former }, { role: 'admin' });
        await updateMember(tx, { teamId: id, personId: next.id }, { role: 'owner' });
        const target = auditTarget('team', team);
        const before = { owner: caller.person.name, owner_id: former };
        const after = { owner: next.name, owner_id: next.id };
        await audit(tx, caller, { verb: 'transferred', target, before, after }, clock.now());
        return { people: [former, next.id], view: viewTeam({ ...team, role: 'admin' }, id) };
      });
      for (const personId of people) forget({ personId });
      return view;
    },

    async delete(caller, id, query) {
      authorise(caller, 'delete', 'owner');
      mustBeCurrent(caller, id);
      const needs = { permission: 'delete', role: 'owner' } as const;
      await writeToTeam(database, caller, needs, async (tx, team) => {
        judgeDeletion(team, query);
        const now = clock.now();
        const target = auditTarget('team', team);
        await audit(tx, caller, { verb: 'deleted', target, before: viewWhole(team) }, now);
        await closeTeam(tx, id, now);
      });
      forget({ teamId: id });
    },

    async leave(principal, id) {
      const { person } = principal;
      const name = await database.transaction(async (tx) => {
        await lockTeam(tx, id);
        const team = await findMembership(tx, person.id, id);
        if (team === undefined)
          throw new Problem(
            'not_found',
            'There is no such team among yours. GET /api/v1/teams lists them.',
          );
        judgeLeaving(team);
        await moveSessionsAway(tx, id, person.id);
        const member = { teamId: id, personId: person.id };
        await deleteMember(tx, member);
        await withholdFromFormerMember(tx, member, clock.now());
        const target = auditTarget('member', person);
        const before = { role: team.role };
        await audit(tx, principal, { verb: 'left', target, teamId: id, before }, clock.now());
        return team.name;
      });
      forget({ personId: person.id });
      return {
        success: true,
        message: `You have left the team "${name}". Your tokens that acted on it are revoked.`,
      };
    },

    async switch(principal, id) {
      const { person, credential } = principal;
      // The role caps a token (contract 3.10); a session of somebody who may only look here can go elsewhere.
      if (credential.kind === 'token') authorise(inTeam(principal), 'update');
      // What is no integer arrives as 0 (api/routes.ts): a path that leads nowhere.
      if (id === 0) throw noSuchTeam();
      const team = await database.transaction(async (tx) => {
        const membership = await findMembership(tx, person.id, id);
        if (membership === undefined) {
          throw new Problem(
            'forbidden',
            "You are no member of that team. GET /api/v1/teams lists yours; ask the other's owner or an admin for an invitation.",
          );
        }
        if (credential.kind === 'token') {
          await demandSecondFactor(tx, person.id, membership);
          await moveToken(tx, credential.id, id);
        } else await moveSession(tx, { id: credential.id, personId: person.id }, id);
        return membership;
      });
      forget({ personId: person.id });
      return viewTeam(team, id);
    },
  };
}

/** A token that was made elsewhere must not lead past what the team asks of those who are signed in. */
async function demandSecondFactor(
  tx: Transaction<Schema>,
  personId: number,
  team: MembershipRow,
): Promise<void> {
  if (team.mfa_required === 0) return;
  const member = await findMember(tx, team.id, personId);
  if (member?.mfa_enabled === 1) return;
  throw new Problem(
    'forbidden',
    'This team requires two-factor authentication: turn it on in your account, then switch again.',
  );
}

/** Which of several teams is meant is the token's business; only switching and leaving reach others. */
function mustBeCurrent(caller: Caller, id: number): void {
  if (caller.team.id !== id) throw noSuchTeam();
}

const noSuchTeam = () => new Problem('not_found', 'There is no such team.');

/** The columns as they are to be. */
async function judgeChange(
  tx: Transaction<Schema>,
  caller: Caller,
  stored: MembershipRow,
  body: unknown,
): Promise<{ name: string; mfa_required: number }> {
  const findings = new Findings();
  const given = readBody(teamChange, body, findings) as z.output<typeof teamChange>;
  const turnsOn = given.mfa_required === true && stored.mfa_required === 0;
  if (turnsOn && !(await hasSecondFactor(tx, caller.person.id)))
    findings.add(
      'mfa_required',
      'must stay false until you have two-factor authentication yourself: you would lock yourself out',
    );
  findings.throwIfAny();
  const required = given.mfa_required ?? stored.mfa_required === 1;
  return { name: given.name ?? stored.name, mfa_required: required ? 1 : 0 };
}

async function judgeHeir(
  tx: Transaction<Schema>,
  caller: Caller,
  body: unknown,
): Promise<{ id: number; name: string }> {
  const findings = new Findings();
  const { user_id: id } = readBody(transferInput, body, findings) as { user_id?: number };
  const member = id === undefined ? undefined : await findMember(tx, caller.team.id, id);
  const isHeir = member?.status === 'active' && member.id !== caller.person.id;
  if (!isHeir && !findings.has('user_id')) findings.add('user_id', noUser);
  findings.throwIfAny();
  return member!;
}

function judgeDeletion(team: MembershipRow, query: object): void {
  const findings = new Findings();
  const { name } = readQuery(deletionQuery, query, findings);
  if (name !== team.name && !findings.has('name'))
    findings.add(
      'name',
      `must be the name of the team, exactly as it is: add ?name=${encodeURIComponent(team.name.toWellFormed())}. Its monitors and their history go with it`,
    );
  findings.throwIfAny();
}

function judgeLeaving(team: MembershipRow): void {
  if ((team.role as Role) !== 'owner') return;
  const findings = new Findings();
  findings.add(
    'id',
    'is of a team that you own: transfer it with POST /api/v1/teams/{id}/transfer first, or delete it',
  );
  findings.throwIfAny();
}

export function viewTeam(
  row: Pick<MembershipRow, 'id' | 'name' | 'slug' | 'role' | 'personal_team'>,
  currentId: number | null,
): object {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    role: row.role,
    personal_team: row.personal_team === 1,
    is_current: row.id === currentId,
  };
}
