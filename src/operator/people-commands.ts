import { ADMIN_TOKEN_NAME } from '../identity/bootstrap.ts';
import {
  issueResetToken,
  issueSetupToken,
  OWNER_SETTING,
  pendingSetupUntil,
} from '../identity/setup-token.ts';
import { PERMISSIONS, roleMay, type Permission, type Role } from '../identity/caller.ts';
import { hashPassword, passwordProblem, type PasswordOwner } from '../identity/password.ts';
import { hashToken, newToken } from '../identity/token.ts';
import { InvalidSetting, emailAddress, singleLineText } from '../lib/setting-types.ts';
import { auditTarget, OPERATOR } from '../model/audit.ts';
import { auditAs } from '../resources/audit-log/entry.ts';
import { columnsOf, defaultSettings, viewSettings } from '../resources/common/fields.ts';
import { isoOrNull, isoTime, parseTime } from '../resources/common/time.ts';
import { MAX_TOKENS, tokenFields } from '../resources/tokens.ts';
import type { Db, Tx } from '../store/database/contract.ts';
import { readSetting } from '../store/database/settings.ts';
import { accountStore } from '../store/people/accounts.ts';
import { passwordStore } from '../store/people/credentials.ts';
import {
  type PersonRow,
  type MembershipOfPerson,
  installationStore,
} from '../store/people/installation.ts';
import { peopleStore } from '../store/people/people.ts';
import { sessionStore } from '../store/people/sessions.ts';
import { verificationStore } from '../store/people/sign-in-rows.ts';
import { createPersonalTeam, teamStore } from '../store/people/teams.ts';
import { type TokenColumns, tokenStore } from '../store/people/tokens.ts';
import {
  ASSIGNABLE_ROLES,
  CommandError,
  textOption,
  formatTable,
  type DatabaseCommand,
  type CommandInput,
  type OperatorContext,
} from './command.ts';

export const createUser: DatabaseCommand['run'] = async (context, given, output) => {
  const email = readAddress(given.positionals[0]!);
  const name = readName(textOption(given, 'name') ?? email.split('@')[0]!);
  const role = readRole(given);
  const teamSlug = textOption(given, 'team');
  const hash = await hashOf(given, { email, names: [name, teamSlug] });
  const now = context.clock.now();
  const made = await context.database.transaction(async (tx) => {
    if ((await installationStore(tx).findPersonByEmail(email)) !== undefined) {
      throw new CommandError(
        `${email} exists already. "user reset-password ${email}" creates a link to set a new password.`,
      );
    }
    const id = await peopleStore(tx).insert({ name, email, timezone: 'UTC' }, now);
    // Vouched for by the operator, since it could not be verified without a mail server.
    await accountStore(tx).update(id, { email_verified: 1 }, now);
    const team =
      teamSlug === null
        ? { ...(await createPersonalTeam(tx, { id, name }, now)), role: 'owner' }
        : await joinTeam(tx, id, { slug: teamSlug, role }, now);
    const target = auditTarget('person', { id, name: email });
    const after = { name, email, team: team.slug, role: team.role };
    await auditAs(tx, OPERATOR, { verb: 'created', target, teamId: team.id, after }, now);
    const reset = hash === null ? await issueResetToken(tx, id, now) : null;
    if (hash !== null) await passwordStore(tx).set(id, hash, now);
    return { id, team, reset };
  });
  const { team, reset } = made;
  await output.out(`Created ${email} (${name}), ${team.role} of the team ${team.slug}.\n`);
  if (reset !== null) await output.out(linkText(context, reset));
};

