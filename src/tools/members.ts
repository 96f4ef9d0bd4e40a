import { z } from 'zod';
import { ROLES, type Role } from '../identity/caller.ts';
import { time } from './common.ts';
import { fromTeam } from './target-text.ts';
import { listTool, type Tool, type View } from './tool.ts';

const MEMBER_STATUSES = ['active', 'disabled'] as const;

/** What tools read of a member as the API answers it; how they sign in is not among it. */
interface MemberAnswer {
  id: number;
  name: string;
  email: string;
  role: Role;
  status: (typeof MEMBER_STATUSES)[number];
  added_at: string;
}

const member = z.object({
  id: z.int(),
  name: z.string(),
  role: z.enum(ROLES),
  status: z
    .enum(MEMBER_STATUSES)
    .meta({ description: 'A disabled member cannot access the team.' }),
  email: z.string().optional(),
  added_at: time.optional(),
});

export const MEMBER_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_members',
    operation: 'listUsers',
    title: 'List members',
    description:
      'Lists the members of the team with their roles, the owner first. With detail also their e-mail addresses.',
    hasDetail: true,
    items: 'members',
    item: member,
    viewItem: viewMember,
  }),
];

function viewMember(answer: MemberAnswer, { detail }: View): z.input<typeof member> {
  return {
    id: answer.id,
    name: fromTeam(answer.name, 80),
    role: answer.role,
    status: answer.status,
    ...(detail && { email: fromTeam(answer.email, 254), added_at: answer.added_at }),
  };
}
