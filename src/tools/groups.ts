import { groups } from '../resources/groups.ts';
import { counted } from './common.ts';
import { shown, team } from './shown.ts';
import { byId, finalTool, listTool, viewTool, type Tool } from './tool.ts';

const group = shown(groups.answer, {
  id: true,
  name: team(60),
  description: team(255),
  parent_id: true,
  sort_order: true,
  monitors_count: true,
});

const one = {
  path: byId('group_id'),
  content: group,
  summary: sentenceOf,
};

export const GROUP_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_groups',
    item: group,
  }),
  viewTool({
    name: 'get_group',
    ...one,
  }),
  viewTool({
    name: 'create_group',
    description:
      'Creates a group of monitors; with parent_id inside another one. Put monitors into it with change_monitors.',
    content: group,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'update_group',
    description: 'Replaces the whole group: what is left out is unset. Its monitors stay in it.',
    ...one,
  }),
  finalTool({
    name: 'delete_group',
    path: one.path,
    shows: 'get_group',
    effect: 'delete the group; its monitors stay, without a group',
  }),
];

function sentenceOf({ id, name, monitors_count: monitors }: ReturnType<typeof group.view>): string {
  return `Group ${id}, ${name}, has ${counted(monitors, 'monitor')}.`;
}
