import { z } from 'zod';
import { nameText, text, wholeNumber } from '../lib/schemas.ts';
import { scheduleAlertsOfTeam } from '../store/alerting/alerts.ts';
import { foldedName, namesOfGroups, selectGroups } from '../store/resources/groups.ts';
import { collection } from './common/collection.ts';
import { fieldTable, type SettingsOf } from './common/fields.ts';
import type { Findings } from './common/input.ts';

const NO_GROUP = 'must be the id of a group of your team';
const NAME_TAKEN =
  'A name that another group has, without regard to case, is refused with 422; `existing_group_id` in the answer is the id of that group.';

const fields = fieldTable({
  name: {
    input: nameText(60),
    unset: '',
    required: 'give the group a name for lists',
    meaning: 'Unique in the team, without regard to case.',
  },
  description: { input: text(255) },
  parent_id: {
    input: z.int({ error: NO_GROUP }).min(1, { error: NO_GROUP }),
    meaning: 'The group that this one is in. Groups nest one level deep.',
    refers: 'groups',
  },
  sort_order: {
    input: wholeNumber(0, 2_147_483_647),
    unset: 0,
    meaning: 'Lists are sorted by it, then by name.',
  },
});

/** Folders of the team's monitors (contract 26.3). */
export const groups = collection({
  noun: 'group',
  tag: { Groups: 'Monitors that belong together.' },
  path: '/groups',
  table: 'monitor_group',
  meaning: "A folder of the team's monitors.",
  fields,
  order: ['sort_order', 'name'],
  most: 500,
  replaces: true,
  says: {
    list: 'All groups of the team, ordered by `sort_order`, then by name.',
    create: NAME_TAKEN,
    update: [
      'Replace a group',
      `Replaces the whole group: fields that are left out are unset. ${NAME_TAKEN}`,
    ],
    delete: 'Its monitors stay, without a group. Its subgroups stay, without a parent.',
  },
  example: { name: 'Production', description: 'What customers see', sort_order: 10 },
  change: { name: 'Staging', sort_order: 20 },
  more: {
    byItself: ['monitors_count'],
    shape: {
      monitors_count: z.int().meta({
        description: 'Number of monitors directly in it; those of its subgroups are not counted.',
      }),
    },
    example: { monitors_count: 0 },
    view: (rows) => rows.map(({ monitors_count }) => ({ monitors_count })),
  },
  select: selectGroups,

  async check({ tx, caller }, { id, settings, findings }) {
    const all = await namesOfGroups(tx, caller.team.id);
    checkParent(id, settings, all, findings);
    const name = foldedName(settings.name);
    const namesake = all.find((one) => one.id !== id && foldedName(one.name) === name);
    if (namesake === undefined) return;
    findings.add(
      'name',
      `must be unique in the team, without regard to case: group ${namesake.id} has it already`,
    );
    throw findings.asError({ existing_group_id: namesake.id });
  },

  /** Routes that name a group then match other monitors, also for alerts that are open. */
  async changed({ tx, caller, now }, { before, after }) {
    if (before !== null && before.parent_id !== after?.parent_id)
      await scheduleAlertsOfTeam(tx, caller.team.id, now);
  },
});

/** Ensures that groups nest one level deep, whether the parent or the subgroup was there first. */
function checkParent(
  id: number | null,
  { parent_id: parentId }: SettingsOf<typeof fields>,
  all: readonly { id: number; parent_id: number | null }[],
  findings: Findings,
): void {
  if (parentId === null) return;
  const add = (predicate: string) => findings.add('parent_id', predicate);
  if (parentId === id) return add('must not be the group itself');
  const parent = all.find((one) => one.id === parentId);
  if (parent === undefined) return add(NO_GROUP);
  if (parent.parent_id !== null)
    add('must be a group without a parent of its own: groups nest one level deep');
  if (all.some((one) => one.parent_id === id && id !== null))
    add('must be null, since this group has subgroups: groups nest one level deep');
}
