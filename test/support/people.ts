import { createHmac } from 'node:crypto';
import {
  PERMISSIONS,
  type Caller,
  type CallerTeam,
  type Permission,
  type Role,
  type SignInMethod,
} from '../../src/identity/caller.ts';
import { hashToken, newToken } from '../../src/identity/token.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { peopleStore } from '../../src/store/people/people.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import { teamStore } from '../../src/store/people/teams.ts';
import { tokenStore } from '../../src/store/people/tokens.ts';

/** A person with a token that has all permissions; the role limits them. */
export interface TestPerson {
  personId: number;
  teamId: number;
  token: string;
}

/** A signed-in browser: what its Cookie header holds. */
export interface TestSession {
  cookie: string;
  sessionId: number;
}

/** Key and name of session cookies in tests, under an https address. */
export const SESSION_SECRET = 'a secret for the sessions of tests';

/** Alice owns a team, Ed is an editor and Vera a viewer in it; Mallory owns another team. */
export interface StandingPeople {
  alice: TestPerson;
  ed: TestPerson;
  vera: TestPerson;
  mallory: TestPerson;
}

export async function settlePeople(database: Database, now: number): Promise<StandingPeople> {
  const team = async (slug: string) =>
    database.transaction((tx) =>
      insertRow(tx, 'team', {
        name: `Team ${slug}`,
        slug,
        personal_team: 1,
        created_at: now,
        updated_at: now,
      }),
    );
  const [ours, theirs] = [await team('ours'), await team('theirs')];
  return {
    alice: await join(database, ours, 'Alice', 'owner', now),
    ed: await join(database, ours, 'Ed', 'editor', now),
    vera: await join(database, ours, 'Vera', 'viewer', now),
    mallory: await join(database, theirs, 'Mallory', 'owner', now),
  };
}

/** Creates another token of a person. */
export async function giveToken(
  database: Database,
  holder: { personId: number; teamId: number },
  options: { permissions?: readonly Permission[]; expiresAt?: number | null; now: number },
): Promise<string> {
  const { permissions = PERMISSIONS, expiresAt = null, now } = options;
  const token = newToken();
  const row = {
    person_id: holder.personId,
    team_id: holder.teamId,
    name: 'test',
    hash: hashToken(token),
    permissions: JSON.stringify(permissions),
    expires_at: expiresAt,
  };
  await database.transaction((tx) => tokenStore(tx).insert(row, now));
  return token;
}

async function join(
  database: Database,
  teamId: number,
  name: string,
  role: Role,
  now: number,
): Promise<TestPerson> {
  const personId = await database.transaction(async (tx) => {
    const email = `${name.toLowerCase()}@example.com`;
    const id = await peopleStore(tx).insert({ name, email, timezone: 'UTC' }, now);
    await teamStore(tx).insertMember(teamId, id, role, now);
    return id;
  });
  return { personId, teamId, token: await giveToken(database, { personId, teamId }, { now }) };
}

/** Creates a session of a person, as a sign-in does. */
export async function giveSession(
  database: Database,
  holder: { personId: number; teamId: number | null },
  options: { now: number; method?: SignInMethod; expiresAt?: number },
): Promise<TestSession> {
  const { now, method = 'password', expiresAt = now + 7 * 24 * 3_600_000 } = options;
  const token = newToken();
  const { id } = await database.transaction((tx) =>
    tx
      .insertInto('session')
      .values({
        person_id: holder.personId,
        team_id: holder.teamId,
        hash: hashToken(token),
        method,
        expires_at: expiresAt,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const signature = createHmac('sha256', SESSION_SECRET).update(token).digest('base64');
  const value = encodeURIComponent(`${token}.${signature}`);
  return { cookie: `__Host-tocsin.session_token=${value}`, sessionId: id };
}

/** A caller as the services see it, with a token that has all permissions. */
export function callerOf(
  who: { personId: number; teamId: number; name?: string; role?: Role },
  team: Partial<CallerTeam> = {},
): Caller {
  const { personId, teamId, name = 'Alice', role = 'owner' } = who;
  return {
    person: { id: personId, name, email: `${name.toLowerCase()}@example.com`, timezone: 'UTC' },
    team: { id: teamId, name: 'Team', slug: 'team', personalTeam: true, plan: null, ...team },
    role,
    withheld: null,
    permissions: PERMISSIONS,
    credential: { kind: 'token', id: 1, name: 'test' },
    address: null,
  };
}