export const listUsers: DatabaseCommand['run'] = async ({ database }, given, output) => {
  const people = await installationStore(database.scan).listPeople();
  const memberships = await installationStore(database.scan).listMemberships();
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
    await sessionStore(tx).deleteAllOf(found.id);
    await verificationStore(tx).deleteResetLinks(found.id);
    const verb = hash === null ? 'password_reset_issued' : 'password_reset';
    await auditAs(tx, OPERATOR, { verb, target: targetOf(found), teamId: null }, now);
    if (hash !== null) await passwordStore(tx).set(found.id, hash, now);
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
    await installationStore(tx).removeTwoFactor(found.id, now);
    await sessionStore(tx).deleteAllOf(found.id);
    const change = { before: { mfa_enabled: true }, after: { mfa_enabled: false } };
    const target = targetOf(found);
    await auditAs(tx, OPERATOR, { verb: 'mfa_disabled', target, teamId: null, ...change }, now);
    return { person: found, passkeys: await installationStore(tx).countPasskeys(found.id) };
  });
  context.forget({ personId: person.id });
  const rest = passkeys === 0 ? 'They have no passkeys.' : `Their passkeys (${passkeys}) stay.`;
  await output.out(
    `${person.email} now signs in without a code. All their sessions have ended. ${rest}\n`,
  );
};

/** @throws CommandError when nobody has that address. */
async function requirePerson(db: Db, email: string): Promise<PersonRow> {
  const person = await installationStore(db).findPersonByEmail(email);
  if (person !== undefined) return person;
  throw new CommandError(`Nobody has the address ${email}. "user list" shows all people.`);
}

