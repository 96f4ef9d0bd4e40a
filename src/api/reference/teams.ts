import { z } from 'zod';
import { ROLES } from '../../identity/caller.ts';
import type { Operation } from './operation.ts';

const team = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    role: z.enum(ROLES).meta({ description: 'Yours in that team.' }),
    personal_team: z.boolean(),
    is_current: z
      .boolean()
      .meta({ description: 'Whether calls with the token that asks act on this team.' }),
  })
  .meta({ id: 'Team', description: 'A team, and what the caller is in it.' });

const mine = {
  id: 1,
  name: 'My team',
  slug: 'my-team',
  role: 'owner',
  personal_team: true,
  is_current: true,
};

export const TEAM_OPERATIONS = {
  listTeams: {
    tag: 'Teams',
    summary: 'List your teams',
    description: 'The teams that you are an active member of, whichever team the token acts on.',
    answer: z
      .object({ data: z.array(team) })
      .meta({ id: 'TeamList', description: 'The teams of the caller.' }),
    example: { answer: { data: [mine] } },
  },
  switchTeam: {
    tag: 'Teams',
    summary: 'Switch to a team',
    description:
      'From then on every call with this token acts on that team; your other tokens stay where they are. A team that you are no member of, or that does not exist, is refused with 403.',
    answer: team,
    example: { answer: mine },
  },
} satisfies Record<string, Operation>;
