import { user } from '../resources/users/users.ts';
import { detailed, shown, team } from './shown.ts';
import { listTool, type Tool } from './tool.ts';

const member = shown(user, {
  id: true,
  name: team(80),
  role: true,
  status: true,
  ...detailed({ email: team(254), added_at: true }),
});

export const MEMBER_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_members',
    operation: 'listUsers',
    title: 'List members',
    hasDetail: true,
    item: member,
  }),
];
