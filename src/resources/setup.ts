import { z } from 'zod';
import { DEFAULT_EMAIL } from '../identity/bootstrap.ts';
import {
  OWNER_SETTING,
  setupTokenState,
  useSetupToken,
  type SetupTokenState,
} from '../identity/setup-token.ts';
import { type AccountRow, accountStore } from '../store/people/accounts.ts';
import { auditTarget, personActor } from '../model/audit.ts';
import { auditLog } from '../store/resources/audit.ts';
import { passwordStore } from '../store/people/credentials.ts';
import type { Db, Tx } from '../store/database/contract.ts';
import { readSetting } from '../store/database/settings.ts';
import { type MembershipRow, teamStore } from '../store/people/teams.ts';
import { viewAccount, accountFields, teamFields } from './account/account.ts';
import type { PeopleDeps } from './common/deps.ts';
import { invalidField, Problem } from './common/errors.ts';
import { Findings, readBody, readQuery, required } from './common/input.ts';
import { addPasswordError, emailAddress, newPassword } from './common/people-input.ts';
import { nameText, timeZone } from '../lib/schemas.ts';
import { noun } from './common/operation.ts';

/** Body of the set-up by the owner (contract 39.10). */
const setupInput = z.object({
  token: z.string({
    error: required(
      'is required: it stands in the set-up link behind ?token=',
      'must be the text behind ?token= in the set-up link',
    ),
  }),
  name: nameText(100).nullish(),
  email: emailAddress()
    .nullish()
    .meta({ description: 'Required while the owner has no address: without ADMIN_EMAIL.' }),
  password: newPassword(),
  team_name: nameText(100).nullish(),
  timezone: timeZone()
    .nullish()
    .meta({ description: "IANA name of the owner's time zone; unchanged by default." }),
});

type SetupInput = z.output<typeof setupInput>;

const setupStateQuery = z.object({
  token: z.string({ error: 'must be given once' }).optional(),
});

interface SetupDeps extends PeopleDeps {
  /** Called after set-up is complete. */
  onSetup?: () => void;
}

