import type { Kysely } from 'kysely';
import { isoTime } from '../resources/common/time.ts';
import type { Schema } from '../store/database/schema.ts';
import { findTeamBySlug, listTeams, setTeamPlan } from '../store/people/installation.ts';
import { CommandError, type DatabaseCommand, formatTable } from './command.ts';
import { auditTarget, OPERATOR } from '../model/audit.ts';
import { auditAs } from '../resources/audit-log/entry.ts';

export const listAllTeams: DatabaseCommand['run'] = async ({ database, plans }, given, output) => {
  const teams = await listTeams(database.scan);
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
    await setTeamPlan(tx, found.id, name, now);
    const target = auditTarget('team', found);
    const change = { before: { plan: found.plan }, after: { plan: name } };
    await auditAs(tx, OPERATOR, { verb: 'updated', target, teamId: found.id, ...change }, now);
    return found;
  });
  forget({ teamId: team.id });
  await output.out(`The team ${slug} has the plan ${plans.of(name).name}.\n`);
};

/** @throws CommandError when no team has that slug. */
export async function requireTeam(db: Kysely<Schema>, slug: string) {
  const team = await findTeamBySlug(db, slug);
  if (team !== undefined) return team;
  throw new CommandError(`There is no team ${slug}. "team list" shows all teams.`);
}
