import { ADMIN_TOKEN_NAME } from '../identity/bootstrap.ts';
import { PERMISSIONS, roleMay, type Permission, type Role } from '../identity/caller.ts';
import { hashToken, newToken } from '../identity/token.ts';
import { columnsOf, defaultSettings, viewSettings } from '../resources/common/fields.ts';
import { isoTime, parseTime } from '../resources/common/time.ts';
import { listAllMemberships, type MembershipOfPerson } from '../store/people/installation.ts';
import { TOKEN_FIELDS, type TokenSettings } from '../resources/tokens/fields.ts';
import { MAX_TOKENS } from '../resources/tokens/service.ts';
import { countTokens, insertToken, type TokenColumns } from '../store/people/tokens.ts';
import { CommandError, textOption, type DatabaseCommand } from './command.ts';
import { auditTarget, OPERATOR } from '../model/audit.ts';
import { auditAs } from '../resources/audit-log/entry.ts';
import { readName, requirePerson } from './user-commands.ts';

export const createToken: DatabaseCommand['run'] = async ({ database, clock }, given, output) => {
  const now = clock.now();
  const settings = {
    ...defaultSettings(TOKEN_FIELDS),
    name: readTokenName(textOption(given, 'name')!),
    permissions: readPermissions(textOption(given, 'permissions')!),
    expires_at: readExpiry(textOption(given, 'expires'), now),
  };
  const { permissions, expires_at: expiresAt } = settings;
  const token = newToken();
  const { person, membership } = await database.transaction(async (tx) => {
    const found = await requirePerson(tx, given.positionals[0]!);
    const memberships = await listAllMemberships(tx, found.id);
    const chosen = chooseTeam(found.email, memberships, textOption(given, 'team'));
    if ((await countTokens(tx, found.id)) >= MAX_TOKENS) {
      throw new CommandError(`${found.email} has ${MAX_TOKENS} tokens: one must be revoked first.`);
    }
    const teamId = chosen.team_id;
    const columns = {
      ...columnsOf<TokenSettings, TokenColumns>(TOKEN_FIELDS, settings),
      person_id: found.id,
      team_id: teamId,
      hash: hashToken(token),
    };
    const id = await insertToken(tx, columns, now);
    const target = auditTarget('token', { id, name: settings.name });
    const after = { ...viewSettings(TOKEN_FIELDS, settings), holder: found.email };
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