/** Set-up of a new installation by its owner, with the link that the first start creates. */
function createSetupService(deps: SetupDeps) {
  const { database, clock, forget, passwords } = deps;

  return {
    /** Returns what is known of the owner. Throws a Problem when the link is not valid. */
    async state(query: object) {
      const { token = '' } = readQuery(setupStateQuery, query);
      const { owner, team } = await openLink(database.read, token, clock.now());
      return {
        email: owner.email === DEFAULT_EMAIL ? null : owner.email,
        team_name: team?.name ?? null,
      };
    },

    /** Sets the address, password and name of the owner and the name of their team. Works once. */
    async complete(body: unknown, clientAddress: string) {
      const findings = new Findings();
      const given = readBody(setupInput, body, findings);
      const { token } = given;
      const owner =
        token === undefined ? null : (await openLink(database.read, token, clock.now())).owner;
      const wanted = await settle(given, owner, findings);
      // Slow, so it comes before the transaction.
      const hash = await passwords.hash(wanted.password, clientAddress);
      const done = await database.transaction((tx) => apply(tx, token!, wanted, hash));
      forget({ personId: done.user.id });
      deps.onSetup?.();
      return done;
    },
  };

  async function apply(
    tx: Tx,
    token: string,
    { name, email, teamName, timezone }: WantedSetup,
    passwordHash: string,
  ) {
    const { owner, team } = await openLink(tx, token, clock.now());
    if (!(await useSetupToken(tx, token))) throw refusal('used');
    await requireUnusedAddress(tx, owner.id, email);
    const now = clock.now();
    const changes = { name, email, email_verified: 1, timezone: timezone ?? owner.timezone };
    const person = { ...owner, ...changes };
    await accountStore(tx).update(owner.id, changes, now);
    await passwordStore(tx).set(owner.id, passwordHash, now);
    const renamed = team && { ...team, name: teamName ?? team.name };
    if (renamed && renamed.name !== team?.name)
      await teamStore(tx).update(
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
    await auditLog(tx).insert(change, now);
    return { user: viewAccount(person), team: renamed && viewTeam(renamed) };
  }
}

type WantedSetup = Awaited<ReturnType<typeof settle>>;

/**
 * @param owner null without a valid token.
 * @returns a name of the team and a time zone that are null to leave them unchanged, and the address in lower case.
 */
async function settle(given: Partial<SetupInput>, owner: AccountRow | null, findings: Findings) {
  const known = owner === null || owner.email === DEFAULT_EMAIL ? null : owner.email;
  const email = (given.email ?? known)?.toLowerCase() ?? null;
  if (owner !== null && email === null && !findings.has('email'))
    findings.add('email', 'is required: you sign in with it');
  const names = [given.name, given.team_name];
  await addPasswordError(given.password, { email: email ?? DEFAULT_EMAIL, names }, findings);
  findings.throwIfAny();
  const name = given.name ?? (known === null ? email!.split('@')[0]! : owner!.name);
  return {
    name,
    email: email!,
    password: given.password!,
    teamName: given.team_name ?? null,
    timezone: given.timezone ?? null,
  };
}

/** Owner and their first team. Throws when the link is not valid. */
async function openLink(db: Db, token: string, now: number) {
  const state = await setupTokenState(db, token, now);
  if (state !== 'good') throw refusal(state);
  const owner = await accountStore(db).find(Number(await readSetting(db, OWNER_SETTING)));
  // The operator may have set a password.
  if (owner === undefined || (await passwordStore(db).has(owner.id))) throw refusal('used');
  const teams = (await teamStore(db).listMemberships(owner.id)).toSorted(
    (one, other) => one.id - other.id,
  );
  return { owner, team: teams.find(({ role }) => role === 'owner') ?? null };
}

const REFUSALS: Record<Exclude<SetupTokenState, 'good'>, string> = {
  used: 'This set-up link was used already: sign in. If you lost the password, run "npm run tocsin -- user reset-password".',
  expired:
    'This set-up link has ended: it was valid for 24 hours. Run "npm run tocsin -- setup link" for a new one.',
  unknown:
    'This set-up link is not valid: check that you have the whole link from the first start. If it is lost, run "npm run tocsin -- setup link" for a new one.',
};

function refusal(state: keyof typeof REFUSALS): Problem {
  return new Problem('not_found', REFUSALS[state]);
}

async function requireUnusedAddress(tx: Tx, personId: number, email: string): Promise<void> {
  const other = await accountStore(tx).findByEmail(email);
  if (other === undefined || other.id === personId) return;
  throw invalidField('email', 'must not be that of another person here: use another one');
}

function viewTeam({ id, name, slug, personal_team }: MembershipRow) {
  return { id, name, slug, personal_team: personal_team === 1 };
}

export const setup = noun(
  { 'Set-up': 'How a fresh installation gets its owner.' },
  createSetupService,
  {
    getSetupState: {
      at: 'GET /setup/state',
      needs: 'nobody',
      summary: 'Get the state of the set-up',
      description: 'Returns what is known of the owner, for the page behind the link.',
      query: setupStateQuery,
      answer: z
        .object({
          email: z
            .string()
            .nullable()
            .meta({ description: 'Address of the owner; null when they must choose one.' }),
          team_name: z.string().nullable().meta({ description: 'Name of their team.' }),
        })
        .meta({ id: 'SetupState', description: 'New installation before its set-up.' }),
      example: {
        query: 'token=q8Zr4ZpVtOj1mX6dCw0yLkT2sNbEhA',
        answer: { email: 'alice@example.com', team_name: 'Team ours' },
      },
      refusals: ['not_found'],
      handle: (its, { query }) => its.state(query),
    },
    completeSetup: {
      at: 'POST /setup',
      needs: 'nobody',
      status: 201,
      summary: 'Set up a new installation',
      description:
        'Sets the address and the password of the owner. Works once, within 24 hours, with the token of the link that the first start creates.',
      body: setupInput,
      answer: z
        .object({
          user: z.object(accountFields),
          team: z.object(teamFields).nullable(),
        })
        .meta({ id: 'SetupDone', description: 'The owner and their team.' }),
      example: {
        body: {
          token: 'q8Zr4ZpVtOj1mX6dCw0yLkT2sNbEhA',
          name: 'Alice',
          email: 'alice@example.com',
          password: 'a long sentence that only I know',
          team_name: 'Operations',
        },
        answer: {
          user: { id: 1, name: 'Alice', email: 'alice@example.com', timezone: 'UTC' },
          team: { id: 1, name: 'Operations', slug: 'my-team', personal_team: true },
        },
      },
      refusals: ['not_found'],
      handle: (its, { body, clientAddress }) => its.complete(body, clientAddress),
    },
  },
);
