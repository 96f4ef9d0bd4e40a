import { z } from 'zod';
import { ROLES } from '../../identity/caller.ts';
import { deletionQuery, teamChange, teamInput, transferInput } from './service.ts';
import { operations } from '../common/operation.ts';

const shape = {
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  role: z.enum(ROLES).meta({ description: 'Yours in that team.' }),
  personal_team: z.boolean(),
  is_current: z
    .boolean()
    .meta({ description: 'Whether calls with the token that asks act on this team.' }),
};

export const team = z
  .object(shape)
  .meta({ id: 'Team', description: 'A team, and what the caller is in it.' });

const wholeTeam = z
  .object({
    ...shape,
    plan: z.string().meta({ description: 'Name of its plan: what it may use.' }),
    mfa_required: z.boolean().meta({
      description:
        'Whether people need two-factor authentication, or a passkey, to act on it when they are signed in.',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'WholeTeam', description: 'The current team with its settings.' });

const mine = {
  id: 1,
  name: 'My team',
  slug: 'my-team',
  role: 'owner',
  personal_team: true,
  is_current: true,
};

const whole = {
  ...mine,
  plan: 'Self-hosted',
  mfa_required: false,
  created_at: '2030-01-01T00:00:00.000Z',
};

const CURRENT = 'Only the team that the token acts on can be meant: another is 404.';

export const TEAM_OPERATIONS = operations('Teams', {
  listTeams: {
    summary: 'List your teams',
    description: 'The teams that you are an active member of, whichever team the token acts on.',
    answer: z
      .object({ data: z.array(team) })
      .meta({ id: 'TeamList', description: 'The teams of the caller.' }),
    example: { answer: { data: [mine] } },
  },
  switchTeam: {
    summary: 'Switch to a team',
    description:
      'From then on every call with this token acts on that team; your other tokens stay where they are. A team that you are no member of, or that does not exist, is refused with 403.',
    answer: team,
    example: { answer: mine },
  },
  createTeam: {
    summary: 'Create a team',
    description:
      'You own it. Calls go on acting on the team that they act on: switch to the new one to use it. The `slug` is made of the name, and stays.',
    body: teamInput,
    answer: team,
    example: {
      body: { name: 'Customers' },
      answer: {
        ...mine,
        id: 3,
        name: 'Customers',
        slug: 'customers',
        personal_team: false,
        is_current: false,
      },
    },
  },
  getTeam: {
    summary: 'Get the current team',
    description: CURRENT,
    answer: wholeTeam,
    example: { answer: whole },
  },
  updateTeam: {
    summary: 'Change a team',
    description: `Only what is present changes. ${CURRENT} For admins.`,
    body: teamChange,
    answer: wholeTeam,
    example: { body: { name: 'Operations' }, answer: { ...whole, name: 'Operations' } },
  },
  transferTeam: {
    summary: 'Transfer a team',
    description: `Another active member owns it from then on, and you are an admin of it. ${CURRENT} For its owner.`,
    body: transferInput,
    answer: team,
    example: { body: { user_id: 2 }, answer: { ...mine, role: 'admin' } },
  },
  leaveTeam: {
    summary: 'Leave a team',
    description:
      'Any team that you are an active member of. Your tokens that act on it are revoked. The owner transfers or deletes it instead.',
    answer: z
      .object({ success: z.literal(true), message: z.string() })
      .meta({ id: 'LeftTeam', description: 'You are no member any more.' }),
    example: {
      id: 2,
      answer: {
        success: true,
        message: 'You have left the team "Customers". Your tokens that acted on it are revoked.',
      },
    },
    refusals: ['invalid'],
  },
  deleteTeam: {
    summary: 'Delete a team',
    description: `All of it: monitors with their history, groups, invitations, tokens. At once nobody gets into it any more, and within a minute nothing of it is checked; its data is cleared away in the background. ${CURRENT} For its owner.`,
    query: deletionQuery,
    example: { query: 'name=Team ours' },
  },
});
