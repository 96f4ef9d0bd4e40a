import type { Kysely, Transaction } from 'kysely';
import { hashPassword, passwordProblem, type PasswordOwner } from '../identity/password.ts';
import { issueResetToken } from '../identity/setup-token.ts';
import { InvalidSetting, emailAddress, singleLineText } from '../lib/setting-types.ts';
import { isoOrNull, isoTime } from '../resources/common/time.ts';
import { updateAccount } from '../store/people/accounts.ts';
import { setPasswordHash } from '../store/people/credentials.ts';
import {
  countPasskeys,
  findPersonByEmail,
  listAllMemberships,
  listPeople,
  removeTwoFactor,
  type PersonRow,
} from '../store/people/installation.ts';
import { insertPerson } from '../store/people/people.ts';
import type { Schema } from '../store/database/schema.ts';
import { deleteSessionsOf } from '../store/people/sessions.ts';
import { deleteResetLinks } from '../store/people/sign-in-rows.ts';
import { createPersonalTeam, insertMember } from '../store/people/teams.ts';
import {
  ASSIGNABLE_ROLES,
  CommandError,
  textOption,
  type DatabaseCommand,
  type CommandInput,
  type OperatorContext,
} from './command.ts';
import { auditTarget, OPERATOR } from '../model/audit.ts';
import { auditAs } from '../resources/audit-log/entry.ts';
import { formatTable } from './table.ts';
import { requireTeam } from './team-commands.ts';

export const createUser: DatabaseCommand['run'] = async (context, given, output) => {
  const email = readAddress(given.positionals[0]!);
  const name = readName(textOption(given, 'name') ?? email.split('@')[0]!);
  const role = readRole(given);
  const teamSlug = textOption(given, 'team');
  const hash = await hashOf(given, { email, names: [name, teamSlug] });
  const now = context.clock.now();
  const made = await context.database.transaction(async (tx) => {
    if ((await findPersonByEmail(tx, email)) !== undefined) {
      throw new CommandError(
        `${email} exists already. "user reset-password ${email}" creates a link to set a new password.`,
      );
    }
    const id = await insertPerson(tx, { name, email, timezone: 'UTC' }, now);
    // Vouched for by the operator, since it could not be verified without a mail server.
    await updateAccount(tx, id, { email_verified: 1 }, now);
    const team =
      teamSlug === null
        ? { ...(await createPersonalTeam(tx, { id, name }, now)), role: 'owner' }
        : await joinTeam(tx, id, { slug: teamSlug, role }, now);
    const target = auditTarget('person', { id, name: email });
    const after = { name, email, team: team.slug, role: team.role };
    await auditAs(tx, OPERATOR, { verb: 'created', target, teamId: team.id, after }, now);
    const reset = hash === null ? await issueResetToken(tx, id, now) : null;
    if (hash !== null) await setPasswordHash(tx, id, hash, now);
    return { id, team, reset };
  });
  const { team, reset } = made;
  await output.out(`Created ${email} (${name}), ${team.role} of the team ${team.slug}.\n`);
  if (reset !== null) await output.out(linkText(context, reset));
};

export const listUsers: DatabaseCommand['run'] = async ({ database }, given, output) => {
  const people = await listPeople(database.scan);
  const memberships = await listAllMemberships(database.scan);
  const byPerson = Map.groupBy(memberships, (one) => one.person_id);
  const shown = people.map((person) => ({
    id: person.id,
    email: person.email,
    name: person.name,
    mfa_enabled: person.mfa_enabled === 1,
    last_login_at: isoOrNull(person.last_login_at),
    created_at: isoTime(person.created_at),
    teams: (byPerson.get(person.id) ?? []).map(({ slug, role, status }) => ({
      slug,
      role,
      status,
    })),
  }));
  if (given.options['json'] === true) return output.out(`${JSON.stringify(shown, null, 2)}\n`);
  const rows = shown.map((one) => [
    one.email,
    one.name,
    one.mfa_enabled ? 'on' : 'off',
    one.last_login_at?.replace(/:[^:]*$/, 'Z') ?? 'never',
    one.teams
      .map(({ slug, role, status }) => `${slug} (${status === 'active' ? role : status})`)
      .join(', '),
  ]);
  await output.out(formatTable(['EMAIL', 'NAME', 'MFA', 'LAST LOGIN', 'TEAMS'], rows));
};

