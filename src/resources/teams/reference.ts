import { noun } from '../common/operation.ts';
import { createTeamService } from './service.ts';
import { z } from 'zod';
import { ROLES } from '../../identity/caller.ts';
import { deletionQuery, teamChange, teamInput, transferInput } from './service.ts';

const shape = {
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  role: z.enum(ROLES).meta({ description: 'Your role in the team.' }),
  personal_team: z.boolean(),
  is_current: z
    .boolean()
    .meta({ description: 'True for the team that calls with this token act on.' }),
};

export const team = z
  .object(shape)
  .meta({ id: 'Team', description: 'A team with the role of the caller.' });

const wholeTeam = z
  .object({
    ...shape,
    plan: z.string().meta({ description: 'Name of its plan.' }),
    mfa_required: z.boolean().meta({
      description:
        'True when signed-in people need two-factor authentication or a passkey to access it.',
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

const CURRENT =
  'Works for the current team of the token only: for another one the response is 404.';

export const teams = noun('Teams', createTeamService, {
  listTeams: {
    at: 'GET /teams',
    needs: 'token',
    summary: 'List your teams',
    description: 'The teams that you are an active member of.',
    answer: z
      .object({ data: z.array(team) })
      .meta({ id: 'TeamList', description: 'The teams of the caller.' }),
    example: { answer: { data: [mine] } },
  },
  switchTeam: {
    at: 'POST /teams/:id/switch',
    needs: 'update',
    role: null,
    summary: 'Switch to a team',
    description:
      'Makes a team the current one of this token; your other tokens do not change. The response is 403 for a team that does not exist or that you are not a member of.',
    answer: team,
    example: { answer: mine },
  },
  createTeam: {
    at: 'POST /teams',
    role: null,
    summary: 'Create a team',
    description:
      'Creates a team that you own. Switch to it to use it. The `slug` is derived from the name and never changes.',
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
    at: 'GET /teams/:id',
    summary: 'Get the current team',
    description: CURRENT,
    answer: wholeTeam,
    example: { answer: whole },
  },
  updateTeam: {
    at: 'PUT /teams/:id',
    role: 'admin',
    summary: 'Change a team',
    description: `Changes the given fields. ${CURRENT} For admins.`,
    body: teamChange,
    answer: wholeTeam,
    example: { body: { name: 'Operations' }, answer: { ...whole, name: 'Operations' } },
  },
  transferTeam: {
    at: 'POST /teams/:id/transfer',
    needs: 'update',
    role: 'owner',
    summary: 'Transfer a team',
    description: `Makes another active member the owner; you become an admin. ${CURRENT} For its owner.`,
    body: transferInput,
    answer: team,
    example: { body: { user_id: 2 }, answer: { ...mine, role: 'admin' } },
  },
  leaveTeam: {
    at: 'POST /teams/:id/leave',
    needs: 'update',
    role: null,
    summary: 'Leave a team',
    description:
      'Leaves any team that you are an active member of, and revokes your tokens for it. The owner must transfer or delete the team instead.',
    answer: z
      .object({ success: z.literal(true), message: z.string() })
      .meta({ id: 'LeftTeam', description: 'Confirmation that you left.' }),
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
    at: 'DELETE /teams/:id',
    role: 'owner',
    summary: 'Delete a team',
    description: `Deletes a team with its monitors and their history, groups, invitations and tokens. Access ends at once, checks end within a minute, and the data is deleted in the background. ${CURRENT} For its owner.`,
    query: deletionQuery,
    example: { query: 'name=Team ours' },
  },
});
