import { PERMISSIONS, type Permission, type Role } from '../../src/identity/caller.ts';
import { hashToken, newToken } from '../../src/identity/token.ts';
import type { Database } from '../../src/store/contract.ts';
import { insertPerson } from '../../src/store/people.ts';
import { insertMember, insertTeam } from '../../src/store/teams.ts';
import { insertToken } from '../../src/store/tokens.ts';

/** Somebody with a token that has all permissions; the role caps them. */
export interface TestPerson {
  personId: number;
  teamId: number;
  token: string;
}

/** Alice owns a team, Ed edits in it and Vera may only look; Mallory owns another team. */
export interface StandingPeople {
  alice: TestPerson;
  ed: TestPerson;
  vera: TestPerson;
  mallory: TestPerson;
}

export async function settlePeople(database: Database, now: number): Promise<StandingPeople> {
  const team = async (slug: string) =>
    database.transaction((tx) =>
      insertTeam(tx, { name: `Team ${slug}`, slug, personalTeam: true }, now),
    );
  const [ours, theirs] = [await team('ours'), await team('theirs')];
  return {
    alice: await join(database, ours, 'Alice', 'owner', now),
    ed: await join(database, ours, 'Ed', 'editor', now),
    vera: await join(database, ours, 'Vera', 'viewer', now),
    mallory: await join(database, theirs, 'Mallory', 'owner', now),
  };
}

/** Another token of somebody. */
export async function giveToken(
  database: Database,
  holder: { personId: number; teamId: number },
  options: { permissions?: readonly Permission[]; expiresAt?: number | null; now: number },
): Promise<string> {
  const { permissions = PERMISSIONS, expiresAt = null, now } = options;
  const token = newToken();
  const { personId, teamId } = holder;
  const row = { personId, teamId, name: 'test', hash: hashToken(token), permissions, expiresAt };
  await database.transaction((tx) => insertToken(tx, row, now));
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
    const id = await insertPerson(tx, { name, email, timezone: 'UTC' }, now);
    await insertMember(tx, teamId, id, role, now);
    return id;
  });
  return { personId, teamId, token: await giveToken(database, { personId, teamId }, { now }) };
}
