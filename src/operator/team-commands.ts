import { isoTime } from '../resources/common/time.ts';
import { findTeamBySlug, listTeams, setTeamPlan } from '../store/people/installation.ts';
import { Refusal, type DatabaseCommand } from './command.ts';
import { noteChange } from './note-change.ts';
import { drawTable } from './table.ts';

const listAllTeams: DatabaseCommand = {
  name: 'team list',
  usage: '[--json]',
  summary: 'List all teams with their plans and sizes.',
  details: ['The plan is the one that holds, the default of PLANS_FILE included.'],
  positionals: { least: 0, most: 0 },
  options: { json: 'flag' },
  async run({ database, plans }, given, output) {
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
    await output.out(drawTable(heads, rows));
  },
};

const setPlan: DatabaseCommand = {
  name: 'team plan',
  usage: 'SLUG (PLAN | --default)',
  summary: 'Give a team a plan of PLANS_FILE, or its default again.',
  details: ['What a team has above its new plan stays, and nothing can be added to it.'],
  positionals: { least: 1, most: 2 },
  options: { default: 'flag' },
  async run({ database, plans, clock, forget }, given, output) {
    const [slug = '', name = null] = given.positionals;
    if ((name === null) !== (given.options['default'] === true)) {
      throw new Refusal('Name a plan, or give --default: one of the two.');
    }
    if (name !== null && !plans.names.includes(name)) {
      throw new Refusal(
        `There is no plan "${name}". There are: ${plans.names.join(', ')}. Others come from PLANS_FILE.`,
      );
    }
    const now = clock.now();
    const team = await database.transaction(async (tx) => {
      const found = await findTeamBySlug(tx, slug);
      if (found === undefined) {
        throw new Refusal(`There is no team ${slug}. "team list" shows those that are there.`);
      }
      await setTeamPlan(tx, found.id, name, now);
      const target = { type: 'team', id: found.id, name: found.name } as const;
      const change = { before: { plan: found.plan }, after: { plan: name } };
      await noteChange(tx, { verb: 'updated', target, teamId: found.id, ...change }, now);
      return found;
    });
    forget({ teamId: team.id });
    await output.out(`The team ${slug} has the plan ${plans.of(name).name}.\n`);
  },
};

export const TEAM_COMMANDS = [listAllTeams, setPlan];
