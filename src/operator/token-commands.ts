import { ADMIN_TOKEN_NAME } from '../identity/admin-token.ts';
import { PERMISSIONS, roleMay, type Permission, type Role } from '../identity/caller.ts';
import { hashToken, newToken } from '../identity/token.ts';
import { InvalidSetting, singleLineText } from '../lib/setting-types.ts';
import { isoOrNull, isoTime, parseTime } from '../resources/common/time.ts';
import { listAllMemberships, type MembershipOfPerson } from '../store/people/installation.ts';
import { MOST_TOKENS } from '../resources/tokens/service.ts';
import { countTokens, insertToken } from '../store/people/tokens.ts';
import { Refusal, textOf, type DatabaseCommand } from './command.ts';
import { noteChange } from './note-change.ts';
import { mustFindPerson } from './user-commands.ts';

const createToken: DatabaseCommand = {
  name: 'token create',
  usage: 'EMAIL --name NAME --permissions LIST [--team SLUG] [--expires TIME]',
  summary: 'Make an API token for a person, and print it this once.',
  details: [
    `LIST is a comma list of ${PERMISSIONS.join(', ')}; the person's role caps it.`,
    'Who is in several teams needs --team. TIME is ISO 8601, such as 2027-01-31T00:00Z.',
  ],
  positionals: { least: 1, most: 1 },
  options: { name: 'text', permissions: 'text', team: 'text', expires: 'text' },
  required: ['name', 'permissions'],
  async run({ database, clock }, given, output) {
    const now = clock.now();
    const name = readName(textOf(given, 'name')!);
    const permissions = readPermissions(textOf(given, 'permissions')!);
    const expiresAt = readExpiry(textOf(given, 'expires'), now);
    const token = newToken();
    const { person, membership } = await database.transaction(async (tx) => {
      const found = await mustFindPerson(tx, given.positionals[0]!);
      const memberships = await listAllMemberships(tx, found.id);
      const chosen = chooseTeam(found.email, memberships, textOf(given, 'team'));
      if ((await countTokens(tx, found.id)) >= MOST_TOKENS) {
        throw new Refusal(`${found.email} has ${MOST_TOKENS} tokens: one must be revoked first.`);
      }
      const teamId = chosen.team_id;
      const row = { personId: found.id, teamId, name, hash: hashToken(token), permissions };
      const id = await insertToken(tx, { ...row, expiresAt }, now);
      const target = { type: 'token', id, name } as const;
      const after = { name, permissions, expires_at: isoOrNull(expiresAt), holder: found.email };
      await noteChange(tx, { verb: 'created', target, teamId, after }, now);
      return { person: found, membership: chosen };
    });
    const until = expiresAt === null ? 'without end' : `until ${isoTime(expiresAt)}`;
    await output.note(
      `A token of ${person.email} for the team ${membership.slug}: ${permissions.join(', ')}, ${until}. It is shown this once.`,
    );
    const capped = permissions.filter((one) => !roleMay(membership.role as Role, one));
    if (capped.length > 0) {
      await output.note(
        `As ${membership.role} they may not ${capped.join(', ')}, and so neither may the token.`,
      );
    }
    await output.out(`${token}\n`);
  },
};

export const TOKEN_COMMANDS = [createToken];

function chooseTeam(
  email: string,
  memberships: readonly MembershipOfPerson[],
  slug: string | null,
): MembershipOfPerson {
  const active = memberships.filter(({ status }) => status === 'active');
  const slugs = active.map((one) => one.slug).join(', ');
  if (active.length === 0) throw new Refusal(`${email} is an active member of no team.`);
  if (slug === null && active.length > 1) {
    throw new Refusal(`${email} is in several teams: say which one with --team (${slugs}).`);
  }
  const chosen = slug === null ? active[0] : active.find((one) => one.slug === slug);
  if (chosen !== undefined) return chosen;
  throw new Refusal(`${email} is no active member of a team ${slug}. Theirs: ${slugs}.`);
}

function readName(text: string): string {
  if (text === ADMIN_TOKEN_NAME) {
    throw new Refusal(`${ADMIN_TOKEN_NAME} is the name of the token that the setting gives.`);
  }
  try {
    const name = singleLineText(100).parse(text.trim());
    if (name !== '') return name;
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
  }
  throw new Refusal('--name must be one line of 1 to 100 characters.');
}

/** In the order in which the API shows them. */
function readPermissions(text: string): Permission[] {
  const wanted = new Set(text.split(',').map((word) => word.trim()));
  const known = PERMISSIONS.filter((one) => wanted.has(one));
  if (known.length === wanted.size) return known;
  throw new Refusal(`--permissions must be a comma list of ${PERMISSIONS.join(', ')}.`);
}

function readExpiry(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = parseTime(text);
  if (at !== null && at > now) return at;
  throw new Refusal('--expires must be a time to come in ISO 8601, such as 2027-01-31T00:00Z.');
}
