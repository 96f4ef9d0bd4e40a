import { noun } from '../common/operation.ts';
import { createAccountService } from './service.ts';
import { createResetLinkService } from '../reset-links.ts';
import { z } from 'zod';
import { PERMISSIONS, ROLES } from '../../identity/caller.ts';
import { accountInput } from './service.ts';
import { time } from '../common/reference-schemas.ts';

const personFields = { id: z.int(), name: z.string(), email: z.string() };

export const accountFields = {
  ...personFields,
  timezone: z.string().meta({ description: 'IANA name.' }),
};

export const teamFields = {
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  personal_team: z.boolean(),
};

const accountAnswer = z.object(accountFields).meta({ id: 'Account', description: 'Your account.' });

const whoAmI = z
  .object({
    user: accountAnswer,
    team: z
      .object(teamFields)
      .nullable()
      .meta({ description: 'Team that calls with this token act on.' }),
    role: z
      .enum(ROLES)
      .nullable()
      .optional()
      .meta({ description: 'Sessions only: your role in this team; null without a team.' }),
    withheld: z.enum(['mfa_required']).nullable().optional().meta({
      description:
        'Sessions only: why there is no team though you are in one: mfa_required when it demands a second factor that you have not set up.',
    }),
    token: z.object({ name: z.string(), permissions: z.array(z.enum(PERMISSIONS)) }),
    api: z.object({ name: z.string(), version: z.string() }),
  })
  .meta({ id: 'WhoAmI', description: 'Person, team and permissions of the token.' });

export const account = noun('Account', createAccountService, {
  whoAmI: {
    at: 'GET /',
    needs: 'token',
    summary: 'Who am I',
    description: 'Returns the person, team and permissions of the token.',
    answer: whoAmI,
    example: {
      answer: {
        user: { id: 1, name: 'Alice', email: 'alice@example.com', timezone: 'UTC' },
        team: { id: 1, name: 'My team', slug: 'my-team', personal_team: true },
        token: { name: 'First start', permissions: ['read', 'create', 'update', 'delete'] },
        api: { name: 'Tocsin', version: '0.1.0' },
      },
    },
  },
  testToken: {
    at: 'GET /test',
    needs: 'token',
    summary: 'Test the token',
    answer: z
      .object({ message: z.string(), user: z.object(personFields) })
      .meta({ id: 'TokenTest', description: 'Confirmation that the token is valid.' }),
    example: {
      answer: {
        message: 'You are signed in as Alice.',
        user: { id: 1, name: 'Alice', email: 'alice@example.com' },
      },
    },
  },
  updateAccount: {
    at: 'PUT /account',
    role: null,
    summary: 'Update your account',
    description:
      'Changes the given fields. Address, password and second factor are changed at `/api/auth`.',
    body: accountInput,
    answer: accountAnswer,
    example: {
      body: { name: 'Alice', timezone: 'Europe/Berlin' },
      answer: { id: 1, name: 'Alice', email: 'alice@example.com', timezone: 'Europe/Berlin' },
    },
  },
});

export const resetLinks = noun('Users', createResetLinkService, {
  createResetLink: {
    at: 'POST /users/:id/reset-link',
    needs: 'update',
    role: 'admin',
    summary: 'Create a link that sets a new password',
    description: `
For installations without a mail server: creates a link for a member who can no longer sign in. With a mail server, people
request it themselves.

A new password gives access to all teams of that person. The caller must therefore be owner or admin in every one of them,
with a higher role than the member; for yourself it is always possible. A token must have all permissions.`.trim(),
    answer: z
      .object({
        url: z.string().meta({ description: 'The link; give it to that person only.' }),
        expires_at: time.meta({ description: 'End of validity. The link works once.' }),
      })
      .meta({ id: 'ResetLink', description: 'Link to set a new password.' }),
    example: {
      answer: {
        url: 'https://up.example.com/reset-password?token=…',
        expires_at: '2030-01-01T01:00:00.000Z',
      },
    },
    refusals: ['unsupported'],
  },
});
