import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Authenticator } from '../../identity/authenticate.ts';
import { DEFAULT_EMAIL, OWNER_SETTING } from '../../identity/bootstrap.ts';
import { hashPassword, PASSWORD_LENGTH, passwordProblem } from '../../identity/password.ts';
import { setupTokenState, useSetupToken } from '../../identity/setup-token.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  findAccount,
  findAccountByEmail,
  updateAccount,
  type AccountRow,
} from '../../store/people/accounts.ts';
import { auditTarget, personActor } from '../../model/audit.ts';
import { insertAuditEntry } from '../../store/resources/audit.ts';
import type { Database } from '../../store/database/contract.ts';
import { hasPassword, setPasswordHash } from '../../store/people/credentials.ts';
import type { Schema } from '../../store/database/schema.ts';
import { readSetting } from '../../store/database/settings.ts';
import { listMemberships, updateTeam, type MembershipRow } from '../../store/people/teams.ts';
import { viewAccount } from '../account/service.ts';
import { Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { nameText } from '../../lib/schemas.ts';

const EMAIL = 'must be an e-mail address such as ops@example.com';
const { minimum, maximum } = PASSWORD_LENGTH;
const PASSWORD = `must be text of ${minimum} to ${maximum} characters`;

/** What the owner tells of themselves at the first start (contract 39.10). */
export const setupInput = z.object({
  token: z.string({ error: 'must be the text behind ?token= in the set-up link' }),
  name: nameText(100).nullish(),
  email: z
    .string({ error: EMAIL })
    .max(254, { error: EMAIL })
    .regex(/^[^\s@,;<>"\0]+@[^\s@,;<>"\0]+$/, { error: EMAIL })
    .nullish()
    .meta({ description: 'Required while the owner has no address: without ADMIN_EMAIL.' }),
  password: z
    .string({ error: PASSWORD })
    .meta({ override: { minLength: minimum, maxLength: maximum } }),
  team_name: nameText(100).nullish(),
});

/** As it is read: what is required is looked for afterwards, so that all errors are told at once. */
const incompleteInput = setupInput.extend({
  token: setupInput.shape.token.nullish(),
  password: setupInput.shape.password.nullish(),
});

export const setupStateQuery = z.object({
  token: z.string({ error: 'must be given once' }).optional(),
});

/** How the owner takes over a fresh installation, by the link that its first start shows. */
export interface SetupService {
  /** What is known of the owner already. Throws a Problem when the link is not good. */
  state(query: object): Promise<object>;
  /** Once: gives the owner an address and a password to sign in with, and names them and their team. */
  complete(body: unknown): Promise<object>;
}

export function createSetupService(deps: {
  database: Database;
  clock: Clock;
  forget: Authenticator['forget'];
}): SetupService {
  const { database, clock, forget } = deps;

  return {
    async state(query) {
      const { token = '' } = readQuery(setupStateQuery, query);
      const { owner, team } = await openLink(database.read, token);
      return {
        email: owner.email === DEFAULT_EMAIL ? null : owner.email,
        team_name: team?.name ?? null,
      };
    },

    async complete(body) {
      const findings = new Findings();
      const given = readBody(incompleteInput, body, findings) as z.output<typeof incompleteInput>;
      if (given.token == null && !findings.has('token'))
        findings.add('token', 'is required: it stands in the set-up link behind ?token=');
      const owner = given.token == null ? null : (await openLink(database.read, given.token)).owner;
      const wanted = judgeSetup(given, owner, findings);
      // It takes long, and nobody else could write meanwhile.
      const hash = await hashPassword(wanted.password);
      const done = await database.transaction((tx) => apply(tx, given.token!, wanted, hash));
      forget({ personId: done.user.id });
      return done;
    },
  };

  async function apply(
    tx: Transaction<Schema>,
    token: string,
    { name, email, teamName }: WantedSetup,
    passwordHash: string,
  ) {
    const { owner, team } = await openLink(tx, token);
    if (!(await useSetupToken(tx, token))) throw refusal('used');
    await refuseForeignAddress(tx, owner.id, email);
    const now = clock.now();
    const person = { ...owner, name, email, email_verified: 1 };
    await updateAccount(tx, owner.id, { name, email, email_verified: 1 }, now);
    await setPasswordHash(tx, owner.id, passwordHash, now);
    const renamed = team && { ...team, name: teamName ?? team.name };
    if (renamed && renamed.name !== team?.name)
      await updateTeam(
        tx,
        renamed.id,
        { name: renamed.name, mfa_required: renamed.mfa_required },
        now,
      );
    const change = {
      actor: personActor(person, 'link'),
      teamId: team?.id ?? null,
      verb: 'set_up',
      target: auditTarget('person', person),
      before: { name: owner.name, email: owner.email },
      after: { name, email, team_name: renamed?.name ?? null },
    };
    await insertAuditEntry(tx, change, now);
    return { user: viewAccount(person), team: renamed && viewTeam(renamed) };
  }
}

interface WantedSetup {
  name: string;
  /** Lower case. */
  email: string;
  password: string;
  /** Null to leave it as it is. */
  teamName: string | null;
}

function judgeSetup(
  given: z.output<typeof incompleteInput>,
  /** Null when nobody can be told from the body: it is refused then. */
  owner: AccountRow | null,
  findings: Findings,
): WantedSetup {
  const known = owner === null || owner.email === DEFAULT_EMAIL ? null : owner.email;
  const email = (given.email ?? known)?.toLowerCase() ?? null;
  const { password } = given;
  if (owner !== null && email === null && !findings.has('email'))
    findings.add('email', 'is required: you sign in with it');
  if (password == null) {
    if (!findings.has('password')) findings.add('password', 'is required: you sign in with it');
  } else {
    const problem = passwordProblem(password, { email: email ?? DEFAULT_EMAIL });
    if (problem !== null) findings.add('password', problem);
  }
  findings.throwIfAny();
  const name = given.name ?? (known === null ? email!.split('@')[0]! : owner!.name);
  return { name, email: email!, password: password!, teamName: given.team_name ?? null };
}

/** The owner and the first of their teams, as long as the link is good. */
async function openLink(
  db: Kysely<Schema>,
  token: string,
): Promise<{ owner: AccountRow; team: MembershipRow | null }> {
  const state = await setupTokenState(db, token);
  if (state !== 'good') throw refusal(state);
  const owner = await findAccount(db, Number(await readSetting(db, OWNER_SETTING)));
  // Whoever has a password by then, from the operator, has taken over already.
  if (owner === undefined || (await hasPassword(db, owner.id))) throw refusal('used');
  const teams = (await listMemberships(db, owner.id)).toSorted((one, other) => one.id - other.id);
  return { owner, team: teams.find(({ role }) => role === 'owner') ?? null };
}

function refusal(state: 'used' | 'unknown'): Problem {
  return new Problem(
    'not_found',
    state === 'used'
      ? 'This set-up link was used already: sign in. Whoever has lost the password gets a new one by "npm run tocsin -- user reset-password".'
      : 'This set-up link is not valid: take the whole of it, as the first start showed it. If it is lost, run "npm run tocsin -- user reset-password".',
  );
}

async function refuseForeignAddress(
  tx: Transaction<Schema>,
  personId: number,
  email: string,
): Promise<void> {
  const namesake = await findAccountByEmail(tx, email);
  if (namesake === undefined || namesake.id === personId) return;
  const findings = new Findings();
  findings.add('email', 'must not be that of another person here: use another one');
  throw findings.asError();
}

function viewTeam({ id, name, slug, personal_team }: MembershipRow) {
  return { id, name, slug, personal_team: personal_team === 1 };
}
