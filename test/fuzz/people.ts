import { hashToken } from '../../src/identity/token.ts';
import { invitationStore } from '../../src/store/people/invitations.ts';
import { peopleStore } from '../../src/store/people/people.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import { teamStore } from '../../src/store/people/teams.ts';
import { tokenStore } from '../../src/store/people/tokens.ts';
import type { TestApi } from '../support/api.ts';
import { giveToken } from '../support/people.ts';
import type { Pool } from './pool.ts';
import { reviveApplications } from './applications.ts';
import { reviveCorrections } from './corrections.ts';
import { reviveReports } from './reports.ts';
import { reviveSubscribers } from './subscribers.ts';
import { reviveUpdates } from './updates.ts';
import { reviveWebhooks } from './webhooks.ts';
import type { CallerName } from './requests.ts';

/** Initial number of members and invitations of each team. */
const CROWD = 15;
const FAR = Date.UTC(2040, 0, 1);

/** The token of an invitation to Alice's team. */
export const linkToken = (number: number) => `link-${number % CROWD}`;

/** The initial teams: Alice's, Mallory's, and one of which Alice is a guest. */
const TEAMS = ['Team ours', 'Team theirs', 'Team third'] as const;

/** Additional members and a team, which most actions on people affect. */
export async function settleCrowd(api: TestApi, pool: Pool): Promise<Crowd> {
  const now = api.clock.now();
  const crowd: Crowd = { members: [], invited: 0 };
  for (const [owner, side] of sidesOf(api)) {
    for (let number = 0; number < CROWD; number += 1) {
      const name = `member-${number}@${side}`;
      const personId = await api.database.transaction((tx) =>
        peopleStore(tx).insert({ name, email: name, timezone: 'UTC' }, now),
      );
      crowd.members.push({ teamId: owner.teamId, personId, side });
    }
    pool.know('teams', owner.teamId, side);
  }
  const third = await api.database.transaction((tx) =>
    insertRow(tx, 'team', {
      name: TEAMS[2],
      slug: 'third',
      personal_team: 0,
      created_at: now,
      updated_at: now,
    }),
  );
  pool.know('teams', third, 'ours');
  return crowd;
}

export interface Crowd {
  members: { teamId: number; personId: number; side: 'ours' | 'theirs' }[];
  /** Number of invitations so far; each has another address. */
  invited: number;
}

const sidesOf = ({ alice, mallory }: TestApi) =>
  [
    [alice, 'ours'],
    [mallory, 'theirs'],
  ] as const;

/** Restores the additional members, invites another person and creates tokens to revoke. */
async function reviveCrowd(api: TestApi, pool: Pool, crowd: Crowd): Promise<void> {
  const now = api.clock.now();
  await api.database.transaction(async (tx) => {
    for (const { teamId, personId, side } of crowd.members) {
      await tx.deleteFrom('member').where('person_id', '=', personId).execute();
      await teamStore(tx).insertMember(teamId, personId, 'viewer', now);
      // Removed ones are discarded.
      pool.know('users', personId, side);
    }
    await tx.deleteFrom('invitation').execute();
    for (const [{ teamId, personId: invitedBy }, side] of sidesOf(api)) {
      for (let number = 0; number < CROWD; number += 1) {
        const email = `guest-${(crowd.invited += 1)}@${side}`;
        const hash = hashToken(side === 'ours' ? linkToken(number) : `${side}-${number}`);
        const invitation = { teamId, email, role: 'viewer', hash, invitedBy, expiresAt: FAR };
        pool.know('invitations', await invitationStore(tx).insert(invitation, now), side);
      }
    }
    for (const [{ teamId, personId }, side] of sidesOf(api)) {
      const made = { team_id: teamId, person_id: personId, name: 'made', permissions: '[]' };
      const hash = hashToken(`made ${side} ${crowd.invited}`);
      pool.know('tokens', await tokenStore(tx).insert({ ...made, hash }, now), side);
    }
  });
}

/** Restores people who left, were removed, lost their tokens or deleted their teams. */
export async function revive(
  api: TestApi,
  tokens: Record<CallerName, string | null>,
  { pool, crowd }: { pool: Pool; crowd: Crowd },
): Promise<void> {
  const now = api.clock.now();
  const roles: [name: 'alice' | 'ed' | 'vera' | 'mallory', role: string][] = [
    ['alice', 'owner'],
    ['ed', 'editor'],
    ['vera', 'viewer'],
    ['mallory', 'owner'],
  ];
  await api.database.transaction(async (tx) => {
    for (const [index, name] of TEAMS.entries())
      await tx
        .updateTable('team')
        .set({ name, deleted_at: null, mfa_required: 0 })
        .where('id', '=', index + 1)
        .execute();
    await tx
      .updateTable('member')
      .set({ role: 'admin' })
      .where('role', '=', 'owner')
      .where('team_id', '<=', TEAMS.length)
      .execute();
    for (const [name, role] of roles) {
      const { personId, teamId } = api[name];
      await tx
        .deleteFrom('member')
        .where('person_id', '=', personId)
        .where('team_id', '<=', TEAMS.length)
        .execute();
      await teamStore(tx).insertMember(teamId, personId, role, now);
    }
    await teamStore(tx).insertMember(TEAMS.length, api.alice.personId, 'editor', now);
    // Tokens that callers created stay, to be revoked.
    await tx.deleteFrom('token').where('name', '=', 'test').execute();
  });
  for (const [name] of roles) {
    tokens[name] = await giveToken(api.database, api[name], { now });
    api.authenticator.forget({ personId: api[name].personId });
  }
  tokens.reader = await giveToken(api.database, api.alice, { permissions: ['read'], now });
  await reviveCrowd(api, pool, crowd);
  await reviveApplications(api, pool);
  await reviveWebhooks(api, pool);
  await reviveCorrections(api, pool);
  await reviveReports(api, pool);
  await reviveSubscribers(api, pool);
  await reviveUpdates(api, pool);
}