async function joinTeam(
  tx: Tx,
  personId: number,
  { slug, role }: { slug: string; role: string },
  now: number,
) {
  const team = await requireTeam(tx, slug);
  await teamStore(tx).insertMember(team.id, personId, role, now);
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
function readName(text: string): string {
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

export const issueSetupLink: DatabaseCommand['run'] = async (
  { database, clock, baseUrl },
  _given,
  output,
) => {
  const now = clock.now();
  const { token, expiresAt } = await database.transaction(async (tx) => {
    const owner = await accountStore(tx).find(Number(await readSetting(tx, OWNER_SETTING)));
    if (owner === undefined || (await pendingSetupUntil(tx)) === null) {
      throw new CommandError(
        'Set-up is complete: sign in. "user reset-password EMAIL" creates a link to set a new password.',
      );
    }
    const target = auditTarget('person', { id: owner.id, name: owner.email });
    await auditAs(tx, OPERATOR, { verb: 'setup_link_issued', target, teamId: null }, now);
    return issueSetupToken(tx, now);
  });
  await output.out(
    `Link to complete set-up, valid once until ${isoTime(expiresAt)}:\n\n` +
      `  ${baseUrl()}/setup?token=${token}\n\n`,
  );
};

export const listAllTeams: DatabaseCommand['run'] = async ({ database, plans }, given, output) => {
  const teams = await installationStore(database.scan).listTeams();
  const shown = teams.map((team) => ({
    id: team.id,
    slug: team.slug,
    name: team.name,
    personal_team: team.personal_team === 1,
    owner: team.owner,
    plan: plans.of(team.plan).name,
    members: Number(team.members),
    monitors: Number(team.monitors),
    created_at: isoTime(team.created_at),
  }));
  if (given.options['json'] === true) return output.out(`${JSON.stringify(shown, null, 2)}\n`);
  const rows = shown.map((one) => [
    one.slug,
    one.name,
    one.owner ?? '-',
    one.plan,
    String(one.members),
    String(one.monitors),
  ]);
  const heads = ['SLUG', 'NAME', 'OWNER', 'PLAN', 'MEMBERS', 'MONITORS'];
  await output.out(formatTable(heads, rows));
};

export const setPlan: DatabaseCommand['run'] = async (
  { database, plans, clock, forget },
  given,
  output,
) => {
  const [slug = '', name = null] = given.positionals;
  if ((name === null) !== (given.options['default'] === true)) {
    throw new CommandError('Give either a plan or --default.');
  }
  if (name !== null && !plans.names.includes(name)) {
    throw new CommandError(
      `There is no plan "${name}". Use one of ${plans.names.join(', ')}, or add it to PLANS_FILE.`,
    );
  }
  const now = clock.now();
  const team = await database.transaction(async (tx) => {
    const found = await requireTeam(tx, slug);
    await installationStore(tx).setPlan(found.id, name, now);
    const target = auditTarget('team', found);
    const change = { before: { plan: found.plan }, after: { plan: name } };
    await auditAs(tx, OPERATOR, { verb: 'updated', target, teamId: found.id, ...change }, now);
    return found;
  });
  forget({ teamId: team.id });
  await output.out(`The team ${slug} has the plan ${plans.of(name).name}.\n`);
};

/** @throws CommandError when no team has that slug. */
async function requireTeam(db: Db, slug: string) {
  const team = await installationStore(db).findTeamBySlug(slug);
  if (team !== undefined) return team;
  throw new CommandError(`There is no team ${slug}. "team list" shows all teams.`);
}

export const createToken: DatabaseCommand['run'] = async ({ database, clock }, given, output) => {
  const now = clock.now();
  const settings = {
    ...defaultSettings(tokenFields),
    name: readTokenName(textOption(given, 'name')!),
    permissions: readPermissions(textOption(given, 'permissions')!),
    expires_at: readExpiry(textOption(given, 'expires'), now),
  };
  const { permissions, expires_at: expiresAt } = settings;
  const token = newToken();
  const { person, membership } = await database.transaction(async (tx) => {
    const found = await requirePerson(tx, given.positionals[0]!);
    const memberships = await installationStore(tx).listMemberships(found.id);
    const chosen = chooseTeam(found.email, memberships, textOption(given, 'team'));
    if ((await tokenStore(tx).count(found.id)) >= MAX_TOKENS) {
      throw new CommandError(`${found.email} has ${MAX_TOKENS} tokens: one must be revoked first.`);
    }
    const teamId = chosen.team_id;
    const columns = {
      ...columnsOf<typeof settings, TokenColumns>(tokenFields, settings),
      person_id: found.id,
      team_id: teamId,
      hash: hashToken(token),
    };
    const id = await tokenStore(tx).insert(columns, now);
    const target = auditTarget('token', { id, name: settings.name });
    const after = { ...viewSettings(tokenFields, settings), holder: found.email };
    await auditAs(tx, OPERATOR, { verb: 'created', target, teamId, after }, now);
    return { person: found, membership: chosen };
  });
  const validity = expiresAt === null ? 'without expiry' : `until ${isoTime(expiresAt)}`;
  await output.note(
    `A token of ${person.email} for the team ${membership.slug}: ${permissions.join(', ')}, ${validity}. It is shown only once.`,
  );
  const capped = permissions.filter((one) => !roleMay(membership.role as Role, one));
  if (capped.length > 0) {
    await output.note(
      `Their role ${membership.role} does not allow ${capped.join(', ')}, so neither does the token.`,
    );
  }
  await output.out(`${token}\n`);
};

function chooseTeam(
  email: string,
  memberships: readonly MembershipOfPerson[],
  slug: string | null,
): MembershipOfPerson {
  const active = memberships.filter(({ status }) => status === 'active');
  const slugs = active.map((one) => one.slug).join(', ');
  if (active.length === 0) throw new CommandError(`${email} is not an active member of any team.`);
  if (slug === null && active.length > 1) {
    throw new CommandError(`${email} is in several teams: choose one with --team (${slugs}).`);
  }
  const chosen = slug === null ? active[0] : active.find((one) => one.slug === slug);
  if (chosen !== undefined) return chosen;
  throw new CommandError(
    `${email} is not an active member of the team ${slug}. Use one of ${slugs}.`,
  );
}

function readTokenName(text: string): string {
  if (text !== ADMIN_TOKEN_NAME) return readName(text);
  throw new CommandError(`${ADMIN_TOKEN_NAME} is reserved for the token of that setting.`);
}

/** Permissions in the order of the API. */
function readPermissions(text: string): Permission[] {
  const wanted = new Set(text.split(',').map((word) => word.trim()));
  const known = PERMISSIONS.filter((one) => wanted.has(one));
  if (known.length === wanted.size) return known;
  throw new CommandError(
    `--permissions must be a comma-separated list of ${PERMISSIONS.join(', ')}.`,
  );
}

function readExpiry(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = parseTime(text);
  if (at !== null && at > now) return at;
  throw new CommandError('--expires must be a future time in ISO 8601, such as 2027-01-31T00:00Z.');
}