export const resetPassword: DatabaseCommand['run'] = async (context, given, output) => {
  const address = given.positionals[0]!;
  const now = context.clock.now();
  const hash = await hashOf(given, { email: address.toLowerCase() });
  const { person, reset } = await context.database.transaction(async (tx) => {
    const found = await requirePerson(tx, address);
    await deleteSessionsOf(tx, found.id);
    await deleteResetLinks(tx, found.id);
    const verb = hash === null ? 'password_reset_issued' : 'password_reset';
    await auditAs(tx, OPERATOR, { verb, target: targetOf(found), teamId: null }, now);
    if (hash !== null) await setPasswordHash(tx, found.id, hash, now);
    return {
      person: found,
      reset: hash === null ? await issueResetToken(tx, found.id, now) : null,
    };
  });
  context.forget({ personId: person.id });
  if (reset === null) {
    await output.out(`${person.email} has a new password. All their sessions have ended.\n`);
  } else {
    await output.out(`All sessions of ${person.email} have ended.\n${linkText(context, reset)}`);
  }
};

export const disableMfa: DatabaseCommand['run'] = async (context, given, output) => {
  const now = context.clock.now();
  const { person, passkeys } = await context.database.transaction(async (tx) => {
    const found = await requirePerson(tx, given.positionals[0]!);
    if (found.mfa_enabled === 0) {
      throw new CommandError(
        `${found.email} has no two-factor authentication: nothing was changed.`,
      );
    }
    await removeTwoFactor(tx, found.id, now);
    await deleteSessionsOf(tx, found.id);
    const change = { before: { mfa_enabled: true }, after: { mfa_enabled: false } };
    const target = targetOf(found);
    await auditAs(tx, OPERATOR, { verb: 'mfa_disabled', target, teamId: null, ...change }, now);
    return { person: found, passkeys: await countPasskeys(tx, found.id) };
  });
  context.forget({ personId: person.id });
  const rest = passkeys === 0 ? 'They have no passkeys.' : `Their passkeys (${passkeys}) stay.`;
  await output.out(
    `${person.email} now signs in without a code. All their sessions have ended. ${rest}\n`,
  );
};

/** @throws CommandError when nobody has that address. */
export async function requirePerson(db: Kysely<Schema>, email: string): Promise<PersonRow> {
  const person = await findPersonByEmail(db, email);
  if (person !== undefined) return person;
  throw new CommandError(`Nobody has the address ${email}. "user list" shows all people.`);
}

async function joinTeam(
  tx: Transaction<Schema>,
  personId: number,
  { slug, role }: { slug: string; role: string },
  now: number,
) {
  const team = await requireTeam(tx, slug);
  await insertMember(tx, team.id, personId, role, now);
  return { id: team.id, slug, role };
}

function readAddress(text: string): string {
  try {
    return emailAddress().parse(text).toLowerCase();
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    throw new CommandError(`"${text}" is not an e-mail address.`);
  }
}

/** @throws CommandError unless it is one line of 1 to 100 characters. */
export function readName(text: string): string {
  try {
    const name = singleLineText(100).parse(text.trim());
    if (name !== '') return name;
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
  }
  throw new CommandError('--name must be one line of 1 to 100 characters.');
}

function readRole(given: CommandInput): string {
  const role = textOption(given, 'role');
  if (role !== null && textOption(given, 'team') === null) {
    throw new CommandError('--role needs --team: without it people own a team of their own.');
  }
  if (role !== null && !ASSIGNABLE_ROLES.includes(role)) {
    throw new CommandError(`--role must be one of ${ASSIGNABLE_ROLES.join(', ')}.`);
  }
  return role ?? 'viewer';
}

/** Hash of the given password; null without one. Slow, so it comes before the transaction. */
async function hashOf({ password }: CommandInput, owner: PasswordOwner): Promise<string | null> {
  if (password === null) return null;
  const problem = await passwordProblem(password, owner);
  if (problem !== null) throw new CommandError(`The password ${problem}.`);
  return hashPassword(password);
}

function linkText(
  { baseUrl }: OperatorContext,
  { token, expiresAt }: { token: string; expiresAt: number },
): string {
  return (
    `Link to set a password, valid once until ${isoTime(expiresAt)}:\n\n` +
    `  ${baseUrl()}/reset-password?token=${encodeURIComponent(token)}\n\n`
  );
}

function targetOf(person: PersonRow) {
  return auditTarget('person', { id: person.id, name: person.email });
}
