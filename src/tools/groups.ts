import { z } from 'zod';
import { counted } from './common.ts';
import { fromTeam } from './target-text.ts';
import { listTool, finalTool, viewTool, type Tool } from './tool.ts';

/** What tools read of a group as the API answers it. */
interface GroupAnswer {
  id: number;
  name: string;
  description: string | null;
  parent_id: number | null;
  sort_order: number;
  monitors_count: number;
}

const group = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  parent_id: z.int().nullable().meta({ description: 'The group that this one is in.' }),
  sort_order: z.int(),
  monitors_count: z.int().meta({
    description: 'Monitors directly in it, without those of its subgroups.',
  }),
});

const GROUP_PATH = {
  id: { argument: 'group_id', description: 'Id of the group, from list_groups.' },
};

export const GROUP_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_groups',
    operation: 'listGroups',
    description:
      'Lists the groups (folders) of monitors with their ids. For the monitors in one, use list_monitors with group_id.',
    items: 'groups',
    item: group,
    viewItem: viewGroup,
  }),
  viewTool({
    name: 'get_group',
    operation: 'getGroup',
    description: 'Shows one group of monitors. For its monitors, use list_monitors with group_id.',
    path: GROUP_PATH,
    output: group,
    view: viewGroup,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'create_group',
    operation: 'createGroup',
    description:
      'Creates a group of monitors; with parent_id inside another group, one level deep. Put monitors into it with update_monitor or change_monitors.',
    output: group,
    view: viewGroup,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'update_group',
    operation: 'updateGroup',
    description:
      'Replaces the whole group: description, parent_id and sort_order that are left out are unset. Read it with get_group first, and send everything that shall stay. Its monitors stay in it.',
    path: GROUP_PATH,
    output: group,
    view: viewGroup,
    summary: sentenceOf,
  }),
  finalTool({
    name: 'delete_group',
    operation: 'deleteGroup',
    description:
      'Deletes a group. Its monitors stay, without a group; its subgroups stay, without a parent.',
    path: GROUP_PATH,
    shows: 'get_group',
    effect: 'delete the group; its monitors stay, without a group',
  }),
];

function viewGroup(answer: GroupAnswer): z.input<typeof group> {
  return {
    id: answer.id,
    name: fromTeam(answer.name, 60),
    description: fromTeam(answer.description, 255),
    parent_id: answer.parent_id,
    sort_order: answer.sort_order,
    monitors_count: answer.monitors_count,
  };
}

function sentenceOf({ id, name, monitors_count: monitors }: z.output<typeof group>): string {
  return `Group ${id}, ${name}, has ${counted(monitors, 'monitor')}.`;
}
